"""``torch.profiler._pattern_matcher``: habits that cost time, found in a profile.

Profiles follow neither operators inside of operators nor most functions of this framework, so the
habits that torch recognizes by these (copies of filled tensors, loaders without workers, optimizers
that go over tensors one by one) are not found here.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from mindtorch_storage.device import CUDA

from .. import cuda, version
from .._C._profiler import _EventType, _ExtraFields_TorchOp
from ..aten import torch
from ..utils import benchmark
from ._utils import index_of_first_match, traverse_bfs, traverse_dfs

__all__ = ["NamePattern", "Pattern", "report_all_anti_patterns"]

_GUIDE = "https://pytorch.org/tutorials/recipes/recipes/tuning_guide.html"
#: How often operators must repeat to be a loop.
_LOOP = 10


class Pattern:
    """A habit: subclasses say of an event in :meth:`match` whether it is one of it.

    :param prof: a profile that has stopped.
    :param should_benchmark: measure what another way would save, where a pattern can.
    """

    name = "Please specify a name for pattern"
    description = "Please specify a description for pattern"
    url = ""

    def __init__(self, prof: Any, should_benchmark: bool = False) -> None:
        self.prof = prof
        self.should_benchmark = should_benchmark
        if prof.profiler is None or prof.profiler.kineto_results is None:
            raise AssertionError("profiler and kineto_results must not be None")
        self.event_tree = prof.profiler.kineto_results.experimental_event_tree()
        self.tid_root: dict[int, list[Any]] = {}
        for event in self.event_tree:
            self.tid_root.setdefault(event.start_tid, []).append(event)

    @property
    def skip(self) -> bool:
        """Whether the profile lacks what the pattern looks at."""
        return False

    def report(self, event: Any) -> str:
        """What is wrong with an event."""
        return f"{self.description}\n[Source Code Location] {source_code_location(event)}"

    def eventTreeTraversal(self) -> Iterator[Any]:
        """All events, in the order in which they are asked."""
        yield from traverse_dfs(self.event_tree)

    def summary(self, events: list[Any]) -> str:
        """How many events matched, and what another way would save."""
        text = f"{self.name}: {len(events)} events matched."
        if not self.should_benchmark or not hasattr(self, "benchmark"):
            return text
        return self.benchmark_summary(events)

    def benchmark_summary(self, events: list[Any]) -> str:
        """How much time the other way, which is measured now, would save."""
        if not hasattr(self, "benchmark"):
            raise AssertionError("Please implement benchmark()")
        factors = self.benchmark(events)
        before = sum(event.duration_time_ns for event in events)
        after = sum(factors[input_shapes(event)] * event.duration_time_ns for event in events)
        return (
            f"{self.name}: {len(events)} events matched. Total Estimated Speedup: "
            f"{_time(before - after)} ({round(before / after, 2)}X)"
        )

    def match(self, event: Any) -> bool:
        """Whether an event is one of the habit."""
        raise NotImplementedError

    def matched_events(self) -> list[Any]:
        """The events that match."""
        return [] if self.skip else [e for e in self.eventTreeTraversal() if self.match(e)]

    # -- the neighbours of an event ----------------------------------------------------------------

    def root_of(self, event: Any) -> Any:
        """The outermost event around it."""
        while event.parent:
            event = event.parent
        return event

    def siblings_of(self, event: Any) -> tuple[list[Any], list[Any]]:
        """Those in the same event, or outside of all, before it and after it."""
        around = event.parent.children if event.parent else self.tid_root[event.start_tid]
        at = around.index(event)
        return around[:at], around[at + 1 :]

    def next_of(self, event: Any) -> Any:
        """The next one beside it."""
        _, later = self.siblings_of(event)
        return later[0] if later else None

    def prev_of(self, event: Any) -> Any:
        """The one before it."""
        earlier, _ = self.siblings_of(event)
        return earlier[-1] if earlier else None

    def go_up_until(self, event: Any, predicate: Callable[[Any], Any]) -> Any:
        """The innermost event around it for which *predicate* holds, or the outermost one."""
        if not event:
            return None
        while event.parent and not predicate(event):
            event = event.parent
        return event


def _time(nanoseconds: float) -> str:
    for unit in ("ns", "us", "ms"):
        if nanoseconds < 1000:
            return f"{nanoseconds:.2f} {unit}"
        nanoseconds //= 1000
    return f"{nanoseconds:.2f} s"


class NamePattern(Pattern):
    """Events whose name an expression finds."""

    def __init__(self, prof: Any, name: str, should_benchmark: bool = False) -> None:
        super().__init__(prof, should_benchmark)
        self.description = f"Matched Name Event: {name}"
        self.name = name

    def match(self, event: Any) -> bool:
        """Whether the expression finds something in its name."""
        return re.search(self.name, event.name) is not None


class ExtraCUDACopyPattern(Pattern):
    """A tensor is filled on the host and copied as it is: ``torch.zeros(n).to(device)``."""

    name = "Extra CUDA Copy Pattern"
    description = (
        "Filled a CPU tensor and immediately moved it to GPU. Please initialize it on GPU."
    )
    url = f"{_GUIDE}#create-tensors-directly-on-the-target-device"

    def __init__(self, prof: Any, should_benchmark: bool = False) -> None:
        super().__init__(prof, should_benchmark)
        self.init_ops = {"aten::fill_", "aten::zero_", "aten::normal_", "aten::uniform_"}

    @property
    def skip(self) -> bool:
        """Whether there are no Python functions, or no inputs."""
        return not self.prof.with_stack or not self.prof.record_shapes

    def match(self, event: Any) -> bool:
        """Whether it is ``to`` that copies between equal dtypes, right after something filled."""
        if event.name != "aten::to":
            return False
        inner = event
        for name in ("aten::_to_copy", "aten::copy_"):
            inner = inner.children[-1] if inner.children else None
            if inner is None or inner.name != name:
                return False
        dtypes = input_dtypes(inner)
        if len(dtypes) < 2 or dtypes[0] is None or dtypes[0] != dtypes[1]:
            return False
        before = self.prev_of(event.parent) if event.parent else None
        if before is None:
            return False
        while before.children:
            before = before.children[-1]
            if before.name in self.init_ops:  # zeros of some sizes are not filled
                return True
        return before.name in self.init_ops

    def benchmark(self, events: list[Any]) -> dict[Any, float]:
        """The part of the time that filling on the device takes, by shapes."""
        found = {}
        for shapes in {input_shapes(event) for event in events}:
            to, on_device = (
                benchmark.Timer(stmt=text, globals={"size": shapes[0], "torch": torch})
                for text in (f'torch.ones(size).to("{CUDA}")', f'torch.ones(size, device="{CUDA}")')
            )
            before = to.timeit(10).mean
            found[shapes] = on_device.timeit(10).mean / before
        return found


class ForLoopIndexingPattern(Pattern):
    """A loop over the elements of a tensor: ``for i in range(n): x[i] = i``."""

    name = "For Loop Indexing Pattern"
    description = "For loop indexing detected. Vectorization recommended."

    def __init__(self, prof: Any, should_benchmark: bool = False) -> None:
        super().__init__(prof, should_benchmark)
        #: The numbers of the events that belong to a loop that was found.
        self.visited: set[int] = set()

    def eventTreeTraversal(self) -> Iterator[Any]:
        """All events, those further outside first: a loop is found once."""
        yield from traverse_bfs(self.event_tree)

    def match(self, event: Any) -> bool:
        """Whether it is a ``select`` from which on the same operators repeat."""
        if event.name != "aten::select" or event.id in self.visited:
            return False
        _, later = self.siblings_of(event)
        next_select = index_of_first_match(later, lambda e: e.name == "aten::select")
        if len(later) <= 1 or next_select is None:
            return False
        turn = [event.name, *(e.name for e in later[:next_select])]
        rest = later[next_select:]
        turns = 1
        for i in range(0, len(rest), len(turn)):
            if [e.name for e in rest[i : i + len(turn)]] != turn:
                break
            turns += 1
            self.visited.add(rest[i].id)
        return turns >= _LOOP


class FP32MatMulPattern(Pattern):
    """Products of matrices in full precision on a GPU that knows TF32."""

    name = "FP32 MatMul Pattern"
    description = (
        "You are currently using GPU that supports TF32. Please enable TF32 by setting "
        "'torch.backends.cuda.matmul.allow_tf32 = True'"
    )
    url = "https://pytorch.org/docs/stable/notes/cuda.html#tensorfloat-32-tf32-on-ampere-devices"

    @property
    def skip(self) -> bool:
        """Whether no GPU knows TF32, or there are no inputs."""
        if version.hip is not None:
            return True
        known = all(int(re.sub("sm_|compute_", "", arch)) >= 80 for arch in cuda.get_arch_list())
        return not known or not self.prof.record_shapes

    def match(self, event: Any) -> bool:
        """Whether it is a product of matrices without TF32."""
        return (
            event.tag == _EventType.TorchOp
            and event.name == "aten::mm"
            and event.extra_fields.allow_tf32_cublas is False
        )

    def report(self, event: Any) -> str:
        """The same for all events: it is a setting."""
        return self.description

    def benchmark(self, events: list[Any]) -> dict[Any, float]:
        """The part of the time that products with TF32 take, by shapes."""
        found = {}
        for shapes in {input_shapes(event) for event in events}:
            a, b = (torch.randn(s, device=CUDA, dtype=torch.float32) for s in shapes[:2])
            made = [
                benchmark.Timer(
                    stmt="torch.mm(a, b)",
                    setup=f"torch.backends.cuda.matmul.allow_tf32 = {allowed}",
                    globals={"a": a, "b": b, "torch": torch},
                )
                for allowed in (False, True)
            ]
            before = made[0].timeit(10).mean
            found[shapes] = made[1].timeit(10).mean / before
        return found


class OptimizerSingleTensorPattern(Pattern):
    """An optimizer that goes over its tensors one by one."""

    name = "Optimizer Single Tensor Pattern"
    description = (
        "Detected optimizer running with single tensor implementation. Please enable multi tensor "
        "implementation by passing 'foreach=True' into optimizer."
    )

    def __init__(self, prof: Any, should_benchmark: bool = False) -> None:
        super().__init__(prof, should_benchmark)
        self.optimizers_with_foreach = ["adam", "sgd", "adamw"]

    def match(self, event: Any) -> bool:
        """Whether it is the function that does so."""
        return event.name.endswith(
            tuple(f"_single_tensor_{name}" for name in self.optimizers_with_foreach)
        )


class SynchronizedDataLoaderPattern(Pattern):
    """A loader that has no workers."""

    name = "Synchronized DataLoader Pattern"
    description = (
        "Detected DataLoader running with synchronized implementation. Please enable asynchronous "
        "dataloading by setting num_workers > 0 when initializing DataLoader."
    )
    url = f"{_GUIDE}#enable-async-data-loading-and-augmentation"

    def match(self, event: Any) -> bool:
        """Whether it is a loader's ``__iter__`` that does not ask how many workers are too many."""

        def of_loader(event: Any, function: str) -> bool:
            start = os.path.join("torch", "utils", "data", "dataloader.py")
            return bool(event.name.startswith(start) and event.name.endswith(function))

        for function in ("__iter__", "_get_iterator"):
            if not of_loader(event, function) or not event.children:
                return False
            event = event.children[0]
        return not of_loader(event, "check_worker_number_rationality")


