"""One question put to a model until its answer is whole and valid: continue, repair once, account, give up.

What comes back is every valid item. An answer that cannot be read is an error, never an empty list (I2).
"""

import json
import logging
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from autodream.config import LLM_CONTINUATIONS, LLM_MORE_TOKENS
from autodream.errors import BadAnswerError, CutAnswerError
from autodream.reasoning.base import Meter, ModelCall
from autodream.reasoning.prompts.frame import Prompt
from autodream.reasoning.providers import ModelClient
from autodream.reasoning.retry import Retry
from autodream.reasoning.schema import ItemError, UnwantedItemError
from autodream.reasoning.taps import Reply
from autodream.reasoning.tokens import estimate_tokens
from autodream.reasoning.untangle import KEY, Reading, read_items

__all__ = ["Answer", "Asker"]

T = TypeVar("T")
Messages = list[dict[str, str]]
_log = logging.getLogger(__name__)
_SHOWN_ANSWER = 4_000  # characters of a bad answer sent back with the request to repair it


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """The valid items in the model's order, and why others were dropped."""

    items: tuple[T, ...]
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Asker:
    """Puts prompts to one model and accounts for every request. Holds no state of a question: thread-safe."""

    client: ModelClient
    meter: Meter
    retry: Retry
    clock: Callable[[], float] = field(default=time.monotonic)

    def ask(self, prompt: Prompt, check: Callable[[Any], T]) -> Answer[T]:
        """The items of the answer, each as ``check`` makes it.

        ``check`` raises ``ItemError`` for a bad item, ``UnwantedItemError`` for one to leave out.

        Bad items are sent back once, with what is wrong; what is still bad then is dropped. Raises
        ``BadAnswerError`` when no item is left of an answer that had some, or when no answer is readable;
        ``CutAnswerError`` when it never ends; ``BudgetError`` and ``ModelUnavailableError`` from below.
        """
        raw, repaired = self._collect(prompt)
        good, bad = _sorted(raw, check)
        if bad and not repaired:
            more, bad = self._repair_items(prompt, raw, bad, check)
            good += more
        dropped = tuple(reason for _, reason in bad)
        for reason in dropped:
            _log.warning("%s: dropped an item of the model's answer: %s", prompt.version, reason)
        if dropped and not good:
            raise BadAnswerError(f"no valid item in the model's answer: {dropped[0]}")
        return Answer(tuple(good), dropped)

    def _collect(self, prompt: Prompt) -> tuple[list[Any], bool]:
        """All raw items, over continuations; and whether the one repair was used up."""
        items: list[Any] = []
        messages, max_tokens, repaired = prompt.messages, None, False
        for _ in range(1 + LLM_CONTINUATIONS):
            reply = self._send(prompt, messages, max_tokens)
            try:
                reading = _read(reply)
            except BadAnswerError as error:
                if repaired:
                    raise
                repaired = True
                messages = _repair(messages, reply.text, str(error))
                reply = self._send(prompt, messages, max_tokens)
                reading = _read(reply)
            fresh = [item for item in reading.items if item not in items]
            items += fresh
            if reading.whole:
                return items, repaired
            if not fresh:
                max_tokens = LLM_MORE_TOKENS  # it thought, or turned in circles, until the limit
            messages = _continue(prompt, items)
        raise CutAnswerError(f"the model's answer was cut {1 + LLM_CONTINUATIONS} times")

    def _repair_items(
        self, prompt: Prompt, raw: Sequence[Any], bad: Sequence[tuple[Any, str]], check: Callable[[Any], T]
    ) -> tuple[list[T], list[tuple[Any, str]]]:
        """Ask for the bad items again; when that fails, they stay bad."""
        complaint = "\n".join(f"{_json(item)[:500]} -> {reason}" for item, reason in bad)
        answer = _json({KEY: list(raw)})
        request = f"These items are not valid:\n{complaint}\nGive only these again, corrected, as JSON."
        try:
            reading = _read(self._send(prompt, _repair(prompt.messages, answer, request, whole=False)))
        except BadAnswerError:
            return [], list(bad)
        good, still_bad = _sorted(reading.items, check)
        return good, still_bad if still_bad or good else list(bad)

    def _send(self, prompt: Prompt, messages: Messages, max_tokens: int | None = None) -> Reply:
        return self.retry.call(lambda: self._metered(prompt, messages, max_tokens))

    def _metered(self, prompt: Prompt, messages: Messages, max_tokens: int | None) -> Reply:
        self.meter.check()
        start = self.clock()
        reply: Reply | None = None
        try:
            reply = self.client.ask(messages, prompt.schema, max_tokens=max_tokens)
        finally:
            self.meter.record(self._account(prompt, messages, reply, self.clock() - start))
        return reply

    def _account(self, prompt: Prompt, messages: Messages, reply: Reply | None, seconds: float) -> ModelCall:
        sent = sum(estimate_tokens(message["content"]) for message in messages)
        sent += estimate_tokens(_json(prompt.schema))
        reported = reply.input_tokens if reply else 0  # a request that failed is not charged for
        answered = reply.output_tokens if reply else 0
        return ModelCall(
            question=prompt.question,
            prompt_version=prompt.version,
            model=self.client.model,
            input_tokens=sent if reported is None else reported,
            output_tokens=estimate_tokens((reply and reply.text) or "") if answered is None else answered,
            seconds=seconds,
            ok=reply is not None,
        )


def _read(reply: Reply) -> Reading:
    """The items; a cut answer without any, or one that ends by the limit, is never whole."""
    try:
        reading = read_items(reply.text)
    except BadAnswerError:
        if reply.cut:
            return Reading((), whole=False)
        raise
    return Reading(reading.items, whole=False) if reply.cut else reading


def _sorted(raw: Iterable[Any], check: Callable[[Any], T]) -> tuple[list[T], list[tuple[Any, str]]]:
    good: list[T] = []
    bad: list[tuple[Any, str]] = []
    for item in raw:
        try:
            good.append(check(item))
        except UnwantedItemError as error:
            _log.info("left out: %s", error)
        except ItemError as error:
            bad.append((item, str(error)))
    return good, bad


def _repair(messages: Messages, answer: str | None, problem: str, *, whole: bool = True) -> Messages:
    request = f"Not valid: {problem}. Give the whole answer again, as JSON only." if whole else problem
    return [
        *messages,
        {"role": "assistant", "content": (answer or "")[:_SHOWN_ANSWER] or "(empty)"},
        {"role": "user", "content": request},
    ]


def _continue(prompt: Prompt, items: Sequence[Any]) -> Messages:
    if not items:
        return prompt.messages
    request = (
        f"Your answer was cut. Already given: the {len(items)} items above. Give only further ones, as JSON; "
        f'{{"{KEY}":[]}} if there are none.'
    )
    return [
        *prompt.messages,
        {"role": "assistant", "content": _json({KEY: list(items)})},
        {"role": "user", "content": request},
    ]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
