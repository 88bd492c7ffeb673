"""torch.nn.utils: packed sequences, norms of weights, fusion, calls with other parameters."""

import importlib
import inspect

import numpy as np
import pytest

from tests.contract.both_frameworks import agree, ours, outcome, refuse, same, torch

MODULES = (
    "rnn parametrize parametrizations weight_norm spectral_norm prune stateless fusion init "
    "memory_format clip_grad convert_parameters _named_member_accessor _deprecation_utils"
).split()


def arange(t, *shape, start=0.0):
    count = int(np.prod(shape))
    return (t.arange(float(count)) / 7 + start).sin().view(*shape)


def filled(module, t):
    """*module* with the same numbers in both frameworks."""
    with t.no_grad():
        for i, value in enumerate([*module.parameters(), *module.buffers()]):
            if value.is_floating_point():
                value.copy_(arange(t, *value.shape, start=i).abs() + 0.1)
    return module


def rounded(value, t):
    """Tensors as lists of numbers, to be compared with pytest's tolerance or exactly."""
    if isinstance(value, t.Tensor):
        return np.round(value.detach().double().numpy(), 5).tolist()
    if isinstance(value, (tuple, list)):
        return [rounded(v, t) for v in value]
    if isinstance(value, dict):
        return [(k, rounded(v, t)) for k, v in value.items()]
    return value


def assert_close(got, want):
    """Equal, but for the last digits of numbers."""
    if isinstance(want, (list, tuple)):
        assert len(got) == len(want)
        for g, w in zip(got, want, strict=True):
            assert_close(g, w)
    elif isinstance(want, float):
        assert got == pytest.approx(want, rel=1e-4, abs=2e-5)
    else:
        assert got == want


def near(fn):
    """Both frameworks return the same numbers to five places."""
    got, want = (fn(t) for t in (ours, torch))
    assert_close(rounded(got, ours), rounded(want, torch))


def state(module, t):
    return rounded(dict(module.state_dict()), t)


# -- names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MODULES)
def test_public_names_and_signatures_are_the_oracles(name):
    """Every function and class of the oracle's module is here, with the oracle's parameters."""
    home, oracle = (importlib.import_module(f"{b}.nn.utils.{name}") for b in ("mindtorch", "torch"))
    for key, value in vars(oracle).items():
        public = not key.startswith("_") and getattr(value, "__module__", "") == oracle.__name__
        if not public or isinstance(value, type(np)) or not callable(value) or key == "T_module":
            continue
        mine = getattr(home, key)
        assert list(inspect.signature(mine).parameters) == list(inspect.signature(value).parameters)
        assert mine.__module__.replace("mindtorch", "torch") == value.__module__


def test_the_package_has_every_name_of_the_oracles():
    for name in torch.nn.utils.__all__:
        assert hasattr(ours.nn.utils, name), name


# -- packed sequences ----------------------------------------------------------------------------


def packed(t, lengths=(4, 2, 1), **options):
    x = arange(t, 4, 3, 2)
    return t.nn.utils.rnn.pack_padded_sequence(x, list(lengths), **options)


def test_packing_and_padding_go_there_and_back():
    near(lambda t: list(packed(t)))
    near(lambda t: list(packed(t, (2, 4, 1), enforce_sorted=False)))
    near(lambda t: t.nn.utils.rnn.pad_packed_sequence(packed(t), True, -1.0, 6))
    near(lambda t: t.nn.utils.rnn.pad_packed_sequence(packed(t, (2, 4, 1), enforce_sorted=False)))
    near(lambda t: t.nn.utils.rnn.unpack_sequence(packed(t, (1, 4, 2), enforce_sorted=False)))
    near(lambda t: t.nn.utils.rnn.invert_permutation(t.tensor([2, 0, 1])))
    near(lambda t: list(t.nn.utils.rnn.pack_sequence([arange(t, 3, 2), arange(t, 2, 2)])))


