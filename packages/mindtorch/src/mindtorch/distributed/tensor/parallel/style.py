"""Styles: how a module lies on a mesh."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from .... import nn
from ....core.module_names import spelled_out
from ....tensor import Tensor
from ...device_mesh import DeviceMesh
from .._api import DTensor, distribute_tensor
from .._modules import distribute_module
from ..placement_types import Placement, Replicate, Shard

__all__ = [
    "ColwiseParallel",
    "ParallelStyle",
    "PrepareModuleInput",
    "PrepareModuleInputOutput",
    "PrepareModuleOutput",
    "RowwiseParallel",
    "SequenceParallel",
]


class ParallelStyle(ABC):
    """How a module, or a part of it, lies on a mesh."""

    src_data_rank: int | None = 0

    @abstractmethod
    def _apply(self, module: nn.Module, device_mesh: DeviceMesh) -> nn.Module: ...


def _placed(x: Any, mesh: DeviceMesh, layouts: Any, desired: Any) -> Any:
    """*x* on the mesh as it lies, then as it shall lie."""
    if not isinstance(x, DTensor):
        x = DTensor.from_local(x, mesh, layouts, run_check=False)
    if desired is not None and x.placements != tuple(desired):
        x = x.redistribute(placements=desired)
    return x


def _given(x: Any, layouts: Any, local: bool) -> Any:
    if isinstance(x, DTensor):
        if x.placements != tuple(layouts):
            x = x.redistribute(placements=layouts)
        return x.to_local() if local else x
    return x


@spelled_out("__repr__")
class _Linear(ParallelStyle):
    """A linear layer or embedding with split parameters."""

    desired_input_layouts: tuple[Placement, ...]

    def __init__(self, input_layouts: Any, output_layouts: Any, use_local_output: bool) -> None:
        super().__init__()
        self.input_layouts = (input_layouts,)
        self.output_layouts = (output_layouts,)
        self.use_local_output = use_local_output

    def _dims(self, module: nn.Module, name: str) -> list[Placement]:
        raise NotImplementedError

    def _split(self, name: str, module: nn.Module, mesh: DeviceMesh) -> None:
        for key, p in list(module.named_parameters(recurse=False)):
            made: Any = distribute_tensor(
                p.detach(), mesh, self._dims(module, key), src_data_rank=self.src_data_rank
            )
            module.register_parameter(key, nn.Parameter(made, p.requires_grad))

    def _inputs(self, module: nn.Module, inputs: Any, mesh: DeviceMesh) -> Any:
        first = _placed(inputs[0], mesh, self.input_layouts, self.desired_input_layouts)
        return (first, *inputs[1:])

    def _outputs(self, module: nn.Module, outputs: Any, mesh: DeviceMesh) -> Any:
        return _given(outputs, self.output_layouts, self.use_local_output)

    def _apply(self, module: nn.Module, device_mesh: DeviceMesh) -> nn.Module:
        if not isinstance(module, nn.Linear | nn.Embedding):
            raise NotImplementedError(
                f"{type(self).__name__} currently only support nn.Linear and nn.Embedding!"
            )
        return distribute_module(module, device_mesh, self._split, self._inputs, self._outputs)

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}(input_layouts={self.input_layouts}, "
            f"output_layouts={self.output_layouts}, use_local_output={self.use_local_output})"
        )


class ColwiseParallel(_Linear):
    """Split by outputs."""

    def __init__(
        self,
        *,
        input_layouts: Placement | None = None,
        output_layouts: Placement | None = None,
        use_local_output: bool = True,
    ) -> None:
        super().__init__(
            input_layouts or Replicate(), output_layouts or Shard(-1), use_local_output
        )
        self.desired_input_layouts = (Replicate(),)

    def _dims(self, module: nn.Module, name: str) -> list[Placement]:
        return [Shard(1) if isinstance(module, nn.Embedding) else Shard(0)]


class RowwiseParallel(_Linear):
    """Split by inputs."""

    def __init__(
        self,
        *,
        input_layouts: Placement | None = None,
        output_layouts: Placement | None = None,
        use_local_output: bool = True,
    ) -> None:
        super().__init__(
            input_layouts or Shard(-1), output_layouts or Replicate(), use_local_output
        )

    def _dims(self, module: nn.Module, name: str) -> list[Placement]:
        if isinstance(module, nn.Embedding):
            return [Shard(0)]
        return [Replicate() if name == "bias" else Shard(1)]

    def _apply(self, module: nn.Module, device_mesh: DeviceMesh) -> nn.Module:
        embeds = isinstance(module, nn.Embedding)
        self.desired_input_layouts = (Replicate() if embeds else Shard(-1),)
        return super()._apply(module, device_mesh)


class SequenceParallel(ParallelStyle):
    """Split by a dimension of the sequence, with whole parameters."""

    def __init__(self, *, sequence_dim: int = 1, use_local_output: bool = False) -> None:
        super().__init__()
        self.sequence_sharding = (Shard(sequence_dim),)
        self.use_local_output = use_local_output

    def _apply(self, module: nn.Module, device_mesh: DeviceMesh) -> nn.Module:
        def inputs(mod: nn.Module, given: Any, mesh: DeviceMesh) -> Any:
            first = given[0]
            if not isinstance(first, Tensor):
                raise ValueError(
                    f"expecting input of {mod} to be a torch.Tensor or DTensor, but got {first}"
                )
            return (
                _placed(first, mesh, self.sequence_sharding, self.sequence_sharding),
                *given[1:],
            )

        def outputs(mod: nn.Module, given: Any, mesh: DeviceMesh) -> Any:
            return given.to_local() if self.use_local_output else given

        return distribute_module(module, device_mesh, None, inputs, outputs)

    def __repr__(self) -> str:
        return (
            f"SequenceParallel(sequence_dim={self.sequence_sharding[0].dim}, "
            f"use_local_output={self.use_local_output})"
        )


def _listed(layouts: Any) -> Any:
    if layouts is None:
        return None
    return (layouts,) if isinstance(layouts, Placement) else tuple(layouts)


class PrepareModuleInput(ParallelStyle):
    """Lays the inputs of a module on a mesh."""

    def __init__(
        self,
        *,
        input_layouts: Any = None,
        desired_input_layouts: Any = None,
        input_kwarg_layouts: dict[str, Placement] | None = None,
        desired_input_kwarg_layouts: dict[str, Placement] | None = None,
        use_local_output: bool = False,
    ) -> None:
        self.input_layouts = _listed(input_layouts)
        self.desired_input_layouts = _listed(desired_input_layouts)
        self.use_local_output = use_local_output
        now, wanted = self.input_layouts, self.desired_input_layouts
        if now is not None and wanted is None:
            raise AssertionError("desired module inputs should not be None!")
        if now is not None and wanted is not None and len(now) != len(wanted):
            raise AssertionError("input_layouts and desired_input_layouts should have same length!")
        self.input_kwarg_layouts = input_kwarg_layouts or {}
        self.desired_input_kwarg_layouts = desired_input_kwarg_layouts or {}
        self.with_kwargs = input_kwarg_layouts is not None

    def _prepare(self, x: Any, mesh: DeviceMesh, layout: Any, desired: Any) -> Any:
        if layout is None or not isinstance(x, Tensor):
            return x
        made = _placed(x, mesh, (layout,), None if desired is None else (desired,))
        return made.to_local() if self.use_local_output else made

    def _prepare_input_fn(self, inputs: Any, device_mesh: DeviceMesh) -> Any:
        if self.input_layouts is None:
            return inputs
        inputs = inputs if isinstance(inputs, tuple) else (inputs,)
        if len(inputs) != len(self.input_layouts):
            raise ValueError("module inputs and input_layouts should have same length!")
        return tuple(
            self._prepare(x, device_mesh, have, want)
            for x, have, want in zip(inputs, self.input_layouts, self.desired_input_layouts)
        )

    def _apply(self, module: nn.Module, device_mesh: DeviceMesh) -> nn.Module:
        def hook(mod: nn.Module, args: Any, kwargs: Any) -> Any:
            named = {
                k: self._prepare(
                    v,
                    device_mesh,
                    self.input_kwarg_layouts.get(k),
                    self.desired_input_kwarg_layouts.get(k),
                )
                for k, v in kwargs.items()
            }
            return self._prepare_input_fn(args, device_mesh), named

        module.register_forward_pre_hook(hook, with_kwargs=True)
        return module

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}(input_layouts={self.input_layouts}, "
            f"desired_input_layouts={self.desired_input_layouts}, "
            f"input_kwarg_layouts={self.input_kwarg_layouts}, "
            f"desired_input_kwarg_layouts={self.desired_input_kwarg_layouts}, "
            f"use_local_output={self.use_local_output})"
        )


class PrepareModuleOutput(ParallelStyle):
    """Lays the outputs of a module on a mesh."""

    def __init__(
        self, *, output_layouts: Any, desired_output_layouts: Any, use_local_output: bool = True
    ) -> None:
        self.output_layouts = _listed(output_layouts)
        self.desired_output_layouts = _listed(desired_output_layouts)
        self.use_local_output = use_local_output
        if len(self.output_layouts) != len(self.desired_output_layouts):
            raise AssertionError(
                "output_layouts and desired_output_layouts should have same length!"
            )

    def _prepare_out_fn(self, outputs: Any, device_mesh: DeviceMesh) -> Any:
        many = isinstance(outputs, tuple)
        outputs = outputs if many else (outputs,)
        if len(outputs) != len(self.output_layouts):
            raise ValueError("module outputs and output_layouts should have same length!")
        made = []
        for x, have, want in zip(outputs, self.output_layouts, self.desired_output_layouts):
            if have is not None:
                x = _placed(x, device_mesh, (have,), (want,))
                x = x.to_local() if self.use_local_output else x
            made.append(x)
        return tuple(made) if many else made[0]

    def _apply(self, module: nn.Module, device_mesh: DeviceMesh) -> nn.Module:
        module.register_forward_hook(
            lambda mod, args, outputs: self._prepare_out_fn(outputs, device_mesh)
        )
        return module

    def __repr__(self) -> str:
        return (
            f"PrepareModuleOutput(output_layouts={self.output_layouts}, "
            f"desired_output_layouts={self.desired_output_layouts}, "
            f"use_local_output={self.use_local_output})"
        )


class PrepareModuleInputOutput(ParallelStyle):
    """Lays the inputs and outputs of a module on a mesh."""

    def __init__(
        self,
        *,
        input_layouts: Any = None,
        desired_input_layouts: Any = None,
        input_kwarg_layouts: dict[str, Placement] | None = None,
        desired_input_kwarg_layouts: dict[str, Placement] | None = None,
        use_local_input: bool = False,
        output_layouts: Any,
        desired_output_layouts: Any,
        use_local_output: bool = True,
    ) -> None:
        self.prepare_module_input = PrepareModuleInput(
            input_layouts=input_layouts,
            desired_input_layouts=desired_input_layouts,
            input_kwarg_layouts=input_kwarg_layouts,
            desired_input_kwarg_layouts=desired_input_kwarg_layouts,
            use_local_output=use_local_input,
        )
        self.prepare_module_output = PrepareModuleOutput(
            output_layouts=output_layouts,
            desired_output_layouts=desired_output_layouts,
            use_local_output=use_local_output,
        )

    def _apply(self, module: nn.Module, device_mesh: DeviceMesh) -> nn.Module:
        self.prepare_module_input._apply(module, device_mesh)
        return self.prepare_module_output._apply(module, device_mesh)

    def __repr__(self) -> str:
        before, after = self.prepare_module_input, self.prepare_module_output
        return (
            f"{type(self).__name__}(input_layouts={before.input_layouts}, "
            f"desired_input_layouts={before.desired_input_layouts}, "
            f"input_kwarg_layouts={before.input_kwarg_layouts}, "
            f"desired_input_kwarg_layouts={before.desired_input_kwarg_layouts}, "
            f"use_local_input={before.use_local_output}, "
            f"output_layouts={after.output_layouts}, "
            f"desired_output_layouts={after.desired_output_layouts}, "
            f"use_local_output={after.use_local_output})"
        )
