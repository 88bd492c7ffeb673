"""An engine that compares what all processes are about to do, as ``TORCH_DISTRIBUTED_DEBUG`` asks.

With the level ``DETAIL`` processes meet before each collective. Who does not come is named, and
whoever would make another call, or one of another shape or dtype, gets an error.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ...aten import torch
from ...tensor import Tensor
from .monitored_barrier import meet

__all__ = ["Checked"]

_DTYPES = {
    "float32": "Float",
    "float64": "Double",
    "float16": "Half",
    "bfloat16": "BFloat16",
    "int8": "Char",
    "uint8": "Byte",
    "int16": "Short",
    "int32": "Int",
    "int64": "Long",
    "bool": "Bool",
    "complex64": "ComplexFloat",
    "complex128": "ComplexDouble",
}
#: The calls of an engine, and what torch says of them.
_CALLS = {
    "broadcast": "BROADCAST",
    "all_reduce": "ALLREDUCE",
    "reduce": "REDUCE",
    "all_gather": "ALLGATHER",
    "gather": "GATHER",
    "scatter": "SCATTER",
    "reduce_scatter": "REDUCE_SCATTER",
    "all_to_all": "ALLTOALL",
    "barrier": "BARRIER",
}
_Print = dict[str, Any]


def _fingerprint(call: str, number: int, tensor: Tensor | None) -> _Print:
    found: _Print = {"call": call, "number": number}
    if tensor is not None:
        dtype = str(tensor.dtype).removeprefix("torch.")
        found["shape"] = list(tensor.shape)
        found["dtype"] = _DTYPES.get(dtype, dtype)
        found["device"] = (
            f"TensorOptions(dtype=float (default), device={tensor.device.type}, layout=Strided "
            "(default), requires_grad=false (default), pinned_memory=false (default), "
            "memory_format=(nullopt))"
        )
    return found


def _text(found: _Print) -> str:
    head = f"CollectiveFingerPrint(SequenceNumber={found['number']}"
    if "shape" not in found:
        return f"{head}OpType={found['call']})"
    return (
        f"{head}, OpType={found['call']}, TensorShape={found['shape']}, "
        f"TensorDtypes={found['dtype']}, TensorDeviceTypes={found['device']})"
    )


def _differences(mine: _Print, theirs: _Print) -> str:
    aspects = {"call": "Op type", "number": "Sequence number", "shape": "Tensor Tensor shapes"}
    aspects |= {"dtype": "Tensor Tensor dtypes", "device": "Tensor Tensor devices"}

    def shown(value: Any) -> str:
        return " ".join(map(str, value)) if isinstance(value, list) else str(value)

    return "".join(
        f"  {name}: {shown(mine.get(key, ''))}vs {shown(theirs.get(key, ''))}"
        for key, name in aspects.items()
        if mine.get(key, "") != theirs.get(key, "")
    )


class Checked:
    """An ``Engine``, whose calls are made once all processes are known to make the same."""

    def __init__(self, engine: Any) -> None:
        # The rest, messages and what is known of the group, is the engine's own.
        self.__dict__["_engine"] = engine
        self.__dict__["_number"] = 0

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._engine, name)
        call = _CALLS.get(name)
        if call is None:
            return found

        def checked(*args: Any) -> Any:
            self._compare(call, args)
            return found(*args)

        return checked

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._engine, name, value)

    def split(self, ranks: Sequence[int], name: str) -> Checked | None:
        """The engine of a part of the group, which is checked as well."""
        part = self._engine.split(ranks, name)
        return None if part is None else Checked(part)

    def _compare(self, call: str, args: Sequence[Any]) -> None:
        """Raise RuntimeError where another process does not come, or would do something else."""
        engine = self._engine
        meet(engine, engine.timeout, True)
        # The tensor that all have: what is given, or in a scatter what is written.
        tensor = next((a for a in args if isinstance(a, Tensor)), None)
        if tensor is None and args:
            tensor = args[-1][0]
        mine = _fingerprint(call, self._number, tensor)
        for rank, theirs in enumerate(self._gathered(mine)):
            wrong = _differences(mine, theirs)
            if wrong:
                raise RuntimeError(
                    f"Detected mismatch between collectives on ranks. Rank {engine.rank} is "
                    f"running collective: {_text(mine)}, but Rank {rank} is running collective: "
                    f"{_text(theirs)}.Collectives differ in the following aspects: {wrong}"
                )
        self.__dict__["_number"] += 1

    def _gathered(self, mine: _Print) -> list[_Print]:
        data = torch.tensor(list(json.dumps(mine).encode()), dtype=torch.uint8)
        lengths = self._gather(torch.tensor([data.numel()]))
        longest = max(int(n.item()) for n in lengths)
        padded = torch.full((longest,), ord(" "), dtype=torch.uint8)
        padded[: data.numel()] = data
        return [json.loads(bytes(each.tolist())) for each in self._gather(padded)]

    def _gather(self, tensor: Tensor) -> list[Tensor]:
        outputs = [torch.empty_like(tensor) for _ in range(self._engine.size)]
        pending = self._engine.all_gather(outputs, tensor)
        if pending is not None:
            pending.wait(None)
        return outputs
