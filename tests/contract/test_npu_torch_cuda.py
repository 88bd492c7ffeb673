"""mindtorch_npu against torch.cuda of the installed torch, as far as that runs without a GPU."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import inspect
import json
import os
import random
import re
import struct
import subprocess
import sys
import warnings
from copy import copy
from pathlib import Path
from typing import Any
from unittest import mock

import mindtorch_npu
import pytest
import torch
from mindtorch_npu import allocator_config, backend, operator_settings, summary
from mindtorch_npu.statistics import Statistics

pytestmark = pytest.mark.oracle


def as_npu(text: str) -> str:
    """torch's text with npu for cuda, the one difference there may be."""
    return text.replace("cuda", "npu").replace("CUDA", "NPU").replace("Cuda", "Npu")


# ---- names and signatures

CORE = """
AcceleratorError DeferredCudaCallError Event ExternalStream OutOfMemoryError Stream StreamContext
can_device_access_peer current_device current_stream default_generators default_stream device
device_count device_of empty_cache get_device_capability get_device_name get_device_properties
get_stream_from_external get_sync_debug_mode init ipc_collect is_available is_bf16_supported
is_initialized set_device set_stream set_sync_debug_mode stream streams synchronize
""".split()
DIAGNOSTICS = """
caching_allocator_alloc caching_allocator_delete caching_allocator_disabled
caching_allocator_enable get_allocator_backend get_per_process_memory_fraction host_memory_stats
host_memory_stats_as_nested_dict list_gpu_processes max_memory_allocated max_memory_cached
max_memory_reserved mem_get_info memory memory_allocated memory_cached memory_reserved
memory_snapshot memory_stats memory_stats_as_nested_dict memory_summary MemPool use_mem_pool
reset_accumulated_host_memory_stats reset_accumulated_memory_stats reset_max_memory_allocated
reset_max_memory_cached reset_peak_host_memory_stats reset_peak_memory_stats
set_per_process_memory_fraction
""".split()
RNG = """
get_rng_state get_rng_state_all initial_seed manual_seed manual_seed_all random seed seed_all
set_rng_state set_rng_state_all
""".split()
#: Names that only Ascend's module has, with their parameters.
NPU_ONLY = ("empty_virt_addr_cache", "host_empty_cache")
#: Attributes that torch does not list.
UNLISTED = {"AcceleratorError", "OutOfMemoryError"}
GRAPHS = """
CUDAGraph graph graph_pool_handle graphs is_current_stream_capturing make_graphed_callables
""".split()
LATER = """
change_current_allocator CUDAPluggableAllocator ExternalEvent GreenContext NPUPluggableAllocator
NpuGraphOpHandler
""".split()
#: Module within torch.cuda -> private names.
PRIVATE = {
    "": """
        _DeviceGuard _device_count_nvml _exchange_device _get_device _get_generator
        _get_rng_state_offset _initialization_lock _initialized _is_compiled _is_in_bad_fork
        _lazy_call _lazy_init _maybe_exchange_device _nvml_based_avail _parse_visible_devices
        _queued_calls _set_rng_state_offset _set_stream_by_id _sleep _tls
    """.split(),
    "memory": """
        _allocation_traceback _dump_snapshot _free_mutex _get_current_allocator
        _get_memory_metadata _host_allocator _record_memory_history _record_memory_history_impl
        _record_memory_history_legacy _save_memory_usage _save_segment_usage
        _set_allocator_settings _set_memory_metadata _snapshot
    """.split(),
    "_utils": ["_get_device_index"],
    "random": ["_get_generator", "_get_rng_state_offset", "_set_rng_state_offset"],
}


def parameters(function: Any) -> list[tuple[str, str, Any]]:
    """Names, defaults and kinds."""
    found = inspect.signature(function).parameters.values()
    return [(as_npu(p.name), as_npu(str(p.default)), p.kind) for p in found]


