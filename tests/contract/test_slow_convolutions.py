"""Convolutions by torch's own loops: layouts, odd paddings, weights and biases of another kind."""

from __future__ import annotations

import itertools
from typing import Any

import mindtorch
import pytest

from .both_frameworks import agree
from .helpers import assert_torch_error, both

PLAIN = ("thnn_conv2d", "slow_conv3d")
DILATED = ("slow_conv_dilated2d", "slow_conv_dilated3d")
TRANSPOSED = ("slow_conv_transpose2d", "slow_conv_transpose3d")


def numbers(t: Any, *shape: int) -> Any:
    """Whole numbers, of which sums have no rounding."""
    count = 1
    for n in shape:
        count *= n
    return (t.arange(count) % 7 - 3).double().reshape(shape)


def operands(t: Any, name: str, channels: int = 3) -> tuple[Any, Any, list[int]]:
    """Images, a weight, and the sizes of its windows."""
    n = int(name[-2])
    weight = (channels, 4) if "transpose" in name else (4, channels)
    kernel = [2] * n
    return numbers(t, 2, channels, *[5, 4, 6][:n]), numbers(t, *weight, *kernel), kernel


def layout(t: Any, x: Any) -> Any:
    return x.to(memory_format=t.channels_last if x.dim() == 4 else t.channels_last_3d)


@pytest.mark.parametrize("name", [*PLAIN, *DILATED, *TRANSPOSED])
@pytest.mark.parametrize("which", [(0,), (1,), (0, 1)], ids=str)
@pytest.mark.parametrize("kernel", [1, 2])
def test_results_and_gradients_are_laid_out_as_torchs(name, which, kernel):
    """Also where torch refuses a weight that is not laid out as the images are."""

    def strides(t):
        x, w, k = operands(t, name)
        w, k = w[..., :kernel], [2] * (len(k) - 1) + [kernel]
        if kernel == 1:
            w, k = w[(..., *[slice(1)] * len(k))], [1] * len(k)
        w = w.contiguous()
        x, w = (layout(t, v) if i in which else v for i, v in enumerate((x, w)))
        x, w = x.requires_grad_(), w.requires_grad_()
        y = getattr(t._C._nn, name)(x, w, k)
        found = [y.stride()]
        try:
            found += [g.stride() for g in t.autograd.grad(y.sum(), (x, w))]
        except RuntimeError as error:
            found.append(str(error))
        return found

    agree(strides)


@pytest.mark.parametrize("name", [*PLAIN, *DILATED, *TRANSPOSED])
@pytest.mark.parametrize("padding", [-1, (-1, 1, 0), (0, -1, -1)], ids=str)
@pytest.mark.parametrize("stride", [1, 2])
def test_negative_padding_leaves_borders_out(name, padding, stride):
    def value(t):
        x, w, k = operands(t, name)
        pads = padding if isinstance(padding, int) else padding[: len(k)]
        return getattr(t._C._nn, name)(x, w, k, numbers(t, 4), stride, pads)

    agree(value)


@pytest.mark.parametrize("name", TRANSPOSED)
@pytest.mark.parametrize("more", [-1, -2])
def test_a_negative_padding_of_the_result_cuts_it(name, more):
    def value(t):
        x, w, k = operands(t, name)
        return getattr(t._C._nn, name)(x, w, k, None, 2, 0, more)

    agree(value)


@pytest.mark.parametrize("padding", [-1, (-1, 1), (0, -1)], ids=str)
def test_gradients_of_a_negative_padding(padding):
    """Those that torch computes by loops of its own, too."""

    def gradients(t):
        x, w, k = operands(t, "thnn_conv2d")
        leaves = x.requires_grad_(), w.requires_grad_()
        y = t._C._nn.thnn_conv2d(*leaves, k, None, 1, padding)
        return t.autograd.grad(y, leaves, numbers(t, *y.shape))

    agree(gradients)


