# docker build -t groundwire . && docker compose up
FROM python:3.13-slim AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE NOTICE CHANGELOG.md ./
COPY src ./src
RUN python -m venv /opt/groundwire \
 && /opt/groundwire/bin/pip install --no-cache-dir ".[serve,mcp,skos,schemas,openai,anthropic,otel]"

FROM python:3.13-slim
RUN useradd --create-home --uid 10001 groundwire \
 && install --directory --owner groundwire /data
COPY --from=build /opt/groundwire /opt/groundwire
ENV PATH=/opt/groundwire/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    GROUNDWIRE_HOME=/data
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8765 8766
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8765/healthz', timeout=4)"]
ENTRYPOINT ["gw"]
# others reach a container, so a token comes first: docker compose run --rm serve token add NAME
CMD ["serve", "--host", "0.0.0.0"]
