"""No public name of a namespace or class is one that torch lacks, but those that are our own."""

from __future__ import annotations

import importlib
from importlib.util import find_spec

import mindtorch
import pytest
import torch

from .rows import OWN, report

#: What mindtorch has and torch does not, by namespace: the door for `import torch`, deferred
#: execution, tracing, blocks without changes in place, the NPU under the names of torch_npu, names
#: of the design documents, and what its own packages ask of each other's classes.
OURS = {
    "": {
        *("as_torch", "dispatch_trace", "npu", "pipeline", "pipeline_config", "pipeline_context"),
        *("get_pipeline_config", "set_pipeline_config", "functionalize", "functionalize_context"),
        *("DType", "Device"),
    },
    "Generator": {"lock", "longs", "next_normal", "philox", "words"},
    "OutOfMemoryError": {"facts"},
    "TypedStorage": {"data", "dtype", "torch_name"},
    "UntypedStorage": {"block", "pending", "torch_name"},
    "device": {"enter_hooks", "exit_hooks", "torch_name"},
    "dtype": {"index", "name", "np", "scalar_type", "torch_name"},
    "finfo": {"torch_name"},
    "iinfo": {"torch_name"},
    "multiprocessing": {"cleanup_shared_files", "shared_files_count"},
}
#: What tensors, storages and modules have for the device of their own.
OF_DEVICE = {"is_npu", "npu"}

MODULES = """
  _C _C._nn accelerator amp amp.autocast_mode amp.grad_scaler autograd autograd.anomaly_mode
autograd.forward_ad autograd.function autograd.functional autograd.grad_mode autograd.gradcheck
autograd.graph autograd.variable backends backends.cuda backends.cudnn backends.mps cuda cuda.amp
cuda.amp.autocast_mode cuda.amp.common cuda.amp.grad_scaler cuda.gds cuda.graphs
cuda.green_contexts cuda.jiterator cuda.memory cuda.nccl cuda.nvtx cuda.profiler cuda.random
cuda.tunable distributions distributions.constraint_registry distributions.constraints
distributions.kl distributions.transforms distributions.utils func functional fx fx.experimental
fx.experimental.proxy_tensor fx.passes library multiprocessing nn nn.functional nn.init nn.modules
nn.parameter nn.utils fft linalg nn.parallel nn.parallel.comm nn.parallel.scatter_gather
nn.utils._named_member_accessor nn.utils.fusion nn.utils.memory_format nn.utils.parametrizations
nn.utils.parametrize nn.utils.prune nn.utils.rnn nn.utils.stateless optim optim._adafactor
optim._muon optim.adadelta optim.adagrad optim.adam optim.adamax optim.adamw optim.asgd
optim.lbfgs optim.lr_scheduler optim.nadam optim.optimizer optim.radam optim.rmsprop optim.rprop
optim.sgd optim.sparse_adam optim.swa_utils overrides quasirandom random return_types
serialization special storage testing types utils utils._device utils._mode_utils
utils._python_dispatch utils._pytree distributed distributed.checkpoint
distributed.checkpoint.state_dict distributed.device_mesh distributed.distributed_c10d
distributed.fsdp distributed.fsdp.wrap distributed.rendezvous distributed.tensor
distributed.tensor.parallel utils.checkpoint utils.data utils.data.dataloader
utils.data.datapipes.iter utils.data.datapipes.map utils.data.dataset utils.data.distributed
utils.data.sampler utils.dlpack utils.hooks utils.serialization version backends.cusparselt
backends.kleidiai backends.mha backends.miopen backends.mkl backends.mkldnn backends.nnpack
backends.openmp backends.opt_einsum backends.python_native backends.quantized compiler cpu export
futures hub jit jit.annotations jit.mobile mps mtia onnx package quantization signal
signal.windows sparse masked nested torch_version xpu __config__ _higher_order_ops ao ao.nn
ao.nn.quantized ao.quantization autograd.profiler autograd.profiler_legacy autograd.profiler_util
monitor profiler profiler.itt profiler.profiler utils.benchmark utils.collect_env
utils.cpp_extension utils.flop_counter utils.bundled_inputs utils.mkldnn utils.mobile_optimizer
utils.model_zoo utils.module_tracker utils.tensorboard utils.tensorboard.summary
utils.tensorboard.writer utils.weak
""".replace("\n", " ").split(" ")[1:-1]

