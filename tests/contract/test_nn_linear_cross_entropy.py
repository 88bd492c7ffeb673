"""A linear map and the cross entropy of its scores in one: values, gradients, checks, options."""

import pytest

from tests.contract.both_frameworks import agree, refuse


def given(t, *shape, seed=1):
    """Numbers that need a gradient, the same in both frameworks."""
    n = t.Size(shape).numel()
    values = (t.arange(n, dtype=t.float64) * 0.7 + seed).sin().reshape(shape)
    return values.requires_grad_()


def labels(t, *shape, classes=4):
    return t.arange(t.Size(shape).numel()).remainder(classes).reshape(shape)


def names_of_graph(loss):
    found, waiting = [], [loss.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is not None:
            found.append(type(node).__name__)
            waiting += [n for n, _ in node.next_functions]
    return found


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("dims", [(), (2,), (2, 3)], ids=str)
@pytest.mark.parametrize("batch", [(6,), (1,), ()], ids=str)
def test_values_gradients_and_graphs(batch, dims, bias, reduction):
    if dims and not batch:
        pytest.skip("only batches have scores in several dimensions")

    def program(t):
        x, w = given(t, *batch, 5), given(t, 4, *dims, 5, seed=2)
        b = given(t, 4, *dims, seed=3) if bias else None
        weight = t.tensor([1.0, 2, 3, 4], dtype=t.float64)
        loss = t.nn.functional.linear_cross_entropy(
            x, w, labels(t, *batch, *dims), linear_bias=b, weight=weight, reduction=reduction
        )
        graph = names_of_graph(loss)
        loss.sum().backward()
        grads = [g.grad.mul(1e9).round().tolist() for g in (x, w, b) if g is not None]
        return loss.mul(1e9).round().tolist(), tuple(loss.shape), graph, grads

    agree(program)


WRONG = {
    "vector of weights": lambda t, f, x, w, y: f(x, w[0], y),
    "number": lambda t, f, x, w, y: f(x[0, 0], w, y),
    "three dimensions": lambda t, f, x, w, y: f(x[None], w, y),
    "other features": lambda t, f, x, w, y: f(x[:, :3], w, y),
    "bias": lambda t, f, x, w, y: f(x, w, y, linear_bias=w[0]),
    "one sample": lambda t, f, x, w, y: f(x[0], w[:, None], y),
    "batch": lambda t, f, x, w, y: f(x, w, y[:2]),
    "probabilities": lambda t, f, x, w, y: f(x, w, x[:, :4], ignore_index=1),
    "label": lambda t, f, x, w, y: f(x, w, y + 9),
    "reduction": lambda t, f, x, w, y: f(x, w, y, reduction="w"),
    "smoothing": lambda t, f, x, w, y: f(x, w, y, label_smoothing=2.0),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_arguments(case):
    def program(t):
        f = t.nn.functional.linear_cross_entropy
        return WRONG[case](t, f, given(t, 6, 5), given(t, 4, 5), labels(t, 6))

    refuse(program)


@pytest.mark.parametrize("dims", [(), (3,), (3, 2)], ids=str)
@pytest.mark.parametrize("bias", [False, True])
def test_layer(dims, bias):
    def program(t):
        layer = t.nn.LinearCrossEntropyLoss(5, 4, out_features=dims, bias=bias, ignore_index=1)
        state = {k: given(t, *v.shape).detach() for k, v in layer.state_dict().items()}
        layer.double().load_state_dict(state)
        loss = layer(given(t, 6, 5), labels(t, 6, *dims))
        return layer, {k: tuple(v.shape) for k, v in state.items()}, round(loss.item(), 9)

    agree(program)


@pytest.mark.parametrize(
    "options", [{"label_smoothing": 3.0}, {"label_smoothing": -1}, {"weight": 3}], ids=str
)
def test_layer_refuses(options):
    def program(t):
        made = {k: t.ones(v) if k == "weight" else v for k, v in options.items()}
        return t.nn.LinearCrossEntropyLoss(5, 4, **made)

    refuse(program)


OPTIONS = [
    *({"batch_chunk_size": v} for v in (0, -1, 2.5, "a")),
    *({"chunking_method": v} for v in ("none", "aspect_ratio:0", "aspect_ratio:x", "auto:2", "")),
    *({"acc_policy": v} for v in ("x", None, 3)),
    *({"acc_dtype": v} for v in ("int64", "complex64", 3)),
]


def made_options(t, options):
    return t.nn.LinearCrossEntropyOptions(
        **{k: getattr(t, str(v), v) if k == "acc_dtype" else v for k, v in options.items()}
    )


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_options_that_are_none(options):
    refuse(lambda t: made_options(t, options))


@pytest.mark.parametrize(
    "options",
    [{}, {"chunking_method": "aspect_ratio:3", "acc_dtype": "float64"}, {"batch_chunk_size": 2}],
    ids=str,
)
def test_options_change_no_result(options):
    def program(t):
        x, w = given(t, 6, 5), given(t, 4, 5)
        made = made_options(t, options)
        loss = t.nn.functional.linear_cross_entropy(x, w, labels(t, 6), options=made)
        loss.backward()
        return repr(made), round(loss.item(), 9), x.grad.mul(1e9).round().tolist()

    agree(program)


@pytest.mark.parametrize("probabilities", [False, True])
@pytest.mark.parametrize("smoothing", [0.0, 0.5])
def test_options_that_cannot_be_followed_warn(probabilities, smoothing):
    def program(t):
        x, w = given(t, 6, 5), given(t, 4, 5)
        target = x[:, :4].softmax(1).detach() if probabilities else labels(t, 6)
        loss = t.nn.functional.linear_cross_entropy(
            x, w, target, label_smoothing=smoothing, options=t.nn.LinearCrossEntropyOptions()
        )
        return round(loss.item(), 9)

    agree(program)
