"""Layers of images give channels_last results where torch does."""

from __future__ import annotations

import itertools

import pytest

from .both_frameworks import agree


@pytest.mark.parametrize(
    ("kind", "transposed", "kernel", "groups", "images", "count"),
    list(itertools.product(("float32", "float64"), (0, 1), (1, 3), (1, 4), (0, 1), (1, 2))),
)
def test_convolutions_keep_channels_last(kind, transposed, kernel, groups, images, count):
    def strides(t):
        found = []
        for weights in (0, 1):
            x = t.ones(count, 4, 5, 5, dtype=getattr(t, kind))
            w = t.ones(4, 4 // groups, kernel, kernel, dtype=x.dtype)
            if images:
                x = x.to(memory_format=t.channels_last)
            if weights:
                w = w.to(memory_format=t.channels_last)
            x.requires_grad_()
            function = t.nn.functional.conv_transpose2d if transposed else t.nn.functional.conv2d
            y = function(x, w, groups=groups)
            (gx,) = t.autograd.grad(y, x, t.ones_like(y))
            found.append((y.stride(), gx.stride()))
        return found

    agree(strides)


@pytest.mark.parametrize("training", [True, False])
def test_normalization_keeps_channels_last(training):
    def strides(t):
        x = t.ones(2, 4, 6, 6).to(memory_format=t.channels_last).requires_grad_()
        F = t.nn.functional
        y = F.batch_norm(x, t.zeros(4), t.ones(4), training=training)
        (gx,) = t.autograd.grad(y, x, t.ones_like(y))
        return [
            y.stride(),
            gx.stride(),
            F.group_norm(x, 2).stride(),
            F.pixel_shuffle(x, 2).stride(),
            F.pixel_unshuffle(x, 2).stride(),
            F.channel_shuffle(x, 2).stride(),
            F.channel_shuffle(x[..., ::2], 2).stride(),
            F.channel_shuffle(x.transpose(2, 3), 2).stride(),
            F.channel_shuffle(x.permute(1, 0, 2, 3), 2).stride(),
            t.autograd.grad(F.channel_shuffle(x, 2).sum(), x)[0].stride(),
        ]

    agree(strides)


@pytest.mark.parametrize("channels", [1, 4])
@pytest.mark.parametrize("training", [True, False])
def test_normalization_of_volumes_keeps_channels_last(training, channels):
    def strides(t):
        whole = t.ones(2, 4, 3, 5, 6).to(memory_format=t.channels_last_3d)
        x = whole[:, :channels].requires_grad_()
        F = t.nn.functional
        found = []
        for y in (
            F.batch_norm(x, t.zeros(channels), t.ones(channels), training=training),
            F.group_norm(x, 1),
        ):
            (gradient,) = t.autograd.grad(y, x, t.ones(y.shape))
            found.append((y.stride(), gradient.stride()))
        return found

    agree(strides)


def _images(t):
    """Images and volumes in many layouts."""
    plain = t.arange(2 * 4 * 6 * 6.0).reshape(2, 4, 6, 6).sin()
    images = plain.contiguous(memory_format=t.channels_last)
    volumes = t.arange(576.0).reshape(2, 4, 6, 6, 2).contiguous(memory_format=t.channels_last_3d)
    permuted, sliced = plain.permute(0, 2, 3, 1), images[..., ::2, ::2]
    single = images[:, :1], images[:, :, :1, :1], images[0], volumes[0]
    return [plain, images, volumes, permuted, sliced, *single]


MOVING = {
    "stack": lambda t, x, d: t.stack([x, x, x], d),
    "stack of two layouts": lambda t, x, d: t.stack([x, x.contiguous()], d),
    "stack of two dtypes": lambda t, x, d: t.stack([x, x.double()], d),
    "cat": lambda t, x, d: t.cat([x, x], d),
    "roll": lambda t, x, d: x.roll(1, d),
    "roll twice": lambda t, x, d: x.roll((1, 2), (d, 0)),
    "glu": lambda t, x, d: t.nn.functional.glu(x, d),
    "reflect": lambda t, x, d: t.nn.functional.pad(x, (1, 1) * (1 - d), mode="reflect"),
    "replicate": lambda t, x, d: t.nn.functional.pad(x, (1, 1) * (1 - d), mode="replicate"),
    "constant": lambda t, x, d: t.nn.functional.pad(x, (1, 0) * (1 - d), value=2.0),
    "logsigmoid": lambda t, x, d: t.nn.functional.logsigmoid(x),
}


@pytest.mark.parametrize("name", MOVING)
def test_what_moves_elements_keeps_channels_last(name):
    """Or does not, as torch; and so its gradient, of an expanded one and of one laid out alike."""

    def told(t):
        found = []
        for x in _images(t):
            for d in (*range(x.dim()), -1):
                leaf = x.clone(memory_format=t.preserve_format).requires_grad_()
                try:
                    y = MOVING[name](t, leaf, d)
                    one = t.ones((), dtype=y.dtype).expand(y.shape)
                    grads = t.autograd.grad(y, leaf, one, retain_graph=True)
                    grads += t.autograd.grad(y, leaf, y.detach())
                except (IndexError, RuntimeError, NotImplementedError) as error:
                    found.append(str(error))
                else:
                    found.append((y.stride(), *[g.stride() for g in grads]))
                    found.append([round(v, 4) for v in y.double().flatten().tolist()])
        return found

    agree(told)


def test_the_weight_of_a_layer_keeps_its_layout():
    def strides(t):
        layer = t.nn.Conv2d(3, 4, 3).to(memory_format=t.channels_last)
        layer(t.ones(2, 3, 6, 6)).sum().backward()
        return [layer.weight.stride(), layer.weight.grad.stride()]

    agree(strides)


POOLS = {
    "pixel_unshuffle": lambda f, x: f.pixel_unshuffle(x, 2),
    "adaptive_avg_pool to one": lambda f, x: pool(f, "adaptive_avg_pool", x)(x, 1),
    "adaptive_avg_pool": lambda f, x: pool(f, "adaptive_avg_pool", x)(x, 2),
    "adaptive_max_pool": lambda f, x: pool(f, "adaptive_max_pool", x)(x, 2),
    "avg_pool": lambda f, x: pool(f, "avg_pool", x)(x, 2),
    "max_pool": lambda f, x: pool(f, "max_pool", x)(x, 2),
    "interpolate": lambda f, x: f.interpolate(x, scale_factor=2),
}


def pool(f, name, x):
    """The function *name* of as many dims as the images of *x* have."""
    return getattr(f, f"{name}{x.dim() - 2}d")


@pytest.mark.parametrize("name", POOLS)
@pytest.mark.parametrize("dims", [2, 3])
def test_pooling_keeps_channels_last(name, dims):
    """Of images and of volumes; gradients are laid out as the oracle's."""
    if name == "pixel_unshuffle" and dims == 3:
        pytest.skip("torch refuses volumes in channels_last")

    def strides(t):
        kept = t.channels_last if dims == 2 else t.channels_last_3d
        x = t.ones(2, 4, *[4] * dims).to(memory_format=kept).requires_grad_()
        y = POOLS[name](t.nn.functional, x)
        (gx,) = t.autograd.grad(y, x, t.ones_like(y))
        return y.stride(), gx.stride(), type(y.grad_fn).__name__

    agree(strides)


@pytest.mark.parametrize(
    ("kind", "transposed", "kernel", "groups", "count"),
    list(
        itertools.product(
            ("float32", "float64", "bfloat16"),
            (0, 1),
            ((1, 1, 1), (3, 3, 3), (2, 4, 4)),
            (1, 2),
            (1, 2),
        )
    ),
)
def test_convolutions_of_volumes_keep_channels_last(kind, transposed, kernel, groups, count):
    """Where oneDNN computes them; and the gradients that the operator itself gives."""

    def strides(t):
        found = []
        ops = t.ops.aten
        for images, weights, step in itertools.product((0, 1), (0, 1), (1, 2)):
            x = t.ones(count, 4, 6, 9, 9, dtype=getattr(t, kind))
            sizes = (4, 2 // groups) if transposed else (2, 4 // groups)
            w = t.ones(*sizes, *kernel, dtype=x.dtype)
            x = x.to(memory_format=t.channels_last_3d) if images else x
            w = w.to(memory_format=t.channels_last_3d) if weights else w
            lists = ([step] * 3, [0] * 3, [1] * 3, bool(transposed), [0] * 3, groups)
            y = ops.convolution(x, w, None, *lists)
            found.append(y.stride())
            if kind == "float32":
                g = t.ones(*y.shape, dtype=y.dtype)
                back = ops.convolution_backward(g, x, w, None, *lists, (True, True, False))
                found += [r.stride() for r in back[:2]]
        return found

    agree(strides)


def test_convolutions_of_volumes_of_points_and_of_no_images_are_laid_out_by_who_computes_them():
    """oneDNN takes no output padding from the stride on; without images nobody computes."""

    def strides(t):
        found = []
        for n, last in ((2, t.channels_last), (3, t.channels_last_3d)):
            for count, size, images, weights in itertools.product((0, 2), (1, 2), (0, 1), (0, 1)):
                x, w = t.ones(count, 2, *(3, 4, 5)[:n]), t.ones(2, 2, *(size,) * n)
                x = x.contiguous(memory_format=last) if images else x
                w = w.contiguous(memory_format=last) if weights else w
                for transposed, stride, more in ((0, 1, 0), (0, 2, 0), (1, 1, 0), (1, 2, 1)):
                    name = f"conv{'_transpose' * transposed}{n}d"
                    rest = (None, stride, 0, *[more] * transposed)
                    leaves = x.requires_grad_(), w.requires_grad_()
                    y = getattr(t.nn.functional, name)(*leaves, *rest)
                    gx, gw = t.autograd.grad(y.sum(), leaves)
                    same_shape = not count and y.shape == x.shape
                    found.append((None if same_shape else y.stride(), gx.stride(), gw.stride()))
                    x, w = x.detach(), w.detach()
                if not size - 1:
                    continue
                y = getattr(t.nn.functional, f"conv_transpose{n}d")(x, w, None, 1, 0, 1, 1, 2)
                found.append(y.stride())
        return found

    agree(strides)
