"""The official client talks to a real, small model through the proxy."""

from collections.abc import Iterator
from pathlib import Path
from typing import Self

import openai
import pytest

from tests.judge.test_smollm2 import KEY, server
from tests.serve.test_proxy import proxied

pytestmark = [pytest.mark.heavy, pytest.mark.timeout(900)]
__all__ = ["server"]
ASKED = [
    {"role": "system", "content": "The mast is 42 m high. It was built in 1974."},
    {"role": "user", "content": "How high is the mast?"},
]


class Standing:
    """A server that runs already."""

    def __init__(self, address: str) -> None:
        self.base_url = address

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Whoever started it stops it."""


@pytest.fixture
def client(server: str, tmp_path: Path) -> Iterator[openai.OpenAI]:
    with (
        proxied(Standing(server), tmp_path) as address,  # type: ignore[arg-type]
        openai.OpenAI(base_url=f"{address}/v1", api_key=KEY, timeout=600) as made,
    ):
        yield made


def test_the_openai_client_works_unchanged(client: openai.OpenAI) -> None:
    """Whole and streamed, what the model says comes with what was found about it."""
    made = {"model": "smollm2", "messages": ASKED, "max_tokens": 24, "temperature": 0}
    answer = client.chat.completions.create(**made)
    assert answer.choices[0].message.content
    assert "claims" in answer.model_extra["groundwire"]
    text, note = "", None
    with client.chat.completions.create(**made, stream=True) as stream:
        for chunk in stream:
            text += "".join(choice.delta.content or "" for choice in chunk.choices)
            note = (chunk.model_extra or {}).get("groundwire") or note
    assert text
    assert note is not None
    assert [model.id for model in client.models.list()]


def test_a_wrong_key_is_the_services_own_error(client: openai.OpenAI) -> None:
    """It passes unchanged."""
    with (
        client.with_options(api_key="another") as other,
        pytest.raises(openai.AuthenticationError),
    ):
        other.chat.completions.create(model="smollm2", messages=ASKED)
