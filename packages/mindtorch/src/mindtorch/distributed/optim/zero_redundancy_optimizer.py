"""``ZeroRedundancyOptimizer``: an optimizer whose state is split over processes."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

from mindtorch.optim import Optimizer

from ...aten import torch
from ...serialization import load, save
from ...tensor import Tensor
from .. import distributed_c10d as dist
from ..algorithms.join import Join, Joinable, JoinHook

__all__ = ["ZeroRedundancyOptimizer"]


def _broadcast_object(obj: Any, src_rank: int, group: Any = None, device: Any = "cpu") -> Any:
    """*obj* of process *src_rank* in the others of *group*, where its tensors lie on *device*."""
    sends = dist.get_rank() == src_rank
    length, data = torch.zeros(1, dtype=torch.int64, device=device), b""
    if sends:
        buffer = BytesIO()
        save(obj, buffer)
        data = buffer.getvalue()
        length.fill_(len(data))
    dist.broadcast(length, src=src_rank, group=group)
    carried = torch.empty(int(length.item()), dtype=torch.uint8, device=device)
    if sends:
        carried.copy_(torch.frombuffer(bytearray(data), dtype=torch.uint8))
    dist.broadcast(carried, src=src_rank, group=group)
    if sends:
        return obj
    received = BytesIO(carried.cpu().numpy().tobytes())
    return load(received, map_location=device, weights_only=False)


def _listed(params: Any) -> list[Any]:
    """*params* as a list of tensors or of groups. Raises TypeError for what is neither."""
    if isinstance(params, Tensor):
        raise TypeError(
            f"`params` argument should be an iterable of Tensors, but got {torch.typename(params)}"
        )
    try:
        given = list(params)
    except TypeError:
        raise TypeError(
            "`params` argument should be an iterable of Tensors or dicts, but got "
            f"{torch.typename(params)}"
        ) from None
    if not given:
        raise ValueError("ZeroRedundancyOptimizer got an empty parameter list")
    if not any(all(isinstance(each, kind) for each in given) for kind in (Tensor, dict)):
        raise TypeError("`params` argument should be an iterable of Tensors or dicts")
    return given


def _same_kind(given: list[Any]) -> list[Tensor]:
    """The parameters of *given*. Raises ValueError where they are sparse, or differ in type."""
    params: list[Tensor] = []
    for each in given:
        if isinstance(each, Tensor):
            params.append(each)
            continue
        if "params" not in each:
            raise ValueError(
                "Each parameter group passed-in via `params` must have a 'params' key mapping to "
                "the parameters in the group"
            )
        inside = each["params"]
        if not isinstance(inside, Tensor):
            each["params"] = inside = list(inside)
        params.extend([inside] if isinstance(inside, Tensor) else inside)
    only = "ZeroRedundancyOptimizer only supports using the same dense type for all parameters but"
    first = torch.typename(params[0]) if params else ""
    if params and params[0].is_sparse:
        raise ValueError(f"{only} got {first}")
    for other in params[1:]:
        if torch.typename(other) != first:
            raise ValueError(f"{only} got both {first} and {torch.typename(other)}")
    return params


class _ZeROJoinHook(JoinHook):
    """Steps while others train."""

    def __init__(self, zero: ZeroRedundancyOptimizer) -> None:
        self.zero = zero
        super().__init__()

    def main_hook(self) -> None:
        """Another process steps, so its parameters come."""
        self.zero.step()


class ZeroRedundancyOptimizer(Optimizer, Joinable):
    """Each process steps its part of the parameters and sends it to the others."""

    def __init__(
        self,
        params: Any,
        optimizer_class: type[Optimizer],
        process_group: Any | None = None,
        parameters_as_bucket_view: bool = False,
        overlap_with_ddp: bool = False,
        **defaults: Any,
    ) -> None:
        given = _listed(params)
        self._all_params = _same_kind(given)
        self.initialized = False
        Optimizer.__init__(self, given, defaults)
        Joinable.__init__(self)
        self.process_group = process_group if process_group is not None else dist.group.WORLD
        self.world_size = dist.get_world_size(self.process_group)
        self.rank = dist.get_rank(self.process_group)
        self.parameters_as_bucket_view = parameters_as_bucket_view
        self._overlap_with_ddp = overlap_with_ddp
        self._optim_defaults = defaults
        self._optim_constructor = optimizer_class
        self._all_state_dicts: list[dict[str, Any]] = []
        mine = self._partition_parameters()[self.rank]
        self.optim: Any = optimizer_class(mine, **defaults)
        self._sync_param_groups()
        self.initialized = True

    def _partition_parameters(self, params_per_rank: Any = None) -> list[list[dict[str, Any]]]:
        """Each group's parameters by process, large ones first to who has least."""
        parts: list[list[dict[str, Any]]] = [[] for _ in range(self.world_size)]
        sizes = [0] * self.world_size
        for group in self.param_groups:
            listed: list[list[Tensor]] = [[] for _ in range(self.world_size)]
            ordered = group["params"]
            if self.world_size > 1:
                ordered = sorted(ordered, key=lambda p: p.numel(), reverse=True)
            for p in ordered:
                least = sizes.index(min(sizes))
                listed[least].append(p)
                sizes[least] += p.numel()
            for part, params in zip(parts, listed):
                part.append({**group, "params": params})
        return parts

    def _sync_param_groups(self, back: bool = False) -> None:
        """Write the settings of groups from here to the inner optimizer, or back."""
        for here, there in zip(self.param_groups, self.optim.param_groups):
            source, target = (there, here) if back else (here, there)
            for key, value in source.items():
                if key != "params":
                    target[key] = value

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Take more parameters."""
        super().add_param_group(param_group)
        if self.initialized:
            part = self._partition_parameters()[self.rank]
            self.optim.add_param_group(part[-1])

    def step(self, closure: Callable[[], float] | None = None, **kwargs: Any) -> Any:
        """Step this process's part, and send it to the others."""
        if self._overlap_with_ddp:
            return None
        Join.notify_join_context(self)
        self._sync_param_groups()
        loss = self.optim.step(**kwargs) if closure is None else self.optim.step(closure, **kwargs)
        self._sync_param_groups(back=True)
        self._sync_params()
        self.state = self.optim.state
        return loss

    def _sync_params(self) -> None:
        if self.world_size == 1:
            return
        works = [
            dist.broadcast(p.data, group_src=rank, group=self.process_group, async_op=True)
            for rank, groups in enumerate(self._partition_parameters())
            for p in (p for g in groups for p in g["params"])
        ]
        for work in works:
            work.wait()

    def consolidate_state_dict(self, to: int = 0) -> None:
        """Gather the states of all processes at *to*."""
        if self._overlap_with_ddp and not hasattr(self, "optim"):
            raise RuntimeError("overlap_with_ddp=True needs a step before its state is gathered")
        self._sync_param_groups()
        states: list[Any] = [None] * self.world_size
        dist.all_gather_object(states, self.optim.state_dict(), self.process_group)
        self._all_state_dicts = states if self.rank == to else []

    def state_dict(self) -> dict[str, Any]:
        """The whole state; ``consolidate_state_dict`` must have gathered it."""
        if not self._all_state_dicts:
            raise RuntimeError(
                "Optimizer state has not been consolidated on this rank. Please call "
                f"`consolidate_state_dict(to={self.rank})` on all ranks beforehand if you meant to "
                "save the global state."
            )
        self.state = self.optim.state
        self._sync_param_groups(back=True)
        whole = super().state_dict()
        everything = [p for group in self.param_groups for p in group["params"]]
        index = {id(p): i for i, p in enumerate(everything)}
        merged = {}
        for part, local in zip(self._partition_parameters(), self._all_state_dicts, strict=True):
            params = [p for group in part for p in group["params"]]
            numbers = [n for group in local["param_groups"] for n in group["params"]]
            for number, p in zip(numbers, params, strict=True):
                if number in local["state"]:
                    merged[index[id(p)]] = local["state"][number]
        whole["state"] = dict(sorted(merged.items()))
        return whole

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Load the whole state; each process takes its part."""
        super().load_state_dict(state_dict)
        for p, value in self.state.items():
            if any(p is q for g in self.optim.param_groups for q in g["params"]):
                self.optim.state[p] = value
        self.state = self.optim.state
        self._sync_param_groups()

    def join_hook(self, **kwargs: Any) -> JoinHook:
        """What a process does that is done."""
        return _ZeROJoinHook(self)

    @property
    def join_device(self) -> Any:
        """The device of the parameters."""
        return self.param_groups[0]["params"][0].device

    @property
    def join_process_group(self) -> Any:
        """The group."""
        return self.process_group
