"""Why no kernel of an op would run at a key, and the line that would add one, as plain data."""

from __future__ import annotations

from typing import Any

from mindtorch_dispatch import (
    Argument,
    DispatchKey,
    Operator,
    backend_keys_of_autograd,
    is_alias_key,
    is_included_in_alias,
    key_name,
    registry,
)
from mindtorch_dispatch.keys import AUTOGRAD_OTHER_BACKENDS

from .calls import step
from .operators import CallError, select
from .suggestions import key_named

__all__ = ["why_not"]

#: In the order in which the table asks them.
_ALIASES = (
    DispatchKey.CompositeExplicitAutogradNonFunctional,
    DispatchKey.CompositeExplicitAutograd,
    DispatchKey.CompositeImplicitAutogradNestedTensor,
    DispatchKey.CompositeImplicitAutograd,
    DispatchKey.Autograd,
    DispatchKey.FuncTorchBatchedDecomposition,
)


def why_not(name: str, key_text: str) -> dict[str, Any]:
    """What each rule of the computed table says of one slot, in the order of the rules.

    ``runs`` says whether a kernel does run; else ``line`` would add one.
    """
    op = select(name)
    key = key_named(key_text)
    if is_alias_key(key) or not key:
        raise CallError(
            f"{key_name(key)} is no key that a call is dispatched to: a kernel registered there "
            "fills the slots of other keys"
        )
    hop = op.explain(key)
    slot = step(hop, op)
    del slot["own"]
    runs = hop.kernel is not None and not hop.fallthrough and "mbiguous" not in hop.rule
    return {
        "operator": op.name,
        "schema": None if op.schema is None else str(op.schema),
        "key": key_name(key),
        "runs": runs,
        "slot": slot,
        "rules": [] if runs else rules(op, key),
        "has_kernels_at": [key_name(k) for k in sorted(op.kernels, reverse=True)],
        "line": None if runs else line(op, key),
    }


def rules(op: Operator, key: DispatchKey) -> list[dict[str, str]]:
    """Each rule with what it found, first to last."""
    entries = op.entries
    own = entries.get(key)
    found = [
        {
            "rule": f"a kernel registered at {key_name(key)}",
            "found": "none" if own is None else "a fallthrough: calls skip the key",
        }
    ]
    found += [
        {"rule": f"the alias key {key_name(a)}", "found": alias_verdict(op, a, key)}
        for a in _ALIASES
        if is_included_in_alias(key, a) or op.has_kernel(a)
    ]
    fallback = registry.fallbacks.entries.get(key)
    found.append(
        {
            "rule": f"a fallback for all ops at {key_name(key)}",
            "found": "none" if fallback is None else "a fallthrough: calls skip the key",
        }
    )
    return found


def alias_verdict(op: Operator, alias: DispatchKey, key: DispatchKey) -> str:
    """Why the kernel at *alias*, if there is one, does not fill the slot of *key*."""
    if not is_included_in_alias(key, alias):
        return f"does not stand for {key_name(key)}"
    if not op.has_kernel(alias):
        return "none"
    if alias == DispatchKey.CompositeImplicitAutograd:
        if key == DispatchKey.AutogradOther:
            rivals = AUTOGRAD_OTHER_BACKENDS
        else:
            rivals = backend_keys_of_autograd(key)
        own = [key_name(k) for k in op.kernels if k & rivals]
        if own:
            return f"there, but {' and '.join(own)} has a kernel of its own to differentiate"
        return f"there, but {key_name(DispatchKey.CompositeExplicitAutograd)} has a kernel too"
    return "there, but an earlier rule decides"


def line(op: Operator, key: DispatchKey) -> str:
    """Python that registers a kernel; its body is for the reader to write."""
    base = op.name.partition("::")[2]
    return (
        f'lib = torch.library.Library("{op.namespace}", "IMPL"); '
        f'lib.impl("{base}", lambda {parameters(op)}: ..., "{key_name(key)}")'
    )


def parameters(op: Operator) -> str:
    """The parameters of a kernel of *op*, with the schema's defaults."""
    schema = op.schema
    if schema is None:
        return "*args, **kwargs"
    words = []
    starred = False
    for a in schema.arguments:
        if a.kwarg_only and not starred:
            words.append("*")
            starred = True
        words.append(f"{a.name}{default(a)}")
    return ", ".join(words)


def default(argument: Argument) -> str:
    """``=1`` for an argument with a default that Python can write."""
    if not argument.has_default_value():
        return ""
    value = argument.default_value
    plain = value is None or isinstance(value, bool | int | float | str | list | tuple)
    return f"={value!r}" if plain else "=None"
