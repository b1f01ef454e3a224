"""A model behind any mem0 LLM provider: built at first use, asked with the parameters it understands."""

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, Protocol, cast

import regex

from autodream import mem0_env
from autodream.config import LLM_ANSWER_TOKENS, LLM_TIMEOUT, Settings
from autodream.errors import ConfigError
from autodream.reasoning.retry import classify, status_of
from autodream.reasoning.taps import Reply, Sent, sending, tap

__all__ = ["KEY_SETTING", "Llm", "ModelClient", "build_llm", "key_setting"]

OPENAI_URL: Final = "https://api.openai.com/v1"
KEY_SETTING: Final[Mapping[str, str]] = {  # where a provider's key comes from, for messages
    "openai": "OPENAI_API_KEY",
    "openai_structured": "OPENAI_API_KEY",
    "anthropic": "ANTHROPIC_API_KEY",
    "azure_openai": "LLM_AZURE_OPENAI_API_KEY",
    "azure_openai_structured": "LLM_AZURE_OPENAI_API_KEY",
    "aws_bedrock": "AWS_ACCESS_KEY_ID",
    "gemini": "GOOGLE_API_KEY",
    "vllm": "VLLM_API_KEY",
}
# OPENAI_BASE_URL and OPENAI_API_KEY go to these providers only: a key must not reach another company.
_OPENAI_SETTINGS: Final[Mapping[str, str]] = {
    "openai": "openai_base_url",
    "openai_structured": "openai_base_url",
    "vllm": "vllm_base_url",
    "lmstudio": "lmstudio_base_url",
}
_NO_FORMAT: Final = frozenset(
    {"anthropic", "aws_bedrock", "langchain"}
)  # their wrappers ignore response_format
# mem0 2.2.1 sends temperature to gpt-5-mini and o4-mini, which refuse it. gpt-5.x versions accept it.
_REASONING_MODEL: Final = regex.compile(r"(o\d+|gpt-5)(-.*)?")
_FORMAT_COMPLAINT: Final = regex.compile(
    r"response_?format|json_?(schema|object|mode)|grammar|structured|response_schema", regex.IGNORECASE
)
_PARAMETERS: Final = ("temperature", "top_p", "max_tokens", "max_completion_tokens")


class Llm(Protocol):
    """What mem0's providers, and fakes, offer."""

    def generate_response(
        self,
        messages: list[dict[str, str]],
        response_format: Any = None,
        tools: Any = None,
        tool_choice: str = "auto",
        **kwargs: Any,
    ) -> Any: ...


@dataclass(slots=True)
class ModelClient:
    """Asks one model. What it turned out not to understand is remembered for its lifetime."""

    make: Callable[[], Llm]
    provider: str
    model: str
    _llm: Llm | None = None
    _tapped: bool = False
    _format: int = 0  # index into the forms of _formats
    _dropped: set[str] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def prepare(self) -> None:
        """Build the provider now; raises ``ConfigError`` when it cannot be."""
        self._built()

    def generate_response(
        self,
        messages: list[dict[str, str]],
        response_format: Any = None,
        tools: Any = None,
        tool_choice: str = "auto",
        **kwargs: Any,
    ) -> Any:
        """mem0's own call, so that a client can stand where a provider does."""
        return self._built().generate_response(messages, response_format, tools, tool_choice, **kwargs)

    def ask(
        self,
        messages: Sequence[Mapping[str, str]],
        schema: Mapping[str, Any],
        *,
        max_tokens: int | None = None,
    ) -> Reply:
        """One answer to ``messages``, held to ``schema`` (a JSON schema) as far as the provider can.

        A 400 that names a parameter is answered by leaving that parameter out, now and later. Every other
        failure is the provider's exception, for ``retry`` to sort.
        """
        clean = [{name: _clean(text) for name, text in message.items()} for message in messages]
        while True:
            known = (self._format, frozenset(self._dropped))
            try:
                return self._send(clean, schema, max_tokens)
            except Exception as error:
                if not self._learn(error, known):
                    raise

    def _send(
        self, messages: list[dict[str, str]], schema: Mapping[str, Any], max_tokens: int | None
    ) -> Reply:
        llm = self._built()
        forms = _formats(self.provider, schema)
        form = forms[min(self._format, len(forms) - 1)]
        extra: dict[str, Any] = {} if form is None else {"response_format": form}
        with sending(Sent(change=lambda params: self._changed(params, form, schema, max_tokens))) as sent:
            return sent.reply(llm.generate_response(messages, **extra))

    def _changed(
        self, params: dict[str, Any], form: Any, schema: Mapping[str, Any], max_tokens: int | None
    ) -> dict[str, Any]:
        """The parameters as they go out, at the client behind mem0's wrapper."""
        if self.provider == "ollama" and form is not None:
            params = {**params, "format": schema}  # the wrapper knows "json" only, the server schemas
        if max_tokens is not None:
            params |= {name: max_tokens for name in ("max_tokens", "max_completion_tokens") if name in params}
        if "max_tokens" in self._dropped and "max_tokens" in params:
            params = {**params, "max_completion_tokens": params["max_tokens"]}
        return {name: value for name, value in params.items() if name not in self._dropped}

    def _learn(self, error: Exception, known: tuple[int, frozenset[str]]) -> bool:
        """Whether something is left out from now on that the refused request still had."""
        if status_of(error) not in (400, 422, 500, 501) or classify(error).kind == "too_long":
            return False
        complaint = str(error)
        with self._lock:
            if (self._format, frozenset(self._dropped)) != known:
                return True  # another thread learned meanwhile
            blamed = [name for name in _PARAMETERS if regex.search(rf"\b{name}\b", complaint)]
            if self._tapped and blamed and status_of(error) in (400, 422):
                new = blamed[:1] if blamed[0].startswith("max") else blamed
                if not self._dropped.issuperset(new):
                    self._dropped.update(new)
                    return True
            if _FORMAT_COMPLAINT.search(complaint) and self._format < len(_formats(self.provider, {})) - 1:
                self._format += 1
                return True
        return False

    def _built(self) -> Llm:
        with self._lock:
            if self._llm is None:
                self._llm = self.make()
                self._tapped = tap(self._llm)
            return self._llm


