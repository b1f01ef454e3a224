"""A real client over HTTP: what goes out, to whom, and what is learned from a refusal."""

import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from autodream.config import LLM_ANSWER_TOKENS, LLM_MORE_TOKENS, LLM_TIMEOUT, Settings
from autodream.errors import BadAnswerError, ConfigError, CutAnswerError, ModelUnavailableError
from autodream.reasoning import factory, providers
from autodream.reasoning.llm import LlmReasoner
from autodream.reasoning.providers import ModelClient, build_llm, key_setting
from autodream.reasoning.taps import Sent, note_response, sending, tap
from tests.support.fake_llm import FakeLlm, Request, Says, items, serving
from tests.support.reasoning import CountingMeter, make_chunk

CHUNK = make_chunk("- gateway moved to port 8231")
PORT = items({"quote": "gateway moved to port 8231", "text": "The gateway moved to port 8231."})


def settings(tmp_path: Path, url: str | None, **fields: Any) -> Settings:
    defaults: dict[str, Any] = {
        "llm": "openai",
        "llm_model": "tiny",
        "openai_base_url": url,
        "openai_api_key": "sk-a",
    }
    return Settings(data_dir=tmp_path, **(defaults | fields))


def reasoner(configured: Settings) -> tuple[LlmReasoner, CountingMeter]:
    meter = CountingMeter()
    client = build_llm(configured)
    found = LlmReasoner(
        client,
        model=client.model,
        provider=client.provider,
        agent_id="dev",
        meter=meter,
        sleep=lambda seconds: None,
    )
    return found, meter


def test_a_request_asks_for_the_schema_and_accounts_what_was_used(tmp_path: Path) -> None:
    with serving([Says(PORT, tokens=(321, 12))]) as server:
        asking, meter = reasoner(settings(tmp_path, server.url))
        assert asking.extract_facts(CHUNK)[0].text == "The gateway moved to port 8231."
    (request,) = server.requests
    assert request.parameters["model"] == "tiny"
    assert request.parameters["temperature"] == 0
    assert request.parameters["max_tokens"] == LLM_ANSWER_TOKENS
    assert request.response_format["json_schema"]["strict"] is True
    assert request.headers["authorization"] == "Bearer sk-a"
    assert [(call.input_tokens, call.output_tokens) for call in meter.calls] == [(321, 12)]


def test_a_foreign_key_in_the_environment_diverts_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENROUTER_API_KEY", "sk-elsewhere")
    with serving([PORT]) as server:
        asking, _ = reasoner(settings(tmp_path, server.url))
        asking.extract_facts(CHUNK)
    assert server.requests[0].headers["authorization"] == "Bearer sk-a"
    assert server.requests[0].parameters["model"] == "tiny"


def test_the_client_waits_as_configured_and_never_retries_by_itself(tmp_path: Path) -> None:
    client = providers._mem0_llm(settings(tmp_path, "http://127.0.0.1:9/v1")).client  # type: ignore[attr-defined]
    assert client.timeout == LLM_TIMEOUT
    assert client.max_retries == 0


@pytest.mark.parametrize("provider", ["vllm", "lmstudio", "openai_structured"])
def test_other_compatible_providers_get_the_endpoint_too(tmp_path: Path, provider: str) -> None:
    llm: Any = providers._mem0_llm(settings(tmp_path, "http://127.0.0.1:9/v1", llm=provider))
    assert str(llm.client.base_url).startswith("http://127.0.0.1:9/v1")
    assert (llm.client.max_retries, llm.client.timeout) == (0, LLM_TIMEOUT)


