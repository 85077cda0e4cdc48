"""The official clients talk to a real, small model through the proxy, by all three wires."""

from collections.abc import Iterator
from typing import Self

import anthropic
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


@pytest.fixture(scope="module")
def proxy(server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with proxied(Standing(server), tmp_path_factory.mktemp("proxy")) as address:  # type: ignore[arg-type]
        yield address


@pytest.fixture
def client(proxy: str) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=f"{proxy}/v1", api_key=KEY, timeout=600) as made:
        yield made


def test_the_openai_client_chats_unchanged(client: openai.OpenAI) -> None:
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
    assert text == answer.choices[0].message.content
    assert note is not None
    assert [model.id for model in client.models.list()]


def test_the_openai_client_has_responses_unchanged(client: openai.OpenAI) -> None:
    """The newer of its two wires."""
    asked = {"instructions": ASKED[0]["content"], "input": ASKED[1]["content"]}
    made = {"model": "smollm2", "max_output_tokens": 24, "temperature": 0, **asked}
    answer = client.responses.create(**made)
    assert answer.output_text
    assert "claims" in answer.model_extra["groundwire"]
    with client.responses.create(**made, stream=True) as stream:
        events = list(stream)
    text = "".join(one.delta for one in events if one.type == "response.output_text.delta")
    assert text == answer.output_text
    assert "claims" in events[-1].response.model_extra["groundwire"]


def test_the_anthropic_client_works_unchanged(proxy: str) -> None:
    """llama.cpp's server speaks its wire, too."""
    made = {"model": "smollm2", "max_tokens": 24, "system": ASKED[0]["content"]}
    made |= {"messages": ASKED[1:], "extra_body": {"temperature": 0}}
    with anthropic.Anthropic(base_url=proxy, api_key=KEY, timeout=600) as client:
        answer = client.messages.create(**made)
        with client.messages.stream(**made) as stream:
            notes = [one.model_extra for one in stream if one.type == "message_delta"]
            final = stream.get_final_message()
        with (
            client.with_options(api_key="another") as other,
            pytest.raises(anthropic.AuthenticationError),
        ):
            other.messages.create(**made)
    assert answer.content[0].text
    assert "claims" in answer.model_extra["groundwire"]
    assert final.content[0].text == answer.content[0].text
    assert "claims" in notes[0]["groundwire"]


def test_a_wrong_key_is_the_services_own_error(client: openai.OpenAI) -> None:
    """It passes unchanged."""
    with (
        client.with_options(api_key="another") as other,
        pytest.raises(openai.AuthenticationError),
    ):
        other.chat.completions.create(model="smollm2", messages=ASKED)
