"""What libraries import from torch is there, by the statements they write."""

from __future__ import annotations

import importlib
import inspect
import subprocess
import sys

import pytest

from .both_frameworks import ours, torch

pytestmark = pytest.mark.oracle

STATEMENTS = """
import torch.jit
import torch.onnx
import torch.export
import torch.fx
import torch.hub
import torch.package
import torch.futures
import torch.cpu, torch.xpu, torch.mps, torch.mtia
import torch.backends.cudnn as cudnn
import torch.backends.mkldnn
import torch.backends.quantized
import torch.backends.xnnpack
import torch.backends.xeon
import torch.backends.opt_einsum as opt_einsum
import torch.ao.quantization
import torch.ao.nn.quantized as nnq
import torch.ao.nn.quantized.dynamic as nnqd
import torch.ao.nn.intrinsic as nni
import torch.ao.pruning
import torch.quantization
import torch.sparse, torch.nested, torch.masked
import torch._dynamo as dynamo
import torch._dynamo.config
import torch._dynamo.eval_frame
import torch._inductor.config as inductor_config
import torch._functorch
import torch.utils._pytree as pytree
import torch.signal.windows
import torch.__config__
import torch.__future__
import torch._C
import torch._VF
from torch import _VF
from torch import Tensor, jit, nn, onnx
from torch import SymInt, SymFloat, SymBool, qscheme
from torch import sym_int, sym_max, sym_min, sym_not, sym_float
from torch import per_tensor_affine, per_channel_affine
from torch._C import Graph, Node, Value, Future, DisableTorchFunctionSubclass
from torch._jit_internal import _overload, boolean_dispatch, BroadcastingList2
from torch._jit_internal import is_scripting, export, ignore, unused, Final
from torch._jit_internal import _copy_to_script_wrapper, _overload_method
from torch._prims_common import DeviceLikeType, TensorLikeType, is_float_dtype
from torch._prims_common import corresponding_real_dtype, make_contiguous_strides_for
from torch._guards import detect_fake_mode, TracingContext
from torch._logging import getArtifactLogger, set_logs, warning_once
from torch._utils_internal import get_file_path, justknobs_check
from torch._environment import is_fbcode
from torch._decomp import core_aten_decompositions, get_decompositions
from torch._higher_order_ops import cond, while_loop
from torch._higher_order_ops.while_loop import while_loop
from torch._higher_order_ops.cond import cond
from torch._functorch.apis import grad, vmap
from torch._functorch.eager_transforms import jacrev, vjp
from torch._functorch.functional_call import functional_call
from torch._vmap_internals import _vmap, vmap
from torch._tensor_str import PRINT_OPTS, _str
from torch._compile import _disable_dynamo
from torch._dynamo import OptimizedModule, allow_in_graph, disable, graph_break, is_compiling
from torch._dynamo.eval_frame import OptimizedModule
from torch._dynamo.exc import BackendCompilerFailed, TorchDynamoException, Unsupported
from torch._dynamo.utils import counters
from torch._dynamo.external_utils import is_compiling
from torch._dynamo.backends.registry import lookup_backend, register_backend
from torch._subclasses import FakeTensor, FakeTensorMode
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.compiler import disable, is_compiling, is_dynamo_compiling
from torch.export import Dim, ExportedProgram, export
from torch.export.dynamic_shapes import Dim, dims
from torch.export.exported_program import ExportedProgram
from torch.export.graph_signature import InputKind, OutputKind, ExportGraphSignature
from torch.futures import Future, collect_all, wait_all
from torch.hub import download_url_to_file, get_dir, load_state_dict_from_url
from torch.hub import _get_torch_home, HASH_REGEX, urlparse, tqdm
from torch.jit import Final, ScriptFunction, ScriptModule, script, trace
from torch.jit import RecursiveScriptModule, TopLevelTracedModule, TracerWarning
from torch.jit import annotations, is_scripting, is_tracing, _script_if_tracing
from torch.jit._script import RecursiveScriptModule, ScriptModule
from torch.jit._trace import TopLevelTracedModule, TracedModule, is_tracing
from torch.jit.annotations import BroadcastingList2, Dict, List, Tuple
from torch.jit.frontend import NotSupportedError, get_default_args
from torch.jit.mobile import _load_for_lite_interpreter
from torch.jit.quantized import QuantizedLinear
from torch.onnx import TrainingMode, OperatorExportTypes, is_in_onnx_export
from torch.onnx import register_custom_op_symbolic, symbolic_helper, utils, errors
from torch.onnx.symbolic_helper import parse_args
from torch.onnx.errors import OnnxExporterError, UnsupportedOperatorError
from torch.onnx.verification import verify_onnx_program
from torch.ao.quantization import DeQuantStub, QuantStub, QConfig, get_default_qconfig
from torch.ao.quantization import MinMaxObserver, FakeQuantize, quantize_dynamic
from torch.ao.quantization.observer import HistogramObserver, ObserverBase
from torch.ao.quantization.fake_quantize import FakeQuantizeBase
from torch.ao.quantization.quantize_fx import convert_fx, prepare_fx
from torch.ao.quantization.stubs import QuantWrapper
from torch.quantization import QuantStub, fuse_modules
from torch.quantization.observer import MinMaxObserver
from torch.package import PackageExporter, PackageImporter
from torch.sparse import SparseSemiStructuredTensor, to_sparse_semi_structured
from torch.masked import MaskedTensor, masked_tensor, is_masked_tensor
from torch.nested import nested_tensor
from torch.signal.windows import gaussian, hann
from torch.torch_version import TorchVersion
from torch.backends.cuda import SDPAParams, sdp_kernel
""".strip().splitlines()


