"""What may be done with views depends on how they were made; and which memory may be written."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import mindtorch
import numpy as np
import pytest
import torch

from .hearing import hearing
from .helpers import assert_same_value, both
from .view_programs import functions


def told(run: Callable[[], Any]) -> str:
    """What came of it: numbers or the first line of the error, and the first warning."""
    with hearing() as heard:
        try:
            text = str(run())
        except Exception as error:
            text = f"{type(error).__name__}: {str(error).splitlines()[0]}"
    said = [str(w.message).partition(" (Triggered")[0] for w in heard[:1]]
    return f"{text} {said}".replace("mindtorch", "torch")


def views_of_views(t: Any) -> Iterator[tuple[Any, str]]:
    """A view of a view, each made in one of three modes in one of three ways, changed in place."""
    modes = {"": contextlib.nullcontext, "no_grad": t.no_grad, "inference": t.inference_mode}
    ways = {
        "slice": lambda x: x[:],
        "split": lambda x: x.split(1)[0],
        "unbind": lambda x: x.unsqueeze(0).unbind()[0],
        "function": functions(t)["view"].apply,
    }
    for wants, first, a, second, b, change in itertools.product(
        (True, False), modes, ways, modes, ways, ("view", "base")
    ):

        def run() -> Any:
            base = t.ones(2, 3, requires_grad=wants) * 1
            with modes[first]():
                view = ways[a](base)
            with modes[second]():
                view = ways[b](view)
            (view if change == "view" else base).mul_(t.ones((), requires_grad=True))
            seen = view.requires_grad, view.is_leaf, view._version, view._is_view()
            return *seen, view.grad_fn and view.grad_fn.name(), base.grad_fn.name()

        yield (wants, first, a, second, b, change), told(run)


def test_views_remember_how_they_were_made():
    """Modes, several results and Functions: what is refused, in which words; what comes of it."""
    for (case, want), (_, got) in zip(
        views_of_views(torch), views_of_views(mindtorch), strict=True
    ):
        assert got == want, case


def tree(node: Any) -> Any:
    """The names of a graph's nodes."""
    return node and (node.name(), [tree(n) for n, _ in node.next_functions])


PARTS: dict[str, Callable[[Any, Any], Any]] = {
    "real": lambda t, x: x.real,
    "imag": lambda t, x: x.imag,
    "as_real": lambda t, x: t.view_as_real(x),
    "conj": lambda t, x: x.conj(),
    "part of conj": lambda t, x: x.conj()[0],
    "conj of part": lambda t, x: x[0].conj(),
    "imag of conj": lambda t, x: x.conj().imag,
    "complex again": lambda t, x: t.view_as_complex(t.view_as_real(x)),
    "adjoint": lambda t, x: x.mH,
    "neg_view": lambda t, x: t._neg_view(x)[:, 1:],
}


@pytest.mark.parametrize("part", PARTS)
def test_parts_of_complex_numbers_are_changed_in_place(part):
    """Graphs, values, first and second gradients, through the part and through the whole."""
    answers = []
    for t in (torch, mindtorch):
        leaf = t.arange(6.0).reshape(2, 3).to(t.complex64).requires_grad_()
        whole = leaf * (1 + 2j)
        view = PARTS[part](t, whole)
        view.mul_(2).add_(3)
        graphs = [tree(view.grad_fn), tree(whole.grad_fn)]
        whole.mul_(leaf)
        graphs += [tree(view.grad_fn), tree(whole.grad_fn)]
        loss = (whole.abs() ** 2).sum() + (view.abs() ** 2).sum()
        (first,) = t.autograd.grad(loss, leaf, create_graph=True)
        (second,) = t.autograd.grad((first.abs() ** 2).sum(), leaf)
        answers.append((graphs, whole.tolist(), first.tolist(), second.tolist()))
    (graphs, *want), (found, *got) = answers
    assert found == graphs
    for w, g in zip(want, got, strict=True):
        torch.testing.assert_close(torch.tensor(g), torch.tensor(w), rtol=1e-4, atol=1e-3)


def layouts(t: Any) -> Iterator[tuple[Any, str]]:
    """Views that look at their memory another way in place, which is no change of their base."""
    ways = {
        "t_": lambda v: v.t_(),
        "transpose_": lambda v: v.transpose_(0, 1),
        "unsqueeze_": lambda v: v.unsqueeze_(0),
        "squeeze_": lambda v: v.squeeze_(),
        "squeeze_.dim": lambda v: v.squeeze_(0),
        "as_strided_": lambda v: v.as_strided_((2,), (1,)),
        "swapaxes_": lambda v: v.swapaxes_(0, 1),
    }
    for name, of_view in itertools.product(ways, (True, False)):
        leaf = t.ones(2, 3, requires_grad=True)
        base = leaf * 1
        view = base[:] if of_view else base
        ways[name](view)
        text = [tree(view.grad_fn), tree(base.grad_fn), view._version, tuple(view.shape)]
        base.mul_(2)
        text += [tree(view.grad_fn)]
        view.mul_(3)
        base.sum().backward()
        yield (name, of_view), f"{text} {tree(view.grad_fn)} {leaf.grad.tolist()}"


def test_layouts_changed_in_place_are_no_change_of_the_base():
    """The node is the view's own; later changes go on from the base's."""
    for (case, want), (_, got) in zip(layouts(torch), layouts(mindtorch), strict=True):
        assert got == want, case


