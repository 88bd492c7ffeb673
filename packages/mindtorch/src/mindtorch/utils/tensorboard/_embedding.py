"""The files of TensorBoard's projector."""

from __future__ import annotations

import math
import os
from typing import Any

import numpy as np
from tensorboard.compat import tf
from tensorboard.plugins.projector.projector_config_pb2 import EmbeddingInfo

from ...aten.torch import concat, randn
from ._convert_np import make_np
from ._utils import make_grid

_HAS_GFILE_JOIN = hasattr(tf.io.gfile, "join")


def _gfile_join(a: str, b: str) -> str:
    """Two parts of a path as one."""
    if _HAS_GFILE_JOIN:
        joined: str = tf.io.gfile.join(a, b)
        return joined
    return os.path.join(a, b)


def make_tsv(metadata: Any, save_path: str, metadata_header: Any = None) -> None:
    """Write what is said of the points: a line each."""
    if not metadata_header:
        lines = [str(x) for x in metadata]
    else:
        if len(metadata_header) != len(metadata[0]):
            raise AssertionError("len of header must be equal to the number of columns in metadata")
        lines = ["\t".join(str(e) for e in row) for row in [metadata_header, *metadata]]
    data = "\n".join(lines) + "\n"
    with tf.io.gfile.GFile(_gfile_join(save_path, "metadata.tsv"), "wb") as f:
        f.write(tf.compat.as_bytes(data))


def make_sprite(label_img: Any, save_path: str) -> None:
    """Write the images of the points, side by side in one."""
    from PIL import Image

    # The image is square; what is missing stays dark.
    nrow = math.ceil((label_img.size(0)) ** 0.5)
    missing = nrow**2 - label_img.size(0)
    if missing:
        shape = (missing, *label_img.shape[1:])
        label_img = concat((label_img, randn(shape).to(label_img) * 255), 0)
    arranged = make_grid(make_np(label_img), ncols=nrow)
    image = Image.fromarray(np.uint8(arranged.transpose(1, 2, 0) * 255))
    with tf.io.gfile.GFile(_gfile_join(save_path, "sprite.png"), "wb") as f:
        image.save(f, format="PNG")


def get_embedding_info(
    metadata: Any, label_img: Any, subdir: str, global_step: Any, tag: str
) -> EmbeddingInfo:
    """What the projector's settings say of the files."""
    step = str(global_step).zfill(5)
    info = EmbeddingInfo(
        tensor_name=f"{tag}:{step}", tensor_path=_gfile_join(subdir, "tensors.tsv")
    )
    if label_img is not None:
        height, width = label_img.shape[2:4]
        info.sprite.single_image_dim.extend([width, height])
        info.sprite.image_path = _gfile_join(subdir, "sprite.png")
    if metadata is not None:
        info.metadata_path = _gfile_join(subdir, "metadata.tsv")
    return info


def write_pbtxt(save_path: str, contents: str) -> None:
    """Write the projector's settings."""
    with tf.io.gfile.GFile(_gfile_join(save_path, "projector_config.pbtxt"), "wb") as f:
        f.write(tf.compat.as_bytes(contents))


def make_mat(matlist: Any, save_path: str) -> None:
    """Write the points: a line each."""
    with tf.io.gfile.GFile(_gfile_join(save_path, "tensors.tsv"), "wb") as f:
        for x in matlist:
            f.write(tf.compat.as_bytes("\t".join([str(i) for i in x]) + "\n"))