@pytest.mark.parametrize(
    ("shape", "kernel"), [((4, 12), (2, 2)), ((4, 3, 2, 2), (1, 4)), ((4, 3, 1, 4), (2, 2))]
)
def test_a_weight_may_be_a_matrix_of_rows(shape, kernel):
    """The numbers of a row are those of one channel of the result, in whatever shape."""

    def value(t):
        x, w, b = numbers(t, 2, 3, 5, 6), numbers(t, *shape), numbers(t, 4)
        leaves = x.requires_grad_(), w.requires_grad_(), b.requires_grad_()
        y = t._C._nn.thnn_conv2d(x, w, kernel, b, 1, 1)
        return y, t.autograd.grad(y, leaves, numbers(t, *y.shape))

    agree(value)


@pytest.mark.parametrize(("channels", "out", "of_row"), [(3, 6, 1), (4, 6, 2)])
def test_volumes_are_taken_in_groups(channels, out, of_row):
    """Which torch's gradient knows nothing of."""

    def value(t):
        x, w = numbers(t, 2, channels, 3, 4, 4), numbers(t, out, of_row, 2, 2, 2)
        y = t._C._nn.slow_conv3d(x.requires_grad_(), w, [2, 2, 2])
        try:
            y.sum().backward()
        except RuntimeError as error:
            return y, str(error)
        return y

    agree(value)


@pytest.mark.parametrize("name", [*DILATED, *TRANSPOSED])
def test_images_without_a_batch(name):
    """The loop over planes of a transposed convolution gives them a batch of one."""

    def value(t):
        x, w, k = operands(t, name)
        return getattr(t._C._nn, name)(x[0].clone(), w, k, numbers(t, 4))

    agree(value)


def test_gradient_of_an_image_without_a_batch():
    def gradient(t):
        x, w, k = operands(t, "slow_conv_transpose2d")
        x = x[0].clone().requires_grad_()
        y = t._C._nn.slow_conv_transpose2d(x, w, k)
        return t.autograd.grad(y, x, numbers(t, *y.shape))[0]

    agree(gradient)
    for name in DILATED:

        def refused(t, name=name):
            x, w, k = operands(t, name)
            getattr(t._C._nn, name)(x[0].clone().requires_grad_(), w, k).sum().backward()

        assert_torch_error(*both(refused))


@pytest.mark.parametrize(
    ("name", "dtype"),
    list(itertools.product([*PLAIN, *DILATED, TRANSPOSED[0]], ("float32", "int64", "bool"))),
)
def test_a_bias_of_another_dtype_is_cast(name, dtype):
    def value(t):
        x, w, k = operands(t, name)
        return getattr(t._C._nn, name)(x, w, k, numbers(t, 4).to(getattr(t, dtype)))

    agree(value)


@pytest.mark.parametrize("name", ["thnn_conv2d", *DILATED])
def test_images_without_channels_give_the_bias(name):
    def value(t):
        x, w, k = operands(t, name)
        w = w if name == "thnn_conv2d" else w[:, :0]
        return getattr(t._C._nn, name)(x[:, :0], w, k, numbers(t, 4))

    agree(value)


@pytest.mark.parametrize("name", [PLAIN[1], *TRANSPOSED])
def test_a_weight_that_lacks_numbers_is_refused(name):
    """torch reads on past its end."""
    x, w, k = operands(mindtorch, name)
    with pytest.raises(RuntimeError, match="does not hold the numbers"):
        getattr(mindtorch._C._nn, name)(x, w, [n + 1 for n in k])


def test_channels_that_make_no_groups_are_refused():
    x, w = numbers(mindtorch, 2, 3, 3, 4, 4), numbers(mindtorch, 4, 1, 2, 2, 2)
    with pytest.raises(RuntimeError, match="3 groups of channels do not make 4 channels"):
        mindtorch._C._nn.slow_conv3d(x, w, [2, 2, 2])
