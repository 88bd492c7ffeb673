"""Names that torch does not document and that widely used libraries ask for all the same."""

import importlib
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
