"""``torch.func.functionalize``: the graph of what remains, its numbers, and what is written back.

The graph that ``make_fx`` draws of a functionalized program names every op that was called, in
order, with its arguments: two frameworks with the same text went the same way.
"""

from __future__ import annotations

import functools
import importlib
import re

import mindtorch
import pytest
import torch
from mindtorch.call.row import ROWS

from .bounds import bound
from .functionalization_programs import PROGRAMS
from .helpers import describe, differences
from .rows import compare, error_text, outcome, report
from .test_rows_inplace import IN_PLACE, calls, in_place_name

#: Calls of one row.
CALLS = 2

#: torch's meta kernels in Python print sizes another way than those in C++.
SIZE = re.compile(r"(?:torch\.Size)?\(?[\[(]([^()\[\]]*?),?[\])]\)?")


def said(error):
    """What an error says, without where in torch an assertion failed."""
    text = error_text(error)
    return text.partition(", please report a bug to PyTorch. ")[2] or text.partition(": ")[2]


def functionalized(home, f, remove, arguments):
    """The code of the graph, the results, and the arguments afterwards."""
    proxy_tensor = importlib.import_module(f"{home.__name__}.fx.experimental.proxy_tensor")
    wrapped = home.func.functionalize(f, remove=remove)
    code = proxy_tensor.make_fx(wrapped)(*[a.clone() for a in arguments]).code
    mine = [a.clone() for a in arguments]
    return code, wrapped(*mine), mine


def sample(home):
    """Eight numbers in four rows."""
    return home.arange(8.0, dtype=home.float32).sub(3).view(4, 2)