@pytest.mark.parametrize("lengths", [[2, 4, 1], [4, 2], [4, 2, 0]])
def test_lengths_that_do_not_fit_are_refused(lengths):
    refuse(lambda t: packed(t, lengths))


def test_padding_refuses_as_the_oracle():
    refuse(lambda t: t.nn.utils.rnn.pad_packed_sequence(packed(t), total_length=3))
    refuse(lambda t: t.nn.utils.rnn.pad_sequence([]))
    refuse(lambda t: t.nn.utils.rnn.pad_sequence(3))
    refuse(lambda t: t.nn.utils.rnn.pad_sequence([t.ones(2)], padding_side="x"))
    refuse(lambda t: t.nn.utils.rnn.PackedSequence(t.ones(3)))


def test_sequences_are_padded_on_either_side():
    for side in ("left", "right"):
        for first in (True, False):
            near(
                lambda t, side=side, first=first: t.nn.utils.rnn.pad_sequence(
                    [arange(t, 2, 2), arange(t, 3, 2)], first, 7.0, side
                )
            )


def test_packed_sequences_change_dtype_and_know_their_place():
    agree(lambda t: str(packed(t).double().data.dtype))
    agree(lambda t: packed(t).to("cpu").is_cuda)
    agree(lambda t: repr(packed(t).int()))
    agree(lambda t: len(packed(t)))
    for t in (ours, torch):
        p = packed(t)
        assert p.to("cpu") is p


def test_gradients_pass_through_packing():
    def run(t):
        x = arange(t, 4, 3, 2).requires_grad_()
        p = t.nn.utils.rnn.pack_padded_sequence(x, [4, 2, 1])
        padded, _ = t.nn.utils.rnn.pad_packed_sequence(p)
        (padded * padded).sum().backward()
        return x.grad

    near(run)


@pytest.mark.parametrize(
    "text",
    ["RNN(2, 3)", "GRU(2, 3, 2, bidirectional=True)", "LSTM(2, 3, 2, bidirectional=True)",
     "LSTM(2, 4, proj_size=2)", "RNN(2, 3, nonlinearity='relu', bias=False)"],
)  # fmt: skip
@pytest.mark.parametrize("lengths", [(4, 2, 1), (1, 4, 4)])
def test_recurrent_layers_take_packed_sequences(text, lengths):
    def run(t):
        layer = filled(eval("t.nn." + text, {"t": t}), t)
        p = packed(t, lengths, enforce_sorted=False)
        out, last = layer(p)
        last = last if isinstance(last, tuple) else (last,)
        sum((v * v).sum() for v in (out.data, *last)).backward()
        return [out.data, out.batch_sizes, *last, *[v.grad for v in layer.parameters()]]

    near(run)


def test_recurrent_layers_take_states_with_packed_sequences():
    def run(t):
        layer = filled(t.nn.GRU(2, 3), t)
        out, last = layer(packed(t, (1, 4, 2), enforce_sorted=False), arange(t, 1, 3, 3))
        return out.data, last

    near(run)
    refuse(lambda t: t.nn.GRU(2, 3)(packed(t), t.zeros(1, 2, 3)))
    refuse(lambda t: t.nn.RNN(5, 3)(packed(t)))
    refuse(lambda t: t.nn.GRU(2, 3)(packed(t).double()))


# -- weight norm and spectral norm by hooks ------------------------------------------------------


def test_weight_norm_takes_the_weight_apart_and_together():
    def run(t, dim):
        layer = filled(t.nn.Linear(3, 2), t)
        layer = t.nn.utils.weight_norm(layer, dim=dim)
        y = layer(arange(t, 4, 3))
        y.sum().backward()
        grads = [p.grad for p in layer.parameters()]
        names = [n for n, _ in layer.named_parameters()]
        removed = t.nn.utils.remove_weight_norm(layer)
        return names, y, grads, [n for n, _ in removed.named_parameters()], removed.weight

    for dim in (0, 1, None):
        near(lambda t, dim=dim: run(t, dim))


