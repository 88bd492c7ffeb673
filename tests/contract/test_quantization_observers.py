"""Observers and modules that round as quantized tensors would: torch's scales, states and texts."""

import pytest

from tests.contract.both_frameworks import agree, refuse, same

TENSORS = "per_tensor_affine per_tensor_symmetric".split()
CHANNELS = "per_channel_affine per_channel_symmetric per_channel_affine_float_qparams".split()
DTYPES = "quint8 qint8 qint32 quint4x2 int8 uint8 int16 uint16 int32 float8_e4m3fn".split()


def _inputs(t, count=3):
    t.manual_seed(7)
    return [t.randn(3, 4) * (i + 1) + 0.5 for i in range(count)]


def _watched(t, name, qscheme, dtype, **options):
    """What an observer says before, between and after tensors."""
    make = getattr(t.ao.quantization, name)
    observer = make(qscheme=getattr(t, qscheme), dtype=getattr(t, dtype), **options)
    said = [repr(observer), *observer.calculate_qparams()]
    for x in _inputs(t):
        assert observer(x) is x
        said += [*observer.calculate_qparams(), repr(observer)]
    said.append(sorted(observer.state_dict().items()))
    observer.reset_min_max_vals()
    return [*said, repr(observer), observer.quant_min, observer.quant_max]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("qscheme", TENSORS + CHANNELS)
@pytest.mark.parametrize("moving", [False, True])
def test_scales_of_what_was_seen(qscheme, dtype, moving):
    kind = "" if qscheme in TENSORS else "PerChannel"
    name = f"{'MovingAverage' if moving else ''}{kind}MinMaxObserver"
    same(lambda t: _watched(t, name, qscheme, dtype))


@pytest.mark.parametrize(
    "options",
    [
        {"quant_min": 0, "quant_max": 127},
        {"quant_min": -8, "quant_max": 7},
        {"quant_min": -8, "quant_max": 7, "reduce_range": True},
        {"reduce_range": True},
        {"eps": 0.5},
        {"quant_min": 3, "quant_max": 127},
        {"quant_min": 0, "quant_max": 0},
        {"quant_min": 0, "quant_max": 300},
        {"is_dynamic": True},
        {"factory_kwargs": {"device": "cpu"}},
        {"quant_min": 5},
    ],
    ids=str,
)
@pytest.mark.parametrize("name", ["MinMaxObserver", "PerChannelMinMaxObserver"])
def test_options(name, options):
    scheme = TENSORS[0] if name == "MinMaxObserver" else CHANNELS[0]
    for dtype in ("quint8", "qint8", "qint32"):
        same(lambda t, dtype=dtype: _watched(t, name, scheme, dtype, **options))


@pytest.mark.parametrize("name", ["MinMaxObserver", "MovingAverageMinMaxObserver"])
@pytest.mark.parametrize("wrong", [{"qscheme": "per_channel_affine"}, {"dtype": "float32"}])
def test_what_a_tensors_observer_refuses(name, wrong):
    refuse(
        lambda t: getattr(t.ao.quantization, name)(**{k: getattr(t, v) for k, v in wrong.items()})
    )


@pytest.mark.parametrize(
    "name", ["PerChannelMinMaxObserver", "MovingAveragePerChannelMinMaxObserver"]
)
@pytest.mark.parametrize("wrong", [{"qscheme": "per_tensor_affine"}, {"dtype": "float32"}])
def test_what_a_channels_observer_refuses(name, wrong):
    refuse(
        lambda t: getattr(t.ao.quantization, name)(**{k: getattr(t, v) for k, v in wrong.items()})
    )
    refuse(lambda t: getattr(t.ao.quantization, name)(is_dynamic=True))


def test_averages_of_scales_that_are_found_anew_are_refused():
    refuse(lambda t: t.ao.quantization.MovingAverageMinMaxObserver(is_dynamic=True))
    agree(lambda t: repr(t.ao.quantization.MovingAverageMinMaxObserver(1, is_dynamic=True)))


@pytest.mark.parametrize("axis", [0, 1, 2, -1])
def test_channels_of_any_dimension(axis):
    def program(t):
        t.manual_seed(2)
        observer = t.ao.quantization.PerChannelMinMaxObserver(ch_axis=axis)
        observer(t.randn(2, 3, 4))
        return observer.calculate_qparams()

    agree(program)