def test_the_openai_key_never_reaches_another_company(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEEPSEEK_API_KEY", "sk-deep")
    llm: Any = providers._mem0_llm(settings(tmp_path, "http://127.0.0.1:9/v1", llm="deepseek"))
    assert llm.client.api_key == "sk-deep"
    assert "127.0.0.1" not in str(llm.client.base_url)


@pytest.mark.parametrize(
    ("model", "reasoning"),
    [
        ("gpt-5-mini", True),
        ("o4-mini", True),
        ("openai/o3", True),
        ("gpt-4.1", False),
        ("gpt-5.4-mini", False),
        ("olmo", False),
    ],
)
def test_reasoning_models_get_no_sampling_parameters(tmp_path: Path, model: str, reasoning: bool) -> None:
    with serving([PORT]) as server:
        asking, _ = reasoner(settings(tmp_path, server.url, llm_model=model))
        asking.extract_facts(CHUNK)
    assert ("temperature" not in server.requests[0].parameters) is reasoning


def test_a_parameter_that_is_refused_is_left_out_from_then_on(tmp_path: Path) -> None:
    def answer(request: Request) -> Says:
        if "temperature" in request.parameters:
            return Says(
                status=400, message="Unsupported value: 'temperature' does not support 0 with this model."
            )
        return Says(PORT)

    with serving(answer) as server:
        asking, meter = reasoner(settings(tmp_path, server.url))
        asking.extract_facts(CHUNK)
        asking.extract_facts(CHUNK)
    assert ["temperature" in request.parameters for request in server.requests] == [True, False, False]
    assert len(meter.calls) == 2


def test_max_tokens_gets_its_new_name_where_the_old_is_refused(tmp_path: Path) -> None:
    def answer(request: Request) -> Says:
        if "max_tokens" in request.parameters:
            return Says(
                status=400, message="'max_tokens' is not supported, use 'max_completion_tokens' instead."
            )
        return Says(PORT)

    with serving(answer) as server:
        reasoner(settings(tmp_path, server.url))[0].extract_facts(CHUNK)
    assert server.requests[-1].parameters["max_completion_tokens"] == LLM_ANSWER_TOKENS


@pytest.mark.parametrize("status", [400, 422, 500])
def test_formats_that_are_refused_are_stepped_down(tmp_path: Path, status: int) -> None:
    def answer(request: Request) -> Says:
        if request.response_format is None:
            return Says(PORT)
        return Says(
            status=status, message=f"response_format {request.response_format['type']} is not supported"
        )

    with serving(answer) as server:
        asking, _ = reasoner(settings(tmp_path, server.url))
        asking.extract_facts(CHUNK)
        asking.extract_facts(CHUNK)
    kinds = [request.response_format and request.response_format["type"] for request in server.requests]
    assert kinds == ["json_schema", "json_object", None, None]


def test_what_cannot_be_left_out_is_an_error(tmp_path: Path) -> None:
    refused = Says(status=400, message="content policy")
    with serving([refused]) as server, pytest.raises(BadAnswerError, match="content policy"):
        reasoner(settings(tmp_path, server.url))[0].extract_facts(CHUNK)
    assert len(server.requests) == 1


def test_a_context_that_is_too_long_is_not_taken_for_a_bad_parameter(tmp_path: Path) -> None:
    message = "'max_tokens' is too large: 2000. This model's maximum context length is 4096 tokens"
    with serving([Says(status=400, message=message)]) as server, pytest.raises(CutAnswerError):
        reasoner(settings(tmp_path, server.url))[0].extract_facts(CHUNK)
    assert len(server.requests) == 1


def test_a_model_that_thinks_until_the_limit_gets_more_room(tmp_path: Path) -> None:
    with serving([Says("<think>hm", finish="length"), PORT]) as server:
        assert reasoner(settings(tmp_path, server.url))[0].extract_facts(CHUNK)
    assert [request.parameters["max_tokens"] for request in server.requests] == [
        LLM_ANSWER_TOKENS,
        LLM_MORE_TOKENS,
    ]


def test_a_refused_key_is_told_at_once_without_the_key(tmp_path: Path) -> None:
    refused = Says(status=401, message="Incorrect API key provided: sk-a")
    with serving([refused]) as server, pytest.raises(ModelUnavailableError, match="OPENAI_API_KEY") as caught:
        reasoner(settings(tmp_path, server.url))[0].extract_facts(CHUNK)
    assert "sk-a" not in str(caught.value)
    assert len(server.requests) == 1


def test_a_busy_endpoint_is_asked_again(tmp_path: Path) -> None:
    with serving([Says(status=429, headers={"Retry-After": "0"}), Says(status=503), PORT]) as server:
        asking, meter = reasoner(settings(tmp_path, server.url))
        assert asking.extract_facts(CHUNK)
    assert [call.ok for call in meter.calls] == [False, False, True]


def test_a_dropped_connection_is_unavailable_after_the_tries(tmp_path: Path) -> None:
    with serving([ConnectionError()]) as server, pytest.raises(ModelUnavailableError):
        reasoner(settings(tmp_path, server.url))[0].extract_facts(CHUNK)
    assert len(server.requests) == 3


def test_parallel_calls_do_not_mix_their_figures_up(tmp_path: Path) -> None:
    barrier = threading.Barrier(2, timeout=20)

    def answer(request: Request) -> Says:
        barrier.wait()
        return Says('{"items":[]}', tokens=(1, 1) if "alpha" in request.user else (2, 2))

    with serving(answer) as server:
        asking, meter = reasoner(settings(tmp_path, server.url))
        other, other_meter = reasoner(settings(tmp_path, server.url))
        threads = [
            threading.Thread(target=each.extract_facts, args=(make_chunk(f"- {word}"),))
            for each, word in ((asking, "alpha"), (other, "beta"))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert (meter.tokens, other_meter.tokens) == (2, 4)


def test_nothing_is_built_before_the_first_question(tmp_path: Path) -> None:
    made: list[int] = []

    def make() -> FakeLlm:
        made.append(1)
        return FakeLlm([PORT])

    client = ModelClient(make, "openai", "tiny")
    assert made == []
    client.ask([{"role": "user", "content": "x"}], {})
    client.ask([{"role": "user", "content": "x"}], {})
    assert made == [1]


def test_a_client_can_stand_where_a_mem0_provider_does() -> None:
    client = ModelClient(lambda: FakeLlm(["hello"]), "openai", "tiny")
    assert client.generate_response([{"role": "user", "content": "x"}]) == "hello"


@pytest.mark.parametrize(
    ("provider", "formats"),
    [
        ("openai", ["json_schema", "json_object", None]),
        ("anthropic", [None]),
        ("ollama", ["json_object", None]),
        ("gemini", ["json_object", "json_object", None]),
    ],
)
def test_each_provider_is_asked_in_the_forms_its_wrapper_knows(
    provider: str, formats: list[str | None]
) -> None:
    assert [form and form["type"] for form in providers._formats(provider, {"type": "object"})] == formats


def test_ollama_is_given_the_schema_behind_the_wrapper() -> None:
    sent: list[dict[str, Any]] = []

    class Wrapper:
        def __init__(self) -> None:
            self.client = SimpleNamespace(chat=self._chat)

        def _chat(self, **params: Any) -> dict[str, Any]:
            sent.append(params)
            return {
                "message": {"content": "{}"},
                "done_reason": "length",
                "prompt_eval_count": 7,
                "eval_count": 3,
            }

        def generate_response(self, messages: Any, response_format: Any = None, **kwargs: Any) -> Any:
            return self.client.chat(model="m", messages=messages, format="json")["message"]["content"]

    reply = ModelClient(Wrapper, "ollama", "m").ask([{"role": "user", "content": "x"}], {"type": "object"})
    assert sent[0]["format"] == {"type": "object"}
    assert (reply.cut, reply.input_tokens, reply.output_tokens) == (True, 7, 3)


@pytest.mark.parametrize(
    ("response", "cut", "tokens"),
    [
        (
            SimpleNamespace(stop_reason="max_tokens", usage=SimpleNamespace(input_tokens=5, output_tokens=2)),
            True,
            (5, 2),
        ),
        (
            SimpleNamespace(stop_reason="end_turn", usage=SimpleNamespace(input_tokens=5, output_tokens=2)),
            False,
            (5, 2),
        ),
        (
            SimpleNamespace(
                candidates=[SimpleNamespace(finish_reason=SimpleNamespace(name="MAX_TOKENS"))],
                usage_metadata=SimpleNamespace(prompt_token_count=9, candidates_token_count=1),
            ),
            True,
            (9, 1),
        ),
        (
            {
                "choices": [{"finish_reason": "stop"}],
                "usage": {"prompt_tokens": 4, "completion_tokens": True},
            },
            False,
            (4, None),
        ),
        (None, None, (None, None)),
        ("text", None, (None, None)),
    ],
)
def test_usage_and_end_are_read_from_every_known_shape(
    response: Any, cut: bool | None, tokens: tuple[Any, Any]
) -> None:
    with sending(Sent()) as sent:
        note_response(response)
    reply = sent.reply("x")
    assert (reply.cut, (reply.input_tokens, reply.output_tokens)) == (cut, tokens)


def test_what_is_no_text_is_no_answer() -> None:
    assert Sent().reply({"content": "x"}).text is None  # type: ignore[arg-type]


def test_a_provider_without_a_known_client_is_not_tapped() -> None:
    assert tap(SimpleNamespace()) is False
    note_response("outside of a request")


def test_a_missing_model_name_is_a_config_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="AUTODREAM_LLM_MODEL"):
        build_llm(settings(tmp_path, None, llm_model=None))


def test_an_unknown_provider_lists_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="anthropic"):
        build_llm(settings(tmp_path, None, llm="oracle")).prepare()


