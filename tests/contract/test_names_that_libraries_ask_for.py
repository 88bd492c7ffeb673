"""Names that torch does not document and that widely used libraries ask for all the same."""

import importlib
import unittest.mock
import warnings

import pytest

from tests.contract.both_frameworks import agree

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
    "_prims_common.is_contiguous_or_false",
    "_C._functorch.is_legacy_batchedtensor",
    "_C.ScriptDict",
    "_C.ScriptFunction",
    "_C.ScriptList",
    "_C.ScriptMethod",
    "_C._get_cpu_capability",
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
    "_vendor.packaging.version.parse",
    "ao.nn.quantized.MaxPool2d",
    "autograd.gradcheck._iter_tensors",
    "testing._utils.wrapper_set_seed",
]


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