@pytest.mark.parametrize("name", [*CORE, *DIAGNOSTICS, *RNG, *GRAPHS])
def test_name_and_signature_are_those_of_torch_cuda(name: str) -> None:
    """Same parameters in the same order with the same defaults; listed where torch lists it."""
    ours, theirs = getattr(mindtorch_npu, as_npu(name)), getattr(torch.cuda, name)
    assert (as_npu(name) in mindtorch_npu.__all__) == (name not in UNLISTED)
    assert callable(ours) == callable(theirs)
    if isinstance(theirs, type) and issubclass(theirs, Exception):
        ours_bases = [base.__name__ for base in ours.__mro__]
        assert ours_bases == [as_npu(base.__name__) for base in theirs.__mro__]
    elif name == "Event":  # written in C, and a dummy in a build without CUDA
        want = ("enable_timing", "blocking", "interprocess", "external")
        assert [(n, d) for n, d, _ in parameters(ours)] == [(n, "False") for n in want]
    elif callable(theirs):
        assert parameters(ours) == parameters(theirs)


def test_no_other_names() -> None:
    """What is listed is in the table; names of later tiers are not there."""
    table = {as_npu(n) for n in (*CORE, *DIAGNOSTICS, *RNG, *GRAPHS)} - UNLISTED
    assert set(mindtorch_npu.__all__) == table | {*NPU_ONLY, *operator_settings.__all__}
    assert not [name for name in LATER if hasattr(mindtorch_npu, name)]


@pytest.mark.parametrize(
    ("module", "name"), [(module, name) for module, names in PRIVATE.items() for name in names]
)
def test_private_names(module: str, name: str) -> None:
    """The private names that libraries use, with torch's parameters."""
    ours, theirs = mindtorch_npu, torch.cuda
    if module:
        ours, theirs = getattr(ours, module), getattr(theirs, module)
    got, want = getattr(ours, name), getattr(theirs, name, None)
    if inspect.isfunction(want) and name not in ("_lazy_call", "_free_mutex"):
        assert parameters(got) == parameters(want)


STREAM = """
__enter__ __eq__ __exit__ __hash__ __repr__ _as_parameter_ device device_index device_type
native_handle priority priority_range query record_event stream_id synchronize wait_event
wait_stream npu_stream __npu_stream__
""".split()
EVENT = """
__repr__ _as_parameter_ device elapsed_time from_ipc_handle ipc_handle npu_event query record
synchronize wait
""".split()


@pytest.mark.parametrize(
    ("kind", "name"), [("Stream", n) for n in STREAM] + [("Event", n) for n in EVENT]
)
def test_members(kind: str, name: str) -> None:
    """Members of streams and events, with torch's parameters where torch's are in Python."""
    got = inspect.getattr_static(getattr(mindtorch_npu, kind), name, None)
    assert got is not None
    want = vars(getattr(torch.cuda, kind)).get(name)
    if inspect.isfunction(want) and kind == "Stream" and not name.startswith("__"):
        assert [p[0] for p in parameters(got)] == [p[0] for p in parameters(want)]


@pytest.mark.parametrize("name", ["Stream", "Event"])
def test_generic_classes_are_the_bases(name: str) -> None:
    """``isinstance(s, torch.Stream)`` holds for the NPU's streams, as for CUDA's."""
    ours = getattr(mindtorch_npu, name)
    assert [base.__module__ + "." + base.__name__ for base in ours.__mro__] == [
        f"torch.npu.{name}",
        f"torch.{name}",
        "builtins.object",
    ]


# ---- summary


def random_stats(seed: int) -> dict[str, int]:
    rng = random.Random(seed)
    flat: dict[str, int] = {}
    units = [768 * 1024**i for i in range(1, 8)] + [750 * 1000**i for i in range(1, 5)]
    edges = [0, 10**22] + [unit + by for unit in units for by in (-1, 0, 1)]

    def walk(prefix: str, value: Any) -> None:
        if isinstance(value, dict):
            for key, inner in value.items():
                walk(f"{prefix}.{key}" if prefix else key, inner)
        else:
            some = int(10 ** rng.uniform(0, rng.choice((3, 6, 12, 15))))
            flat[prefix] = some if seed % 2 else rng.choice(edges)

    walk("", Statistics(-1).as_nested_dict())
    return flat


