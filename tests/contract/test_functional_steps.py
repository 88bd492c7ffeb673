"""Steps of optimizers and of a gradient scaler that leave their arguments, and with ``out=``."""

from __future__ import annotations

import pytest

from .both_frameworks import ours, refuse, same, torch

_ADAM = {"beta1": 0.9, "beta2": 0.99, "weight_decay": 0.1, "eps": 1e-8, "maximize": False}
#: Name -> numbers of lists after the gradients, whether steps are counted, and options.
STEPS = {
    "_fused_adam": (3, True, {**_ADAM, "amsgrad": True}),
    "_fused_adamw": (2, True, {**_ADAM, "amsgrad": False}),
    "_fused_sgd": (1, False, {
        "weight_decay": 0.1, "momentum": 0.9, "dampening": 0.0, "nesterov": True,
        "maximize": False, "is_first_step": False,
    }),
    "_fused_adagrad": (1, True, {
        "lr_decay": 0.1, "weight_decay": 0.0, "eps": 1e-8, "maximize": True,
    }),
}  # fmt: skip


def arguments(t, name):
    """Lists of two parameters, their gradients and states; options."""
    lists, counted, options = STEPS[name]
    made = [[t.arange(3.0) * (i + 1) / 10, t.ones(2, 2) / (i + 1)] for i in range(lists + 2)]
    if options.get("amsgrad") is False:
        made.append([])
    if counted:
        made.append([t.tensor(2.0), t.tensor(2.0)])
    return made, {**options, "lr": 0.1}


def numbers(value):
    """What lists and tuples of tensors hold."""
    if isinstance(value, (list, tuple)):
        return [numbers(v) for v in value]
    if value is None:
        return None
    return [repr(value.dtype), [f"{x:.5g}" for x in value.reshape(-1).tolist()]]


@pytest.mark.parametrize("form", ["default", "tensor_lr"])
@pytest.mark.parametrize("name", STEPS)
def test_a_step_leaves_its_arguments(name, form):
    def program(t):
        lists, options = arguments(t, name)
        if form == "tensor_lr":
            options["lr"] = t.tensor(0.1)
        found = getattr(getattr(t.ops.aten, name), form)(*lists, **options)
        return numbers(found), numbers(lists)

    same(program)


@pytest.mark.parametrize("name", STEPS)
def test_a_step_is_written_to_what_is_given(name):
    def program(t):
        lists, options = arguments(t, name)
        out = [t.zeros(3), t.zeros(2, 2)]
        result = getattr(t.ops.aten, name).out(*lists, **options, out=out)
        return result, numbers(out), numbers(lists)

    same(program)


def test_a_step_unscales_gradients():
    def program(t):
        lists, options = arguments(t, "_fused_sgd")
        scale = {"grad_scale": t.tensor(2.0), "found_inf": t.tensor(0.0)}
        return numbers(t.ops.aten._fused_sgd(*lists, **options, **scale)), numbers(lists)

    same(program)


@pytest.mark.parametrize("values", [[1.0, 2.0], [1.0, float("inf")]])
def test_gradients_are_unscaled(values):
    def program(t):
        grads, found, scale = [t.tensor(values)], t.tensor(0.0), t.tensor(0.5)
        op = t.ops.aten._amp_foreach_non_finite_check_and_unscale
        out = [t.zeros(2)]
        results = op(grads, found, scale), op.out(grads, found, scale, out=out)
        return numbers(results), numbers([grads, found, out])

    same(program)


@pytest.mark.parametrize("overflow", [0.0, 1.0])
def test_the_next_scale(overflow):
    def program(t):
        scale, count = t.tensor(4.0), t.tensor(1, dtype=t.int32)
        rest = t.tensor(overflow), 2.0, 0.5, 2
        out = t.tensor(0.0)
        found = t.ops.aten._amp_update_scale(scale, count, *rest)
        given = t.ops.aten._amp_update_scale.out(scale, count, *rest, out=out)
        return numbers([found, scale, count, out]), given is out

    same(program)


def test_no_largest_squares_are_taken_that_are_not_wanted():
    def program(t):
        lists, options = arguments(t, "_fused_adam")
        t.ops.aten._fused_adam_(*lists, **{**options, "amsgrad": False})

    refuse(program)


def test_targets_must_fit():
    for wrong in (lambda t: [t.zeros(3).double(), t.zeros(2, 2)], lambda t: [t.zeros(3)]):
        texts = []
        for t in (ours, torch):
            lists, options = arguments(t, "_fused_sgd")
            with pytest.raises(RuntimeError) as caught:
                t.ops.aten._fused_sgd.out(*lists, **options, out=wrong(t))
            texts.append(str(caught.value).split("\n")[0])
        assert texts[0] == texts[1]


def test_gradients_are_refused():
    def program(t):
        lists, options = arguments(t, "_fused_sgd")
        lists[0][0].requires_grad_()
        found = t.ops.aten._fused_sgd(*lists, **options)
        try:
            found[0][0].sum().backward()
        except RuntimeError as error:
            return str(error)
        return None

    assert program(ours) == program(torch)


RENORMS = [
    lambda t, op, w, i: op(w, i, 1.0, 2.0),
    lambda t, op, w, i: (op.out(w, i, 1.0, 1.0, out=t.empty(4, 3)), w),
    lambda t, op, w, i: op.out(w, i, 1.0, 2.0, out=t.empty(4, 3, dtype=t.float64)),
    lambda t, op, w, i: op(w.requires_grad_(), i, 1.0, 2.0).sum().backward(),
    lambda t, op, w, i: type(op(w.requires_grad_(), i, 1.0, 2.0).grad_fn).__name__,
    lambda t, op, w, i: op(w, i + 9, 1.0, 2.0),
    lambda t, op, w, i: op(w[0], i, 1.0, 2.0),
    lambda t, op, w, i: t.func.functionalize(
        lambda w: t.ops.aten.embedding_renorm_(w.clone(), i, 1.0, 2.0)
    )(w),
]


@pytest.mark.parametrize("program", RENORMS, ids=range(len(RENORMS)))
def test_rows_of_a_table_are_scaled_in_a_copy(program):
    """The table itself is left as it is."""

    def run(t):
        table = t.arange(12.0).reshape(4, 3)
        found = program(t, t.ops.aten.embedding_renorm, table, t.tensor([2, 0]))
        return numbers(found) if not isinstance(found, str) else found, numbers(table.detach())

    same(run)