class GradNotSetToNonePattern(Pattern):
    """Gradients are filled with zeros instead of dropped."""

    name = "Gradient Set To Zero Instead of None Pattern"
    description = (
        "Detected gradient set to zero instead of None. Please add 'set_to_none=True' when calling "
        "zero_grad()."
    )
    url = f"{_GUIDE}#disable-gradient-calculation-for-validation-or-inference"

    def match(self, event: Any) -> bool:
        """Whether it is a ``zero_grad`` that fills something with zeros."""
        return event.name.endswith(": zero_grad") and any(
            inner.name == "aten::zero_" and inner.parent.name != "aten::zeros"
            for inner in traverse_dfs(event.children)
        )


class Conv2dBiasFollowedByBatchNorm2dPattern(Pattern):
    """A bias that a normalization takes away again."""

    name = "Enabling Bias in Conv2d Followed By BatchNorm Pattern"
    description = (
        "Detected bias enabled in Conv2d that is followed by BatchNorm2d. Please set 'bias=False' "
        "in Conv2d."
    )
    url = f"{_GUIDE}#disable-bias-for-convolutions-directly-followed-by-a-batch-norm"

    @property
    def skip(self) -> bool:
        """Whether there are no inputs."""
        return self.prof.record_shapes is False

    def match(self, event: Any) -> bool:
        """Whether it is a convolution with bias in a layer right before a normalization's."""
        if event.name != "aten::conv2d":
            return False
        dtypes = input_dtypes(event)
        if len(dtypes) < 3 or dtypes[2] is None:
            return False
        layer = self.go_up_until(event, lambda e: e.name.startswith("nn.Module: Conv2d"))
        after = self.next_of(layer) if layer else None
        return bool(after) and after.name.startswith("nn.Module: BatchNorm2d")


