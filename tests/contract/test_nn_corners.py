"""Layers called in corners: nothing to compute on, sizes too many, options of wrong types."""

import math
from itertools import product

import numpy as np
import pytest
import torch

from tests.contract.both_frameworks import BOTH, same
from tests.contract.helpers import assert_same_value, assert_torch_error, both


def _said(program, t):
    """What *program*, an expression of ``t`` and ``nn``, gives; strides of tensors with it."""
    value = eval(program, {"t": t, "nn": t.nn, "F": t.nn.functional})
    parts = value if isinstance(value, tuple) else (value,)
    return [
        (tuple(p.shape), p.stride(), str(p.grad_fn).split(" ")[0], p.tolist())
        if isinstance(p, t.Tensor)
        else p
        for p in parts
    ]


def _loss_of_nothing(loss, shape, reduction):
    places = (shape[0], *shape[2:])
    return (
        f"[x := t.zeros({shape}, requires_grad=True), F.{loss}(x, t.zeros({places}, dtype=t.int64),"
        f" reduction='{reduction}').sum().backward(), x.grad][2]"
    )


PROGRAMS = [
    *(
        _loss_of_nothing(loss, shape, reduction)
        for loss in ("nll_loss", "cross_entropy")
        for shape in ((0, 4), (0, 4, 3), (0, 4, 2, 3), (2, 4, 0))
        for reduction in ("none", "sum")
    ),
    *(
        f"nn.{cls}({sizes})(t.ones({shape}))"
        for cls in ("CircularPad1d", "CircularPad2d")
        for sizes in ("(1, 2, 3, 4)", "(1,)", "(1, 2)", "1", "()")
        for shape in ((4,), (4, 6), (1, 4, 6), (1, 4, 6, 6))
    ),
    *(
        f"F.pad(t.ones(2, {n}), {pad})"
        for n in (0, 1, 2)
        for pad in ([-1, 2], [2, -1], [-2, 2], [1, -3], [-1, -1], [-1, 0], [0, -1, 3, 3])
    ),
    *(
        f"t.ops.aten.{kind}_pad{n}d(t.ones({shape}), {padding * n})"
        for kind in ("reflection", "replication")
        for n in (1, 2, 3)
        for shape in (
            (3, 4, 0),
            (3, 0, 4),
            (0, 3, 4),
            (0, 4),
            (4,),
            (2, 3, 4, 2),
            (0, 3, 4, 2, 2),
            (3, 4),
            (2, 3),
            (2, 0, 3, 4, 2),
        )
        for padding in ([1, 1], [-1, 0], [-2, -2], [4, 0], [0, 3], [-5, 1])
        if (kind, n, shape[-1] + sum(padding) < 0) != ("reflection", 2, True)  # its numel overflows
    ),
    *(
        f"nn.LPPool{n}d(2, {sizes}, ceil_mode={ceil})(t.ones({(2, 4, 6, 6)[: n + 1]}))"
        for n in (1, 2, 3)
        for sizes in ("None", "'x'", "(1, 2, 3, 4)", "[]", "(2,)", "2.5", "2")
        for ceil in (False, -1)
    ),
    *(
        f"nn.FractionalMaxPool{n}d({sizes}, output_size=2)"
        for n in (2, 3)
        for sizes in (0, -1, 2, (2, 0), (2, 0, 2), [1, -1, 1])
    ),
    *(
        f"repr(nn.{layer})"
        for layer in (
            "LSTM(2, 3, bidirectional=0)",
            "LSTM(2, 3, bidirectional=1)",
            "GRU(2, 3, bidirectional=False, dropout=0)",
            "Conv1d(2, 3, 1, dilation=[])",
            "Conv2d(2, 3, 1, padding=[])",
            "ConvTranspose1d(2, 3, 1, output_padding=[])",
        )
    ),
    *(
        f"t.batch_norm(t.ones({shape}), {weight}, {bias}, *[t.ones(0)] * 2, True, .1, .1, False)"
        for shape in ((1, 0, 3), (0, 0, 3))
        for weight, bias in (("t.ones(0)", None), (None, "t.ones(0)"), ("t.tensor(2.)", None))
    ),
    "F.pixel_unshuffle(t.zeros(0, 4, 5, 6).to(memory_format=t.channels_last), 1)",
    "F.pixel_unshuffle(t.zeros(0, 4, 4, 6), 2)",
    "nn.CrossMapLRN2d(3)(t.ones(2, 3, 6, 6).to(memory_format=t.channels_last)).stride()",
    "nn.LSTMCell(2, 2)(t.ones(1, 2), t.ones(1, 2))",
    "nn.LSTMCell(2, 2)(t.ones(1, 2), t.ones(1, 2, 1, 1))",
    "F.soft_margin_loss(t.ones(2, dtype=t.cfloat, requires_grad=True), t.ones(2, dtype=t.cfloat))",
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_corner_is_the_oracles(program):
    same(lambda t: _said(program, t))


UNINITIALIZED = ("UninitializedParameter", "UninitializedBuffer")
CONVERSIONS = (
    "half()", "float()", "int()", "cpu()", "to(t.float16)", "to('cpu')", "to('meta')",
    "is_complex()", "to(t.float32)", "get_device()",
)  # fmt: skip


@pytest.mark.parametrize("kind", UNINITIALIZED)
@pytest.mark.parametrize("conversion", CONVERSIONS)
def test_a_conversion_of_what_has_no_shape_yet(kind, conversion):
    def program(t):
        given = getattr(t.nn.parameter, kind)()
        found = eval(f"given.{conversion}", {"given": given, "t": t})
        return type(found).__name__, found is given

    assert_same_value(*both(program))


LAZY = [
    f"Lazy{family}{n}d({first}{options})"
    for family, first in (("BatchNorm", ""), ("InstanceNorm", ""), ("Conv", "2, 1"))
    for n in (1, 2)
    for options in (("", "affine=False", "track_running_stats=False") if not first else ("",))
] + ["LazyLinear(3)"]


@pytest.mark.parametrize("layer", LAZY)
@pytest.mark.parametrize("dtype", ["float16", "float64"])
def test_a_lazy_layer_may_be_cast_before_its_first_input(layer, dtype):
    def program(t):
        made = eval(f"nn.{layer}", {"nn": t.nn})
        made.to(getattr(t, dtype))
        shape = (3, 4, 6, 5)[: 4 if "2d" in layer else 3]
        out = made(t.ones(shape, dtype=getattr(t, dtype)))
        state = [(k, str(v.dtype), tuple(v.shape)) for k, v in made.state_dict().items()]
        return repr(made), str(out.dtype), tuple(out.shape), state

    assert_same_value(*both(program))


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("affine", [True, False])
def test_running_statistics_of_samples_are_written_while_training_only(training, affine):
    def program(t):
        layer = t.nn.InstanceNorm2d(4, track_running_stats=True, affine=affine).train(training)
        layer(t.arange(72.0).view(2, 4, 3, 3))
        return [(k, v._version, v.tolist()) for k, v in layer.state_dict().items()]

    assert_same_value(*both(program))


@pytest.mark.parametrize("shape", [(3,), (3, 2), (2, 3, 2)])
@pytest.mark.parametrize("dim", [0, 1, -1, None])
@pytest.mark.filterwarnings("ignore:.*weight_norm. is deprecated")
@pytest.mark.parametrize("of", ["utils", "utils.parametrizations"])
def test_weight_norm_of_a_parameter_of_any_rank(shape, dim, of):
    def program(t):
        layer = t.nn.Module()
        v = t.linspace(-0.5, 0.7, torch.Size(shape).numel()).reshape(shape)
        layer.weight = t.nn.Parameter(v)
        layer.forward = lambda: layer.weight
        utils = t.nn.utils.parametrizations if "." in of else t.nn.utils
        utils.weight_norm(layer, "weight", dim)
        out = layer()
        (out * t.arange(1.0, out.numel() + 1).reshape(shape)).sum().backward()
        return [(k, p.grad) for k, p in layer.named_parameters()]

    if dim == 1 and len(shape) == 1:
        assert_torch_error(*both(program))
    else:
        assert_same_value(*both(program), rtol=1e-5, atol=1e-5)


def _module(t):
    return t.nn.Sequential(t.nn.Linear(3, 2), t.nn.ModuleDict({"a": t.nn.Tanh()}))


NAMES = ("", None, 3, "0", "1.a", "1.b", "x", "0.weight", "0..x", ".", "1.")
PUT = ("t.nn.ReLU()", "3", "None")
QUESTIONS = [
    *(f"repr(m.get_submodule({name!r}))" for name in NAMES),
    *(
        f"(m.set_submodule({n!r}, {put}, {s}), repr(m))"
        for n in NAMES
        for put in PUT
        for s in (0, 1)
    ),
    *(
        f"t.nn.utils.{clip}([], {limit})"
        for clip in ("clip_grad_norm_", "clip_grad_value_")
        for limit in ("'x'", "1", "None")
    ),
    *(
        f"[x := t.arange(12.).view(3, 2, 2){grad}, "
        f"t.nn.utils.rnn.unpad_sequence(x, t.tensor({n}), {first}), x.shape]"
        for grad in ("", ".requires_grad_()", ".requires_grad_() * 1")
        for n in ([2, 1], [3, 1, 2], [1], [3, 2])
        for first in (False, True)
    ),
]


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_about_modules_and_batches(question):
    same(lambda t: eval(question, {"t": t, "m": _module(t)}))


@pytest.mark.parametrize("answer", ["(t.ones(1, 3),)", "(t.ones(5), t.ones(1), t.ones(1))", "3"])
def test_errors_name_the_hook_that_was_registered_the_old_way(answer):
    def program(t):
        layer = t.nn.Linear(3, 2)

        def doubled(module, grad_input, grad_output):
            return eval(answer, {"t": t})

        layer.register_backward_hook(doubled)
        layer(t.ones(1, 3)).sum().backward()

    assert_torch_error(*both(program))


#: Expressions whose results are compared with their strides, offsets and versions.
_RESULTS = [
    *(
        f"F.linear({x}, t.ones(5, 4), {bias})"
        for x in ("r", "r[0, 0]", "r[None]", "r.contiguous()", "r[None].contiguous()")
        for bias in (
            "t.ones(5)",
            "t.ones(10)[::2]",
            "t.ones(1)",
            "t.ones(())",
            "t.ones(5).double()",
            "t.ones(2, 1, 5)",
        )
    ),
    *(
        f"F.linear({x}, t.ones(4), {bias})"
        for x in ("t.ones(4)", "t.ones(3, 4)", "t.ones(1, 3, 4)", "t.ones(())")
        for bias in ("t.ones(1)", "t.ones(())", "t.ones(3)", "None")
    ),
    *(
        f"t.addmm(t.ones(2, 2), {left}, {right})"
        for left in ("t.ones(2)", "t.ones(3, 3)", "t.ones(2, 2, dtype=t.int64)")
        for right in ("t.ones(2, 2).double()", "t.ones(2)", "t.ones(2, 2)")
    ),
    *(
        f"F.gaussian_nll_loss(t.ones(2, 3), t.zeros(2, 3), {var}, full=True, reduction='none')"
        for var in (
            "t.ones(2, 3)",
            "t.ones(2, 1)",
            "t.ones(1, 3)",
            "t.ones(1, 1)",
            "t.ones(3)",
            "t.ones(2)",
            "t.ones(())",
            "t.ones(0, 3)",
            "True",
            "2",
            "2.0",
            "-1.0",
            "-t.ones(2)",
        )
    ),
    "F.gaussian_nll_loss(t.ones(2), t.ones(2), t.ones(2), reduction=None)",
    "F.poisson_nll_loss(t.ones(2), t.ones(2), reduction=None)",
    "F.cross_entropy(t.ones(2, 2), t.zeros(2, dtype=t.int64), reduction=None)",
    *(
        f"F.max_pool1d(t.ones({shape}), {k}, padding={p})"
        for shape in ("4, 5, 0", "0, 1", "0, 2, 4", "2, 4")
        for k, p in ((0, 0), (2, 2), (2, 0))
        if shape != "2, 4" or p
    ),
    "F.mse_loss(t.ones(3).requires_grad_(), t.zeros(3), weight=t.ones(3), reduction='none')",
    "F.fold(t.arange(8.0).reshape(1, 2, 4), (3, 4), (2, 1), (1, 2), (1, 0), (2, 2))",
    "F.fold(t.arange(80.0).reshape(1, 4, 20), (6, 5), (2, 2))",
    "F.prelu(t.ones(4)[::4], t.ones(1))",
    "F.prelu(t.ones(2, 1, 4).transpose(0, 1), t.ones(2))",
    *(
        f"F.affine_grid(t.ones(1, 2, 3, dtype=t.{kind}), {sizes}, False)"
        for kind in ("float16", "bfloat16", "float32")
        for sizes in ((1, 1, 1, 2), (1, 1, 2, 2))
    ),
    *(f"F.multi_margin_loss(n, t.tensor([1, 0, 2]), p={p}, reduction='none')" for p in (1, 2)),
    "F.multilabel_margin_loss(n, t.tensor([[1, -1, 0], [0, 2, -1], [2, 1, -1]]), reduction='none')",
    *(
        f"[p := t.ones(3), setattr(p, 'grad', p * 2), c(p, 1.0, foreach={how}), p.grad][3]"
        for how in (None, True, False)
    ),
]


def _shown(program, t):
    nan = float("nan")
    names = {
        "t": t,
        "F": t.nn.functional,
        "c": t.nn.utils.clip_grad_value_,
        "r": t.arange(24.0).reshape(2, 3, 4).transpose(0, 1),
        "n": t.tensor([[nan, 1.0, 2.0], [1.0, 2.0, 3.0], [0.5, nan, 0.1]]),
    }
    try:
        x = eval(program, names)
    except Exception as error:
        return type(error).__name__, str(error).split("\n")[0]
    facts = (tuple(x.shape), x.stride(), x.storage_offset(), str(x.dtype).split(".")[1])
    return *facts, x._version, type(x.grad_fn).__name__, [round(v, 5) for v in x.flatten().tolist()]


def test_results_have_torchs_layout_and_version_and_refusals_its_text():
    for program in _RESULTS:
        ours, theirs = (_shown(program, t) for t in BOTH)
        assert str(ours) == str(theirs), program


def test_sizes_and_factors_of_interpolation_are_whole_and_finite():
    def run(t, **how):
        return tuple(t.nn.functional.interpolate(t.ones(1, 1, 4, 4), **how).shape)

    for mode in ("nearest", "nearest-exact", "bilinear", "bicubic"):
        for factor in (-1e20, 1e20, math.nan, math.inf, -1.0, 0.0):
            same(lambda t: run(t, scale_factor=factor, mode=mode))  # called at once
    for size in ((2.0, 2), [2, 2.0], (None, 2), ("a", 2)):
        same(lambda t: run(t, size=size))  # called at once
    same(lambda t: run(t, size=(t.tensor(2), 2)))
    same(lambda t: str(_error(lambda: run(t, size=(2, t.tensor(2.0)))))[:90])


def _error(work):
    with pytest.raises(TypeError) as caught:
        work()
    return caught.value


def test_slopes_of_samples_just_outside_of_an_image():
    """A place one rounding before the first element has no element before it."""

    def run(t, mode, padding, align, dtype):
        image = t.arange(0.0, 5, dtype=dtype).expand(1, 1, 5, 5)
        points = [[1, 1], [1, -1], [0.8, 0.8], [0.8, -0.8], [-1, -1], [-0.8, -0.8], [-0.8, 0.8]]
        grid = t.tensor(points, dtype=dtype).view(1, 1, 7, 2).requires_grad_()
        options = {"mode": mode, "padding_mode": padding, "align_corners": align}
        t.nn.functional.grid_sample(image, grid, **options).sum().backward()
        return grid.grad

    for mode, padding, align, dtype in product(
        ("bilinear", "bicubic"),
        ("zeros", "border", "reflection"),
        (True, False),
        ("float64", "float32"),
    ):
        ours, theirs = (run(t, mode, padding, align, getattr(t, dtype)).tolist() for t in BOTH)
        np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-5)


