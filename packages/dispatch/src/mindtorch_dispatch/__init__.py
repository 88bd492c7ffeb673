"""Dispatch: which kernel runs an op for a set of keys, and why. Knows nothing of tensors."""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from .call_site import capture_site, describe_site
from .dispatcher import (
    call_hop,
    call_kernel,
    current_dispatch_keyset,
    dispatch,
    dispatch_with_keyset,
    keyset_of_call,
    redispatch,
    set_default_device_source,
    set_grad_mode_source,
)
from .kernel import Hop, Kernel
from .keys import (
    ALIAS_KEYS,
    BACKEND_COMPONENTS,
    DISPATCH_KEY_PRIORITY,
    DispatchKey,
    backend_keys_of_autograd,
    is_alias_key,
    is_included_in_alias,
    key_name,
    keys_in,
    parse_key,
    runtime_keys_of,
)
from .keyset import DispatchKeySet
from .operator import Operator
from .pipeline import (
    Entry,
    Pipeline,
    current_pipeline,
    settle,
    watch_failures,
    watch_flushes,
)
from .pipeline_context import pipeline_context
from .pipeline_journal import FlushError
from .registry import Registry, registry
from .schema import AliasInfo, Argument, FunctionSchema, SchemaType, parse_schema
from .tls import apply_tls_masks, current_masks, exclude_keys, include_keys

if _TYPE_CHECKING:
    from .argument_kind import ArgumentKind
    from .argument_parser import ArgumentParser
    from .library import Library, fallthrough_kernel
    from .parameter import Overload, Parameter, Signature
    from .signature import python_signatures
    from .value_types import ValueTypes

__all__ = [
    "ALIAS_KEYS",
    "AliasInfo",
    "Argument",
    "ArgumentKind",
    "ArgumentParser",
    "BACKEND_COMPONENTS",
    "DISPATCH_KEY_PRIORITY",
    "DispatchKey",
    "DispatchKeySet",
    "Entry",
    "FlushError",
    "FunctionSchema",
    "Hop",
    "Kernel",
    "Library",
    "Operator",
    "Overload",
    "Parameter",
    "Pipeline",
    "Registry",
    "SchemaType",
    "Signature",
    "ValueTypes",
    "apply_tls_masks",
    "backend_keys_of_autograd",
    "call_hop",
    "call_kernel",
    "capture_site",
    "current_dispatch_keyset",
    "current_masks",
    "current_pipeline",
    "describe_site",
    "dispatch",
    "dispatch_with_keyset",
    "exclude_keys",
    "fallthrough_kernel",
    "include_keys",
    "is_alias_key",
    "is_included_in_alias",
    "key_name",
    "keys_in",
    "keyset_of_call",
    "parse_key",
    "parse_schema",
    "pipeline_context",
    "python_signatures",
    "redispatch",
    "registry",
    "runtime_keys_of",
    "set_default_device_source",
    "set_grad_mode_source",
    "settle",
    "watch_failures",
    "watch_flushes",
]

#: Where names live that are imported when first asked for: most programs never do.
_LAZY = {
    "ArgumentKind": "argument_kind",
    "ArgumentParser": "argument_parser",
    "Library": "library",
    "Overload": "parameter",
    "Parameter": "parameter",
    "Signature": "parameter",
    "ValueTypes": "value_types",
    "fallthrough_kernel": "library",
    "python_signatures": "signature",
}


def __getattr__(name: str) -> _Any:
    home = _LAZY.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(_import_module(f"{__name__}.{home}"), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
