"""Names that torch does not document and that widely used libraries ask for all the same."""

import importlib
import unittest.mock
import warnings

import mindtorch
import pytest
import torch

from tests.contract.both_frameworks import BOTH, agree, part, same

NAMES = [
    "nn.modules.module._EXTRA_STATE_KEY_SUFFIX",
    "nn.modules.module._IncompatibleKeys",
    "nn.modules.module._WrappedHook",
    "nn.modules.module._addindent",
    "nn.modules.module._forward_unimplemented",
    "nn.modules.module._has_any_global_hook",
    "nn.modules.module.BackwardHook",
    "nn.modules.module.RemovableHandle",
    "nn.modules.transformer._get_activation_fn",
    "_tensor._rebuild_from_type_v2",
    "_dynamo.eval_frame.is_dynamo_supported",
    "_dynamo.utils.disable_cache_limit",
    "_dynamo.utils.warn_once",
    "cpu._is_amx_tile_supported",
    "distributed._functional_collectives.is_torchdynamo_compiling",
    "distributed._tensor.placement_types.DTensorSpec",
    "distributed._tensor.placement_types.TensorMeta",
    "_prims_common.is_contiguous_or_false",
    "_C._functorch.is_legacy_batchedtensor",
    "_C.ScriptDict",
    "_C.ScriptFunction",
    "_C.ScriptList",
    "_C.ScriptMethod",
    "_C._get_cpu_capability",
    "_C._has_cudnn",
    "_C._has_cusparselt",
    "_C._has_mps",
    "_C._has_xpu",
    "_C._get_graph_executor_optimize",
    "_C._jit_set_num_profiled_runs",
    "_inductor.utils.GPU_TYPES",
    "_logging.scribe.open_source_signpost",
    "_refs.abs",
    "_refs.nn.functional.relu",
    "_refs.linalg.norm",
    "_refs._conversions.float",
    "_refs.sum_to_size",
    "_prims.utils",
    "_utils._is_privateuse1_backend_available",
    "_utils_internal.get_writable_path",
    "_utils_internal.deprecated",
    "_utils.CallbackRegistry",
    "_utils.cpu_count",
    "_utils.render_call",
    "_utils.try_import",
    "_dynamo.utils.detect_fake_mode",
    "_guards.detect_fake_mode",
    "fx.node.ArgumentT",
    "utils._pytree._LEAF_SPEC",
    "_vendor.packaging.version.parse",
    "ao.nn.quantized.MaxPool2d",
    "autograd.gradcheck._iter_tensors",
    "testing._utils.wrapper_set_seed",
]


#: What torch's modules import from their neighbours, and programs import from them.
NEIGHBOURS = {
    "functional": "Tensor handle_torch_function has_torch_function has_torch_function_unary "
    "has_torch_function_variadic",
    "autograd.grad_mode": "F",
    "cuda.amp.grad_scaler": "OptState",
    "nn.functional": "Tensor _Reduction _list_with_default _pair _single _triple "
    "handle_torch_function has_torch_function has_torch_function_unary has_torch_function_variadic",
    "nn.init": "Tensor",
    **dict.fromkeys(
        (
            f"nn.modules.{name}"
            for name in "adaptive channelshuffle distance dropout flatten fold instancenorm linear "
            "pixelshuffle sparse upsampling batchnorm".split()
        ),
        "Tensor",
    ),
    "nn.modules.activation": "NonDynamicallyQuantizableLinear Parameter Tensor constant_ "
    "xavier_normal_ xavier_uniform_",
    "nn.modules.container": "Parameter T",
    "nn.modules.normalization": "Size Tensor _shape_t",
    "nn.modules.padding": "Tensor _CircularPadNd _ConstantPadNd _ReflectionPadNd _ReplicationPadNd",
    "nn.parallel.distributed": "Function Module ReduceOp Variable _get_default_group "
    "_rank_not_in_group gather scatter_kwargs",
    "nn.utils.weight_norm": "_weight_norm norm_except_dim",
    "nn.modules.conv": "LazyModuleMixin Tensor UninitializedParameter _pair _single _triple "
    "_size_1_t _size_2_t _size_3_t",
    "nn.modules.loss": "Linear PairwiseDistance Tensor _Reduction",
    "nn.modules.pooling": "Tensor _pair _single _triple _ratio_2_t _ratio_3_t _size_1_t _size_2_t "
    "_size_2_opt_t _size_3_opt_t _size_3_t _size_any_opt_t _size_any_t",
    "nn.modules.rnn": "PackedSequence",
    "nn.modules.module": "T device dtype",
    "nn.modules.transformer": "Dropout LayerNorm Linear MultiheadAttention Tensor xavier_uniform_",
    **dict.fromkeys(
        (
            f"optim.{name}"
            for name in "adadelta adagrad adamax asgd lbfgs nadam radam rmsprop rprop sparse_adam "
            "sgd".split()
        ),
        "Optimizer ParamsT Tensor",
    ),
    "optim.adam": "Optimizer ParamsT Tensor _default_to_fused_or_foreach _get_value "
    "_stack_if_compiling _use_grad_for_differentiable _view_as_real",
    "optim.adamw": "ParamsT Tensor",
    "optim.lr_scheduler": "Optimizer Tensor",
    "serialization": "io os pickle shutil sys tempfile",
    "optim.swa_utils": "Tensor",
    "types": "Size SymBool SymFloat SymInt Tensor",
}


