"""Gradients of each sample of a batch: torch.nn.utils._per_sample_grad against the oracle."""

import importlib

import pytest
import torch

ours = importlib.import_module("mindtorch")

#: What layers are called with, by text.
LAYERS = {
    "Linear(3, 2)": ("float", 4, 3),
    "Linear(3, 2, bias=False)": ("float", 4, 5, 3),
    "Conv1d(2, 4, 3, padding='same')": ("float", 2, 2, 5),
    "Conv1d(2, 4, 3, padding=1, padding_mode='circular')": ("float", 2, 2, 5),
    "Conv2d(2, 4, 3, padding=1, stride=2, groups=2)": ("float", 3, 2, 5, 5),
    "Conv3d(1, 2, 2, dilation=2, bias=False)": ("float", 2, 1, 4, 4, 4),
    "Embedding(5, 3, padding_idx=1)": ("int", 2, 3),
    "Embedding(5, 3, max_norm=0.5)": ("int", 2, 3),
    "Embedding(5, 3, scale_grad_by_freq=True)": ("int", 2, 3),
    "LayerNorm(3)": ("float", 4, 3),
    "LayerNorm((2, 3))": ("float", 4, 2, 3),
    "GroupNorm(2, 4)": ("float", 3, 4, 5),
    "InstanceNorm1d(2, affine=True)": ("float", 3, 2, 5),
    "InstanceNorm2d(2, affine=True, track_running_stats=True)": ("float", 3, 2, 4, 4),
    "Sequential(t.nn.Linear(3, 4), t.nn.ReLU(), t.nn.LayerNorm(4), t.nn.Linear(4, 1))": (
        "float",
        4,
        3,
    ),
}


def filled(t, text):
    """A layer with the same numbers in both frameworks."""
    layer = eval("t.nn." + text, {"t": t})
    with t.no_grad():
        for i, p in enumerate(layer.parameters()):
            p.copy_((t.arange(float(p.numel())) / 7 + i).sin().view(p.shape))
    return layer


def batch(t, kind, *shape):
    count = t.Size(shape).numel()
    if kind == "int":
        return (t.arange(count) * 3 % 5).view(*shape)
    return (t.arange(float(count)) / 5).cos().view(*shape).requires_grad_()


def call_for(t, module, **options):
    home = importlib.import_module(f"{t.__name__}.nn.utils._per_sample_grad")
    return home.call_for_per_sample_grads(module, **options)


def gradients(t, text, given, reduction):
    """Result, gradients of samples, input and parameters, and what is left in the buffers."""
    layer, x = filled(t, text), batch(t, *given)
    y = call_for(t, layer, loss_reduction=reduction)(x)
    getattr(y.square(), reduction)().backward()
    found = {"y": y, "x": x.grad}
    for name, p in layer.named_parameters():
        found |= {name: p, name + ".grad": p.grad, name + ".samples": p.grad_sample}
    found |= dict(layer.named_buffers())
    values = {n: None if v is None else v.detach().double().tolist() for n, v in found.items()}
    return values, None if len(list(layer.children())) else y.grad_fn.name()


@pytest.mark.parametrize("reduction", ["sum", "mean"])
@pytest.mark.parametrize("text", LAYERS)
def test_each_sample_has_the_gradient_that_torch_finds(text, reduction):
    """And the input its own; running statistics move once, as in torch."""
    got, operation = gradients(ours, text, LAYERS[text], reduction)
    want, theirs = gradients(torch, text, LAYERS[text], reduction)
    assert operation == theirs
    assert got.keys() == want.keys()
    for name, value in want.items():
        if value is None:
            assert got[name] is None, name
        else:
            near = torch.testing.assert_close
            near(torch.tensor(got[name]), torch.tensor(value), rtol=1e-4, atol=1e-5, msg=name)


def test_samples_are_the_gradients_of_each_sample_alone():
    """What ``grad_sample`` means."""
    layer, x = filled(ours, "Linear(3, 2)"), batch(ours, "float", 4, 3)
    call_for(ours, layer)(x).square().sum().backward()
    for i in range(4):
        alone = ours.autograd.grad(layer(x[i]).square().sum(), layer.weight)[0]
        assert ours.allclose(layer.weight.grad_sample[i], alone)


@pytest.mark.parametrize("statistics", [False, True])
def test_samples_add_up_to_the_gradient(statistics):
    """Where running statistics are read, too: there torch's do not."""
    text = f"InstanceNorm1d(2, affine=True, track_running_stats={statistics}).eval()"
    alone, layer = filled(ours, text), filled(ours, text)
    x, same = batch(ours, "float", 3, 2, 5), batch(ours, "float", 3, 2, 5)
    alone(x).square().sum().backward()
    call_for(ours, layer)(same).square().sum().backward()
    assert ours.allclose(layer.weight.grad_sample.sum(0), alone.weight.grad, rtol=1e-4)
    assert ours.allclose(same.grad, x.grad, atol=1e-5)


