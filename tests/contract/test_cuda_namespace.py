"""``torch.cuda`` of a build without CUDA: all names, with the oracle's answers and refusals."""

from __future__ import annotations

import importlib
import inspect
import types

import mindtorch
import pytest
import torch

from .batches import every
from .both_frameworks import same

MODULES = (
    "cuda cuda.amp cuda.amp.autocast_mode cuda.amp.common cuda.amp.grad_scaler cuda.gds "
    "cuda.graphs cuda.green_contexts cuda.memory cuda.nccl cuda.nvtx cuda.profiler cuda.random "
    "cuda.streams cuda.tunable"
).split()


def homes(path):
    return [importlib.import_module(f"{name}.{path}") for name in ("mindtorch", "torch")]


def public(module):
    """What torch says it offers, or else what it defines there."""
    names = getattr(module, "__all__", None)
    if names is not None:
        return list(names)
    return [n for n, v in vars(module).items() if getattr(v, "__module__", "") == module.__name__]


@pytest.mark.parametrize("path", MODULES)
def test_every_public_name_is_there(path):
    """With the oracle's parameters; and all are told."""
    mine, theirs = homes(path)
    assert [n for n in public(theirs) if not hasattr(mine, n)] == []
    if hasattr(theirs, "__all__"):
        assert sorted(mine.__all__) == sorted(theirs.__all__)
    for name in public(theirs):
        ours, oracle = getattr(mine, name), getattr(theirs, name)
        if isinstance(oracle, types.FunctionType):
            assert list(inspect.signature(ours).parameters) == list(
                inspect.signature(oracle).parameters
            ), name


#: Functions whose answer is not that of a machine without CUDA but of what lies about on it.
ODD = {
    *("GdsFile", "GreenContext", "graph", "make_graphed_callables", "CUDAPluggableAllocator"),
    "mgpu_tune_gemm_in_file",
}
CALLS = [
    (path, name)
    for path in MODULES
    for name in public(homes(path)[1])
    if name not in ODD
    and isinstance(getattr(homes(path)[1], name), types.FunctionType | type)
    and not name.endswith(("Storage", "Error"))
]


def needed(function):
    """How many arguments must be given."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 0
    return sum(p.default is p.empty and p.kind in (0, 1) for p in parameters)


@every("given", [0, "cuda", "cpu:0"])
@pytest.mark.parametrize("path,name", CALLS, ids=lambda x: x)
def test_calls_answer_as_without_cuda(path, name, given):
    """The same value, exception, text and warnings."""
    theirs = homes(path)[1]
    n = needed(getattr(theirs, name))

    def program(t):
        home = importlib.import_module(f"{t.__name__}.{path}")
        argument = t.device(given) if given == "cpu:0" else given
        result = getattr(home, name)(*[argument] * n)
        shown = (dict, list, tuple, int, float, str, bool, type(None))
        return result if isinstance(result, shown) else type(result).__name__

    same(program)


PROGRAMS = [
    lambda t: t.cuda.device(0).__enter__(),
    lambda t: t.cuda.device(-1).__enter__(),
    lambda t: t.cuda.device("cuda").__dict__,
    lambda t: t.cuda.device_of(t.ones(2)).idx,
    lambda t: t.cuda.stream(None).__enter__(),
    lambda t: vars(t.cuda.StreamContext(3)),
    lambda t: t.cuda.set_device(-1),
    lambda t: t.cuda.set_stream(None),
    lambda t: t.cuda.CudaError(3),
    lambda t: (t.cuda.cudaStatus.SUCCESS, t.cuda.cudaStatus.ERROR_NOT_READY),
    lambda t: [
        n for n in ("FloatTensor", "LongTensor") if isinstance(t.ones(1), getattr(t.cuda, n))
    ],
    lambda t: (t.cuda.FloatTensor.dtype is t.float32, t.cuda.FloatTensor.is_cuda),
    lambda t: repr(t.cuda.FloatTensor),
    lambda t: t.cuda.HalfTensor(2, 3),
    lambda t: t.cuda.FloatStorage.from_buffer(1),
    lambda t: t.cuda.FloatStorage(3),
    lambda t: issubclass(t.cuda.OutOfMemoryError, RuntimeError),
    lambda t: t.cuda.is_bf16_supported(False),
    lambda t: t.cuda.nvtx.range("a").__enter__(),
    lambda t: t.cuda.profiler.profile().__enter__(),
    lambda t: t.cuda.graph(3),
    lambda t: t.cuda.make_graphed_callables(lambda x: x, (3,)),
    lambda t: t.cuda.jiterator._create_jit_fn("xx"),
    lambda t: t.cuda.jiterator._create_jit_fn("template <typename T> T f(T x) { return x; }")(
        t.ones(2)
    ),
    lambda t: t.cuda.green_contexts.GreenContext.max_workqueue_concurrency(),
    lambda t: t.cuda.nothing_of_the_kind,
]


@pytest.mark.parametrize("case", range(len(PROGRAMS)))
def test_classes_and_blocks(case):
    """Devices, streams, types and graphs."""
    same(PROGRAMS[case])


def test_what_is_kept_for_later_is_kept():
    """Seeds and states wait for the first use of a device, which never comes."""
    before = len(mindtorch.cuda._queued_calls)
    mindtorch.cuda.manual_seed(3)
    mindtorch.cuda.set_rng_state(mindtorch.zeros(4, dtype=mindtorch.uint8))
    assert len(mindtorch.cuda._queued_calls) == before + 2
    assert torch.cuda.device_count() == mindtorch.cuda.device_count() == 0