@pytest.mark.parametrize("path", NEIGHBOURS)
def test_what_a_module_has_from_its_neighbours(path):
    """It is the thing that its own module has, as in torch."""

    def told(t):
        space = importlib.import_module(f"{t.__name__}.{path}")
        found = {name: getattr(space, name) for name in NEIGHBOURS[path].split()}
        return {
            name: getattr(value, "__name__", str(value)).rpartition(".")[2].removeprefix("_")
            for name, value in found.items()
        }

    agree(told)


def test_the_older_name_of_quantization_has_what_torchs_has():
    """All that torch has under both names, under both names."""
    older, newer = (
        {t: part(t, name) for t in BOTH} for name in ("quantization", "ao.quantization")
    )
    both = [n for n, v in vars(older[torch]).items() if v is vars(newer[torch]).get(n)]
    here = [n for n in both if n[0] != "_" and hasattr(newer[mindtorch], n)]
    assert len(here) > 90
    space = older[mindtorch]
    lacking = [n for n in here if getattr(space, n, None) is not getattr(newer[mindtorch], n)]
    assert lacking == []


def test_the_bindings_have_what_torch_takes_from_them():
    taken = [n for n, v in vars(torch._C).items() if n[0] != "_" and vars(torch).get(n) is v]
    here = [n for n in taken if hasattr(mindtorch, n)]
    assert len(here) > 150
    assert [n for n in here if not hasattr(mindtorch._C, n)] == []