@pytest.mark.parametrize("abbreviated", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_summary_is_torchs(seed: int, abbreviated: bool) -> None:
    """For the same statistics every character agrees, apart from the three names in the text."""
    stats = random_stats(seed)
    with mock.patch.object(torch.cuda.memory, "memory_stats", lambda device=None: stats):
        theirs = torch.cuda.memory_summary(3, abbreviated)
    ours = summary.render(stats, 3, abbreviated)
    for cuda, npu in (
        ("CUDA memory summary, device ID 3", "NPU memory summary, device ID 3 "),
        (f"CUDA OOMs: {stats['num_ooms']:<12d}", f"NPU OOMs: {stats['num_ooms']:<13d}"),
        (
            f"cudaMalloc retries: {stats['num_alloc_retries']:<8d}",
            f"npuMalloc retries: {stats['num_alloc_retries']:<9d}",
        ),
        ("GPU reserved", "NPU reserved"),
        ("GPU segments", "NPU segments"),
    ):
        assert cuda in theirs
        theirs = theirs.replace(cuda, npu)
    assert ours == theirs


def test_torchs_viewer_reads_a_snapshot() -> None:
    """``torch.cuda._memory_viz`` sums up and draws what is recorded here, entry by entry."""
    viewer = pytest.importorskip("torch.cuda._memory_viz")
    mindtorch_npu.init()
    gc.collect()  # what other tests left is not to die meanwhile, nor to be waited for
    mindtorch_npu.synchronize()
    mindtorch_npu.empty_cache()
    memory = mindtorch_npu.memory
    memory._record_memory_history(clear_history=True)
    try:
        held = [backend.allocate(1000 * i, 0) for i in range(1, 8)]
        del held[::2]
        with pytest.raises(mindtorch_npu.OutOfMemoryError):
            backend.allocate(1 << 50, 0)
        snapshot = memory._snapshot()
    finally:
        memory._record_memory_history(None)
    said = viewer.trace(snapshot)
    assert said.count("del ") == said.count("free completed") == 4
    assert said.count("raise OutOfMemoryError") == 1
    reserved = sum(segment["total_size"] for segment in snapshot["segments"])
    assert f"total_reserved: {reserved / 2**20:.1f}MiB" in viewer.segsum(snapshot)
    for draw in (viewer.trace_plot, viewer.segment_plot):
        assert "<script" in draw(snapshot)
    for fold in (viewer.segments, viewer.memory):
        assert ";active_allocated;" in fold(snapshot, format_flamegraph=str)
    changed = viewer.compare([], snapshot["segments"], format_flamegraph=str)
    assert changed.count("only_after;") >= 3


# ---- settings


_OPTIONS = (
    *("max_split_size_mb", "max_non_split_rounding_mb", "large_segment_size_mb"),
    *("garbage_collection_threshold", "roundup_power2_divisions", "expandable_segments"),
    *("pinned_use_background_threads", "pinned_max_cached_size_mb"),
)
_WHOLE = """
19 20 3 0 -1 -20 +30 100abc abc 0x20 00021 1_000 ++1 + - 20.5 8 \u00b2 \u0661
18446744073709551615 18446744073709551616 -18446744073709551615 -18446744073709551616
"""
_PARTS = """
0.5 1.0 .5 5. . e5 1e-3 1e 0.5e+ 1e400 1e-400 1e-310 0x1p-2 0x.8 0x 0x1p- nan -inf infinity in
-0.0 +-.5 0.5f
"""
_LISTS = """
[ ] [] [1 [1: [1:2 [1:2, [1:2,] [1:2] [1:2]] [256:1,512:2,1024:4,>:8] [>:4] [>] [3:1] [1:3] [1:0]
[:1] [,] [1:2:3] [1:2:4:8] [1:2,,4:8] [1,2] [0:2] [-1:2] [65536:2] [1:-2] [x:8] [300:3] [300:x]
[1:0x2] [>:3]
"""
_SETTINGS = (
    *(f"{key}:{value}" for key in _OPTIONS for value in (_WHOLE + _PARTS + _LISTS).split()),
    *(f"{key}:{value}" for key in _OPTIONS[-3:] for value in ("True", "False", "true", "Tr ue")),
    *(f"{key}{text}20" for key in _OPTIONS[:3] for text in (",", "[", " : ", "::", ":\xa0")),
    *(key + colon for key in _OPTIONS for colon in ("", ":")),
    *("", "max_split_size_mb:30:max_split_size_mb:1", "max_split_size_mb:20]max_split_size_mb:x"),
    "max_split_size_mb:30,large_segment_size_mb:40",
    "max_split_size_mb:x,large_segment_size_mb:5",
    "max_split_size_mb:30,large_segment_size_mb:40,large_segment_size_mb:25,",
    "large_segment_size_mb:-1,max_split_size_mb:17592186044414",
    "max_split_size_mb:21,garbage_collection_threshold:2",
    "max_split_size_mb:44,garbage_collection_threshold:0.25",
    *(
        f"roundup_power2_divisions:[{rows}]"
        for rows in ("4:2,16:4,>:8", ">:4,2:8", "1:2,>:4,8:1", "16:2,4:8,>:1", "65536:8,>:4")
    ),
)


def _their_settings() -> dict[str, Any] | None:
    """What torch's parser has made of them: its object begins with five values and a vector."""
    library = ctypes.CDLL(str(Path(torch.__file__).parent / "lib" / "libc10.so"))
    name = "_ZN3c1016CachingAllocator26AcceleratorAllocatorConfig8instanceEv"
    instance = getattr(library, name, None)
    if instance is None:
        return None
    instance.restype = ctypes.c_void_p
    large, split, rounding, begin, end, _, collection = struct.unpack(
        "<6Qd", ctypes.string_at(instance(), 56)
    )
    divisions = ctypes.string_at(begin, end - begin)
    return {
        "large_segment_size": large,
        "max_split_size": split,
        "max_non_split_rounding": rounding,
        "roundup_power2_divisions": list(struct.unpack(f"<{len(divisions) // 8}Q", divisions)),
        "garbage_collection_threshold": collection,
    }


def _said(parse: Any, text: str) -> tuple[str, str]:
    """The error's type and text, without the line of torch's file."""
    try:
        parse(text)
    except Exception as error:
        return type(error).__name__, re.sub(r' at "[^"]*":[0-9]+', "", str(error))
    return "", ""


def test_settings_are_taken_and_refused_as_torchs_parser_does() -> None:
    """Type and text of the error, or the values, of options that all devices have."""
    names = allocator_config.Config.__slots__
    before = {name: copy(getattr(allocator_config.config, name)) for name in names}
    theirs = torch._C._accelerator_setAllocatorSettings
    start = "large_segment_size_mb:20"  # and the defaults of the others
    different = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # expandable segments are not supported
        try:
            for text in _SETTINGS:
                theirs(start)
                allocator_config.parse(start)
                found, expected = _said(allocator_config.parse, text), _said(theirs, text)
                # torch's build without devices skips what it does not know.
                if "Unrecognized key" in found[1]:
                    continue
                values = None if expected[0] else _their_settings()
                ours = {name: getattr(allocator_config.config, name) for name in values or ()}
                if found != expected or ours != (values or {}):
                    different.append((text, found, expected, ours, values))
        finally:
            for name, value in before.items():
                setattr(allocator_config.config, name, value)
    theirs(start)
    assert not different


# ---- no device

# What torch's build without CUDA answers with an AttributeError of its C module is left out:
# that is an accident of the build, and ours says that there is no device.
_WITHOUT_DEVICE = """
is_available() / is_initialized() / device_count() / _is_compiled() / _is_in_bad_fork() / init()
current_device() / set_device(-1) / set_device('cpu') / set_device('cuda') / set_device(None)
set_device(1.5) / get_device_name() / get_device_name(0) / get_device_capability()
get_device_properties(0) / can_device_access_peer(0, 1) / is_bf16_supported() / synchronize()
synchronize(0) / ipc_collect() / current_stream() / default_stream() / set_sync_debug_mode(0)
get_stream_from_external(0) / get_sync_debug_mode() / set_stream(None)
stream(None).__enter__() / device(0).__enter__() / device(-1).__enter__() / device('cpu')
Stream() / Stream(device=0) / ExternalStream(1, device=0) / Event() / Event(enable_timing=True)
empty_cache() / memory_stats() / memory_stats(0) / memory_stats_as_nested_dict()
memory_allocated() / max_memory_allocated() / memory_reserved() / max_memory_reserved()
memory_summary() / memory_summary(0) / mem_get_info() / mem_get_info(0)
caching_allocator_alloc(1) / set_per_process_memory_fraction(0.5)
set_per_process_memory_fraction(1) / get_per_process_memory_fraction() / manual_seed(0)
host_memory_stats() / host_memory_stats_as_nested_dict() / caching_allocator_enable()
memory_cached() / max_memory_cached() / _nvml_based_avail() / _parse_visible_devices()
manual_seed_all(0) / seed() / seed_all() / initial_seed() / get_rng_state() / get_rng_state_all()
default_generators
"""

_ASK = """
def ask(module, calls):
    answers = {}
    for call in calls:
        try:
            answer = repr(eval(call, {n: getattr(module, n) for n in dir(module)}))
        except Exception as error:
            answer = f"{type(error).__name__}: {error}"
        answers[call] = answer
    return answers
"""


def answers(program):
    """What *program* prints as JSON in a process without an NPU."""
    environment = os.environ | {
        "MINDTORCH_NPU_DEVICES": "0",
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        capture_output=True,
        text=True,
        timeout=60,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_without_a_device_answers_are_those_of_torch_without_cuda() -> None:
    """Each call returns the same, or raises the same type with the same text."""
    calls = [call.strip() for line in _WITHOUT_DEVICE.split("\n") for call in line.split("/")]
    calls = [call for call in calls if call]
    scope: dict[str, Any] = {}
    exec(_ASK, scope)
    with contextlib.redirect_stderr(None):
        want = scope["ask"](torch.cuda, calls)
    program = (
        f"{_ASK}\nimport json, mindtorch_npu\n"
        f"print(json.dumps(ask(mindtorch_npu, {[as_npu(call) for call in calls]!r})))"
    )
    got = answers(program)
    assert len(got) == len(calls) > 50
    assert got == {as_npu(call): as_npu(answer) for call, answer in want.items()}


_ACCELERATOR = """
current_accelerator() / current_accelerator(True) / is_available() / device_count()
current_device_index() / current_device_idx() / current_stream() / synchronize() / empty_cache()
set_device_index(0) / set_device_index('cpu') / set_device_index(None) / set_device_index(1.5)
set_stream(None) / memory_stats() / memory_allocated() / max_memory_reserved() / empty_host_cache()
get_memory_info() / reset_peak_memory_stats() / reset_accumulated_memory_stats()
device_index(0).__enter__() / device_index(None).__enter__() / get_device_capability()
set_device_index(-1) / set_device_idx(-1) / device_index('x').__enter__() / get_memory_info(0)
current_stream(0) / current_stream('cpu') / synchronize('cpu') / memory_stats(0)
"""
_GENERIC = """
Stream() / Stream('cpu') / Stream(0) / Stream(device='cuda') / Stream('meta') / Stream(1.5)
Stream('cpu', 1) / Stream(foo=1) / Stream('cpu', priority='x') / Stream(stream_id=1)
Stream(stream_id=0, device_index=0, device_type=0).device_type / Stream('cpu').query()
Stream('cpu').synchronize() / Stream('cpu').wait_event(Event('cpu')) / Stream('cpu').device
Stream('cpu').record_event() / Stream('cpu').native_handle / Stream('cpu').is_capturing()
Stream('cpu') == Stream('cpu') / Stream('cpu') == 1 / Stream('cpu').__enter__()
Event() / Event('cpu') / Event(1) / Event(device='cuda') / Event('cpu', True) / Event(foo=1)
Event('cpu', enable_timing=2) / Event('cpu', enable_timing=True) / Event('cpu').query()
Event('cpu').record() / Event('cpu').record(Stream('cpu')) / Event('cpu').wait()
Event('cpu').synchronize() / Event('cpu').elapsed_time(Event('cpu')) / Event('cpu').device
Event('cpu', enable_timing=True).elapsed_time(Event('cpu', enable_timing=True))
Event('cpu').elapsed_time(1) / Event('cpu').event_id / Event('cpu').ipc_handle()
Event.from_ipc_handle('cpu', b'') / Stream('cpu').wait_event(None) / Event('cpu').wait(1)
Stream('cpu').record_event(1) / Stream('cpu').record_event(Event('cpu'))
Stream(stream_id=7, device_index=3, device_type=0) / Stream('cpu') < Stream('cpu')
Stream(stream_id='x', device_index=0, device_type=0) / Stream('cpu').__reduce_ex__(2)
Stream(stream_id=0, device_index=1.5, device_type=0) / Event('cpu').__reduce_ex__(4)
"""
#: Through the framework: what is asked of tensors and of ``torch._C``.
_TENSORS = """
zeros(2).pin_memory() / zeros(2).pin_memory('cpu') / zeros(2).pin_memory('meta')
zeros(2).is_pinned() / zeros(2).is_pinned('cpu') / empty(2, pin_memory=True)
tensor([1], pin_memory=True) / tensor([1], pin_memory=True, device='meta')
zeros(2).untyped_storage().pin_memory() / zeros(2).record_stream(1) / _C._get_accelerator()
_C._accelerator_exchangeDevice(0) / _C._accelerator_maybeExchangeDevice(0)
_C._accelerator_isAllocatorInitialized() / _C._accelerator_getMemoryInfo(0)
_C._accelerator_setAllocatorSettings(1) / _C._accelerator_getStream(0)
_C._accelerator_synchronizeDevice(0) / _C._accelerator_setDeviceIndex(-1)
device('meta', 127) / device('meta', 128) / device('meta', 255) / str(device('meta', 200))
device('meta:300').index
"""


@pytest.mark.parametrize(
    ("ours", "theirs", "text"),
    [
        ("mindtorch_npu.accelerator", torch.accelerator, _ACCELERATOR),
        ("mindtorch_npu.generic_streams", torch, _GENERIC),
        ("mindtorch", torch, _TENSORS),
    ],
)
def test_without_an_accelerator_answers_are_torchs(ours: str, theirs: Any, text: str) -> None:
    """torch.accelerator, Stream and Event of this machine, which has none either."""
    calls = [call.strip() for line in text.split("\n") for call in line.split("/") if call.strip()]
    scope: dict[str, Any] = {}
    exec(_ASK, scope)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        want = scope["ask"](theirs, calls)
    program = f"{_ASK}\nimport json, {ours}\nprint(json.dumps(ask({ours}, {calls!r})))"
    got = answers(program)
    different = {c: (got[c], want[c]) for c in calls if first(got[c]) != first(want[c])}
    assert len(calls) > 20
    assert not different


def first(answer: str) -> str:
    """The first line: pybind goes on with signatures of C++."""
    return answer.split("\n")[0]
