"""What tools show of a method that was made from a flow: the flow's parameters, and the value it comes to."""

import inspect
from collections.abc import Callable
from typing import Any, TypeVar, get_args

__all__ = ["as_method"]

Method = TypeVar("Method", bound=Callable[..., Any])


def as_method(call: Method, flow: Callable[..., Any]) -> Method:
    """``call``, with ``self`` before the flow's parameters and the flow's value as what it returns."""
    signature = inspect.signature(flow)
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    value = get_args(signature.return_annotation)[-1]
    told = signature.replace(parameters=[own, *signature.parameters.values()], return_annotation=value)
    call.__signature__ = told  # type: ignore[attr-defined]  # inspect reads it from there
    return call
