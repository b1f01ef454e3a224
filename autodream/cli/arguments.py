"""Global options may stand before or after the command's name: they are moved to the front before parsing."""

from collections.abc import Sequence

from autodream.errors import InputError

__all__ = ["check_text", "hoist", "wants_json", "wants_traceback"]

_FLAGS = frozenset({"--json", "-v", "--verbose"})
_WITH_VALUE = frozenset({"--config", "--data-dir"})


def hoist(arguments: Sequence[str]) -> list[str]:
    """The arguments with the global options first; whatever follows ``--`` stays where it is.

    Raises ``InputError`` for an option whose value is missing: in front, it would swallow the command's name.
    """
    moved: list[str] = []
    kept: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        if argument == "--":
            kept += [argument, *rest]
        elif argument in _FLAGS or argument.startswith(tuple(f"{name}=" for name in _WITH_VALUE)):
            moved.append(argument)
        elif argument in _WITH_VALUE:
            value = next(rest, None)
            if value is None:
                raise InputError(
                    f"{argument} needs a value; name a path after it", field=argument.lstrip("-")
                )
            moved += [argument, value]
        else:
            kept.append(argument)
    return moved + kept


def wants_json(arguments: Sequence[str]) -> bool:
    """Whether ``--json`` was asked for, also when the rest cannot be parsed."""
    return "--json" in _before_text(arguments)


def wants_traceback(arguments: Sequence[str]) -> bool:
    """Whether ``-v`` was asked for."""
    return bool({"-v", "--verbose"} & set(_before_text(arguments)))


def _before_text(arguments: Sequence[str]) -> Sequence[str]:
    return arguments[: arguments.index("--")] if "--" in arguments else arguments


def check_text(arguments: Sequence[str]) -> None:
    """Refuse bytes that are no text: they would reach the store as lone surrogates."""
    for argument in arguments:
        try:
            argument.encode("utf-8")
        except UnicodeEncodeError as error:
            raise InputError(f"argument {argument!a} is not valid UTF-8; pass text", field=None) from error
