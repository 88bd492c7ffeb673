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
from mindtorch.ops.row import ROWS

from .helpers import describe, differences
from .rows import compare, error_text, outcome, report, tolerance
from .test_rows_inplace import IN_PLACE, calls, in_place_name

#: Calls of one row.
CALLS = 2
PROGRAMS = {}


def program(function):
    """A program ``f(torch, x)`` over a float tensor of shape (4, 2)."""
    PROGRAMS[function.__name__] = function
    return function


@program
def changes_its_argument(torch, x):
    x.add_(1)
    return x


@program
def changes_a_view_of_its_argument(torch, x):
    y = x.view(8)
    y.add_(torch.ones(8))
    return x * x


@program
def changes_a_view_of_a_view(torch, x):
    y = x.clone()
    whole = y.view(8)
    part = whole[2:].unsqueeze(0)
    part.mul_(2)
    return y.sum() + whole


@program
def changes_an_argument_s_row(torch, x):
    row = x[0]
    row.add_(1)
    return row


@program
def sets_items(torch, x):
    y = x.clone()
    y[0] = 1
    y[:, 1] = y[0].sum()
    y[1:3] = y[0]
    y[[0, 2]] = 5.0
    return y


@program
def sets_items_by_mask(torch, x):
    y = x.clone()
    y[y > 0] = 0
    return y


@program
def writes_into_out(torch, x):
    y = torch.empty_like(x)
    torch.add(x, x, out=y)
    z = torch.zeros(0)
    torch.mul(y, x, out=z)
    return y, z


@program
def writes_into_two_outs(torch, x):
    values, indices = torch.empty(4), torch.empty(4, dtype=torch.int64)
    torch.max(x, 1, out=(values, indices))
    return values, indices


@program
def writes_into_an_out_of_another_dtype(torch, x):
    y = torch.zeros(4, 2, dtype=torch.float64)
    torch.add(x, x, out=y)
    return y


@program
def changes_pieces(torch, x):
    y = x.clone()
    first, second = y.split(2)
    first.add_(1)
    turned = y.t()
    turned[0].mul_(3)
    columns = y.unbind(1)
    columns[1].zero_()
    halves = y.chunk(2, 1)
    halves[0].sub_(1)
    uneven = y.split([1, 3])
    uneven[1].div_(2)
    return y, second, turned, columns[0]


@program
def changes_shapes_in_place(torch, x):
    y = x.clone()
    z = y.transpose_(0, 1)
    y.unsqueeze_(0)
    y.add_(1)
    y.squeeze_()
    y.t_()
    return y, z


@program
def changes_the_shape_of_its_argument(torch, x):
    x.transpose_(0, 1)
    x.add_(1)
    return x.sum()


@program
def changes_a_window(torch, x):
    y = x.clone()
    z = y.as_strided((2, 2), (1, 2), 1)
    z.add_(1)
    return y, z


@program
def fills_a_diagonal(torch, x):
    y = x.clone()
    y.diagonal().fill_(3)
    y.diagonal(-1).copy_(x.diagonal())
    return y


@program
def changes_through_expand(torch, x):
    y = x.clone()
    y.expand(3, 4, 2).add_(1)
    y[:, :1].expand(4, 2).mul_(2)
    return y


@program
def changes_through_permute_and_movedim(torch, x):
    y = x.clone()
    y.view(2, 2, 2).permute(2, 0, 1).add_(1)
    y.view(2, 2, 2).movedim(0, -1).mul_(2)
    y.T.sub_(1)
    y.flatten().add_(1)
    y.unflatten(0, (2, 2))[0].exp_()
    return y


@program
def changes_through_squeeze(torch, x):
    y = x.clone()
    y.view(1, 8, 1).squeeze().add_(1)
    y.unsqueeze(1).squeeze(1).mul_(2)
    y.unsqueeze(-1).squeeze((-1, 0)).sub_(1)
    return y


@program
def changes_through_unfold(torch, x):
    y = x.clone()
    y.unfold(0, 2, 2).add_(1)
    return y


@program
def refuses_unfold_with_overlap(torch, x):
    y = x.clone()
    y.unfold(0, 2, 1).add_(1)
    return y


@program
def refuses_a_window_of_a_view(torch, x):
    y = x.clone()
    y.view(8).as_strided((2,), (1,)).add_(1)
    return y


