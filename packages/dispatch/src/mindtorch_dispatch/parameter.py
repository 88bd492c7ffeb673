"""What the argument parser knows of a Python-visible function: parameters, signatures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .schema import FunctionSchema, SchemaType

# What messages call a parameter's type.
TYPE_NAMES = {
    "Tensor": "Tensor",
    "Scalar": "Number",
    "int": "int",
    "SymInt": "int",
    "float": "float",
    "complex": "complex",
    "bool": "bool",
    "SymBool": "bool",
    "str": "str",
    "ScalarType": "torch.dtype",
    "Layout": "torch.layout",
    "MemoryFormat": "torch.memory_format",
    "Device": "torch.device",
    "DeviceIndex": "int",
    "Generator": "torch.Generator",
    "Storage": "torch.Storage",
    "Stream": "torch.Stream",
    "QScheme": "torch.qscheme",
    "object": "object",
    "Tensor[]": "tuple of Tensors",
    "Tensor?[]": "tuple of Tensors",
    "int[]": "tuple of ints",
    "SymInt[]": "tuple of ints",
    "float[]": "tuple of floats",
    "bool[]": "tuple of bools",
    "Scalar[]": "tuple of Scalars",
}

# Keyword names of numpy that stand for torch's.
_NUMPY_NAMES = {
    "dim": ("axis",),
    "keepdim": ("keepdims",),
    "input": ("x", "a", "x1"),
    "other": ("x2",),
}


class Parameter:
    """One parameter of a Python signature."""

    __slots__ = (
        "allow_none",
        "default",
        "default_text",
        "keyword_only",
        "kind",
        "name",
        "names",
        "numbers_as_tensors",
        "optional",
        "schema_name",
        "size",
        "type_name",
    )

    def __init__(
        self,
        name: str,
        kind: str,
        *,
        size: int | None = None,
        nullable: bool = False,
        optional: bool = False,
        default: Any = None,
        default_text: str = "",
        keyword_only: bool = False,
        schema_name: str = "",
        numbers_as_tensors: bool = False,
    ) -> None:
        self.name = name
        #: the schema's type without ``?``: ``"Tensor"``, ``"int[]"``…
        self.kind = kind
        self.size = size
        #: None stands for "not given" where it is allowed.
        self.allow_none = nullable or (optional and default_text == "None")
        self.optional, self.default, self.default_text = optional, default, default_text
        self.keyword_only = keyword_only
        self.schema_name = schema_name or name
        self.numbers_as_tensors = numbers_as_tensors
        #: the keywords that it may be given by, torch's name first.
        self.names = (name, *_NUMPY_NAMES.get(name, ()))
        self.type_name = TYPE_NAMES.get(kind, kind)

    def __str__(self) -> str:
        text = f"{self.type_name} {self.name}"
        return f"{text} = {self.default_text}" if self.optional else text


class Overload:
    """How the values of a signature become the arguments of one schema.

    ``sources`` has, for each argument of the schema, where its value lies in the row that the
    parser builds: the signature's parameters, then ``self`` of a method, then constants, then the
    parts of ``out``. ``extras`` names the values that follow the schema's arguments, which the
    schema does not know (``requires_grad`` of a factory).
    """

    __slots__ = ("extras", "index", "schema", "sources")

    def __init__(
        self, index: int, schema: FunctionSchema | None, sources: list[int], extras: list[str]
    ) -> None:
        self.index, self.schema = index, schema
        self.sources, self.extras = sources, tuple(extras)


class Signature:
    """One signature: its parameters and the overloads that it may mean."""

    __slots__ = (
        "_make_out",
        "_out",
        "constants",
        "deprecated",
        "functional",
        "name",
        "out_at",
        "out_count",
        "parameters",
    )

    def __init__(self, name: str, parameters: list[Parameter], *, deprecated: bool = False) -> None:
        self.name, self.parameters, self.deprecated = name, parameters, deprecated
        self.functional: Overload | None = None
        self._out: Overload | None = None
        self._make_out: Callable[[], Overload] | None = None
        #: where ``out`` lies among the parameters, or -1; and how many tensors it is.
        self.out_at, self.out_count = -1, 0
        self.constants: tuple[Any, ...] = ()

    @property
    def min_args(self) -> int:
        """How many arguments a call has at least."""
        return len([p for p in self.parameters if not p.optional])

    @property
    def max_args(self) -> int:
        """How many arguments a call has at most."""
        return len(self.parameters)

    @property
    def max_positional(self) -> int:
        """How many of them may be positional."""
        return len([p for p in self.parameters if not p.keyword_only])

    @property
    def text(self) -> str:
        """The parameters, as error texts list them."""
        parts = []
        keyword = False
        for p in self.parameters:
            if p.keyword_only and not keyword:
                keyword = True
                parts.append("*")
            parts.append(str(p))
        return f"({', '.join(parts)})"

    @property
    def out(self) -> Overload | None:
        """The ``out=`` overload, laid out when it is first asked for: few calls name a target."""
        make = self._make_out
        if make is not None:
            self._out, self._make_out = make(), None
        return self._out

    def takes_out(self, make: Callable[[], Overload]) -> None:
        """Say how the ``out=`` overload is laid out."""
        self._make_out = make

    def __repr__(self) -> str:
        return self.name + self.text


def without_optional(real: SchemaType) -> tuple[SchemaType, bool]:
    """The type inside ``Optional``, and whether it was optional."""
    if real._kind == "OptionalType":
        return real._contained[0], True
    return real, False
