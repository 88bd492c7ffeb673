"""``functorch``'s older names warn; contexts and gradients under the names of torch's inside."""

from __future__ import annotations

import importlib
import inspect
import warnings

import pytest

CALLS = {
    "vmap": "f(t.square)(x)",
    "grad": "f(t.square)(x[0])",
    "grad_and_value": "f(t.square)(x[0])",
    "vjp": "f(t.square, x)[0]",
    "jvp": "f(t.square, (x,), (x,))",
    "jacrev": "f(t.square)(x)",
    "jacfwd": "f(t.square)(x)",
    "hessian": "f(t.square)(x)",
    "functionalize": "f(t.square)(x)",
    "make_functional": "f(layer)[1][0]",
    "make_functional_with_buffers": "f(layer)[1][0]",
    "combine_state_for_ensemble": "f([layer, layer])[1][0]",
}


def both(path):
    for name in ("mindtorch", "torch"):
        yield importlib.import_module(name), importlib.import_module(f"{name}.{path}")


@pytest.mark.parametrize("name", CALLS)
def test_an_older_name_warns_and_does_the_same(name):
    """The warning, what comes of a call, the parameters."""
    told = []
    for t, module in both("_functorch.deprecated"):
        scope = {"t": t, "f": getattr(module, name), "x": t.ones(2), "layer": t.nn.Linear(1, 1)}
        t.nn.init.ones_(scope["layer"].weight)
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            result = eval(CALLS[name], scope)
        result = [r.tolist() for r in (result if isinstance(result, tuple) else (result,))]
        warned = [(w.category, str(w.message)) for w in seen if "functorch" in str(w.message)]
        names = list(inspect.signature(scope["f"]).parameters)
        told.append((result, warned, names if name not in ("vmap", "functionalize") else ()))
    assert told[0] == told[1]


def test_a_context_with_other_saved_tensors():
    """It reads and writes the inner one, which must not use its names; contexts nest."""
    told = []
    for t, module in both("_functorch.autograd_function"):
        wrap, notes = module.CtxWithSavedTensors, []

        class Ctx:
            needs_input_grad = (True, False)

        inner = Ctx()
        outer = wrap(wrap(inner, (1, 2)), (3,))
        outer.kept = 5
        notes += [outer.saved_tensors, inner.kept, outer.needs_input_grad, vars(inner)]
        for name in ("_pt_inner_ctx", "_pt_new_saved_tensors"):
            taken = Ctx()
            setattr(taken, name, 1)
            with pytest.raises(RuntimeError, match="name collision") as raised:
                wrap(taken, ())
            notes.append(str(raised.value))
        g = t.arange(24.0)
        for shape, here, there, size, target in (
            ((2, 3, 4), 0, None, 2, None),
            ((3, 2, 4), 1, None, 2, (3,)),
            ((3, 4), None, 1, 2, None),
            ((3, 4), None, 1, 2, (4,)),
            ((2, 3, 4), 0, 1, 2, None),
            ((3, 4, 2), 2, 0, 2, (4,)),
        ):
            part = g[: t.Size(shape).numel()].view(shape)
            notes.append(module.reductify_leaf(part, here, there, size, target).tolist())
            notes.append(module.reductify((part,), (here,), (there,), size)[0].tolist())
        notes.append(module.reductify_leaf(None, None, 0, 2))
        told.append(notes)
    assert told[0] == told[1]