def test_layers_of_activations_take_the_fused_way():
    """An encoder's layer in inference: where all is masked, the result is not a number."""

    def run(t, activation):
        layer = t.nn.TransformerEncoderLayer(4, 2, 16, 0.0, activation(t), batch_first=True).eval()
        with t.no_grad():
            out = layer(t.ones(1, 1, 4), src_key_padding_mask=t.tensor([[True]]))
        return layer.activation_relu_or_gelu, bool(out.isnan().all())

    for activation in (
        lambda t: "gelu",
        lambda t: t.nn.functional.relu,
        lambda t: t.nn.GELU(),
        lambda t: t.nn.ReLU(),
        lambda t: t.nn.SiLU(),
        lambda t: t.nn.ReLU6(),
    ):
        same(lambda t: run(t, activation))  # called at once


def test_conversions_to_another_layout_make_new_parameters():
    def run(t, overwrite):
        t.__future__.set_overwrite_module_params_on_conversion(overwrite)
        try:
            layer = t.nn.Linear(3, 2)
            layer.weight.grad = t.ones(2, 3)
            weight, grad = layer.weight, layer.weight.grad
            layer._apply(lambda x: x.to_sparse())
            after = layer.weight
            return (
                (after is weight, after.grad is grad, str(after.layout), str(after.grad.layout)),
                (str(weight.layout), str(grad.layout), after.requires_grad),
            )
        finally:
            t.__future__.set_overwrite_module_params_on_conversion(False)

    for overwrite in (False, True):
        same(lambda t: run(t, overwrite))  # called at once