def _formats(provider: str, schema: Mapping[str, Any]) -> list[dict[str, Any] | None]:
    """What to ask a provider's wrapper for, best first."""
    if provider in _NO_FORMAT:
        return [None]
    if provider == "gemini":
        return [{"type": "json_object", "schema": schema}, {"type": "json_object"}, None]
    if provider == "ollama":
        return [{"type": "json_object"}, None]
    named = {"name": "answer", "strict": True, "schema": schema}
    return [{"type": "json_schema", "json_schema": named}, {"type": "json_object"}, None]


def _clean(text: str) -> str:
    """No NULs, where some servers cut, and no lone surrogates, which nobody can encode (F17, F51)."""
    return text.replace("\0", "").encode("utf-16", "surrogatepass").decode("utf-16", "ignore")


def key_setting(provider: str) -> str:
    """The environment variable in which a provider's library looks for its key."""
    return KEY_SETTING.get(provider, f"{provider.upper()}_API_KEY")


@lru_cache(maxsize=4)
def build_llm(settings: Settings) -> ModelClient:
    """The configured model; mem0 and the provider's library are imported at its first call.

    Raises ``ConfigError`` when the model's name is missing.
    """
    if not settings.llm_model:
        raise ConfigError(
            f"no model name for the LLM provider {settings.llm}: set AUTODREAM_LLM_MODEL, "
            "or AUTODREAM_LLM=rules to work without one",
            field="AUTODREAM_LLM_MODEL",
        )
    return ModelClient(lambda: _mem0_llm(settings), settings.llm, settings.llm_model)


def _mem0_llm(settings: Settings) -> Llm:
    mem0_env.load(settings.data_dir)
    from mem0.utils.factory import LlmFactory

    provider = settings.llm
    if provider not in LlmFactory.provider_to_class:
        known = ", ".join(sorted(LlmFactory.provider_to_class))
        raise ConfigError(f"unknown LLM provider {provider!r}; known: rules, {known}", field="AUTODREAM_LLM")
    try:
        llm: Any = LlmFactory.create(provider, _provider_config(settings))
    except ImportError as error:
        raise ConfigError(
            f"the LLM provider {provider} needs a package: {error}", field="AUTODREAM_LLM"
        ) from error
    except Exception as error:  # each library has its own type for a missing key
        raise ConfigError(
            f"the LLM provider {provider} cannot be set up: {str(error)[:200]}; "
            f"check {key_setting(provider)}",
            field=key_setting(provider),
        ) from error
    if _REASONING_MODEL.fullmatch((settings.llm_model or "").lower().rsplit("/", 1)[-1]):
        llm.config.is_reasoning_model = True
    _set_client(llm, settings)
    return cast(Llm, llm)


def _provider_config(settings: Settings) -> dict[str, Any]:
    config: dict[str, Any] = {
        "model": settings.llm_model,
        "temperature": 0.0,  # the same diary should give the same memories
        "max_tokens": LLM_ANSWER_TOKENS,
    }
    url_key = _OPENAI_SETTINGS.get(settings.llm)
    if url_key is not None:
        config["api_key"] = _openai_key(settings)
        if settings.openai_base_url:
            config[url_key] = settings.openai_base_url
    return config


def _openai_key(settings: Settings) -> str:
    if settings.openai_api_key:
        return settings.openai_api_key
    if settings.openai_base_url or settings.llm not in ("openai", "openai_structured"):
        return "none"  # local servers ask for no key, the client library does
    raise ConfigError(
        "OPENAI_API_KEY is not set, and no OPENAI_BASE_URL of a server without one", field="OPENAI_API_KEY"
    )


def _set_client(llm: Any, settings: Settings) -> None:
    """Our timeout, no retries in the client (ours are counted), and the configured endpoint only (F57)."""
    if settings.llm == "openai":
        # mem0 made one for another endpoint if OPENROUTER_API_KEY is in the environment.
        from openai import OpenAI

        llm.client = OpenAI(
            api_key=_openai_key(settings),
            base_url=settings.openai_base_url or OPENAI_URL,
            timeout=LLM_TIMEOUT,
            max_retries=0,
        )
    elif hasattr(getattr(llm, "client", None), "with_options"):
        llm.client = llm.client.with_options(timeout=LLM_TIMEOUT, max_retries=0)
    elif settings.llm == "ollama":
        llm.client = type(llm.client)(
            host=llm.config.ollama_base_url or os.environ.get("OLLAMA_HOST"), timeout=LLM_TIMEOUT
        )
