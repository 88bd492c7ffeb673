"""What a ``DistributedDataParallel`` tells of itself: how it was made, and of its steps."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterable, Sequence
from typing import Any

from ...core.module_names import living_in

__all__ = ["DDPLoggingData", "Logger", "StepTimes"]

#: The first steps are all told of; of later ones those that this divides.
_FIRST, _RATE = 10, 100
#: Variables of the environment: those of every backend, and of some.
_VARIABLES = {
    "": ("CUDA_VISIBLE_DEVICES", "MASTER_ADDR", "MASTER_PORT", "TORCH_DISTRIBUTED_DEBUG"),
    "gloo": ("GLOO_DEVICE_TRANSPORT", "GLOO_SOCKET_IFNAME"),
    "nccl": (
        *("NCCL_ASYNC_ERROR_HANDLING", "NCCL_BLOCKING_WAIT", "NCCL_DEBUG", "NCCL_IB_TIMEOUT"),
        *("NCCL_NTHREADS", "NCCL_SOCKET_IFNAME"),
    ),
}
_NAMES = {"float32": "float", "float64": "double", "float16": "c10::Half"}


class DDPLoggingData:
    """What :class:`Logger` says."""

    def __init__(self) -> None:
        self.strs_map: dict[str, str] = {}
        self.ints_map: dict[str, int] = {}


class StepTimes:
    """When the parts of a step began and ended, in nanoseconds since the epoch; 0: not yet."""

    __slots__ = ("computes", "computed", "forward", "reduced", "sends")

    def __init__(self) -> None:
        self.forward = time.time_ns()
        self.computes = self.computed = self.sends = self.reduced = 0

    def mark(self, part: str) -> None:
        """Note that *part* begins or ends now, unless it has before."""
        if not getattr(self, part):
            setattr(self, part, time.time_ns())

    def told(self) -> dict[str, int]:
        """The times by torch's names, lengths among them."""
        return {
            "forward_compute_time": self.computes - self.forward,
            "backward_compute_time": self.computed - self.computes,
            "backward_comm_time": self.reduced - self.sends,
            "backward_compute_comm_overlap_time": max(0, self.computed - self.sends),
            "forward_compute_time_start": self.forward,
            "backward_compute_time_start": self.computes,
            "backward_compute_time_end": self.computed,
            "backward_comm_time_start": self.sends,
            "backward_comm_time_end": self.reduced,
        }


def _joined(numbers: Iterable[Any], between: str = ", ") -> str:
    return between.join(map(str, numbers))


def _size(t: Any) -> int:
    size: int = t.numel() * t.element_size()
    return size


class Logger:
    """What is known of a ``DistributedDataParallel`` and the steps of its *reducer*."""

    def __init__(self, reducer: Any) -> None:
        self._data = DDPLoggingData()
        self._reducer = reducer
        self._rate = _RATE
        self._told = 0
        reducer.logger = self

    def set_construction_data_and_log(
        self,
        module_name: str,
        device_ids: Sequence[int],
        output_device: int,
        broadcast_buffers: bool,
        has_sync_bn: bool,
        static_graph: bool,
    ) -> None:
        """Note how it was made."""
        reducer, params = self._reducer, self._reducer.parameters
        backend = reducer.group.name()
        variables = [*_VARIABLES[""], *_VARIABLES.get(backend, ())]
        dtypes = [str(p.dtype).partition(".")[2] for p in params]
        self._data.strs_map |= {
            "backend_name": backend,
            "bucket_sizes": self._bucket_sizes(),
            "device_ids": _joined(device_ids),
            "dtypes": _joined(dict.fromkeys([_NAMES.get(d, d) for d in dtypes])),
            "module_name": module_name,
            **{name.lower(): os.environ.get(name, "N/A") for name in variables},
        }
        self._data.ints_map |= {
            "broadcast_buffers": int(broadcast_buffers),
            "bucket_cap_bytes": reducer.bucket_bytes_cap,
            "find_unused_parameters": int(reducer.find_unused),
            "gradient_as_bucket_view": int(reducer.as_view),
            "has_sync_bn": int(has_sync_bn),
            "is_multi_device_module": int(len({p.device for p in params}) > 1),
            "iteration": 0,
            "num_parameter_tensors": len(params),
            "output_device": output_device,
            "rank": reducer.group.rank(),
            "total_parameter_size_bytes": sum(map(_size, params)),
            "world_size": reducer.group.size(),
        }
        if backend == "gloo":
            self._data.ints_map["gloo_num_threads"] = 2  # as many has torch's
        if static_graph:
            self.set_static_graph()

    def _bucket_sizes(self) -> str:
        params = self._reducer.parameters
        return _joined(sum(_size(params[i]) for i in b) for b in self._reducer.buckets)

    def step_begins(self, number: int) -> None:
        """Tell of the step before this one, unless few are told of."""
        if not number or number > _FIRST and number % self._rate:
            return
        reducer = self._reducer
        self._told += 1
        ints, strs = self._data.ints_map, self._data.strs_map
        times = reducer.times.told() if reducer.times.reduced else {}
        for name in [name for name in times if name.endswith("_time")]:
            mean = ints.get(f"avg_{name}", 0)
            times[f"avg_{name}"] = mean + (times[name] - mean) // self._told
        unused = [p for i, p in enumerate(reducer.parameters) if i not in reducer.arrived()]
        ints |= {
            **times,
            "has_rebuilt_buckets": int(reducer.is_rebuilt),
            "iteration": number,
            "num_buckets_reduced": reducer.reduced_buckets,
            "unused_parameter_size": sum(map(_size, unused)),
        }
        if reducer.ready_order:
            strs["prev_iteration_grad_ready_order_indices"] = _joined(reducer.ready_order)
        if reducer.is_rebuilt:
            strs["rebuilt_bucket_sizes"] = self._bucket_sizes()
            per_bucket = [_joined(b, " ") for b in reducer.buckets]
            strs["rebuilt_per_bucket_param_indices"] = _joined(per_bucket)

    def set_sample_rate(self, rate: int) -> None:
        """Tell of every *rate*-th step, after the first ten, which are all told of."""
        self._rate = rate

    def set_static_graph(self) -> None:
        """Note that its graph does not change."""
        self._data.ints_map["static_graph"] = 1

    def _set_uneven_input_join(self) -> None:
        self._data.ints_map["join_uneven_inputs"] = 1

    def _set_comm_hook_name(self, arg0: str) -> None:
        self._data.strs_map["comm_hook"] = arg0

    def _get_ddp_logging_data(self) -> DDPLoggingData:
        return self._data

    def _set_error_and_log(self, error: str) -> None:
        self._data.strs_map["error"] = error
        self._data.ints_map["has_error"] = 1
        logging.getLogger("torch.distributed").debug(error)


living_in("mindtorch._C._distributed_c10d", DDPLoggingData, Logger)