@pytest.mark.parametrize(
    "name", ["PlaceholderObserver", "RecordingObserver", "NoopObserver", "ReuseInputObserver"]
)
def test_observers_that_find_no_scale(name):
    def program(t):
        observer = getattr(t.ao.quantization, name)()
        observer(t.ones(2))
        return repr(observer), str(observer.dtype), list(observer.state_dict())

    agree(program)
    refuse(lambda t: getattr(t.ao.quantization, name)().calculate_qparams())


DEFAULTS = [
    *("default_observer default_weight_observer default_per_channel_weight_observer").split(),
    *("default_dynamic_quant_observer default_float_qparams_observer").split(),
    *("weight_observer_range_neg_127_to_127 default_fixed_qparams_range_0to1_observer").split(),
    *("per_channel_weight_observer_range_neg_127_to_127 default_fake_quant").split(),
    *("default_weight_fake_quant default_per_channel_weight_fake_quant").split(),
    *("default_embedding_fake_quant default_embedding_fake_quant_4bit").split(),
    *("default_fixed_qparams_range_neg1to1_fake_quant default_dynamic_fake_quant").split(),
    *("default_fused_act_fake_quant default_fused_wt_fake_quant").split(),
    *("default_fused_per_channel_wt_fake_quant fused_wt_fake_quant_range_neg_127_to_127").split(),
    "fused_per_channel_wt_fake_quant_range_neg_127_to_127",
]


@pytest.mark.parametrize("name", DEFAULTS)
def test_defaults_are_made_of_the_same_and_do_the_same(name):
    def program(t):
        make = getattr(t.ao.quantization, name)
        made, out = make(), []
        for x in _inputs(t):
            y = made(x.requires_grad_())
            y.sum().backward()
            out += [y, x.grad, repr(made)]
        return (
            repr(make).replace("mindtorch.", "torch."),
            out,
            [(k, v) for k, v in made.state_dict().items()],
        )

    agree(program)


@pytest.mark.parametrize(
    "options",
    [
        {"quant_min": 0, "quant_max": 500},
        {"quant_min": -3, "quant_max": 3},
        {"quant_min": 9, "quant_max": 3},
        {"quant_min": 0, "quant_max": 15},
    ],
    ids=str,
)
@pytest.mark.parametrize("kind", ["FakeQuantize", "FusedMovingAvgObsFakeQuantize"])
def test_ranges_of_rounding(kind, options):
    same(lambda t: repr(getattr(t.ao.quantization, kind)(**options)))


@pytest.mark.parametrize("kind", ["FakeQuantize", "FusedMovingAvgObsFakeQuantize"])
def test_switches(kind):
    def program(t):
        q, made, out = t.ao.quantization, getattr(t.ao.quantization, kind)(), []
        first, second, third = _inputs(t)
        out.append(made(first))
        made.apply(q.disable_observer)
        out.append(made(second))
        made.apply(q.disable_fake_quant)
        out.append(made(third))
        made.apply(q.enable_observer)
        out.append(made(third))
        made.apply(q.enable_fake_quant)
        return [*out, made(first), repr(made)]

    agree(program)


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("rows", [False, True])
@pytest.mark.parametrize(
    "spread", [(-1, 1), (0, 3), (-3, 0), (1, 2), (-1e-6, 2e-6), (0, 0), (0, 1e-7)]
)
def test_the_fused_function(symmetric, rows, spread):
    def program(t):
        low, high = spread
        x = (t.arange(12.0) / 11 * (high - low) + low).reshape(3, 4)
        size = 3 if rows else 1
        least = t.empty(0) if rows else t.tensor(float("inf"))
        most = t.empty(0) if rows else t.tensor(float("-inf"))
        scale, zero = t.ones(size), t.zeros(size, dtype=t.int32)
        on = t.tensor([1])
        out = []
        for factor in (1, 3):
            out.append(
                t.fused_moving_avg_obs_fake_quant(
                    x * factor, on, on, least, most, scale, zero, 0.5, -128, 127, 0, rows, symmetric
                )
            )
            out += [least.clone(), most.clone(), scale.clone(), zero.clone()]
        return out

    agree(program)


def test_states_of_observers_alone():
    def program(t):
        q = t.ao.quantization
        model = t.nn.Sequential(t.nn.Linear(3, 3), t.nn.ReLU())
        model[0].add_module("activation_post_process", q.MinMaxObserver())
        model[0].activation_post_process(t.arange(3.0))
        state = q.get_observer_state_dict(model)
        model[0].activation_post_process.reset_min_max_vals()
        q.load_observer_state_dict(model, state)
        return list(state), repr(model)

    agree(program)