#: Calls of functions that programs import, in an expression of the framework ``t``.
CALLS = """
    nn.modules.transformer._get_clones(t.nn.ReLU(), 2)
    nn.modules.transformer._get_clones(module=t.nn.ReLU(), N=0)
    nn.modules.transformer._get_seq_len(t.ones(2, 3, 4), True)
    nn.modules.transformer._get_seq_len(src=t.ones(3, 4), batch_first=False)
    nn.modules.transformer._generate_square_subsequent_mask(3)
    nn.modules.transformer._generate_square_subsequent_mask(sz=2, device=None, dtype=t.float64)
    nn.modules.transformer._detect_is_causal_mask(None)
    nn.modules.transformer._detect_is_causal_mask(None, True)
    nn.modules.transformer._detect_is_causal_mask(mask=t.ones(2, 2), is_causal=None, size=2)
    nn.modules.transformer._detect_is_causal_mask(t.ones(2, 2).triu(1) * -t.inf)
    nn.modules.rnn.apply_permutation(t.arange(4).view(2, 2), t.tensor([1, 0]))
    nn.modules.rnn.apply_permutation(t.arange(4).view(2, 2), t.tensor([1, 0]), dim=0)
    nn.modules.rnn._apply_permutation(t.arange(4).view(2, 2), t.tensor([1, 0]), 0)
    nn.modules.conv._reverse_repeat_tuple((1, 2), 2)
    nn.functional._get_softmax_dim("softmax", 2, 3)
    nn.functional._get_softmax_dim("x", ndim=3, stacklevel=2)
    nn.functional._verify_batch_size([1, 3, 1])
    nn.functional._verify_batch_size([2, 3])
    nn.functional._verify_spatial_size(t.Size([2, 3, 1]))
    nn.functional._verify_spatial_size([1, 3, 2])
    nn.init._no_grad_fill_(t.empty(2), 3)
    nn.init._no_grad_zero_(t.ones(2))
    nn.init._no_grad_trunc_normal_(t.empty(3), 0.0, 1.0, -1.0, 1.0, t.Generator().manual_seed(1))
    nn.init._no_grad_normal_(t.empty(3), 0.0, 1.0, t.Generator().manual_seed(1))
    nn.init._no_grad_uniform_(t.empty(3), 0.0, 1.0, t.Generator().manual_seed(1))
    nn.modules.padding._ReflectionPadNd in type(t.nn.ReflectionPad2d(1)).__mro__
    nn.modules.padding._ConstantPadNd in type(t.nn.ZeroPad2d(1)).__mro__
    nested(lambda x: isinstance(x, int), lambda x: x + 1)([1, (2, None), {"a": 3}])
    nested(lambda x: isinstance(x, int), lambda x: x + 1, "ints")([1.5])
    nested(lambda x: isinstance(x, int), lambda x: x + 1)(t.ones(1))
    _utils._flatten_sparse_tensors([t.eye(2).to_sparse(), t.ones(3).to_sparse()])
    _utils._unflatten_sparse_tensors(_utils._flatten_sparse_tensors([sp, sp]), [sp, sp])
    _utils._reorder_tensors_as([t.ones(1).double(), t.ones(1)], [t.ones(1), t.ones(1).double()])
    list(_utils._take_tensors([sp, t.ones(2), sp, t.zeros(1)], 16))
""".strip().splitlines()


@pytest.mark.parametrize("line", [line.strip() for line in CALLS])
def test_functions_that_programs_import(line):
    def called(t):
        homes = ("_utils", "nn.functional", "nn.modules")
        spaces = {n.split(".")[0]: importlib.import_module(f"{t.__name__}.{n}") for n in homes}
        given = {"nested": t.autograd.function._nested_map, "sp": t.eye(2).to_sparse()}
        return eval(line, {"t": t, **spaces, "nn": t.nn, **given})

    same(called)


@pytest.mark.parametrize("limit", [1, 8, 12, 16, 100, 1000])
def test_tensors_are_taken_by_dtype_up_to_a_limit(limit):
    def taken(t):
        tensors = [t.ones(2), t.ones(3), t.ones(2).double(), t.ones(1), t.ones(100)]
        buckets = importlib.import_module(f"{t.__name__}._utils")._take_tensors(tensors, limit)
        return [[(str(x.dtype), x.numel()) for x in bucket] for bucket in buckets]

    agree(taken)


def test_devices_of_this_machine():
    """Torch's build for the CPU has no accelerator; here there is one."""
    names = ("_get_all_device_indices", "_get_devices_properties", "_get_current_device_index")
    utils = importlib.import_module("mindtorch._utils")
    every, properties, current = (getattr(utils, name) for name in names)
    assert every() == list(range(mindtorch.npu.device_count()))
    assert [p.total_memory > 0 for p in properties([0])] == [True]
    assert current() == mindtorch.npu.current_device()


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_libraries_ask_for_is_there(name):
    home, _, last = name.rpartition(".")

    def ask(t):
        found = getattr(importlib.import_module(f"{t.__name__}.{home}"), last)
        return found if isinstance(found, str | int | None) else callable(found)

    agree(ask)


def test_whether_any_hook_for_all_modules_is_there():
    def run(t):
        module = importlib.import_module(f"{t.__name__}.nn.modules.module")
        found = [bool(module._has_any_global_hook())]
        handle = module.register_module_forward_hook(lambda *a: None)
        found.append(bool(module._has_any_global_hook()))
        handle.remove()
        return [*found, bool(module._has_any_global_hook())]

    assert agree(run) == [False, True, False]


