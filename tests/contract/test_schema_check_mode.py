"""A mode that checks what operators change and alias against their schemas."""

from __future__ import annotations

import importlib
import itertools

import pytest

from .both_frameworks import agree

pytestmark = pytest.mark.oracle
_numbers = itertools.count()


def square(t):
    """Nine numbers."""
    return t.arange(1.0, 10.0).reshape(3, 3)


def norm(t, training):
    """A batch norm."""
    return t.nn.BatchNorm1d(3).train(training)


def made(t, schema, kernel):
    """An operator of one's own."""
    library = t.library.Library(f"schema_check_{next(_numbers)}", "DEF")
    library.define(f"made{schema}")
    library.impl("made", kernel, "CPU")
    operator = getattr(t.ops, library.ns).made
    operator.library = library
    return operator


PROGRAMS = {
    "factories": lambda t, x: t.rand((3, 3)).relu().sin(),
    "in place": lambda t, x: x.sinh_(),
    "in place through a view": lambda t, x: x.select(1, 0).add_(1),
    "several results": lambda t, x: t.aminmax(x, dim=0),
    "views": lambda t, x: (x.view(9), x.t(), x.expand(2, 3, 3), x[0], x.detach()),
    "lists of views": lambda t, x: (x.split(1), x.chunk(2), x.unbind()[0].add_(1)),
    "out": lambda t, x: t.add(x, x, out=t.empty(3, 3)),
    "statistics in training": lambda t, x: norm(t, True)(x),
    "statistics in evaluation": lambda t, x: norm(t, False)(x),
    "another shape": lambda t, x: x.resize_(2, 2),
    "other strides": lambda t, x: x.t_(),
    "other memory": lambda t, x: x.set_(t.ones(2)),
    "backward": lambda t, x: (x.requires_grad_() * x).sum().backward(),
    "nan": lambda t, x: x.fill_(float("nan")),
    "nothing to be done": lambda t, x: (x.reshape(9), x.contiguous(), x.to(t.float32)),
    "instance norm": lambda t, x: t.nn.functional.instance_norm(x[None]),
    "an unsafe view": lambda t, x: t.ops.aten._unsafe_view(x, [9]),
    "complex": lambda t, x: t.view_as_complex(x[:, :2]).conj().imag,
    "a subscript": lambda t, x: x.__setitem__(0, 5.0),
    "a list": lambda t, x: t.cat([x, x]),
    "a hidden change": lambda t, x: made(t, "(Tensor x) -> Tensor", lambda x: x.add_(1).clone())(x),
    "a hidden alias": lambda t, x: made(t, "(Tensor x) -> Tensor", lambda x: x.view(-1))(x),
    "the argument itself": lambda t, x: made(t, "(Tensor x) -> Tensor", lambda x: x)(x),
    "results that alias": lambda t, x: made(
        t, "(Tensor x) -> (Tensor, Tensor)", lambda x: (y := x.clone(), y.view(-1))
    )(x),
    "a declared change": lambda t, x: made(t, "(Tensor(a!) x) -> Tensor(a!)", lambda x: x.zero_())(
        x
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_operators_do_is_what_their_schemas_say(name):
    def run(t):
        space = importlib.import_module(f"{t.__name__}._subclasses.schema_check_mode")
        mode = space.SchemaCheckMode()
        try:
            with mode:
                PROGRAMS[name](t, square(t))
            error = None
        except RuntimeError as e:
            error = str(e)
        # An operator of one's own has a number in its name.
        ops = ["made" if op.endswith("made") else op for op in mode.ops]
        seen = [tuple(x)[1:] for x in (*mode.mutated, *mode.aliasing)]
        mode.reset_cache()
        return ops, seen, error, mode.ops

    agree(run)


def test_what_was_seen_is_printed(capsys):
    def run(t):
        space = importlib.import_module(f"{t.__name__}._subclasses.schema_check_mode")
        with space.SchemaCheckMode() as mode:
            t.ones(2).sin()
        mode.display_ops()
        return capsys.readouterr().out

    agree(run)