class MatMulDimInFP16Pattern(Pattern):
    """Products in half precision of sizes that a GPU's units do not like."""

    name = "Matrix Multiplication Dimension Not Aligned Pattern"
    description = (
        "Detected matmul with dimension not aligned. Please use matmul with aligned dimension."
    )
    url = f"{_GUIDE}#use-mixed-precision-and-amp"

    @property
    def skip(self) -> bool:
        """Whether there are no Python functions, or no inputs."""
        return not self.prof.with_stack or not self.prof.record_shapes

    def match(self, event: Any) -> bool:
        """Whether it is a product in half precision of sizes that 8 does not divide."""
        if event.name not in ("aten::mm", "aten::bmm", "aten::addmm"):
            return False
        dtypes = input_dtypes(event)
        if not dtypes or dtypes[0] not in (torch.bfloat16, torch.half):
            return False
        return any(size % 8 for shape in input_shapes(event) for size in shape[-2:])

    def benchmark(self, events: list[Any]) -> dict[Any, float]:
        """The part of the time that products of the next sizes take, by shapes."""

        def timer(a: Any, b: Any) -> Any:
            made = (torch.randn(s, device=CUDA, dtype=torch.float16) for s in (a, b))
            given = dict(zip("ab", made, strict=True))
            return benchmark.Timer(stmt="torch.mm(a, b)", globals={**given, "torch": torch})

        found = {}
        for shapes in {input_shapes(event) for event in events}:
            better = [[8 * math.ceil(size / 8) for size in shape] for shape in shapes[:2]]
            before = timer(*shapes[:2]).timeit(10).mean
            found[shapes] = timer(*better).timeit(10).mean / before
        return found


