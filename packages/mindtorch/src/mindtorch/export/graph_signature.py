"""``torch.export.graph_signature``: what goes into an exported graph and comes out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from types import MappingProxyType
from typing import Any

from ..fx import Node

__all__ = [
    "ConstantArgument",
    "CustomObjArgument",
    "ExportBackwardSignature",
    "ExportGraphSignature",
    "InputKind",
    "InputSpec",
    "OutputKind",
    "OutputSpec",
    "SymBoolArgument",
    "SymFloatArgument",
    "SymIntArgument",
    "TensorArgument",
]


@dataclass
class TensorArgument:
    """A tensor, by the name of its node."""

    name: str


@dataclass
class TokenArgument:
    """What orders effects, by the name of its node."""

    name: str


@dataclass
class SymIntArgument:
    """An integer that is a symbol, by the name of its node."""

    name: str


@dataclass
class SymFloatArgument:
    """A float that is a symbol, by the name of its node."""

    name: str


@dataclass
class SymBoolArgument:
    """A truth that is a symbol, by the name of its node."""

    name: str


@dataclass
class CustomObjArgument:
    """An object of a class of TorchScript, by the name of its node."""

    name: str
    class_fqn: str
    fake_val: Any = None


@dataclass
class ConstantArgument:
    """A value that was the same when the program was exported; outputs have no name."""

    name: str
    value: int | float | bool | str | None


_ARGUMENTS = (
    TensorArgument,
    SymIntArgument,
    SymFloatArgument,
    SymBoolArgument,
    ConstantArgument,
    CustomObjArgument,
    TokenArgument,
)


def argument_of(value: Any) -> Any:
    """What a result of a graph is: that of a node, by the type of what it gives, or a constant."""
    if not isinstance(value, Node):
        return ConstantArgument("", value)
    kind = getattr(getattr(value.meta.get("val"), "node", None), "pytype", None)
    return _OF_SYMBOLS.get(kind, TensorArgument)(value.name)


_OF_SYMBOLS: dict[Any, Any] = {
    int: SymIntArgument, float: SymFloatArgument, bool: SymBoolArgument,
}  # fmt: skip


def _check_argument(arg: object) -> None:
    if not isinstance(arg, _ARGUMENTS):
        raise AssertionError(f"expected valid arg type, got {type(arg)}")


class InputKind(Enum):
    """What an input of a graph is."""

    USER_INPUT = auto()
    PARAMETER = auto()
    BUFFER = auto()
    CONSTANT_TENSOR = auto()
    CUSTOM_OBJ = auto()
    TOKEN = auto()


@dataclass
class InputSpec:
    """One input of a graph: what it is, its node, and the name of a parameter or buffer.

    Raises AssertionError for a buffer that does not say whether it is persistent.
    """

    kind: InputKind
    arg: Any
    target: str | None
    persistent: bool | None = None

    def __post_init__(self) -> None:
        if self.kind is InputKind.BUFFER and self.persistent is None:
            raise AssertionError("Failed to specify persistent flag on BUFFER.")
        _check_argument(self.arg)

    def __str__(self) -> str:
        target = "" if self.target is None else f" target='{self.target}'"
        persistent = "" if self.persistent is None else f" persistent={self.persistent}"
        return f"{self.arg.name}: {self.kind.name}{target}{persistent}"


class OutputKind(Enum):
    """What an output of a graph is."""

    USER_OUTPUT = auto()
    LOSS_OUTPUT = auto()
    BUFFER_MUTATION = auto()
    PARAMETER_MUTATION = auto()
    GRADIENT_TO_PARAMETER = auto()
    GRADIENT_TO_USER_INPUT = auto()
    USER_INPUT_MUTATION = auto()
    TOKEN = auto()


@dataclass
class OutputSpec:
    """One output of a graph: what it is, its node, and the name of what it changes."""

    kind: OutputKind
    arg: Any
    target: str | None

    def __post_init__(self) -> None:
        _check_argument(self.arg)

    def __str__(self) -> str:
        target = "" if self.target is None else f" target='{self.target}'"
        return f"{self.arg.name}: {self.kind.name}{target}"


@dataclass
class ExportBackwardSignature:
    """Which outputs of a graph are gradients, by the names of nodes."""

    gradients_to_parameters: dict[str, str]
    gradients_to_user_inputs: dict[str, str]
    loss_output: str


@dataclass
class ExportGraphSignature:
    """What the inputs and outputs of an exported graph are, in order."""

    input_specs: list[InputSpec]
    output_specs: list[OutputSpec]

    def _targets(self, kind: InputKind) -> tuple[str, ...]:
        return tuple(s.target for s in self.input_specs if s.kind is kind and s.target is not None)

    def _inputs(self, kind: InputKind) -> Mapping[str, str]:
        return _by_name((s.arg.name, s.target) for s in self.input_specs if s.kind is kind)

    def _outputs(self, kind: OutputKind) -> Mapping[str, str]:
        return _by_name((s.arg.name, s.target) for s in self.output_specs if s.kind is kind)

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of parameters."""
        return self._targets(InputKind.PARAMETER)

    @property
    def buffers(self) -> tuple[str, ...]:
        """The names of buffers."""
        return self._targets(InputKind.BUFFER)

    @property
    def non_persistent_buffers(self) -> tuple[str, ...]:
        """The names of buffers that are in no state dict."""
        return tuple(
            s.target
            for s in self.input_specs
            if s.kind is InputKind.BUFFER and s.persistent is False and s.target is not None
        )

    @property
    def lifted_tensor_constants(self) -> tuple[str, ...]:
        """The names of tensors that are neither parameters nor buffers."""
        return self._targets(InputKind.CONSTANT_TENSOR)

    @property
    def lifted_custom_objs(self) -> tuple[str, ...]:
        """The names of objects of TorchScript's classes."""
        return self._targets(InputKind.CUSTOM_OBJ)

    @property
    def user_inputs(self) -> tuple[Any, ...]:
        """The user's arguments: names of nodes, and the values of those that are constant."""
        return tuple(
            s.arg.value if isinstance(s.arg, ConstantArgument) else s.arg.name
            for s in self.input_specs
            if s.kind is InputKind.USER_INPUT
        )

    @property
    def user_outputs(self) -> tuple[Any, ...]:
        """The user's results: names of nodes, and the values of those that are constant."""
        return tuple(
            s.arg.value if isinstance(s.arg, ConstantArgument) else s.arg.name
            for s in self.output_specs
            if s.kind in (OutputKind.USER_OUTPUT, OutputKind.LOSS_OUTPUT)
        )

    @property
    def inputs_to_parameters(self) -> Mapping[str, str]:
        """Node -> parameter."""
        return self._inputs(InputKind.PARAMETER)

    @property
    def inputs_to_buffers(self) -> Mapping[str, str]:
        """Node -> buffer."""
        return self._inputs(InputKind.BUFFER)

    @property
    def inputs_to_lifted_tensor_constants(self) -> Mapping[str, str]:
        """Node -> constant tensor."""
        return self._inputs(InputKind.CONSTANT_TENSOR)

    @property
    def inputs_to_lifted_custom_objs(self) -> Mapping[str, str]:
        """Node -> object of a class of TorchScript."""
        return self._inputs(InputKind.CUSTOM_OBJ)

    @property
    def buffers_to_mutate(self) -> Mapping[str, str]:
        """Node -> buffer that gets its value."""
        return self._outputs(OutputKind.BUFFER_MUTATION)

    @property
    def parameters_to_mutate(self) -> Mapping[str, str]:
        """Node -> parameter that gets its value."""
        return self._outputs(OutputKind.PARAMETER_MUTATION)

    @property
    def user_inputs_to_mutate(self) -> Mapping[str, str]:
        """Node -> argument that gets its value."""
        return self._outputs(OutputKind.USER_INPUT_MUTATION)

    @property
    def backward_signature(self) -> ExportBackwardSignature | None:
        """Which outputs are gradients; None where no output is a loss."""
        loss = [s.arg.name for s in self.output_specs if s.kind is OutputKind.LOSS_OUTPUT]
        if not loss:
            return None
        return ExportBackwardSignature(
            dict(self._outputs(OutputKind.GRADIENT_TO_PARAMETER)),
            dict(self._outputs(OutputKind.GRADIENT_TO_USER_INPUT)),
            loss[0],
        )

    @property
    def input_tokens(self) -> tuple[str, ...]:
        """The nodes of tokens that go in."""
        return tuple(s.arg.name for s in self.input_specs if s.kind is InputKind.TOKEN)

    @property
    def output_tokens(self) -> tuple[str, ...]:
        """The nodes of tokens that come out."""
        return tuple(s.arg.name for s in self.output_specs if s.kind is OutputKind.TOKEN)

    @property
    def assertion_dep_token(self) -> Mapping[int, str] | None:
        """None: assertions need no token."""
        return None

    def replace_all_uses(self, old: str, new: str) -> None:
        """Let *new* be the name of the node *old*."""
        for spec in (*self.input_specs, *self.output_specs):
            if isinstance(spec.arg, TensorArgument) and spec.arg.name == old:
                spec.arg.name = new

    def get_replace_hook(self, replace_inputs: bool = False) -> Callable[[Any, str, Any], None]:
        """A hook of graphs that follows nodes which are replaced, for outputs.

        :param replace_inputs: for inputs, too.
        """

        def follow(old: Any, new: str, user: Any) -> None:
            if user.op == "output" or (replace_inputs and old.op == "placeholder"):
                self.replace_all_uses(old.name, new)

        return follow

    def __str__(self) -> str:
        inputs = "\n".join(map(str, self.input_specs))
        outputs = "\n".join(map(str, self.output_specs))
        return f"\n# inputs\n{inputs}\n\n# outputs\n{outputs}\n"


def _by_name(pairs: Iterable[tuple[str, str | None]]) -> Mapping[str, str]:
    return MappingProxyType({name: target for name, target in pairs if target is not None})
