"""Several questions in one call: packed below a limit, halved when too long, asked again for gaps."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from autodream.errors import BadAnswerError, CutAnswerError, IncompleteAnswerError

__all__ = ["answer_all", "halving", "packed"]

Q = TypeVar("Q")
A = TypeVar("A")


def packed(items: Iterable[Q], size: Callable[[Q], int], *, limit: int, most: int) -> Iterator[list[Q]]:
    """Runs of neighbours of at most ``most`` items and ``limit`` in size; a larger item stands alone."""
    batch: list[Q] = []
    total = 0
    for item in items:
        if batch and (total + size(item) > limit or len(batch) >= most):
            yield batch
            batch, total = [], 0
        batch.append(item)
        total += size(item)
    if batch:
        yield batch


def halving(batch: Sequence[Q], ask: Callable[[Sequence[Q]], list[A]]) -> list[A]:
    """The answers of ``ask``, over ever smaller parts while the model finds them too long."""
    try:
        return ask(batch)
    except CutAnswerError:
        if len(batch) < 2:
            raise
    middle = len(batch) // 2
    return halving(batch[:middle], ask) + halving(batch[middle:], ask)


def answer_all(batches: Iterable[Sequence[Q]], ask: Callable[[Sequence[Q]], Mapping[int, A]]) -> list[A]:
    """One answer a question, in their order; ``ask`` maps positions in its batch to answers, with gaps.

    What got none is asked once more by itself, unless the whole batch failed. Raises
    ``IncompleteAnswerError`` when there are still gaps; errors that are not about an answer pass at once.
    """
    answers: dict[int, A] = {}
    problems: list[str] = []
    count = 0
    for batch in batches:
        numbered = list(enumerate(batch, count))
        count += len(numbered)
        answers |= _gather(numbered, ask, problems)
        rest = [pair for pair in numbered if pair[0] not in answers]
        if 0 < len(rest) < len(numbered):
            answers |= _gather(rest, ask, problems)
    if len(answers) < count:
        why = f": {problems[0]}" if problems else ""
        raise IncompleteAnswerError(f"{count - len(answers)} of {count} got no valid answer{why}", answers)
    return [answers[number] for number in range(count)]


def _gather(
    part: Sequence[tuple[int, Q]], ask: Callable[[Sequence[Q]], Mapping[int, A]], problems: list[str]
) -> dict[int, A]:
    """What the questions of a part get, by their numbers; a part that is too long is halved."""
    try:
        found = ask([question for _, question in part])
    except CutAnswerError as error:
        if len(part) > 1:
            middle = len(part) // 2
            return _gather(part[:middle], ask, problems) | _gather(part[middle:], ask, problems)
        problems.append(str(error))
    except BadAnswerError as error:
        problems.append(str(error))
    else:
        return {part[position][0]: answer for position, answer in found.items()}
    return {}
