"""``torch.backends``: switches of libraries, checked and told back."""

from __future__ import annotations

import importlib
import itertools
import os
import subprocess
import sys

import pytest

from .both_frameworks import agree, ours, refuse, torch
from .hearing import hearing

pytestmark = pytest.mark.oracle

PRECISIONS = {
    "all": "",
    "cudnn": "cudnn",
    "conv": "cudnn.conv",
    "rnn": "cudnn.rnn",
    "matmul": "cuda.matmul",
    "mkldnn": "mkldnn",
    "mkldnn conv": "mkldnn.conv",
    "mkldnn matmul": "mkldnn.matmul",
    "mkldnn rnn": "mkldnn.rnn",
}


def find(t, path):
    found = importlib.import_module(f"{t.__name__}.backends")
    for name in filter(None, path.split(".")):
        found = getattr(found, name)
    return found


def answer(fn):
    try:
        return fn()
    except RuntimeError as error:
        return str(error)


def precisions(t):
    """All that says how float32 products may be rounded."""
    told = [find(t, path).fp32_precision for path in PRECISIONS.values()]
    told += [answer(lambda: find(t, "cudnn").allow_tf32)]
    told += [answer(lambda: find(t, "cuda.matmul").allow_tf32)]
    return [*told, answer(t.get_float32_matmul_precision)]


def put_back(t):
    """The settings a process begins with."""
    for path in PRECISIONS.values():
        find(t, path).fp32_precision = "none"
    find(t, "").fp32_precision = "none"
    t.set_float32_matmul_precision("highest")
    find(t, "cuda.matmul").fp32_precision = "none"
    find(t, "mkldnn.matmul").fp32_precision = "none"
    find(t, "cudnn").allow_tf32 = True


@pytest.fixture
def fresh():
    put_back(ours)
    put_back(torch)
    yield
    put_back(ours)
    put_back(torch)


SETTINGS = [
    *itertools.product(PRECISIONS.values(), ["ieee", "tf32", "bf16", "none", "zz"]),
    *itertools.product(["cudnn allow", "matmul allow"], [True, False, 3]),
    *(("whole", value) for value in ("highest", "high", "medium")),
]


@pytest.mark.parametrize("where, value", SETTINGS)
def test_precisions_follow_from_each_other(fresh, where, value):
    def program(t):
        try:
            if where == "whole":
                t.set_float32_matmul_precision(value)
            elif where.endswith(" allow"):
                owner = "cudnn" if where.startswith("cudnn") else "cuda.matmul"
                find(t, owner).allow_tf32 = value
            else:
                find(t, where).fp32_precision = value
            error = None
        except RuntimeError as e:
            error = str(e)
        return error, precisions(t)

    agree(program)


READ = """
cudnn.enabled cudnn.deterministic cudnn.benchmark cudnn.benchmark_limit cudnn.allow_tf32
cudnn.depthwise_kernel mkldnn.enabled mkldnn.deterministic mkldnn.allow_tf32 mkldnn.VERBOSE_ON
miopen.immediate opt_einsum.enabled opt_einsum.strategy quantized.engine
quantized.supported_engines cuda.matmul.allow_fp16_reduced_precision_reduction
cuda.matmul.allow_fp16_reduced_precision_reduction_split_k cuda.matmul.allow_fp16_accumulation
cuda.matmul.allow_bf16_reduced_precision_reduction python_native.all_dsls
python_native.available_dsls fp32_precision
""".split()
ASKED = """
cudnn.is_available cudnn.version kleidiai.is_available cusparselt.is_available cusparselt.version
cusparselt.get_max_alg_id cuda.is_built cuda.flash_sdp_enabled cuda.math_sdp_enabled
cuda.mem_efficient_sdp_enabled cuda.cudnn_sdp_enabled cuda.is_flash_attention_available
cuda.fp16_bf16_reduction_math_sdp_allowed cuda.is_ck_sdpa_available mps.is_available mps.is_built
mha.get_fastpath_enabled mkldnn.is_acl_available opt_einsum.get_opt_einsum cpu.get_cpu_capability
flags_frozen
""".split()


@pytest.mark.parametrize("path", READ)
def test_defaults(fresh, path):
    agree(lambda t: find(t, path))


