"""The parameters of a module whose gradients ``DistributedDataParallel`` averages, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ... import nn
from ...aten.torch import Tensor

__all__ = ["TrainedParameters"]


class TrainedParameters:
    """The part of a ``DistributedDataParallel`` that knows which parameters it averages."""

    module: Any
    parameters_to_ignore: set[str]
    _assign_modules_buffers: Callable[[], None]
    _log_and_throw: Callable[[type[Exception], str], None]

    def _build_params_for_reducer(self) -> tuple[list[Tensor], list[bool]]:
        parameters: dict[Tensor, bool] = {}
        for name, module in self.module.named_modules():
            for own, p in module.named_parameters(recurse=False):
                full = f"{name}.{own}" if name else own
                if p.requires_grad and full not in self.parameters_to_ignore:
                    sparse = isinstance(module, nn.Embedding | nn.EmbeddingBag) and module.sparse
                    parameters.setdefault(p, sparse)
        self._assign_modules_buffers()
        return list(parameters), list(parameters.values())

    def _build_debug_param_to_name_mapping(self, parameters: list[Tensor]) -> dict[int, str]:
        """The name of each of *parameters* by its number; the last one of a shared parameter."""
        index = {id(p): i for i, p in enumerate(parameters)}
        found: dict[int, str] = {}
        for name, module in self.module.named_modules():
            for own, p in module.named_parameters(recurse=False):
                full = f"{name}.{own}"
                plain = full if name else own
                if plain in self.parameters_to_ignore or not p.requires_grad:
                    continue
                if id(p) not in index:
                    self._log_and_throw(
                        ValueError,
                        f"Param with name {full} found in module parameters, but not DDP "
                        "parameters. This indicates a bug in DDP, please report an issue to "
                        "PyTorch.",
                    )
                found[index[id(p)]] = full
        if len(index) != len(found):
            self._log_and_throw(
                ValueError,
                "Expected param to name mapping to cover all parameters, but got conflicting "
                f"lengths: {len(index)} vs {len(found)}. This indicates a bug in DDP, please "
                "report an issue to PyTorch.",
            )
        return found

    @staticmethod
    def _get_data_parallel_params(module: Any, named_params: bool = False) -> Iterator[Any]:
        ignored = getattr(module, "_ddp_params_and_buffers_to_ignore", [])
        for name, p in module.named_parameters():
            if name not in ignored:
                yield (name, p) if named_params else p

    @staticmethod
    def _set_params_and_buffers_to_ignore_for_model(
        module: Any, params_and_buffers_to_ignore: Any
    ) -> None:
        module._ddp_params_and_buffers_to_ignore = params_and_buffers_to_ignore
        for name, p in module.named_parameters():
            if name in params_and_buffers_to_ignore:
                p._ddp_ignored = True
        for name, buffer in module.named_buffers():
            if name in params_and_buffers_to_ignore:
                buffer._ddp_ignored = True
