"""What a provider said beside the text: tokens used and why it stopped. mem0's wrappers hide both.

The client method that a mem0 provider object calls is replaced by one that notes the raw response in a
context variable, so that parallel calls do not mix theirs up.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

__all__ = ["Reply", "Sent", "note_response", "sending", "tap"]

# Where mem0's providers call their clients (mem0ai 2.2.1, mem0/llms/*.py).
_CALLS = (
    "chat.completions.create",  # openai, azure_openai, deepseek, groq, lmstudio, minimax, together, vllm, xai
    "beta.chat.completions.parse",  # openai_structured
    "messages.create",  # anthropic
    "models.generate_content",  # gemini
    "chat",  # ollama
)

_CUT = frozenset({"length", "max_tokens", "max_output_tokens"})
_WITHHELD = frozenset(
    {"content_filter", "refusal", "safety", "recitation", "blocklist", "prohibited_content", "spii"}
)


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer. ``cut`` is None where the provider does not say why it stopped; tokens likewise."""

    text: str | None
    cut: bool | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None


@dataclass(slots=True)
class Sent:
    """What one request leaves out or changes, and the raw response it got."""

    change: Callable[[dict[str, Any]], dict[str, Any]] = lambda params: params
    response: Any = None

    def reply(self, text: str | None) -> Reply:
        reason = _stop_reason(self.response)
        usage = _first(self.response, "usage", "usage_metadata") or self.response
        return Reply(
            # What a filter left of an answer may look whole and empty: it is no answer (I2).
            text=text if isinstance(text, str) and reason not in _WITHHELD else None,
            cut=None if reason is None else reason in _CUT,
            input_tokens=_number(
                usage, "prompt_tokens", "input_tokens", "prompt_token_count", "prompt_eval_count"
            ),
            output_tokens=_number(
                usage, "completion_tokens", "output_tokens", "candidates_token_count", "eval_count"
            ),
        )


_current: ContextVar[Sent | None] = ContextVar("autodream_request", default=None)


@contextmanager
def sending(sent: Sent) -> Iterator[Sent]:
    """While active, tapped clients of this thread apply ``sent.change`` and note their response."""
    token = _current.set(sent)
    try:
        yield sent
    finally:
        _current.reset(token)


def note_response(response: Any) -> None:
    """Give the current request its raw response; a no-op outside of one."""
    sent = _current.get()
    if sent is not None:
        sent.response = response


def tap(llm: Any) -> bool:
    """Tap the client of a mem0 provider object; False when it has none that is known."""
    tapped = False
    for path in _CALLS:
        *parents, name = path.split(".")
        owner = getattr(llm, "client", None)
        for parent in parents:
            owner = getattr(owner, parent, None)
        method = getattr(owner, name, None)
        if callable(method):
            setattr(owner, name, _tapped(method))
            tapped = True
    return tapped


def _tapped(method: Callable[..., Any]) -> Callable[..., Any]:
    def call(**params: Any) -> Any:
        sent = _current.get()
        response = method(**(sent.change(params) if sent else params))
        note_response(response)
        return response

    return call


def _first(value: Any, *names: str) -> Any:
    """The first attribute or key that is there and not None."""
    for name in names:
        found = value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)
        if found is not None:
            return found
    return None


def _number(value: Any, *names: str) -> int | None:
    found = _first(value, *names)
    return found if isinstance(found, int) and not isinstance(found, bool) and found >= 0 else None


def _stop_reason(response: Any) -> str | None:
    choices = _first(response, "choices", "candidates")
    source = choices[0] if isinstance(choices, list | tuple) and choices else response
    reason = _first(source, "finish_reason", "stop_reason", "done_reason")
    return None if reason is None else str(getattr(reason, "name", reason)).lower()