def test_weight_norm_refuses_as_the_oracle():
    refuse(lambda t: t.nn.utils.weight_norm(t.nn.utils.weight_norm(t.nn.Linear(2, 2))))
    refuse(lambda t: t.nn.utils.remove_weight_norm(t.nn.Linear(2, 2)))
    refuse(lambda t: t.nn.utils.weight_norm(t.nn.LazyLinear(2)))


def spectral(t, module=None):
    module = filled(module or t.nn.Linear(3, 2), t)
    module = t.nn.utils.spectral_norm(module)
    with t.no_grad():
        for name, size in (("weight_u", 0), ("weight_v", 1)):
            value = getattr(module, name)
            value.copy_(t.nn.functional.normalize(arange(t, *value.shape, start=size), dim=0))
    return module


def test_spectral_norm_divides_by_the_largest_singular_value():
    def run(t):
        module = spectral(t)
        y = module(arange(t, 4, 3))
        y.sum().backward()
        trained = state(module, t)
        module.eval()
        z = module(arange(t, 4, 3))
        removed = t.nn.utils.remove_spectral_norm(module)
        return y, module.bias.grad, trained, z, list(removed.state_dict())

    near(run)
    near(lambda t: state(spectral(t, t.nn.ConvTranspose2d(2, 3, 2)), t)[0:2])


def test_spectral_norm_loads_what_was_saved():
    def run(t):
        saved = spectral(t).state_dict()
        other = spectral(t)
        return str(other.load_state_dict(saved)), saved._metadata[""]["spectral_norm"]

    same(run)


def test_spectral_norm_refuses_as_the_oracle():
    refuse(lambda t: t.nn.utils.spectral_norm(t.nn.utils.spectral_norm(t.nn.Linear(2, 2))))
    refuse(lambda t: t.nn.utils.remove_spectral_norm(t.nn.Linear(2, 2)))
    refuse(lambda t: t.nn.utils.spectral_norm(t.nn.Linear(2, 2), n_power_iterations=0))
    refuse(lambda t: t.nn.utils.spectral_norm(t.nn.Linear(2, 2), "foo"))
    refuse(lambda t: t.nn.utils.spectral_norm(t.nn.LazyLinear(2)))


# -- fusion, skip_init, memory formats -----------------------------------------------------------


def test_batch_norm_is_taken_into_the_layer_before():
    def conv(t, transpose):
        kind = t.nn.ConvTranspose2d if transpose else t.nn.Conv2d
        layer, bn = filled(kind(2, 3, 2), t).eval(), filled(t.nn.BatchNorm2d(3), t).eval()
        fused = t.nn.utils.fuse_conv_bn_eval(layer, bn, transpose)
        x = arange(t, 1, 2, 4, 4)
        return fused(x) - bn(layer(x)), fused.weight, fused.bias

    def linear(t):
        layer, bn = filled(t.nn.Linear(2, 3), t).eval(), filled(t.nn.BatchNorm1d(3), t).eval()
        fused = t.nn.utils.fuse_linear_bn_eval(layer, bn)
        return fused.weight, fused.bias, fused.weight.requires_grad

    near(lambda t: conv(t, False)[1:])
    near(lambda t: conv(t, True)[1:])
    assert float(conv(ours, True)[0].abs().max()) < 1e-5
    near(linear)
    refuse(lambda t: t.nn.utils.fuse_conv_bn_eval(t.nn.Conv2d(1, 1, 1), t.nn.BatchNorm2d(1)))
    refuse(
        lambda t: t.nn.utils.fuse_linear_bn_eval(
            t.nn.Linear(2, 3).eval(), t.nn.BatchNorm1d(2).eval()
        )
    )