def test_what_such_functions_answer():
    def run(t):
        def at(name):
            home, _, last = name.rpartition(".")
            return getattr(importlib.import_module(f"{t.__name__}.{home}"), last)

        x = t.ones(2, 3)
        activation = at("nn.modules.transformer._get_activation_fn")
        with pytest.raises(RuntimeError) as error:
            activation("tanh")
        return [
            *(at("_dynamo.eval_frame.is_dynamo_supported")(), str(error.value)),
            *(at("_prims_common.is_contiguous_or_false")(v) for v in (x, x.T)),
            *(at("_C._functorch.is_legacy_batchedtensor")(x), activation("relu")(-x)),
            *(type(at("distributed.distributed_c10d._pg_map")), x.is_distributed()),
        ]

    agree(run)


@pytest.mark.parametrize("options", [{}, {"get_infos": True}, {"pivot": True}], ids=str)
def test_the_older_factorization_as_a_method(options):
    def run(t):
        t.manual_seed(3)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "torch.lu is deprecated")  # once in a process
            found = t.randn(2, 4, 4, dtype=t.float64).lu(**options)
        return [[round(v, 8) for v in part.flatten().tolist()] for part in found]

    agree(run)


def test_the_functions_of_convolutions_gradients_are_in_functional_too():
    agree(
        lambda t: t.nn.functional.grad is t.nn.grad and callable(t.nn.functional.grad.conv2d_input)
    )


@pytest.mark.parametrize(
    "text", ["1.2", "1.2.0", "v1.10rc1", "1.10", "2!1.0.post1+cpu", "x", "1.3dev2"]
)
def test_versions_compare_as_in_torch(text):
    def ask(t):
        version = importlib.import_module(f"{t.__name__}._vendor.packaging.version")
        others = [version.parse(v) for v in ("1.2", "1.10", "1.10.1", "2", "1.3")]
        try:
            found = version.Version(text)
        except version.InvalidVersion as error:
            return str(error)
        return (
            [(found < v, found == v, found >= v) for v in others],
            (found.release, found.major, found.minor, found.micro),
            found == text,
        )

    agree(ask)


def test_options_that_are_deleted_come_back_when_they_are_set():
    def run(t):
        config = importlib.import_module(f"{t.__name__}._dynamo.config")
        with unittest.mock.patch.object(config, "suppress_errors", True):
            inside = config.suppress_errors
        del config.suppress_errors
        gone = hasattr(config, "suppress_errors")
        config.suppress_errors = False
        return inside, gone, config.suppress_errors

    agree(run)


def test_jacobians_by_differences_as_tests_of_modules_ask_for_them():
    def run(t):
        check = importlib.import_module(f"{t.__name__}.autograd.gradcheck")
        x = t.tensor([1.0, 2.0], dtype=t.float64, requires_grad=True)
        y = t.tensor([3.0, 4.0], dtype=t.float64, requires_grad=True)
        return [
            [[j.round(decimals=4).tolist() for j in js] for js in found]
            for found in (
                check._get_numerical_jacobian(lambda a, b: a * b, (x, y)),
                check._get_numerical_jacobian(lambda a, b: (a * b, a.sum()), (x, y), target=y),
            )
        ] + [[t.tolist() for t in check._iter_tensors([x, [y, 3], (x.detach(),)], True)]]

    agree(run)


@pytest.mark.parametrize("name", ["fuse_modules", "quantize", "quantize_jit"])
@pytest.mark.parametrize("package", ["quantization", "ao.quantization"])
def test_a_function_keeps_its_name_when_its_module_is_imported(package, name):
    """``import torch.quantization.quantize`` does not put the module in its place."""

    def told(t):
        module = part(t, f"{package}.{name}")
        found = getattr(part(t, package), name)
        return type(found).__name__, getattr(module, name, found) is found

    agree(told)


def test_what_is_said_once_and_limits_that_are_lifted():
    def run(t):
        utils = part(t, "_dynamo.utils")
        config = part(t, "_dynamo.config")
        for _ in range(2):
            utils.warn_once("said by a test of names")
        before = config.recompile_limit, config.accumulated_recompile_limit
        with utils.disable_cache_limit():
            inside = config.recompile_limit, config.accumulated_recompile_limit
        after = config.recompile_limit, config.accumulated_recompile_limit
        return before, inside, after, part(t, "_utils").is_compiling()

    agree(run)