@pytest.mark.parametrize("remove", ["mutations", "mutations_and_views"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_program_becomes_the_oracles(name, remove):
    """The same ops in the same order, the same results, the same arguments afterwards."""
    found = []
    for home in (mindtorch, torch):
        run = functools.partial(PROGRAMS[name], home)
        try:
            found.append(functionalized(home, run, remove, [sample(home)]))
        except Exception as error:
            found.append(SIZE.sub(r"[\1]", said(error)))
    mine, theirs = found
    assert isinstance(theirs, str) <= name.startswith(("refuses", "reads"))
    if isinstance(theirs, str) or isinstance(mine, str):
        assert mine == theirs
        return
    assert mine[0] == theirs[0]
    assert differences(describe(mine[1:]), describe(theirs[1:])) == []


@pytest.mark.parametrize("name", PROGRAMS)
def test_functionalized_program_gives_what_it_gives_alone(name):
    """With ``functionalize`` or without: the same results, the same arguments afterwards."""
    found = []
    for wrap in (mindtorch.func.functionalize, lambda f: f):
        x = sample(mindtorch)
        try:
            result = wrap(lambda x: PROGRAMS[name](mindtorch, x))(x)
        except RuntimeError:
            return
        found.append(describe((result, x)))
    assert found[0] == found[1]


def in_place_of_a_copy(name):
    """``y = x.clone(); y.x_(...)``, which returns ``y``."""

    def run(x, *rest, **options):
        y = x.clone()
        getattr(y, name)(*rest, **options)
        return y

    return run


def functional_row(row):
    """The row that a hand-written in-place row is the form of: its samples are that row's."""
    base, dot, overload = row.name.partition(".")
    return ROWS.get(base.removesuffix("_") + dot + overload, row)


def graph(home, f, call):
    """The graph of a call of the functionalized *f*, or what it refused."""
    proxy_tensor = importlib.import_module(f"{home.__name__}.fx.experimental.proxy_tensor")
    try:
        f = home.func.functionalize(functools.partial(f, **call.kwargs))
        return proxy_tensor.make_fx(f)(*call.args).code
    except SyntaxError:  # an argument named as a keyword of Python: no code can be made
        return ""
    except Exception as error:
        return SIZE.sub(r"[\1]", said(error))


@pytest.mark.parametrize("name", IN_PLACE)
def test_in_place_form_becomes_the_oracles_functional_one(name):
    """``y.x_(...)`` of a copy: the oracle's graph and numbers, for the first calls of each row."""
    row, lines = ROWS[name], []
    run = in_place_of_a_copy(in_place_name(row))
    found = list(calls(row, "float32")) or list(calls(functional_row(row), "float32"))
    for sample in found[:CALLS]:
        mine = graph(mindtorch, run, sample.ours)
        theirs = graph(torch, run, sample.oracle)
        if mine != theirs:
            lines.append(f"{sample!r}: {mine} torch: {theirs}")
        mine = outcome(mindtorch.func.functionalize(run), sample.ours, seed=row.random)
        theirs = outcome(torch.func.functionalize(run), sample.oracle, seed=row.random)
        if mine.error is None or theirs.error is None:
            found = compare(mine, theirs, tolerance=bound(row, "float32"))
            lines += [f"{sample!r}: {d}" for d in found]
    report(lines)


# Without a level: ``torch._enable_functionalization`` -----------------------------------------


def functionalized_directly(home, f, reapply_views):
    """As torch's own tests do it: wrapped by hand, the key turned on, autograd above it."""

    def unwrapped(t):
        if not isinstance(t, home.Tensor) or not home._is_functional_tensor(t):
            return t
        home._sync(t)
        return home._from_functional_tensor(t)

    def run(x):
        inner = home._to_functional_tensor(x)
        home._enable_functionalization(reapply_views=reapply_views)
        try:
            result = f(inner)
        finally:
            home._disable_functionalization()
        value = unwrapped(inner)
        if value is not x and value.shape == x.shape:
            x.copy_(value)
        tree = importlib.import_module(f"{home.__name__}.utils._pytree")
        return tree.tree_map(unwrapped, result)

    return run


@pytest.mark.parametrize("reapply_views", [True, False])
@pytest.mark.parametrize("name", PROGRAMS)
def test_program_becomes_the_oracles_without_a_level(name, reapply_views):
    """Composite ops are taken apart above the key, so every view inside is seen."""
    found = []
    for home in (mindtorch, torch):
        run = functionalized_directly(home, functools.partial(PROGRAMS[name], home), reapply_views)
        proxy_tensor = importlib.import_module(f"{home.__name__}.fx.experimental.proxy_tensor")
        try:
            found.append(proxy_tensor.make_fx(run)(sample(home)).code)
        except Exception as error:
            found.append(SIZE.sub(r"[\1]", said(error)))
    assert found[0] == found[1]


# Together with other transforms -----------------------------------------------------------------


def changing_rows(lib):
    """Under ``vmap``, and over one."""

    def f(row):
        y = row * 1
        y[0] = row[1]
        y.add_(1)
        return y, row.mul_(2)

    x, y = sample(lib), sample(lib)
    over = lib.func.functionalize(lib.vmap(f))(x)
    return over, x, lib.vmap(lib.func.functionalize(f))(y), y


def gradients(lib):
    """Autograd records the ops that remain, and runs inside too."""

    def f(w):
        y = w * 2
        y[0].mul_(3)
        y.view(8).mul_(w.reshape(8))
        return y.sum()

    def inside(w):
        return lib.autograd.grad(f(w), w)

    w = sample(lib).requires_grad_()
    result = lib.func.functionalize(f)(w)
    return result, lib.autograd.grad(result, w), said_by(lambda: lib.func.functionalize(inside)(w))


def leaves_in_place(lib):
    """What plain code refuses of leaves is refused when they are written back."""
    w = sample(lib).requires_grad_()
    refused = said_by(lambda: lib.func.functionalize(lambda x: x.mul_(2))(w))
    with lib.no_grad():
        made = lib.func.functionalize(lambda x: x.mul_(2))(w)
    # torch takes the leaf for a view of itself.
    return refused.replace("a view of a leaf", "a leaf"), made, w.detach(), w._version


def nested_arguments(lib):
    """Tensors in lists, dicts and keywords; captured tensors; what is no tensor."""
    captured = sample(lib)

    def f(d, *, s):
        d["a"].add_(s)
        d["b"][0].mul_(captured)
        return d["a"] + d["b"][0], 3, None, captured

    d = {"a": sample(lib), "b": [sample(lib)]}
    made = lib.func.functionalize(f)(d, s=sample(lib))
    x = sample(lib)
    twice = lib.func.functionalize(lambda a, b: a.add_(b))(x, x)
    return (
        made[:3], d, made[3] is captured, twice, x,
        said_by(lambda: lib.func.functionalize(lambda x: captured.add_(x))(x)),
        said_by(lambda: lib.func.functionalize(f, remove="views")),
        lib.func.functionalize(lambda x: captured.add_(1))(x), captured,
    )  # fmt: skip


def seen_inside(lib):
    """What a functional tensor says of itself."""
    notes = []

    def f(x):
        part = x[1:]
        notes.extend((repr(x), part.shape, part.storage_offset(), x.t().stride(), x.dtype))
        notes.extend((x.is_contiguous(), x.t().is_contiguous(), x.data_ptr(), type(x).__name__))
        notes.extend((lib._is_functional_tensor(x), x.requires_grad, float(x.sum()), x._version))
        notes.append(said_by(lambda: x.tolist()))
        notes.append(said_by(lambda: lib.ones(2).add_(x[0]) and x.set_(captured)))
        return x

    captured = lib.ones(2)
    lib.func.functionalize(f)(sample(lib))
    outside = lib._to_functional_tensor(lib.ones(2))
    notes.extend((repr(outside), repr(outside + 1)))
    return notes


def said_by(call):
    """The text of the error of a call."""
    try:
        return call()
    except Exception as error:
        return said(error)


@pytest.mark.parametrize(
    "together", [changing_rows, gradients, leaves_in_place, nested_arguments, seen_inside]
)
def test_together_with_other_parts_as_the_oracle(together):
    """Values, errors and what is written back."""
    assert differences(describe(together(mindtorch)), describe(together(torch))) == []


def test_nested_levels_give_what_one_gives():
    """The oracle fails an assertion of its own; here a level writes back into the one outside."""

    def f(x):
        y = x.view(8)
        y.add_(1)
        y[0] = 5.0
        return x.sum(0), y

    once, twice = sample(mindtorch), sample(mindtorch)
    functionalize = mindtorch.func.functionalize
    first, second = functionalize(f)(once), functionalize(functionalize(f))(twice)
    assert differences(describe((first, once)), describe((second, twice))) == []
