"""Names that torch does not document and that widely used libraries ask for all the same."""

import importlib

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