CLASSES = """
Event Generator OutOfMemoryError Size Stream Tag Tensor TypedStorage UntypedStorage device dtype
finfo iinfo layout memory_format autograd.Function fx.Graph fx.GraphModule fx.Interpreter fx.Node
fx.Tracer library.Library nn.Module nn.ModuleDict nn.ModuleList nn.Parameter nn.ParameterList
nn.Sequential optim.Adam optim.Optimizer optim.SGD optim.lr_scheduler.LRScheduler
""".split()


def found(package, path):
    """What *path* names under *package*."""
    try:
        return importlib.import_module(f"{package}.{path}" if path else package)
    except ModuleNotFoundError:
        space, _, name = path.rpartition(".")
        return getattr(found(package, space), name)


#: Modules of which people import everything.
STARRED = [
    "",
    *".distributions .fft .fx .linalg .nn .nn.functional .nn.init .nn.modules".split(),
    *".nn.utils.rnn .optim .optim.lr_scheduler .special .utils.data".split(),
    *".autograd .func .multiprocessing".split(),
]


def strange(path, names):
    """Those of *names* that torch lacks there, and that are not said to be ours."""
    oracle = found("torch", path)
    public = {n for n in names if n[0] != "_"} - OURS.get(path, set()) - OWN
    return [
        f"{path}.{n}" for n in sorted(public) if not hasattr(oracle, n) and not is_module(path, n)
    ]


def is_module(path, name):
    """Whether torch has a module of that name there, which nothing has imported yet."""
    home = found("torch", path)
    return hasattr(home, "__path__") and find_spec(f"{home.__name__}.{name}") is not None


def test_modules_name_what_torch_names():
    """``dir`` of a package, and ``__all__`` of every module."""
    lines = []
    for path in MODULES:  # torch, too, has some submodules only after an import
        found("torch", path)
    for path in MODULES:
        space = found("mindtorch", path)
        names = list(getattr(space, "__all__", ()))
        if hasattr(space, "__path__") or "__dir__" in vars(space) or not names:
            names += dir(space)
        lines += strange(path, names)
    report(lines)


def starred(path):
    """What a star import of the module gives."""
    given: dict[str, object] = {}
    exec(f"from {path} import *", given)
    return {n for n in given if n[0] != "_"}


@pytest.mark.parametrize("path", STARRED)
def test_star_imports_give_what_torchs_give(path):
    """Those names that are here; in ``torch`` no others, which would hide names of a program."""
    wanted, given = starred(f"torch{path}"), starred(f"mindtorch{path}")
    wanted -= {"backends", "cpp"}  # of nn, once something has imported them
    space = found("mindtorch", path[1:])
    report(f"{path} lacks {n}" for n in sorted(wanted - given) if hasattr(space, n))
    if not path:
        assert given <= wanted


def test_classes_name_what_torchs_classes_name():
    """Attributes and methods, inherited ones included."""
    lines = []
    for path in CLASSES:
        lines += strange(path, set(dir(found("mindtorch", path))) - OF_DEVICE)
    report(lines)


def test_what_dir_says_is_there():
    """Lazy names, too."""
    lines = []
    for path in MODULES:
        space = found("mindtorch", path)
        lines += [f"{path}.{n}" for n in dir(space) if not hasattr(space, n)]
    report(lines)


def test_top_level_has_no_function_of_another_place():
    """Asked for by name, too: functions of ``nn.functional`` are not found in ``torch``."""
    elsewhere = {n for n in dir(mindtorch._C._nn) if not hasattr(torch, n)}
    assert len(elsewhere) > 50
    report(n for n in elsewhere if hasattr(mindtorch, n))
    with pytest.raises(AttributeError, match="^module 'torch' has no attribute 'gelu'$"):
        mindtorch.gelu
