"""What the guard reads a text into: atoms in clauses."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from autodream.guard.specifics import Specific

__all__ = ["CONTENT", "Atom", "AtomClass", "Clause", "Parsed"]

AtomClass: TypeAlias = Literal["hard", "soft", "attr", "spec", "mark", "drop", "end"]
CONTENT: Final = ("hard", "soft", "attr")  # the classes of words that carry content; specifics stand beside


@dataclass(slots=True)
class Atom:
    """A word, Han character, group of synonyms or specific. Equal ``key`` means equal meaning.

    ``glue`` is how it hangs on the atom before it: 2 directly, 1 through 的 or "of", 0 not at all.
    """

    key: str
    cls: AtomClass
    marks: tuple[str, ...] = ()
    cap: bool = False  # begins with a capital inside a sentence
    lower: bool = False  # written small in a text that has capitals
    start: bool = False  # opens a sentence, so its capital tells nothing
    han: bool = False
    glue: int = 0
    clause: int = 0
    role: str = ""
    spec: Specific | None = None


@dataclass(slots=True)
class Clause:
    """What a clause says about its content."""

    negated: int = 0
    marks: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Parsed:
    """A text as the guard compares it."""

    atoms: tuple[Atom, ...]  # content only: hard, soft, attr, spec
    clauses: tuple[Clause, ...]
    specs: Counter[str]
    changes: bool  # says that something is so from now on
    only: frozenset[str]  # atoms that "only" is said of
    key: tuple[str, ...]  # atoms and marks in order: equal for texts that differ in form only
