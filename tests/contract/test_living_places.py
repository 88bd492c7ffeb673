"""Where public classes and functions say they live, and whether pickle finds them there."""

from __future__ import annotations

import importlib
import pickle
from types import ModuleType

import mindtorch
import torch

from .programs import suite

#: Modules of which every public name is compared.
MODULES = (
    "autograd", "autograd.anomaly_mode", "autograd.forward_ad", "autograd.function",
    "autograd.functional", "autograd.grad_mode", "autograd.gradcheck", "autograd.graph",
    "autograd.variable", "func", "random", "utils.checkpoint", "utils.hooks",
)  # fmt: skip
#: Others that pickle finds in torch, each in its own way.
MORE = (
    "AcceleratorError", "Event", "Generator", "OutOfMemoryError", "Size", "Stream", "Tag",
    "_assert",
    "_C._autograd.SavedTensor", "_C._set_grad_enabled", "_ops.OpOverload", "_ops.OpOverloadPacket",
    "device", "dtype", "layout", "library.CustomOpDef", "memory_format", "nn.Parameter",
    "set_grad_enabled", "strided", "float32", "contiguous_format",
)  # fmt: skip


def found(root: str, module: str) -> ModuleType:
    return importlib.import_module(f"{root}.{module}")


def reach(root: object, path: str) -> object:
    for part in path.split("."):
        root = getattr(root, part)
    return root


def pickled(value: object) -> str:
    try:
        return "the same" if pickle.loads(pickle.dumps(value)) is value else "another"
    except Exception as error:
        return type(error).__name__


def test_they_live_where_torch_has_them_and_pickle_finds_them():
    """A class of ours may say torch's name where texts show it; pickle finds it all the same."""
    lines, count = [], 0
    for module in MODULES:
        want, got = found("torch", module), found("mindtorch", module)
        for name in [n for n in dir(want) if n[0] != "_" and hasattr(got, n)]:
            theirs, mine = getattr(want, name), getattr(got, name)
            home = getattr(theirs, "__module__", None)
            if not callable(theirs) or not str(home).startswith("torch.") or theirs is torch.Tensor:
                continue
            count += 1
            here = mine.__module__.replace("mindtorch", "torch")
            if home.startswith(("torch.autograd", "torch.utils.checkpoint", "torch.func")):
                if (here, mine.__qualname__) != (home, theirs.__qualname__):
                    lines.append(f"{module}.{name}: {here}.{mine.__qualname__}, torch {home}")
            if pickled(mine) != pickled(theirs):
                lines.append(f"{module}.{name}: {pickled(mine)}, torch {pickled(theirs)}")
    assert not lines, "\n".join(lines)
    assert count > 60


def test_other_names_are_found_by_pickle():
    for path in MORE:
        want, got = pickled(reach(torch, path)), pickled(reach(mindtorch, path))
        assert (path, got) == (path, want)


def test_members_are_found_by_pickle():
    for core in (torch.Tag.core, mindtorch.Tag.core):
        assert pickle.loads(pickle.dumps(core)) == core
    assert pickled(mindtorch.ops.aten.add.Tensor) == "the same"  # torch refuses


program, test_same_program_same_notes = suite()


@program
def guards_of_the_core(torch, ns, note):
    """``torch._C``'s guards and questions of differentiation."""
    core = torch._C
    x = torch.ones(2, requires_grad=True)
    for mode in (True, False):
        with core._InferenceMode(mode):
            note((core.is_inference_mode_enabled(), torch.is_inference_mode_enabled()))
    with torch.autocast("cpu"):
        with core._DisableAutocast():
            note((core.is_autocast_enabled("cpu"), torch.mm(x.view(1, 2), x.view(2, 1)).dtype))
        note(torch.mm(x.view(1, 2), x.view(2, 1)).dtype)
    note([core._any_requires_grad(*args) for args in ((x.data, 3, [x]), (x.data, 3), ())])
    note((core._is_fwd_grad_enabled(), core._set_fwd_grad_enabled(True)))
    note(lambda: core._set_fwd_grad_enabled(3))
    note(lambda: core._enter_dual_level())
    note(lambda: core._enter_dual_level())
    note(lambda: core._exit_dual_level(level=0))
    note(lambda: core._exit_dual_level(level=0))
    note((core.is_anomaly_enabled(), core.is_anomaly_check_nan_enabled(), core.get_default_dtype()))
    y = x.clone()
    core._increment_version([y, y])
    note(y._version)
    note(lambda: torch.autograd.variable(1))
    note(torch.autograd.variable.Variable is torch.autograd.Variable)


@program
def how_views_were_made(torch, ns, note):
    """``CreationMeta``, asked and set."""
    core = torch._C._autograd
    metas = [core.CreationMeta(n) for n in range(5)]
    note([(str(m), repr(m), int(m)) for m in metas])
    x = torch.ones(2, requires_grad=True)
    y = x.clone()
    views = [y.view(2), y.split(1)[0], y.unbind()[0], torch.ones(2).view(2)]
    with torch.no_grad():
        views.append(y.view(2))
    with torch.inference_mode():
        views.append(y.view(2))
    note([str(core._get_creation_meta(v)) for v in views])
    note(lambda: core._get_creation_meta(x))
    note(lambda: core._set_creation_meta(y, metas[0]))
    for meta in metas:
        for make in (lambda: y.view(2), lambda: y.split(1)[0]):
            view = make()
            core._set_creation_meta(view, meta)
            note(str(core._get_creation_meta(view)))
            note(lambda: view.mul_(2))


@program
def functions_of_old(torch, ns, note):
    old = importlib.import_module(f"{torch.__name__}.autograd._functions")
    x = torch.arange(6.0, requires_grad=True)
    made = old.Resize.apply(x.view(2, 3).t(), (2, 3))
    note((made, made.stride()))
    (made * torch.arange(6.0).view(2, 3)).sum().backward()
    note(x.grad)
    note(lambda: old.Resize.apply(x, (4,)))
    note(lambda: old.Type.apply(x, torch.double))