def test_results_of_more_bytes_than_a_size_can_say():
    huge = 0x3FFFFFFFFFFFFFFF
    programs = (
        lambda t: t.nn.AdaptiveMaxPool1d(huge)(t.ones(2, 2, 2)),
        lambda t: t.nn.AdaptiveAvgPool1d(huge)(t.ones(2, 2, 2)),
        lambda t: t.nn.AdaptiveMaxPool2d(1 << 32)(t.ones(2, 2, 2)),
        lambda t: t.nn.AdaptiveAvgPool2d(1 << 32)(t.ones(2, 2, 2)),
        lambda t: t.nn.AdaptiveMaxPool3d(1 << 22)(t.ones(1, 2, 2, 2)),
        lambda t: t.nn.AdaptiveAvgPool3d(1 << 22)(t.ones(1, 2, 2, 2)),
        lambda t: t.nn.functional.interpolate(t.ones(2, 2, 2), huge),
        lambda t: t.nn.functional.interpolate(t.ones(2, 2, 2), huge, mode="linear"),
        lambda t: t.nn.functional.pad(t.ones(2, 2, 2), (0, huge)),
        lambda t: t.nn.functional.pad(t.ones(2, 2, 2), (0, huge), mode="replicate"),
        lambda t: t.ones(2, 2, 2).repeat(huge, 1, 1),
        lambda t: t.tile(t.ones(2, 2, 2), (huge, 1, 1)),
    )
    for program in programs:
        same(program)


def test_no_memory_for_a_result_is_an_error_of_the_call():
    """As in torch, which names the file of its allocator first."""
    ours = BOTH[0]
    text = "can't allocate memory: you tried to allocate 35184372088832 bytes. Error code 12"
    with pytest.raises(RuntimeError, match=text):
        ours.ones(2, 2, 2).repeat(1 << 40, 1, 1)


def test_embeddings_of_nothing_have_gradients():
    def run(t, count, width, places, sparse, padding):
        layer = t.nn.Embedding(count, width, sparse=sparse, padding_idx=padding)
        layer(t.tensor(places, dtype=t.int64)).sum().backward()
        grad = layer.weight.grad
        parts = (grad._indices(), grad._values()) if sparse else (grad,)
        return tuple(grad.shape), [(tuple(part.shape), part.tolist()) for part in parts]

    for (count, width, places), sparse, padding in product(
        ((10, 0, [[0, 2], [4, 0]]), (10, 3, []), (10, 3, [[1, 1]]), (3, 0, []), (0, 0, [])),
        (False, True),
        (None, 0),
    ):
        if count or padding is None:
            same(lambda t: run(t, count, width, places, sparse, padding))  # at once