def test_a_missing_key_is_a_config_error_unless_there_is_a_local_endpoint(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="OPENAI_API_KEY"):
        build_llm(settings(tmp_path, None, openai_api_key=None)).prepare()
    build_llm(settings(tmp_path, "http://127.0.0.1:9/v1", openai_api_key=None)).prepare()


def test_a_provider_whose_package_is_not_installed_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "anthropic", None)
    with pytest.raises(ConfigError, match="anthropic"):
        build_llm(settings(tmp_path, None, llm="anthropic")).prepare()


@pytest.mark.parametrize(("provider", "key"), [("gemini", "GOOGLE_API_KEY"), ("groq", "GROQ_API_KEY")])
def test_the_setting_of_a_key_is_known(provider: str, key: str) -> None:
    assert key_setting(provider) == key


def test_rules_need_no_model_and_are_always_reachable(tmp_path: Path) -> None:
    configured = settings(tmp_path, None, llm="rules", llm_model=None)
    assert factory.make_reasoner(configured, agent_id="dev", meter=CountingMeter()).name == "rules/1"
    assert factory.reachable(configured) is None


def test_a_configured_model_answers_by_its_name(tmp_path: Path) -> None:
    with serving([PORT]) as server:
        made = factory.make_reasoner(settings(tmp_path, server.url), agent_id="dev", meter=CountingMeter())
        assert made.name == "openai:tiny"
        assert made.extract_facts(CHUNK)
        assert factory.reachable(settings(tmp_path, server.url)) is None
    assert len(server.requests) == 1


def test_a_dead_endpoint_is_named(tmp_path: Path) -> None:
    with serving([PORT]) as server:
        pass
    assert "OPENAI_BASE_URL" in str(factory.reachable(settings(tmp_path, server.url)))
    assert "AUTODREAM_LLM_MODEL" in str(factory.reachable(settings(tmp_path, server.url, llm_model=None)))