def overlaps(t: Any) -> Iterator[tuple[Any, str]]:
    """In-place ops and ``out=`` on memory that overlaps itself, or an operand."""
    at = t.tensor([0, 1])
    zeros = t.zeros(2, 2, dtype=t.int64)
    mask = t.ones(2, 2, dtype=t.bool)
    ops: dict[str, Callable[[Any, Any], Any]] = {
        "add_": lambda a, b: a.add_(b),
        "mul_": lambda a, b: a.mul_(b),
        "addcmul_": lambda a, b: a.addcmul_(b, b),
        "lerp_": lambda a, b: a.lerp_(b, 0.5),
        "copy_": lambda a, b: a.copy_(b),
        "eq_": lambda a, b: a.eq_(b),
        "pow_": lambda a, b: a.pow_(b),
        "fill_": lambda a, b: a.fill_(2.0),
        "fill_ by tensor": lambda a, b: a.fill_(b[0, 0]),
        "zero_": lambda a, b: a.zero_(),
        "exp_": lambda a, b: a.exp_(),
        "clamp_": lambda a, b: a.clamp_(0.0),
        "masked_fill_": lambda a, b: a.masked_fill_(mask, 2.0),
        "index_fill_": lambda a, b: a.index_fill_(0, at, 2.0),
        "index_add_": lambda a, b: a.index_add_(0, at, b),
        "index_copy_": lambda a, b: a.index_copy_(0, at, b),
        "index_put_": lambda a, b: a.index_put_((at,), b),
        "scatter_": lambda a, b: a.scatter_(0, zeros, b),
        "scatter_add_": lambda a, b: a.scatter_add_(0, zeros, b),
        "setitem": lambda a, b: a.__setitem__(slice(None), b),
        "out": lambda a, b: t.add(b, 1, out=a),
        "out of two": lambda a, b: t.mul(b, b, out=a),
    }
    for name, run in ops.items():
        x = t.arange(6.0).reshape(3, 2) + 1
        y = t.ones(2, 2)
        yield (name, "whole"), told(lambda: run(y, y[:]))
        yield (name, "part"), told(lambda: run(x[1:], x[:2]))
        yield (name, "shape"), told(lambda: run(x[1:], x))
        yield (name, "itself"), told(lambda: run(t.ones(1, 2).expand(2, 2), t.ones(2, 2)))
        yield (name, "apart"), told(lambda: run(x[:1], x[1:2]))


def test_overlapping_memory_is_refused_as_the_oracle_refuses_it():
    """Before shapes are looked at; some ops only warn, others do not mind."""
    for (case, want), (_, got) in zip(overlaps(torch), overlaps(mindtorch), strict=True):
        assert got == want, case


def storages(t: Any) -> Iterator[tuple[Any, str]]:
    """Operands in the storage of their target, and operands that only have addresses in common."""
    array = np.arange(6.0)
    x = t.from_numpy(array)
    meta = t.empty(6, device="meta")
    endless = t.empty(1 << 44, device="meta")  # whatever array stands for it, others lie behind
    others = {
        "another storage": t.from_numpy(array)[1:],
        "the same array": t.asarray(array)[1:],
        "a view": x[1:],
        "detached": x.detach()[1:],
        "data": x.data[1:],
        "set": t.empty(0, dtype=t.float64).set_(x.untyped_storage())[1:],
        "imported": t.from_dlpack(x)[1:],
    }
    at = t.tensor([0])
    for name, other in others.items():
        yield (name, "in place"), told(lambda: x[:5].mul_(other))
        yield (name, "two"), told(lambda: x[:5].addcmul_(t.ones(5, dtype=t.float64), other))
        yield (name, "copy"), told(lambda: x[:5].copy_(other))
        yield (name, "out"), told(lambda: t.add(other, 1, out=x[:5]))
        yield (name, "indexed"), told(lambda: x[:5].index_add_(0, at, other[:1]))
    yield "meta", told(lambda: t.sin(meta[1:], out=meta[:-1]))
    yield "meta in place", told(lambda: meta[1:].mul_(meta[:-1]))
    yield "out on meta", told(lambda: t.sin(t.ones(4), out=endless))
    yield "out of meta", told(lambda: t.sin(endless, out=t.ones(4)))


def test_only_memory_of_one_storage_overlaps():
    """Where two storages lie is no matter, and a meta tensor lies nowhere."""
    for (case, want), (_, got) in zip(storages(torch), storages(mindtorch), strict=True):
        assert got == want, case


@pytest.mark.parametrize("offset", [0, 1])
@pytest.mark.parametrize(
    ("shape", "strides"),
    [
        *[((1, 2), (s, 1)) for s in range(5)],
        *[((2, 2), (s, 1)) for s in range(5)],
        *[((0, 2), (3, 1)), ((1, 1, 2), (5, 3, 1)), ((2, 1, 2), (4, 3, 1)), ((1, 3, 2), (7, 2, 1))],
        *[((3, 0, 2), (3, 3, 1)), ((2,), (1,)), ((1, 2), (1, 2)), ((3, 1), (2, 1))],
    ],
)
def test_pairs_are_seen_as_complex_numbers_where_the_oracle_sees_them(shape, strides, offset):
    """A dimension of one element may have any stride."""

    def run(t):
        x = t.arange(30.0).as_strided(shape, strides, offset)
        try:
            return t.view_as_complex(x)
        except RuntimeError as e:
            return str(e)

    assert_same_value(*both(run))