@program
def changes_complex_parts(torch, x):
    y = torch.view_as_complex(x.clone())
    y.real.add_(1)
    y.imag.mul_(2)
    torch.view_as_real(y)[0].zero_()
    return y


@program
def copies_and_fills(torch, x):
    y = torch.zeros(4, 2)
    y.copy_(x[0])
    y.fill_(x.sum())
    y.index_put_((torch.tensor([0, 1]),), x[:2])
    y.masked_fill_(y > 2, 7)
    return y.diagonal(), y.contiguous(), y.detach()


@program
def joins_what_it_changes(torch, x):
    y = x.clone()
    z = torch.cat([y, y[:1]])
    z.relu_()
    y.neg_()
    return torch.stack([y, z[1:]])


@program
def changes_dtypes(torch, x):
    y = x.to(torch.float64)
    y.add_(x)
    z = x.int()
    z.add_(1)
    return y, z, x.float()


@program
def shows_one_memory_twice(torch, x):
    y = x.clone()
    a, b = y.view(8), y.t()
    a.add_(1)
    b.mul_(2)
    a[0].zero_()
    return y, a, b, y.alias() if hasattr(y, "alias") else y


@program
def does_nothing_in_place(torch, x):
    return (x @ x.t()).softmax(-1).sum(0)


@program
def makes_and_changes(torch, x):
    y = torch.arange(8.0).reshape(4, 2)
    y.add_(x)
    z = torch.full((4, 2), 2.0)
    z.mul_(y)
    return z, torch.tensor([1.0, 2.0]).add_(x[0])


@program
def resizes(torch, x):
    y = x.clone()
    y.resize_(2)
    y.add_(1)
    return y


@program
def refuses_to_enlarge_a_view(torch, x):
    x.clone().view(8).resize_(20)


@program
def sets_memory(torch, x):
    y = x.clone()
    y.set_(x)
    y.add_(1)
    return y


@program
def refuses_shapes_that_do_not_fit(torch, x):
    y = x.clone()
    y.copy_(torch.ones(3))


@program
def refuses_a_larger_result_in_place(torch, x):
    y = x.clone()
    y.floor_divide_(torch.ones(3, 4, 2))


@program
def reads_numbers(torch, x):
    n = torch.ones(3)
    n.add_(1)
    return x * n.sum().item() if bool(n[0] > 1) else x


@program
def changes_in_a_composite(torch, x):
    y = torch.nn.functional.dropout(x, 0.0)
    y = torch.nn.functional.relu(y, inplace=True)
    return torch.nn.functional.batch_norm(y, torch.zeros(2), torch.ones(2), training=True)


@program
def unsafe_views(torch, x):
    y = torch.matmul(x.view(2, 2, 2), torch.ones(2, 3))
    y.add_(1)
    return y


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

        def run(x, home=home):
            return PROGRAMS[name](home, x)

        try:
            found.append(functionalized(home, run, remove, [sample(home)]))
        except Exception as error:
            found.append(said(error))
    mine, theirs = found
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


#: torch's meta kernels in Python print sizes another way than those in C++.
SIZE = re.compile(r"(?:torch\.Size)?\(?[\[(]([^()\[\]]*?),?[\])]\)?")


@pytest.mark.parametrize("name", IN_PLACE)
def test_in_place_form_becomes_the_oracles_functional_one(name):
    """``y.x_(...)`` of a copy: the oracle's graph and numbers, for the first calls of each row."""
    row, lines = ROWS[name], []
    run = in_place_of_a_copy(in_place_name(row))
    for sample in list(calls(row, "float32"))[:CALLS]:
        mine = graph(mindtorch, run, sample.ours)
        theirs = graph(torch, run, sample.oracle)
        if mine != theirs:
            lines.append(f"{sample!r}: {mine} torch: {theirs}")
        mine = outcome(mindtorch.func.functionalize(run), sample.ours, seed=row.random)
        theirs = outcome(torch.func.functionalize(run), sample.oracle, seed=row.random)
        if mine.error is None or theirs.error is None:
            found = compare(mine, theirs, tolerance=tolerance(row, "float32"))
            lines += [f"{sample!r}: {d}" for d in found]
    report(lines)
