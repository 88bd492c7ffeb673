"""An op as the dispatcher holds it: what ``torch._C`` finds by name, and operators give."""

from __future__ import annotations

from typing import Any

from mindtorch_dispatch import DispatchKeySet, FunctionSchema, Operator, errors, redispatch


class _DispatchOperatorHandle:
    """An op, found by its name."""

    __slots__ = ("_operator",)

    def __init__(self, operator: Operator) -> None:
        self._operator = operator

    def schema(self) -> FunctionSchema:
        """Its schema. Raises RuntimeError if that went away."""
        schema = self._operator.schema
        if schema is None:
            raise errors.schema_went_away()
        return schema

    def debug(self) -> str:
        """Where the schema was registered."""
        if not self._operator.has_schema:
            raise errors.debug_went_away()
        return self._operator.schema_site

    def redispatch_boxed(self, keyset: DispatchKeySet, /, *args: Any, **kwargs: Any) -> Any:
        """Call what the keys in *keyset* select."""
        return redispatch(self._operator, keyset, *args, **kwargs)