class Twice:
    """A module that calls one layer twice and leaves another unused."""

    @staticmethod
    def of(t):
        class Module(t.nn.Module):
            def __init__(self):
                super().__init__()
                self.layer, self.unused = filled(t, "Linear(3, 3)"), t.nn.Linear(3, 3)

            def forward(self, x, other=None):
                return self.layer(self.layer(x))

        return Module()


def test_uses_of_one_parameter_add_up():
    """A parameter that is not used gets no samples; a second backward adds."""

    def found(t):
        module = Twice.of(t)
        y = call_for(t, module)(batch(t, "float", 4, 3)).sum()
        y.backward(retain_graph=True)
        y.backward()
        samples = module.layer.weight.grad_sample.double().tolist()
        return samples, hasattr(module.unused.weight, "grad_sample")

    (got, ours_unused), (want, unused) = found(ours), found(torch)
    torch.testing.assert_close(torch.tensor(got), torch.tensor(want))
    assert ours_unused == unused


def test_a_frozen_parameter_stays_as_it_is():
    """Only what is trained has samples."""

    def found(t):
        layer = filled(t, "Linear(3, 2)")
        layer.weight.requires_grad_(False)
        call_for(t, layer)(batch(t, "float", 4, 3)).sum().backward()
        return hasattr(layer.weight, "grad_sample"), layer.bias.grad_sample.tolist()

    assert found(ours) == found(torch)


def test_gradients_of_gradients_flow():
    """With ``create_graph`` samples are differentiable."""

    def found(t):
        layer, x = filled(t, "Linear(3, 2)"), batch(t, "float", 4, 3)
        loss = call_for(t, layer)(x).square().sum()
        (g,) = t.autograd.grad(loss, x, create_graph=True)
        samples = layer.weight.grad_sample
        (again,) = t.autograd.grad(samples.square().sum(), x)
        return g.requires_grad, samples.requires_grad, again.double().tolist()

    got, want = found(ours), found(torch)
    assert got[:2] == want[:2]
    torch.testing.assert_close(torch.tensor(got[2]), torch.tensor(want[2]))


def expanded(t, *shape, size=4, reduction="sum"):
    home = importlib.import_module(f"{t.__name__}.nn.utils._expanded_weights")
    return home.ExpandedWeight(t.ones(*shape, requires_grad=True), size, reduction)


def used_again(t):
    layer = filled(t, "Linear(3, 2)")
    for _ in range(2):
        call_for(t, layer)(t.ones(4, 3)).sum().backward()