# -- events ----------------------------------------------------------------------------------------


def source_code_location(event: Any) -> str:
    """The innermost line around an event that is not torch's own."""
    while event:
        if event.tag in (_EventType.PyCall, _EventType.PyCCall):
            caller = event.extra_fields.caller
            if not caller.file_name.startswith("torch" + os.sep):
                return f"{caller.file_name}:{caller.line_number}"
        event = event.parent
    return "No source code location found"


def _inputs(event: Any) -> Any:
    fields = event.extra_fields
    if not isinstance(fields, _ExtraFields_TorchOp):
        raise AssertionError(f"expected _ExtraFields_TorchOp, got {type(fields).__name__}")
    return fields.inputs


def input_shapes(event: Any) -> tuple[tuple[int, ...], ...]:
    """The shapes of an operator's arguments; empty for those that are no tensors."""
    return tuple(tuple(getattr(each, "sizes", ())) for each in _inputs(event))


def input_dtypes(event: Any) -> tuple[Any, ...]:
    """The dtypes of an operator's arguments; None for those that are no tensors."""
    return tuple(getattr(each, "dtype", None) for each in _inputs(event))


# -- report ----------------------------------------------------------------------------------------

_ALL = (
    ExtraCUDACopyPattern,
    FP32MatMulPattern,
    OptimizerSingleTensorPattern,
    SynchronizedDataLoaderPattern,
    GradNotSetToNonePattern,
    Conv2dBiasFollowedByBatchNorm2dPattern,
    MatMulDimInFP16Pattern,
)


def report_all_anti_patterns(
    prof: Any,
    should_benchmark: bool = False,
    print_enable: bool = True,
    json_report_dir: str | None = None,
) -> None:
    """Look for all habits in a profile that has stopped, and print what was found.

    :param json_report_dir: a folder for ``torchtidy_report.json``: what was found by files, beside
        what stands in it already.
    """
    by_file: dict[str, list[dict[str, Any]]] = {}
    line = f"{'-' * 40}TorchTidy Report{'-' * 40}"
    messages, summaries = [line, "Matched Events:"], []
    for kind in _ALL:
        pattern = kind(prof, should_benchmark)
        matched = pattern.matched_events()
        if not matched:
            continue
        summaries.append(pattern.summary(matched))
        for event in matched:
            message = pattern.report(event)
            if message in messages:
                continue
            messages.append(message)
            file, number = source_code_location(event).split(":")
            by_file.setdefault(file, []).append(
                {
                    "line_number": int(number),
                    "name": pattern.name,
                    "url": pattern.url,
                    "message": pattern.description,
                }
            )
    if json_report_dir is not None:
        path = Path(json_report_dir, "torchtidy_report.json")
        before = json.loads(path.read_text("utf-8")) if path.exists() else {}
        path.write_text(json.dumps(before | by_file, indent=4), "utf-8")
    if print_enable:
        print("\n".join([*messages, "Summary:", *summaries, line]))
