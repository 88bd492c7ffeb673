"""Which sizes of a tensor are to be symbols, in which ranges, and where they come from."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple

__all__ = [
    "LARGEST_SIZE",
    "Constraint",
    "DimDynamic",
    "RelaxedUnspecConstraint",
    "RuntimeAssert",
    "ShapeEnvSettings",
    "ShapeGuard",
    "SizeSource",
    "Source",
    "StatefulSymbolicContext",
    "StatelessSymbolicContext",
    "StrictMinMaxConstraint",
    "SubclassSymbolicContext",
    "SymIntSymbolicContext",
    "SymbolicContext",
    "with_sympy",
]


#: The bound of sizes that have no other: no tensor has more elements.
LARGEST_SIZE = 2**63 - 2


def with_sympy(module: str) -> ModuleType:
    """A module that computes with symbols. Raises ModuleNotFoundError without sympy."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != "sympy":
            raise
        told = "sizes that are symbols need sympy: pip install mindtorch[symbolic]"
        raise ModuleNotFoundError(told, name="sympy") from None


class DimDynamic(Enum):
    """How a size becomes a symbol."""

    #: A symbol of its own.
    DYNAMIC = 0
    #: That of another size that is equal in this run.
    DUCK = 1
    #: None: it is a number.
    STATIC = 2
    #: One without a value.
    UNBACKED = 3
    #: Of strides: as they follow from the sizes.
    INFER_STRIDE = 4


@dataclass(frozen=True)
class Source:
    """Where a value comes from, as code that gives it."""

    name: str


@dataclass(frozen=True)
class SizeSource:
    """A size of the tensor that comes from *base*."""

    base: Any
    idx: int

    @property
    def name(self) -> str:
        """The code that gives it."""
        return f"{self.base.name}.size()[{self.idx}]"


@dataclass(frozen=True)
class Constraint:
    """What a program promised of a size.

    :ivar warn_only: say so where it does not hold, in place of raising.
    """

    warn_only: bool


@dataclass(frozen=True)
class StrictMinMaxConstraint(Constraint):
    """All numbers of a range will do."""

    vr: Any

    def render(self, source: Any) -> str:
        """The range in words."""
        return f"{self.vr.lower} <= {source.name} <= {self.vr.upper}"


@dataclass(frozen=True)
class RelaxedUnspecConstraint(Constraint):
    """It is not the same in all runs."""

    def render(self, source: Any) -> str:
        """The same in words."""
        return f"RelaxedUnspecConstraint({source.name})"


class SymbolicContext:
    """What is said of a value that becomes a symbol."""


@dataclass(frozen=True)
class SymIntSymbolicContext(SymbolicContext):
    """The same of a number."""

    constraint: Any = None


@dataclass(frozen=True)
class StatelessSymbolicContext(SymbolicContext):
    """The same of a tensor, by dimension."""

    dynamic_sizes: Any
    dynamic_strides: Any = None
    constraint_sizes: Any = None
    constraint_strides: Any = None
    specialize_on: Any = None
    view_base_context: Any = None

    def __post_init__(self) -> None:
        nothing = [None] * len(self.dynamic_sizes)
        inferred = [DimDynamic.INFER_STRIDE] * len(self.dynamic_sizes)
        for name, value in (
            ("dynamic_strides", inferred),
            ("constraint_sizes", nothing),
            ("constraint_strides", nothing),
        ):
            if getattr(self, name) is None:
                object.__setattr__(self, name, value)


@dataclass(frozen=True)
class StatefulSymbolicContext(StatelessSymbolicContext):
    """The same of a tensor whose symbols are to be found again."""

    tensor_source: Any = None
    shape_env_to_source_to_symbol_cache: dict[Any, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class SubclassSymbolicContext(StatefulSymbolicContext):
    """The same of a tensor that is made of others."""

    inner_contexts: dict[str, Any] = field(default_factory=dict)


class ShapeEnvSettings(NamedTuple):
    """What an environment was made with; see :class:`~._shape_env.ShapeEnv`."""

    allow_scalar_outputs: bool
    allow_dynamic_output_shape_ops: bool
    assume_static_by_default: bool
    specialize_zero_one: bool
    duck_shape: bool
    prefer_deferred_runtime_asserts_over_guards: bool
    trace_asserts: bool


class ShapeGuard(NamedTuple):
    """What was assumed of sizes."""

    expr: Any
    sloc: Any = None
    size_oblivious: bool = False


@dataclass(frozen=True)
class RuntimeAssert:
    """What is checked in each run."""

    expr: Any
    msg: str = field(repr=False)
    stack: Any = field(default=None, repr=False)