def test_parameters_that_are_kept_for_kernels():
    def run(t):
        meta = part(t, "sparse._triton_ops_meta")
        half = (0, t.float16, 0.5)
        found = [meta.get_meta("scatter_mm", (1, 2), device_name="a device of tests")]
        for op, key, value in [
            ("scatter_mm", (16, 16, 16), (1, 1, 16, 16, 1, 2)),
            ("scatter_mm", (32, 16, 32), (2, 1, 16, 16, 1, 4)),
            ("bsr_dense_addmm", (16, True), (1, 2, 3, 4)),
            ("_int_bsr_dense_addmm", (16, True), (1, 2, 3, 4)),
        ]:
            meta.update(op, "a device of tests", half, key, value)
            for asked in (key, ("*", *key[1:]), ("*",) * len(key), (99, *key[1:])):
                found.append(meta.get_meta(op, asked, device_name="a device of tests"))
            found.append(meta.get_meta(op, key, device_name="a device of tests", version=(1,)))
            found.append(meta.get_meta(op, key, device_name="another", exact=True))
        return found

    agree(run)


@pytest.mark.parametrize("max_step", [1, 2, 3])
@pytest.mark.parametrize("begin", [(1, 1), (5, 3), (8, 0)])
def test_a_search_for_parameters(begin, max_step):
    def run(t):
        asked = []

        def target(p):
            asked.append((p["x"], p["y"]))
            return (p["x"] - 5) ** 2 + (p["y"] - 3) ** 2 + 1.0

        def step(name, value, direction, parameters):
            return min(max(value + direction, 0), 8)

        first, other = dict(zip("xy", begin, strict=True)), {"x": 0, "y": 0}
        meta = part(t, "sparse._triton_ops_meta")
        found = meta.minimize(target, first, other, step, max_step=max_step)
        return found, asked[:10]

    agree(run)


def test_kinds_of_scales_are_numbers_for_those_who_ask():
    def run(t):
        functional = part(t, "nn.functional")
        kinds = functional.ScalingType, functional.SwizzleType
        return [
            [
                [int(kind(i)), [0, 1, 2, 3, 4, 5][kind(i)], str(kind(i)), repr(kind(i))]
                for i in range(len(kind.__members__))
            ]
            + [
                kind(0) == 0,
                kind(0) == kind(0),
                hash(kind(1)),
                kind.__name__,
                list(kind.__members__),
            ]
            for kind in kinds
        ]

    agree(run)


def test_what_programs_read_of_semi_structured_tensors():
    def run(t):
        kind = part(t, "sparse").SparseSemiStructuredTensor
        return kind._DEFAULT_ALG_ID, kind._FORCE_CUTLASS, kind._FUSE_TRANSPOSE

    agree(run)


def test_tensors_of_the_host_are_never_semi_structured():
    kinds = ["SparseSemiStructuredTensor"]
    kinds += [f"SparseSemiStructuredTensor{library}" for library in ("CUTLASS", "CUSPARSELT")]

    def run(t):
        sparse, found = part(t, "sparse.semi_structured"), []
        calls = [
            lambda: sparse.to_sparse_semi_structured(t.zeros(32, 32)),
            lambda: sparse.to_sparse_semi_structured(t.zeros(3, device="meta"), True),
            lambda: sparse.to_sparse_semi_structured([1.0], alg_id=1),
            *(lambda kind=kind: getattr(sparse, kind).from_dense(t.zeros(2)) for kind in kinds),
            *(lambda kind=kind: getattr(sparse, kind)(t.Size([2]), *[None] * 5) for kind in kinds),
        ]
        for call in calls:
            try:
                call()
            except Exception as error:
                found.append((type(error).__name__, str(error)))
        sparse.SparseSemiStructuredTensor._PROTOTYPE_WARNING_SHOWN = False
        return found, [issubclass(getattr(sparse, kind), t.Tensor) for kind in kinds]

    agree(run)


@pytest.mark.parametrize("name", ["has_cuda", "has_cudnn", "has_mps", "set_vital"])
def test_names_that_nobody_is_to_ask_for_any_more_warn(name):
    def run(t):
        found = getattr(t, name)
        return found("a", "b", "c") if callable(found) else found, name in dir(t), name in vars(t)

    agree(run)