WRONG = {
    "no module": lambda t: call_for(t, 3),
    "a float of samples": lambda t: call_for(t, t.nn.Linear(3, 2), batch_size=2.0),
    "no samples": lambda t: call_for(t, t.nn.Linear(3, 2), batch_size=0),
    "another reduction": lambda t: call_for(t, t.nn.Linear(3, 2), loss_reduction="no"),
    "no tensor": lambda t: call_for(t, t.nn.Linear(3, 2))(3),
    "two sizes": lambda t: call_for(t, Twice.of(t))(t.ones(4, 3), other=t.ones(3)),
    "another size": lambda t: call_for(t, t.nn.Linear(3, 2), batch_size=3)(t.ones(4, 3)),
    "an empty batch": lambda t: call_for(t, t.nn.Linear(3, 2))(t.ones(0, 3)),
    "samples already there": used_again,
    "one sample": lambda t: call_for(t, t.nn.Linear(3, 2))(t.ones(3)),
    "one row": lambda t: call_for(t, t.nn.Embedding(5, 3))(t.tensor([0, 1])),
    "one word": lambda t: call_for(t, t.nn.Embedding(5, 3), batch_size=1)(t.tensor(0)),
    "normalized samples": lambda t: call_for(t, t.nn.LayerNorm(3))(t.ones(3)),
    "batch normalization": lambda t: call_for(t, t.nn.BatchNorm1d(3))(t.ones(2, 3)),
    "attention": lambda t: call_for(t, t.nn.MultiheadAttention(4, 2))(*[t.ones(3, 2, 4)] * 3),
    "an activation": lambda t: call_for(t, t.nn.PReLU())(t.ones(3, 2)),
    "a cell": lambda t: call_for(t, t.nn.RNNCell(3, 2))(t.ones(4, 3)),
    "a sum": lambda t: expanded(t, 3) + 1,
    "an index": lambda t: expanded(t, 3)[0],
    "its text": lambda t: repr(expanded(t, 3)),
    "its rank": lambda t: expanded(t, 3).ndim,
    "an input of weights": lambda t: t.nn.functional.linear(expanded(t, 4, 4), expanded(t, 4, 4)),
    "two reductions": lambda t: t.nn.functional.linear(
        t.ones(4, 4), expanded(t, 4, 4, reduction="mean"), expanded(t, 4)
    ),
    "no input": lambda t: t.nn.functional.linear([1], expanded(t, 4, 4)),
    "a number for a weight": lambda t: type(expanded(t, 3))(3, 4, "sum"),
    "a weight that is not trained": lambda t: type(expanded(t, 3))(t.ones(3), 4, "sum"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_has_no_samples_is_refused_as_torch_does(case):
    """Type and text."""

    def raised(t):
        t.manual_seed(0)
        with pytest.raises((RuntimeError, TypeError)) as caught:
            WRONG[case](t)
        return caught.type, str(caught.value)

    assert raised(ours) == raised(torch)


def test_a_convolution_of_one_sample_is_refused():
    """The text names the function as Python shows it."""

    def raised(t):
        with pytest.raises(RuntimeError) as caught:
            call_for(t, t.nn.Conv2d(2, 4, 3))(t.ones(2, 5, 5))
        before, _, after = str(caught.value).partition(" got ")
        return before, after.partition(" with ")[2]

    assert raised(ours) == raised(torch)


RECURRENT = [
    "RNN(3, 4, 2, nonlinearity='relu')",
    "RNN(3, 4, bias=False, batch_first=True)",
    "GRU(3, 4, 2, bidirectional=True)",
    "LSTM(3, 4, 2, bidirectional=True)",
    "LSTM(3, 4, proj_size=2, batch_first=True)",
]


def recurrent(t, text, is_packed):
    """The result, the last states, and the gradients of samples of a recurrent layer."""
    layer = filled(t, text)
    x = batch(t, "float", 3, 5, 3)
    given = x if layer.batch_first else x.transpose(0, 1)
    if is_packed:
        pack = importlib.import_module(f"{t.__name__}.nn.utils.rnn").pack_padded_sequence
        given = pack(given, [5, 3, 3], batch_first=layer.batch_first)
    options = {"batch_size": 3} if is_packed else {"batch_first": layer.batch_first}
    out, states = call_for(t, layer, **options)(given)
    states = states if isinstance(states, tuple) else (states,)
    data = out.data if is_packed else out
    (data.square().sum() + sum(part.sum() for part in states)).backward()
    found = [data, *states, x.grad, *[p.grad_sample for p in layer.parameters()]]
    return [part.detach().tolist() for part in found], [tuple(part.shape) for part in found]


@pytest.mark.parametrize("is_packed", [False, True])
def test_recurrent_layers_keep_samples_apart(is_packed):
    """Packed sequences too, where the last samples end before."""
    for text in RECURRENT:
        got, shapes = recurrent(ours, text, is_packed)
        want, theirs = recurrent(torch, text, is_packed)
        assert shapes == theirs, text
        for mine, its in zip(got, want, strict=True):
            near = torch.testing.assert_close
            near(torch.tensor(mine), torch.tensor(its), rtol=1e-4, atol=1e-5, msg=text)


def helped(t, work):
    """What *work* gives of the module of helpers, or its error."""
    home = importlib.import_module(
        f"{t.__name__}.nn.utils._expanded_weights.expanded_weights_utils"
    )
    try:
        return work(t, home)
    except RuntimeError as error:
        return str(error)


def with_weights(t, home, sample, size):
    args = home.standard_kwargs(("bias",), (sample, expanded(t, 2, 3, size=size), t.ones(2)))
    return home.forward_helper(t.nn.functional.linear, *args).tolist()


def set_twice(t, home):
    weight = expanded(t, 2, size=4, reduction="mean")
    for _ in range(2):
        home.set_grad_sample_if_exists(weight, lambda w: t.ones(3, 2) * w)
    return weight.orig_weight.grad_sample.tolist()


def test_helpers_of_functions_check_and_add_up():
    for work in (
        lambda t, h: with_weights(t, h, t.ones(4, 3), 4),
        lambda t, h: with_weights(t, h, t.ones(4, 3), 3),
        lambda t, h: with_weights(t, h, t.tensor(3.0), 4),
        lambda t, h: with_weights(t, h, 3, 4),
        lambda t, h: with_weights(t, h, expanded(t, 4, 3), 4),
        set_twice,
        lambda t, h: h.set_grad_sample_if_exists(t.ones(2, requires_grad=True), lambda w: w),
        lambda t, h: h.set_grad_sample_if_exists(3, lambda w: w),
        lambda t, h: h.unpack_expanded_weight_or_tensor(expanded(t, 2), lambda w: w.tolist()),
        lambda t, h: h.unpack_expanded_weight_or_tensor(4),
        lambda t, h: h.sum_over_all_but_batch_and_last_n(t.ones(1, 2, 3, 4), 1).tolist(),
        lambda t, h: h.sum_over_all_but_batch_and_last_n(t.ones(1, 2), 1).tolist(),
        lambda t, h: h.is_batch_first([3, expanded(t, 2)]),
    ):
        assert helped(ours, work) == helped(torch, work)


def test_a_class_may_have_properties_of_its_own_before_its_first_attribute():
    """Making an instance asks the memory, not the class."""

    def made(t):
        class Named(t.Tensor):
            dtype = property(lambda self: self.told)

        value = t.Tensor._make_subclass(Named, t.ones(2), True)
        return type(value) is Named, hasattr(value, "dtype")

    assert made(ours) == made(torch)
