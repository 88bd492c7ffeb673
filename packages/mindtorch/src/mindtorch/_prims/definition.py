"""How a primitive is defined: its schema, what checks a call, what computes it.

A primitive is an operator of ``torch.ops.prims`` that does one thing and converts nothing: shapes
and dtypes of operands have to be equal. What checks a call also says what the result looks like,
and is what runs for meta tensors. None has a gradient.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any

from .._library.custom_op import CustomOpDef
from .._library.library import Library
from .._ops import OpOverload, ops
from .._prims_common.wrappers import backwards_not_supported
from ..core.tags import Tag

__all__ = ["RETURN_TYPE", "Function", "define"]

Function = Callable[..., Any]


class RETURN_TYPE(Enum):  # torch's name
    """What a primitive returns: a new tensor, a view, an argument that it has written, nothing."""

    NEW = (0,)
    VIEW = (1,)
    INPLACE = (2,)
    NONE = (3,)


_library = Library("prims", "FRAGMENT")
#: The definitions of those that return new tensors; they live as long as the operators.
_custom: list[CustomOpDef] = []


def define(
    schema: str,
    meta: Function,
    compute: Function | None,
    returns: RETURN_TYPE | tuple[RETURN_TYPE, ...] = RETURN_TYPE.NEW,
    tags: Sequence[Tag] = (Tag.pt2_compliant_tag,),
) -> OpOverload:
    """Define the primitive of this *schema*.

    :param meta: checks a call, and returns what its result looks like.
    :param compute: computes the result of a call that *meta* has checked; None where *meta* makes
        the result itself, as of a view.
    """
    name, _, _ = schema.partition("(")

    def checked(*args: Any, **kwargs: Any) -> Any:
        found = meta(*args, **kwargs)
        return found if compute is None else compute(*args, **kwargs)

    if returns in (RETURN_TYPE.NEW, RETURN_TYPE.NONE) or isinstance(returns, tuple):
        made = CustomOpDef("prims", name, schema.removeprefix(name), checked, tuple(tags))
        made._lib.impl(name, checked, "CompositeExplicitAutograd")
        made.register_fake(meta)
        _custom.append(made)
        operator = made._opoverload
    else:
        _library.define(schema, tags=tuple(tags))
        _library.impl(name, checked, "CompositeExplicitAutograd")
        _library.impl(name, meta, "Meta")
        operator = getattr(ops.prims, name).default
        _library.impl(name, backwards_not_supported(operator), "Autograd")
    vars(operator).update(return_type=returns, impl_aten=compute or meta, prim_meta_impl=meta)
    return operator
