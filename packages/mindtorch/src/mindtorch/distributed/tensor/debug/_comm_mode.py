"""``CommDebugMode``: which collectives a block of a program calls, and in which modules."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from ...._ops import ops
from ....core.module_names import living_in
from ....nn import Module
from ....utils._python_dispatch import TorchDispatchMode
from ....utils.module_tracker import ModuleTracker
from ..._c10d import older_functional_operators as _operators  # noqa: F401 - makes those below
from .._api import DTensor

__all__ = ["CommDebugMode"]

Counts = dict[Any, int]
#: Operators of process groups that exchange tensors of all their processes.
_COLLECTIVES = (
    *("_allgather_base_", "_reduce_scatter_base_", "allgather_", "allgather_coalesced_"),
    *("allgather_into_tensor_coalesced_", "allreduce_", "allreduce_coalesced_", "alltoall_"),
    *("alltoall_base_", "broadcast_", "gather_", "scatter_", "reduce_", "reduce_scatter_"),
    "reduce_scatter_tensor_coalesced_",
)
#: Functional ones, which two namespaces have.
_FUNCTIONAL = (
    *("all_gather_into_tensor", "all_gather_into_tensor_coalesced", "all_reduce"),
    *("all_reduce_coalesced", "all_to_all_single", "broadcast", "reduce_scatter_tensor"),
    "reduce_scatter_tensor_coalesced",
)


def _counted() -> dict[Any, Any]:
    """Under which operator each collective is counted: functional ones under the older name."""
    counted = {
        getattr(ops._c10d_functional, name): getattr(ops.c10d_functional, name)
        for name in _FUNCTIONAL
    }
    counted |= {old: old for old in counted.values()}
    own = [getattr(ops.c10d, name) for name in _COLLECTIVES]
    return counted | {op: op for op in (*own, ops._dtensor.shard_dim_alltoall)}


class _Modules(ModuleTracker):
    """The modules that run, and what each has of its own."""

    def __init__(self) -> None:
        super().__init__()
        #: Name of a module -> its class; ``"Global"`` is everything.
        self.module_helper_dict: dict[str, type | None] = {}
        self.parameters: dict[str, dict[str, Any]] = {}
        self.placements: dict[str, Any] = {}
        self._leaving: list[Any] = []
        self.forget()

    def forget(self) -> None:
        """Begin anew."""
        self.parents = {"Global"}
        self.module_helper_dict = {"Global": None}
        self.parameters, self.placements = {}, {}

    def _fw_pre_hook(self, mod: Module, input: Any) -> None:
        super()._fw_pre_hook(mod, input)
        # The last of the module's own hooks: what those exchange is still the module's.
        self._leaving.append(mod.register_forward_hook(self._leave, always_call=True))
        name = self._get_mod_name(mod)
        self.module_helper_dict.setdefault(name, type(mod))
        for key, parameter in mod.named_parameters(recurse=False):
            self.parameters.setdefault(name, {})[key] = parameter.data
            if isinstance(parameter.data, DTensor):
                self.placements[f"{name}.{key}"] = parameter.data.placements

    def _leave(self, mod: Module, input: Any, output: Any) -> None:
        self._leaving.pop().remove()
        super()._fw_post_hook(mod, input, output)

    def _fw_post_hook(self, mod: Module, input: Any, output: Any) -> None:
        """Nothing: the module's own hooks are still to come."""


class CommDebugMode(TorchDispatchMode):
    """Counts, in its ``with`` block, the collectives that are called, also those of DTensors.

    Each ``with`` begins to count anew. Functional collectives are counted under the operators
    ``torch.ops.c10d_functional``, calls of process groups under ``torch.ops.c10d``.

    :ivar comm_counts: how often each operator was called.
    :ivar comm_module_counts: the same by module, ``"forward"`` and ``"backward"``; the name of
        a module is its path from the outermost one, and ``"Global"`` is everything.
    """

    def __init__(self) -> None:
        super().__init__()
        self._names = _counted()
        self.comm_counts: Counts = defaultdict(int)
        self.comm_module_counts: dict[str, dict[str, Counts]] = {}
        self.advanced_module_tracker = _Modules()

    def get_total_counts(self) -> int:
        """How many collectives were called."""
        return sum(self.comm_counts.values())

    def get_comm_counts(self) -> Counts:
        """How often each operator was called; 0 for one that was not."""
        return self.comm_counts

    def get_parameter_info(self) -> dict[str, dict[str, Any]]:
        """The parameters of each module that ran."""
        return self.advanced_module_tracker.parameters

    def get_sharding_info(self) -> dict[str, Any]:
        """The placements of each parameter that is a DTensor, by its name."""
        return self.advanced_module_tracker.placements

    def _refuse(self, name: str) -> Any:
        raise NotImplementedError(
            f"CommDebugMode.{name} is not in mindtorch: read comm_module_counts, "
            "get_parameter_info() and get_sharding_info()"
        )

    def generate_json_dump(
        self, file_name: str = "comm_mode_log.json", noise_level: int = 3
    ) -> None:
        """Raise NotImplementedError: no JSON of the trace is written."""
        self._refuse("generate_json_dump")

    def generate_comm_debug_tracing_table(self, noise_level: int = 3) -> str:
        """Raise NotImplementedError: there is no table of the trace."""
        made: str = self._refuse("generate_comm_debug_tracing_table")
        return made

    def log_comm_debug_tracing_table_to_file(
        self, file_name: str = "comm_mode_log.txt", noise_level: int = 3
    ) -> None:
        """Raise NotImplementedError: there is no table of the trace."""
        self._refuse("log_comm_debug_tracing_table_to_file")

    def __enter__(self) -> CommDebugMode:
        self.comm_counts.clear()
        self.comm_module_counts.clear()
        self._counts_of("Global")
        self.advanced_module_tracker.forget()
        self.advanced_module_tracker.__enter__()
        super().__enter__()
        return self

    def __exit__(self, *args: Any) -> None:
        super().__exit__(*args)
        self.advanced_module_tracker.__exit__()

    def _counts_of(self, module: str) -> dict[str, Counts]:
        made: dict[str, Counts] = {"forward": defaultdict(int), "backward": defaultdict(int)}
        return self.comm_module_counts.setdefault(module, made)

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if any(issubclass(t, DTensor) for t in types):
            return NotImplemented  # its exchanges come here, one by one
        result = func(*args, **(kwargs or {}))
        name = self._names.get(getattr(func, "_overloadpacket", None))
        if name is not None:
            self.comm_counts[name] += 1
            way = "backward" if self.advanced_module_tracker.is_bw else "forward"
            for module in self.advanced_module_tracker.parents:
                self._counts_of(module)[way][name] += 1
        return result

    def __repr__(self) -> str:
        return f"CommDebugMode(get_total_counts()={self.get_total_counts()})"


living_in("mindtorch.distributed.tensor.debug", CommDebugMode)