@pytest.mark.parametrize("path", ASKED)
def test_answers(path):
    agree(lambda t: find(t, path)())


SWITCHES = """
cudnn.enabled cudnn.deterministic cudnn.benchmark mkldnn.enabled mkldnn.deterministic
miopen.immediate cuda.matmul.allow_fp16_accumulation
cuda.matmul.allow_fp16_reduced_precision_reduction
cuda.matmul.allow_bf16_reduced_precision_reduction
""".split()


@pytest.mark.parametrize("path", SWITCHES)
def test_a_switch_is_told_back(path):
    owner, _, name = path.rpartition(".")

    def program(t):
        space = find(t, owner)
        before = getattr(space, name)
        try:
            setattr(space, name, not before)
            return getattr(space, name)
        finally:
            setattr(space, name, before)

    agree(program)


@pytest.mark.parametrize("path", SWITCHES)
@pytest.mark.parametrize("value", [3, "x"])
def test_a_switch_takes_bools_only(path, value):
    owner, _, name = path.rpartition(".")
    refuse(lambda t: setattr(find(t, owner), name, value))


@pytest.mark.parametrize(
    "program",
    [
        lambda B: setattr(B.cuda.matmul, "foo", 1),
        lambda B: B.cuda.matmul.foo,
        lambda B: B.cudnn.conv.foo,
        lambda B: B.cudnn.nope,
        lambda B: B.nope,
        lambda B: setattr(B.cudnn.conv, "foo", 1),
        lambda B: setattr(B.quantized, "engine", "x"),
        lambda B: setattr(B.quantized, "engine", "none"),
        lambda B: setattr(B.quantized, "supported_engines", []),
        lambda B: setattr(B.cudnn, "depthwise_kernel", "q"),
        lambda B: setattr(B.cudnn, "depthwise_kernel", 3),
        lambda B: B.cuda.preferred_blas_library("x"),
        lambda B: B.cuda.preferred_blas_library(3),
        lambda B: B.cuda.preferred_blas_library("cublaslt"),
        lambda B: B.cuda.preferred_linalg_library("magma"),
        lambda B: B.cuda.preferred_linalg_library("cusolver"),
        lambda B: B.cuda.cufft_plan_cache.size,
        lambda B: B.cuda.cufft_plan_cache[0],
        lambda B: B.cuda.cufft_plan_cache.clear(),
        lambda B: B.cuda.cublas_workspace_size(),
        lambda B: B.cuda.cublaslt_workspace_size(3),
        lambda B: B.cuda.enable_flash_sdp(3),
        lambda B: setattr(B.cuda.matmul, "allow_fp16_reduced_precision_reduction", (True, False)),
        lambda B: setattr(B.cuda.matmul, "allow_fp16_reduced_precision_reduction", ()),
        lambda B: setattr(B.cuda.matmul, "allow_fp16_reduced_precision_reduction", (True,) * 3),
        lambda B: setattr(B.cuda.matmul, "allow_fp16_reduced_precision_reduction", (2,)),
        lambda B: B.mkldnn.verbose(5).__enter__(),
        lambda B: B.mps.get_name(),
        lambda B: B.mps.is_macos_or_newer(13, 0),
        lambda B: B.opt_einsum.set_flags(True),
        lambda B: B.opt_einsum.set_flags(None, "zz"),
    ],
)
def test_refusals(program):
    refuse(lambda t: program(find(t, "")))


def test_flags_hold_within_a_block():
    def program(t):
        B = find(t, "")
        told = []
        with B.cudnn.flags(benchmark=True, deterministic=True):
            told.append((B.cudnn.enabled, B.cudnn.benchmark, B.cudnn.deterministic))
        with B.miopen.flags(True):
            told.append(B.miopen.immediate)
        with B.nnpack.flags(False):
            told.append(B.nnpack.set_flags(True))
        with B.flags(fp32_precision="ieee"):
            told.append(B.fp32_precision)
        told.append((B.cudnn.enabled, B.cudnn.benchmark, B.miopen.immediate, B.fp32_precision))
        told.append(B.cudnn.set_flags(True))
        return told

    agree(program)


