"""Images, grids of them, and films, as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np


def figure_to_image(figures: Any, close: bool = True) -> Any:
    """A figure of matplotlib, or several, as an array of channels, height and width.

    :param close: close the figures.
    """
    import matplotlib.backends.backend_agg as plt_backend_agg
    import matplotlib.pyplot as plt

    def render(figure: Any) -> Any:
        canvas = plt_backend_agg.FigureCanvasAgg(figure)
        canvas.draw()
        pixels = np.asarray(canvas.buffer_rgba())[..., :3]
        if close:
            plt.close(figure)
        return pixels.transpose(2, 0, 1)

    if isinstance(figures, list):
        return np.stack([render(figure) for figure in figures])
    return render(figures)


def _prepare_video(V: Any) -> Any:
    """Films (number, time, channels, height, width) side by side: time, height, width, channels."""
    b, t, c, h, w = V.shape
    if V.dtype == np.uint8:
        V = np.float32(V) / 255.0

    places = 1 << max(b - 1, 0).bit_length()  # a power of two; black films fill it up
    if places > b:
        V = np.concatenate((V, np.zeros((places - b, t, c, h, w))), axis=0)
    n_rows = 2 ** ((b.bit_length() - 1) // 2)
    n_cols = V.shape[0] // n_rows
    V = V.reshape(n_rows, n_cols, t, c, h, w)
    V = np.transpose(V, axes=(2, 0, 4, 1, 5, 3))
    return V.reshape(t, n_rows * h, n_cols * w, c)


def make_grid(I: Any, ncols: int = 8) -> Any:  # noqa: E741  (torch's name)
    """Images (number, channels, height, width) side by side in one."""
    if not isinstance(I, np.ndarray):
        raise AssertionError("plugin error, should pass numpy array here")
    images = I.repeat(3, axis=1) if I.shape[1] == 1 else I  # gray as equal colours
    if images.shape[1] != 3 or images.ndim != 4:
        raise AssertionError("Input should be a 4D numpy array with 3 channels")
    nimg, _, height, width = images.shape
    ncols = min(nimg, ncols)
    nrows = int(np.ceil(float(nimg) / ncols))
    canvas = np.zeros((3, height * nrows, width * ncols), dtype=images.dtype)
    for i in range(nimg):
        y, x = divmod(i, ncols)
        canvas[:, y * height : (y + 1) * height, x * width : (x + 1) * width] = images[i]
    return canvas


def convert_to_HWC(tensor: Any, input_format: str) -> Any:
    """*tensor* as height, width, channels; several images in a grid.

    :param input_format: its dimensions: ``NCHW``, ``HWC``, ``HW``, …
    """
    if len(set(input_format)) != len(input_format):
        raise AssertionError(
            f"You can not use the same dimension shordhand twice. "
            f"        input_format: {input_format}"
        )
    if len(tensor.shape) != len(input_format):
        raise AssertionError(
            f"size of input tensor and input format are different. "
            f"        tensor shape: {tensor.shape}, input_format: {input_format}"
        )
    input_format = input_format.upper()
    wanted = {2: "HW", 3: "HWC", 4: "NCHW"}.get(len(input_format))
    if wanted is None:
        return None
    tensor = tensor.transpose([input_format.find(dimension) for dimension in wanted])
    if wanted == "NCHW":
        return make_grid(tensor).transpose(1, 2, 0)
    if wanted == "HW":
        tensor = tensor[..., None]
    return np.repeat(tensor, 3, axis=2) if tensor.shape[2] == 1 else tensor