def test_modules_are_made_without_initializing():
    agree(lambda t: repr(t.nn.utils.skip_init(t.nn.Linear, 2, 3, bias=False)))
    agree(lambda t: str(t.nn.utils.skip_init(t.nn.Linear, 2, 3).weight.device))
    refuse(lambda t: t.nn.utils.skip_init(t.nn.ReLU))


def test_weights_of_convolutions_change_their_memory_format():
    def run(t):
        net = t.nn.Sequential(filled(t.nn.Conv2d(2, 3, 2), t), t.nn.Conv3d(2, 2, 2))
        t.nn.utils.convert_conv2d_weight_memory_format(net, t.channels_last)
        t.nn.utils.convert_conv3d_weight_memory_format(net, t.channels_last_3d)
        return [p.stride() for p in net.parameters()], rounded(net[0].weight, t)

    same(run)


# -- other parameters ----------------------------------------------------------------------------


def test_stateless_call_uses_the_given_parameters():
    def run(t):
        layer = filled(t.nn.Linear(2, 2), t)
        given = {"weight": t.ones(2, 2)}
        y = t.nn.utils.stateless.functional_call(layer, given, (t.ones(1, 2),))
        return y, layer.weight

    near(run)
    refuse(
        lambda t: t.nn.utils.stateless.functional_call(
            t.nn.Linear(2, 2), {"foo": t.ones(1)}, (t.ones(1, 2),), strict=True
        )
    )


def test_reparametrized_module_gets_its_own_back():
    def run(t):
        layer = filled(t.nn.Linear(2, 2), t)
        with t.nn.utils.stateless._reparametrize_module(layer, {"weight": t.zeros(2, 2)}):
            inside = layer.weight
        return inside, layer.weight

    near(run)


ACCESSES = {
    "tensor": lambda a, t: a.get_tensor("0.weight"),
    "submodule": lambda a, t: repr(a.get_submodule("1")),
    "missing": lambda a, t: a.get_tensor("0.foo"),
    "no submodule": lambda a, t: a.get_submodule("5"),
    "no module": lambda a, t: a.get_submodule("0.weight"),
    "set": lambda a, t: (a.set_tensor("0.bias", t.ones(2)), a.get_tensor("0.bias"))[1],
    "set number": lambda a, t: a.set_tensor("0.bias", 3),
    "delete": lambda a, t: (a.del_tensor("0.bias"), a.check_keys(["0.weight"]))[1],
    "delete missing": lambda a, t: a.del_tensor("0.foo"),
    "keys": lambda a, t: a.check_keys(["0.weight", "foo"]),
    "swap": lambda a, t: a.swap_tensor("0.bias", t.zeros(2)),
    "swap missing": lambda a, t: a.swap_tensor("0.foo", t.zeros(2)),
    "swap dict": lambda a, t: a.swap_tensors_dict({"0.bias": t.zeros(2)}),
    "swap dict missing": lambda a, t: a.swap_tensors_dict({"0.foo": t.zeros(2)}),
    "names": lambda a, t: [n for n, _ in a.named_tensors()],
    "modules": lambda a, t: [n for n, _ in a.named_modules()],
    "swap module": lambda a, t: repr(a.swap_submodule("1", t.nn.Tanh())),
    "swap no module": lambda a, t: repr(a.swap_submodule("7", t.nn.Tanh())),
    "many": lambda a, t: a.set_tensors(["0.weight"], []),
}


@pytest.mark.parametrize("name", ACCESSES)
def test_members_are_found_by_full_names(name):
    def run(t):
        net = t.nn.Sequential(filled(t.nn.Linear(2, 2), t), t.nn.ReLU())
        accessor = importlib.import_module(f"{t.__name__}.nn.utils._named_member_accessor")
        return rounded(ACCESSES[name](accessor.NamedMemberAccessor(net), t), t)

    got, want = outcome(run, ours), outcome(run, torch)
    assert got == want