def test_sdp_kernels_hold_within_a_block():
    def program(t):
        c = find(t, "cuda")
        with c.sdp_kernel(enable_flash=False, enable_math=True):
            within = c.flash_sdp_enabled(), c.math_sdp_enabled()
        return within, c.flash_sdp_enabled()

    agree(program)


def test_frozen_switches_change_within_flags_only(monkeypatch):
    from mindtorch.backends import switching

    monkeypatch.setattr(switching._Frozen, "globally", False)
    backends = ours.backends
    backends.disable_global_flags()
    with pytest.raises(
        RuntimeError,
        match=r"^not allowed to set torch.backends.cudnn flags after disable_global_flags; "
        r"please use flags\(\) context manager instead$",
    ):
        backends.cudnn.enabled = False
    with pytest.raises(RuntimeError, match="disable_global_flags"):
        backends.fp32_precision = "ieee"
    with backends.cudnn.flags(enabled=False):
        assert not backends.cudnn.enabled
    assert backends.cudnn.enabled and backends.flags_frozen()


@pytest.mark.parametrize("library", ["mkl", "mkldnn", "nnpack", "openmp"])
def test_libraries_that_are_not_here_say_so(library):
    assert find(ours, library).is_available() is False


NAMES = "cuda cudnn cusparselt kleidiai mha miopen mkl mkldnn mps nnpack openmp opt_einsum".split()


@pytest.mark.parametrize("name", [*NAMES, "python_native", "quantized"])
def test_functions_take_what_torchs_take(name):
    """By the names of their parameters."""
    import inspect

    oracle, own = find(torch, name), find(ours, name)
    inner = getattr(oracle, "m", oracle)
    for public in [n for n in dir(inner) if n[0] != "_"]:
        wanted = getattr(oracle, public, None)
        home = getattr(wanted, "__module__", "")
        if not inspect.isfunction(wanted) or not home.startswith("torch.backends." + name):
            continue
        found = getattr(own, public)
        assert list(inspect.signature(found).parameters) == list(
            inspect.signature(wanted).parameters
        ), public


DEVICES = {
    "xpu": "is_available is_initialized device_count memory_allocated max_memory_allocated "
    "empty_cache get_arch_list get_gencode_flags get_rng_state_all is_bf16_supported "
    "current_device init synchronize get_device_name current_stream mem_get_info utilization",
    "mps": "is_available device_count current_allocated_memory driver_allocated_memory "
    "empty_cache get_rng_state seed synchronize recommended_max_memory",
    "mtia": "is_available is_initialized device_count memory_allocated empty_cache init "
    "current_device current_stream synchronize snapshot get_rng_state initial_seed",
    "cpu": "is_available is_initialized device_count current_device synchronize",
}


@pytest.mark.parametrize("device, name", [(d, n) for d, ns in DEVICES.items() for n in ns.split()])
def test_devices_answer_as_torch_without_them(device, name):
    def told(t):
        with hearing():
            try:
                return getattr(getattr(t, device), name)()
            except Exception as error:
                return type(error).__name__, str(error)

    assert told(ours) == told(torch)


def test_streams_of_the_host():
    def program(t):
        c = t.cpu
        s = c.Stream()
        before = c.current_stream()
        with c.stream(s):
            within = c.current_stream() is s
        c.Event().record()
        return within, c.current_stream() is before, c.Event().query(), c.Stream().record_event()

    agree(program)


@pytest.mark.parametrize("value", ["1", "0", "true"])
@pytest.mark.parametrize("name", ["TORCH_BLAS_PREFER_CUBLASLT", "TORCH_BLAS_PREFER_HIPBLASLT"])
def test_the_environment_prefers_a_library(name, value):
    library = "{0}.backends.cuda.preferred_blas_library"
    code = f"print({library}(), {library}('default'))"
    said = [
        subprocess.run(
            [
                sys.executable,
                "-W",
                "ignore",
                "-c",
                f"import {framework}; " + code.format(framework),
            ],
            env={**os.environ, name: value},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for framework in ("mindtorch", "torch")
    ]
    assert said[0] == said[1]


def test_the_default_library_for_products_is_told_by_its_name():
    def told(t):
        prefer, kinds = t.backends.cuda.preferred_blas_library, t._C._BlasBackend
        return [str(prefer(one)) for one in ("default", None, kinds.Default, None, "hipblas")]

    agree(told)