def run(statement):
    exec(statement, {})


@pytest.mark.parametrize("statement", STATEMENTS)
def test_a_statement_runs(statement):
    own = statement.replace("from torch", "from mindtorch")
    run(statement)
    run(own.replace("import torch", "import mindtorch").replace(", torch.", ", mindtorch."))


def test_nothing_of_it_is_loaded_before_it_is_named():
    program = (
        "import sys, mindtorch; "
        "names = 'jit compiler export onnx hub futures ao quantization package xpu mps mtia sparse "
        "nested masked signal _dynamo _inductor backends.mkldnn backends.cuda'.split(); "
        "print([n for n in names if 'mindtorch.' + n in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert found.stdout == "[]\n", found.stderr


WHOLE = """
jit compiler futures hub cpu xpu mps mtia signal.windows export onnx onnx.errors onnx.verification
_higher_order_ops.cond masked nested sparse torch_version jit.annotations
""".split()
#: What is not here: types of TorchScript, attributes of CUDA's kernels.
MISSING = {
    "jit.annotations": {
        *"AnyType ComplexType DictType FloatType IntType ListType Module StringType".split(),
        *"TensorType TupleType ann_to_type check_fn get_param_names get_signature".split(),
        *"get_type_line".split(),
        *"parse_type_line split_type_line try_ann_to_type try_real_annotations".split(),
    },
    "export": {"FlatArgsAdapter"},
    "mtia": {"device"},
    "xpu": {"random", "streams"},
}


@pytest.mark.parametrize("path", WHOLE)
def test_public_names_are_there(path):
    oracle = importlib.import_module(f"torch.{path}")
    own = importlib.import_module(f"mindtorch.{path}")
    named = getattr(oracle, "__all__", ())
    wanted = {n for n in named if hasattr(oracle, n)} - MISSING.get(path, set())
    assert {n for n in wanted if not hasattr(own, n)} == set()


@pytest.mark.parametrize(
    "path", "jit compiler futures hub cpu signal.windows _jit_internal".split()
)
def test_functions_take_what_torchs_take(path):
    oracle = importlib.import_module(f"torch.{path}")
    own = importlib.import_module(f"mindtorch.{path}")
    differ = []
    for name in getattr(own, "__all__", ()):
        found, wanted = getattr(own, name), getattr(oracle, name, None)
        if not inspect.isfunction(found) or not inspect.isfunction(wanted):
            continue
        if "Refuse:" in (found.__doc__ or ""):
            continue
        names = [list(inspect.signature(f).parameters) for f in (found, wanted)]
        if names[0] != names[1]:
            differ.append((name, *names))
    assert not differ


@pytest.mark.parametrize("name", torch.signal.windows.__all__)
@pytest.mark.parametrize("length", [0, 1, 2, 7, 10])
@pytest.mark.parametrize("sym", [True, False])
def test_windows(name, length, sym):
    more = {"a": [0.5, 0.3, 0.2]} if name == "general_cosine" else {}

    def made(t):
        return getattr(t.signal.windows, name)(length, sym=sym, dtype=t.float64, **more).tolist()

    assert made(ours) == pytest.approx(made(torch), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("name", torch.signal.windows.__all__)
@pytest.mark.parametrize("wrong", ["M", "dtype", "layout"])
def test_windows_refuse(name, wrong):
    more = {"a": [0.5, 0.3, 0.2]} if name == "general_cosine" else {}

    def told(t):
        arguments = {"M": 3, "dtype": t.float32, "layout": t.strided}
        arguments[wrong] = {"M": -1, "dtype": t.int64, "layout": t.sparse_coo}[wrong]
        with pytest.raises(ValueError) as caught:
            getattr(t.signal.windows, name)(**arguments, **more)
        return str(caught.value)

    assert told(ours) == told(torch)


VERSIONS = ["1.2.3", "1.2", "2.13.0+cpu", "2.13.0", "2.13.0a0", "2.13.0.dev1", "10.0", "parrot"]
OTHERS = ["1.2.3", "1.2", (1, 2, 3), (1, 3), ["2", 13], "2.13", "2.13.0+cu1", "2.13rc1", "parrot"]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("other", OTHERS, ids=str)
def test_versions_compare(version, other):
    def told(t):
        found = []
        for how in ("__lt__", "__le__", "__eq__", "__ne__", "__ge__", "__gt__"):
            v = importlib.import_module(f"{t.__name__}.torch_version").TorchVersion(version)
            try:
                found.append(getattr(v, how)(other))
            except Exception as error:
                found.append(type(error).__name__)
        return found

    assert told(ours) == told(torch)


def test_the_build_is_told():
    assert "NumPy" in ours.__config__.show() and "TORCH_VERSION=" in ours.__config__.show()
    assert "at::get_num_threads()" in ours.__config__.parallel_info()
    assert ours.has_lapack and not ours.has_mkl and ours.compiled_with_cxx11_abi()
    assert repr(ours.per_tensor_affine) == "torch.per_tensor_affine"
    assert isinstance(ours.per_tensor_affine, ours.qscheme)


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("overwrite", [False, True])
def test_modules_convert_as_their_future_says(swap, overwrite):
    def told(t):
        future = importlib.import_module(f"{t.__name__}.__future__")
        layer = t.nn.Linear(2, 2)
        layer(t.ones(1, 2)).sum().backward()
        weight, grad = layer.weight, layer.weight.grad
        future.set_swap_module_params_on_conversion(swap)
        future.set_overwrite_module_params_on_conversion(overwrite)
        try:
            layer.double()
        finally:
            future.set_swap_module_params_on_conversion(False)
            future.set_overwrite_module_params_on_conversion(False)
        kept = layer.weight
        return kept is weight, str(kept.dtype), str(kept.grad.dtype), kept.grad is grad

    assert told(ours) == told(torch)


def test_modules_that_torch_loads_are_reached_by_attributes():
    """``torch.fx.experimental.proxy_tensor`` after ``import torch`` alone, and all others."""
    told = "import torch, sys; print(*[n for n in sys.modules if n.startswith('torch.')])"
    names = subprocess.run(
        [sys.executable, "-c", told], capture_output=True, text=True, check=True
    ).stdout.split()
    code = (
        "import functools, importlib.util, sys\nimport mindtorch\n"
        "for name in sys.argv[1:]:\n"
        "    _, *path = name.split('.')\n"
        "    try:\n"
        "        functools.reduce(getattr, path, mindtorch)\n"
        "    except AttributeError:\n"
        "        try:\n"
        "            if importlib.util.find_spec('.'.join(('mindtorch', *path))):\n"
        "                print(name)\n"
        "        except ImportError:\n"
        "            pass\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code, *names],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert len(names) > 500 and done.stdout == ""
