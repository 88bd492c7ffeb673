"""Random programs of views, in-place ops, grad modes, hooks and backward, for both frameworks.

A program is drawn from a seed without looking at any result, so both frameworks run the same one;
a step that raises changes nothing and is noted. What is noted after a step: the error, and of every
tensor so far its numbers, strides, version, whether it is a view, a leaf, requires grad, the name
of its node, its gradient.
"""

from __future__ import annotations

import random
import warnings
from typing import Any

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
_WILD_VIEWS = (*_VIEWS, "detach", "data", "column")
_WILD_STATE = (*_STATE, "detach_", "t_", "unsqueeze_", "set_data")


def program(seed: int, length: int = 14, wild: bool = False) -> list[Step]:
    """The steps of program *seed*: (what, where, mode, a number)."""
    draw = random.Random(seed)
    pools = {
        "change": _WILD_CHANGES if wild else _CHANGES,
        "view": _WILD_VIEWS if wild else _VIEWS,
        "result": _RESULTS,
        "state": _WILD_STATE if wild else _STATE,
    }
    steps: list[Step] = [("leaf", 0, "", draw.random() < 0.6)]
    for _ in range(length):
        kind = draw.choices(
            ("leaf", "change", "view", "result", "state", "backward", "grad"),
            (1, 4, 5, 3, 2, 1, 1),
        )[0]
        mode = draw.choices(("", "no_grad", "inference"), (10, 2, 1 if wild else 0))[0]
        what: Any = kind
        pool = pools.get(kind)
        if pool is not None:
            what = draw.choice(pool)
        if kind in ("backward", "grad", "state"):
            mode = ""
        steps.append((what, draw.randrange(1000), mode, draw.randrange(1000)))
    steps.append(("backward", draw.randrange(1000), "", 1))
    steps.append(("grad", draw.randrange(1000), "", 0))
    return steps


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
        for what, where, mode, number in steps:
            self.log.clear()
            error = ""
            with warnings.catch_warnings(record=True) as heard:
                warnings.simplefilter("always")
                try:
                    with modes[mode]():
                        self.step(what, where, number)
                except Exception as e:
                    text = str(e).replace("mindtorch", "torch").splitlines()[0]
                    error = f"{type(e).__name__}: {text}"
            said = [str(w.message).splitlines()[0][:60] for w in heard]
            notes.append(f"{what} {mode}: {error} {self.log} {said}\n{self.state()}")
        return notes

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
            lambda: t.detach().tolist(),
            lambda: tuple(t.stride()),
            lambda: t.requires_grad,
            lambda: t.is_leaf,
            lambda: t._version,
            lambda: t._is_view(),
            lambda: t.is_inference(),
            lambda: None if t.grad is None else (t.grad.tolist(), tuple(t.grad.stride())),
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
        # the latest tensors are the likeliest
        t = self.tensors[-1 - where % min(len(self.tensors), 5)]
        other = self.tensors[number % len(self.tensors)]
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
        assert what == "real_slice", what
        return t[:, 1:]

    def do_add_in(self, t: Any, other: Any, number: int) -> None:
        t.add_(other if number % 3 == 0 else 1.0)

    def do_mul_in(self, t: Any, other: Any, number: int) -> None:
        t.mul_(2.0)

    def do_mul_by(self, t: Any, other: Any, number: int) -> None:
        t.mul_(other)

    def do_zero_in(self, t: Any, other: Any, number: int) -> None:
        t.zero_()

    def do_neg_in(self, t: Any, other: Any, number: int) -> None:
        t.neg_()

    def do_fill_in(self, t: Any, other: Any, number: int) -> None:
        t.fill_(float(number % 4))

    def do_copy_in(self, t: Any, other: Any, number: int) -> None:
        t.copy_(self.torch.ones(()))

    def do_copy_from(self, t: Any, other: Any, number: int) -> None:
        t.copy_(other)

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
        self.handles.append(t.register_hook(lambda g: self.log.append(f"{name} {g.tolist()}")))

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
        self.log.append(repr([None if g is None else (g.tolist(), g.requires_grad) for g in found]))
