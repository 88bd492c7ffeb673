"""Random programs of views, in-place ops, grad modes, hooks and backward, for both frameworks.

A program is drawn from a seed without looking at any result, so both frameworks run the same one;
a step that raises changes nothing and is noted. What is noted after a step: the error, and of every
tensor so far its numbers, strides, version, whether it is a view, a leaf, requires grad, the name
of its node, its gradient.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from typing import Any

from tests.contract.hearing import hearing
from tests.contract.view_functions import functions

Step = tuple[Any, ...]

_CHANGES = ("add_", "mul_", "zero_", "fill_", "copy_", "setitem", "neg_")
_VIEWS = (
    "view", "t", "row", "narrow", "split", "unbind", "chunk", "expand", "diagonal", "view_as",
    "unsqueeze", "as_strided", "squeeze", "real_slice",
)  # fmt: skip
_RESULTS = ("mul", "add", "neg", "square", "clone", "cat", "detached_copy")
_STATE = (
    "requires_grad_", "no_requires_grad", "retain_grad", "hook", "remove", "post", "drop_grad",
    "set_grad", "touch_grad",
)  # fmt: skip
#: What else a program may do: memory shared behind autograd's back, changes of a tensor's own
#: layout, inference mode, and changes of which torch and mindtorch refuse another thing first.
_WILD_CHANGES = (*_CHANGES, "mul_by", "copy_from", "out")
#: Rarer ways to see, change and keep the same memory; parts of complex numbers; saved tensors.
_RARE_CHANGES = (
    *_CHANGES, "mul_by", "copy_from", "index_put_", "masked_fill_", "index_add_", "clamp_",
    "setitem_list", "setitem_mask", "preserved", "sigmoid_", "addcmul_", "t_", "squeeze_",
    "unsqueeze_", "transpose_", "function_in_place", "exp_", "lerp_", "conj_physical_",
)  # fmt: skip
_CHANGING = frozenset((*_RARE_CHANGES, *_WILD_CHANGES))
_RARE_VIEWS = (
    *_VIEWS, "detach", "data", "column", "real", "imag", "view_as_real", "conj", "adjoint",
    "neg_view", "split_sizes", "tensor_split",
    "movedim", "alias", "function_view", "function_input", "function_views", "resolve",
    "reshape", "flatten", "permute", "swap", "select", "as_strided_wide", "hsplit", "view_dtype",
)  # fmt: skip
_RARE_RESULTS = (*_RESULTS, "exp", "sigmoid", "abs", "complex", "prod", "index", "where", "saved")
_RARE_STATE = (
    *_STATE, "detach_", "set_data", "set_", "set_other", "swap_grad", "set_leaf", "grad_of_view",
    "requires_grad_true", "output_nr", "saved_of",
)  # fmt: skip
_WILD_VIEWS = (*_VIEWS, "detach", "data", "column")
_WILD_STATE = (*_STATE, "detach_", "t_", "unsqueeze_", "set_data")


def program(seed: int, length: int = 14, wild: bool = False, rare: bool = False) -> list[Step]:
    """The steps of program *seed*: (what, where, mode, a number)."""
    draw = random.Random(seed)
    pools: dict[str, tuple[str, ...]] = (
        {
            "change": _RARE_CHANGES,
            "view": _RARE_VIEWS,
            "result": _RARE_RESULTS,
            "state": _RARE_STATE,
        }
        if rare
        else {
            "change": _WILD_CHANGES if wild else _CHANGES,
            "view": _WILD_VIEWS if wild else _VIEWS,
            "result": _RESULTS,
            "state": _WILD_STATE if wild else _STATE,
        }
    )
    steps: list[Step] = [("leaf", 0, "", draw.random() < 0.6)]
    if rare and draw.random() < 0.5:
        steps = [("complex_leaf", 0, "", draw.randrange(10))]
    for _ in range(length):
        kind = draw.choices(
            ("leaf", "change", "view", "result", "state", "backward", "grad"),
            (1, 4, 5, 3, 2, 1, 1),
        )[0]
        mode = draw.choices(("", "no_grad", "inference"), (10, 2, 1 if wild or rare else 0))[0]
        what: Any = kind
        pool = pools.get(kind)
        if pool is not None:
            what = draw.choice(pool)
        if kind in ("backward", "grad", "state"):
            mode = ""
        if mode == "inference" and what == "view_dtype":
            mode = ""  # torch makes a tensor without keys of autograd, which shows in versions only
        if rare and mode == "inference" and kind in ("leaf", "result"):
            mode = ""  # what inference tensors do outside of the mode is tested elsewhere
        steps.append((what, draw.randrange(1000), mode, draw.randrange(1000)))
    steps.append(("backward", draw.randrange(1000), "", 1))
    steps.append(("grad", draw.randrange(1000), "", 0))
    return steps


#: Results of the rarer kinds, by name.
RARE: dict[str, Callable[[Any, Any, Any, int], Any]] = {
    "column": lambda torch, t, o, n: t[..., 1],
    "real": lambda torch, t, o, n: t.real,
    "imag": lambda torch, t, o, n: t.imag,
    "view_as_real": lambda torch, t, o, n: torch.view_as_real(t),
    "conj": lambda torch, t, o, n: t.conj(),
    "adjoint": lambda torch, t, o, n: t.mH,
    "neg_view": lambda torch, t, o, n: torch._neg_view(t),
    "resolve": lambda torch, t, o, n: t.resolve_conj(),
    "split_sizes": lambda torch, t, o, n: t.split([1, len(t) - 1]),
    "tensor_split": lambda torch, t, o, n: t.tensor_split(2),
    "hsplit": lambda torch, t, o, n: t.hsplit([1]),
    "movedim": lambda torch, t, o, n: t.movedim(0, -1),
    "permute": lambda torch, t, o, n: t.permute(tuple(reversed(range(t.dim())))),
    "swap": lambda torch, t, o, n: t.swapaxes(0, -1),
    "select": lambda torch, t, o, n: t.select(-1, 0),
    "reshape": lambda torch, t, o, n: t.reshape(-1),
    "flatten": lambda torch, t, o, n: t.flatten(),
    "alias": lambda torch, t, o, n: torch.ops.aten.alias(t),
    "as_strided_wide": lambda torch, t, o, n: t.as_strided((2, 2), (2, 1), 0),
    "view_dtype": lambda torch, t, o, n: t.view(torch.float32),
    "function_view": lambda torch, t, o, n: functions(torch)["view"].apply(t),
    "function_input": lambda torch, t, o, n: functions(torch)["same"].apply(t),
    "function_views": lambda torch, t, o, n: functions(torch)["views"].apply(t),
    "exp": lambda torch, t, o, n: (t * 0.01).exp(),
    "sigmoid": lambda torch, t, o, n: t.sigmoid(),
    "abs": lambda torch, t, o, n: t.abs(),
    "complex": lambda torch, t, o, n: t * 1j,
    "prod": lambda torch, t, o, n: t.prod(),
    "index": lambda torch, t, o, n: t[[0]],
    "where": lambda torch, t, o, n: torch.where(t.detach().abs() > 2, t, o),
    "saved": lambda torch, t, o, n: t * o,
}


def numbers(t: Any) -> Any:
    """The elements of a tensor, to four digits."""
    return None if t is None else rounded(t.tolist())


def rounded(x: Any) -> Any:
    """Nested lists of numbers to four digits, without the sign of zero."""
    if isinstance(x, list):
        return [rounded(v) for v in x]
    if isinstance(x, complex):
        return complex(rounded(x.real), rounded(x.imag))
    return float(f"{x:.4g}") + 0.0 if isinstance(x, float) else x


def dense(t: Any) -> bool:
    """Whether the elements of *t* fill a stretch of memory, so that overlaps are seen."""
    return t.is_contiguous() or (t.dim() > 1 and t.transpose(0, -1).is_contiguous())


def apart(t: Any, value: Any) -> Any:
    """*value*, or a copy where it may overlap *t* unseen: then what comes of it is up to a loop."""
    if t.untyped_storage().data_ptr() != value.untyped_storage().data_ptr():
        return value
    return value if dense(t) and dense(value) else value.clone()


class Runner:
    """Runs one program in one framework."""

    def __init__(self, torch: Any) -> None:
        self.torch = torch
        self.tensors: list[Any] = []
        self.handles: list[Any] = []
        self.log: list[str] = []
        self.leaves = 0

    def run(self, steps: list[Step]) -> list[str]:
        """What was noted after each step."""
        notes = []
        modes = {
            "": lambda: self.torch.enable_grad(),
            "enable": lambda: self.torch.enable_grad(),
            "no_grad": self.torch.no_grad,
            "inference": self.torch.inference_mode,
        }
        always = self.torch.is_warn_always_enabled()
        self.torch.set_warn_always(True)  # else the first program of a process would hear more
        try:
            for step in steps:
                notes.append(self.noted(step, modes))
        finally:
            self.torch.set_warn_always(always)
        return notes

    def noted(self, step: Step, modes: dict[str, Any]) -> str:
        """What was noted after one step."""
        what, where, mode, number = step
        self.log.clear()
        error = ""
        with hearing() as heard:
            try:
                with modes[mode]():
                    self.step(what, where, number)
            except Exception as e:
                text = str(e).replace("mindtorch", "torch").splitlines()[0]
                error = f"{type(e).__name__}: {text}"
        said = [str(w.message).partition(" (Triggered")[0][:60].splitlines()[0] for w in heard]
        return f"{what} {mode}: {error} {self.log} {said}\n{self.state()}"

    def state(self) -> str:
        """Everything there is to know of the tensors."""
        lines = []
        for i, t in enumerate(self.tensors):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                lines.append(f"  {i}: {self.facts(t)}")
        return "\n".join(lines)

    def facts(self, t: Any) -> str:
        """One tensor."""
        out: list[Any] = []
        for ask in (
            lambda: numbers(t.detach()),
            lambda: tuple(t.stride()),
            lambda: t.requires_grad,
            lambda: t.is_leaf,
            lambda: t._version,
            lambda: t._is_view(),
            lambda: t.is_inference(),
            lambda: None if t.grad is None else (numbers(t.grad), tuple(t.grad.stride())),
            lambda: t.retains_grad,
            lambda: t.output_nr,
            lambda: t.grad_fn and t.grad_fn.name(),
            lambda: t.grad_fn and [n and n.name() for n, _ in t.grad_fn.next_functions],
        ):
            try:
                out.append(ask())
            except Exception as e:
                out.append(f"{type(e).__name__}: {str(e).splitlines()[0]}")
        return repr(out)

    def step(self, what: str, where: int, number: int) -> None:
        """Do one step."""
        torch = self.torch
        if what == "leaf" or not self.tensors:
            self.leaves += 1
            x = torch.arange(1.0, 7.0).reshape(2, 3) + self.leaves
            if number % 5:
                x.requires_grad_()
            self.tensors.append(x)
            return
        if what == "complex_leaf":
            self.leaves += 1
            x = torch.complex(torch.arange(1.0, 7.0), torch.arange(6.0)).reshape(2, 3)
            self.tensors.append(x.requires_grad_() if number % 3 else x)
            return
        # the latest tensors are the likeliest
        t = self.tensors[-1 - where % min(len(self.tensors), 5)]
        other = self.tensors[number % len(self.tensors)]
        if t.is_inference() and not torch.is_inference_mode_enabled() and what in _CHANGING:
            return  # torch changes it, and refuses afterwards
        made = getattr(self, "do_" + what.strip("_") + ("_in" if what.endswith("_") else ""), None)
        if made is not None:
            made(t, other, number)
            return
        result = self.result(what, t, other, number)
        many = isinstance(result, (tuple, list))
        self.tensors += list(result) if many else [result]

    def result(self, what: str, t: Any, other: Any, number: int) -> Any:
        """The new tensors of a step that makes some."""
        torch = self.torch
        if what in ("neg", "square", "clone", "detach"):
            return getattr(t, what)()
        if what in ("mul", "add"):
            return getattr(torch, what)(t, other if number % 2 else 2.0)
        if what == "cat":
            return torch.cat([t, t])
        if what == "data":
            return t.data
        if what == "detached_copy":
            return t.detach().clone()
        if what == "view":
            return t.view(-1)
        if what == "t":
            return t.t()
        if what == "row":
            return t[0]
        if what == "column":
            return t[..., 1]
        if what == "narrow":
            return t.narrow(0, 0, 1)
        if what == "split":
            return t.split(1)
        if what == "unbind":
            return t.unbind()
        if what == "chunk":
            return t.chunk(2)
        if what == "expand":
            return t.expand(2, *t.shape)
        if what == "diagonal":
            return t.diagonal()
        if what == "view_as":
            return t.view_as(t)
        if what == "unsqueeze":
            return t.unsqueeze(0)
        if what == "squeeze":
            return t.squeeze(0)
        if what == "as_strided":
            return t.as_strided((2,), (1,))
        if what == "real_slice":
            return t[:, 1:]
        return RARE[what](torch, t, other, number)

    def do_index_put_in(self, t: Any, other: Any, number: int) -> None:
        t.index_put_((self.torch.tensor([0, 0]),), apart(t, other[0]), accumulate=bool(number % 2))

    def do_masked_fill_in(self, t: Any, other: Any, number: int) -> None:
        t.masked_fill_(t.detach().abs() > 3, float(number % 4))

    def do_index_add_in(self, t: Any, other: Any, number: int) -> None:
        t.index_add_(0, self.torch.tensor([0]), other[:1])

    def do_clamp_in(self, t: Any, other: Any, number: int) -> None:
        t.clamp_(min=1.5)

    def do_setitem_list(self, t: Any, other: Any, number: int) -> None:
        t[[0]] = other[0]

    def do_setitem_mask(self, t: Any, other: Any, number: int) -> None:
        t[t.detach().abs() > 2] = 1.0

    def do_preserved(self, t: Any, other: Any, number: int) -> None:
        with self.torch.autograd._unsafe_preserve_version_counter(t):
            t.mul_(3.0)

    def do_sigmoid_in(self, t: Any, other: Any, number: int) -> None:
        t.sigmoid_()

    def do_exp_in(self, t: Any, other: Any, number: int) -> None:
        t.mul_(0.01).exp_()

    def do_lerp_in(self, t: Any, other: Any, number: int) -> None:
        t.lerp_(apart(t, other), 0.5)

    def do_conj_physical_in(self, t: Any, other: Any, number: int) -> None:
        t.conj_physical_()

    def do_addcmul_in(self, t: Any, other: Any, number: int) -> None:
        other = apart(t, other)
        t.addcmul_(other, other)

    def do_squeeze_in(self, t: Any, other: Any, number: int) -> None:
        t.squeeze_()

    def do_transpose_in(self, t: Any, other: Any, number: int) -> None:
        t.transpose_(0, -1)

    def do_function_in_place(self, t: Any, other: Any, number: int) -> None:
        functions(self.torch)["double_"].apply(t)

    def do_set_in(self, t: Any, other: Any, number: int) -> None:
        t.set_(self.torch.ones(3, dtype=t.dtype))

    def do_set_other(self, t: Any, other: Any, number: int) -> None:
        t.data = other.detach()

    def do_swap_grad(self, t: Any, other: Any, number: int) -> None:
        t.grad, other.grad = other.grad, t.grad

    def do_set_leaf(self, t: Any, other: Any, number: int) -> None:
        t.requires_grad = False
        t.requires_grad = True

    def do_requires_grad_true(self, t: Any, other: Any, number: int) -> None:
        t.requires_grad = True

    def do_grad_of_view(self, t: Any, other: Any, number: int) -> None:
        t.grad = other.detach()[: number % 2 + 1]

    def do_output_nr(self, t: Any, other: Any, number: int) -> None:
        self.log.append(repr((t.output_nr, t._base is other, t.requires_grad, t.is_leaf)))

    def do_saved_of(self, t: Any, other: Any, number: int) -> None:
        node = t.grad_fn
        for name in ("_saved_other", "_saved_self", "_saved_result"):
            value = getattr(node, name, None)
            if hasattr(value, "tolist"):
                self.log.append(repr((name, numbers(value.detach()), value._version)))

    def do_add_in(self, t: Any, other: Any, number: int) -> None:
        t.add_(apart(t, other) if number % 3 == 0 else 1.0)

    def do_mul_in(self, t: Any, other: Any, number: int) -> None:
        t.mul_(2.0)

    def do_mul_by(self, t: Any, other: Any, number: int) -> None:
        t.mul_(apart(t, other))

    def do_zero_in(self, t: Any, other: Any, number: int) -> None:
        t.zero_()

    def do_neg_in(self, t: Any, other: Any, number: int) -> None:
        t.neg_()

    def do_fill_in(self, t: Any, other: Any, number: int) -> None:
        t.fill_(float(number % 4))

    def do_copy_in(self, t: Any, other: Any, number: int) -> None:
        t.copy_(self.torch.ones(()))

    def do_copy_from(self, t: Any, other: Any, number: int) -> None:
        t.copy_(apart(t, other))

    def do_setitem(self, t: Any, other: Any, number: int) -> None:
        t[0] = 5.0 if number % 2 else other[0]

    def do_out(self, t: Any, other: Any, number: int) -> None:
        self.torch.mul(other.detach(), 2.0, out=t)

    def do_requires_grad_in(self, t: Any, other: Any, number: int) -> None:
        t.requires_grad_()

    def do_no_requires_grad(self, t: Any, other: Any, number: int) -> None:
        t.requires_grad_(False)

    def do_detach_in(self, t: Any, other: Any, number: int) -> None:
        t.detach_()

    def do_retain_grad(self, t: Any, other: Any, number: int) -> None:
        t.retain_grad()

    def do_t_in(self, t: Any, other: Any, number: int) -> None:
        t.t_()

    def do_unsqueeze_in(self, t: Any, other: Any, number: int) -> None:
        t.unsqueeze_(0)

    def do_hook(self, t: Any, other: Any, number: int) -> None:
        name = len(self.handles)
        self.handles.append(t.register_hook(lambda g: self.log.append(f"{name} {numbers(g)}")))

    def do_post(self, t: Any, other: Any, number: int) -> None:
        name = len(self.handles)
        self.handles.append(
            t.register_post_accumulate_grad_hook(lambda t: self.log.append(f"post {name}"))
        )

    def do_remove(self, t: Any, other: Any, number: int) -> None:
        if self.handles:
            self.handles[number % len(self.handles)].remove()

    def do_drop_grad(self, t: Any, other: Any, number: int) -> None:
        t.grad = None

    def do_set_grad(self, t: Any, other: Any, number: int) -> None:
        t.grad = self.torch.ones(2, 3)

    def do_touch_grad(self, t: Any, other: Any, number: int) -> None:
        self.log.append(repr(t.grad is None))

    def do_set_data(self, t: Any, other: Any, number: int) -> None:
        t.data = self.torch.ones(t.shape)

    def do_backward(self, t: Any, other: Any, number: int) -> None:
        t.sum().backward(retain_graph=bool(number % 2))

    def do_grad(self, t: Any, other: Any, number: int) -> None:
        wanted = [x for x in self.tensors[-6:] if x.requires_grad]
        found = self.torch.autograd.grad(
            t.sum(), wanted, allow_unused=True, retain_graph=True, create_graph=number % 4 == 0
        )
        self.log.append(repr([None if g is None else (numbers(g), g.requires_grad) for g in found]))
