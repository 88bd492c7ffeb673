"""``SummaryWriter``: writes what TensorBoard shows."""

from __future__ import annotations

import itertools
import operator
import os
import time
from typing import Any

from tensorboard.compat import tf
from tensorboard.compat.proto.event_pb2 import Event, SessionLog
from tensorboard.plugins.projector.projector_config_pb2 import ProjectorConfig

from ._convert_np import make_np
from ._embedding import get_embedding_info, make_mat, make_sprite, make_tsv, write_pbtxt
from ._file_writer import FileWriter
from ._onnx_graph import load_onnx_graph
from ._pytorch_graph import graph
from ._utils import figure_to_image
from .summary import (
    audio,
    custom_scalars,
    histogram,
    histogram_raw,
    hparams,
    image,
    image_boxes,
    mesh,
    pr_curve,
    pr_curve_raw,
    scalar,
    tensor_proto,
    text,
    video,
)

__all__ = ["FileWriter", "SummaryWriter"]


class SummaryWriter:
    """Writes numbers, images, graphs and more for TensorBoard.

    :param log_dir: the folder; ``runs/DATE_TIME_HOST`` by default.
    :param comment: is put to the default folder's name.
    :param purge_step: what an earlier run wrote from this step on is hidden.
    """

    def __init__(
        self,
        log_dir: Any = None,
        comment: str = "",
        purge_step: int | None = None,
        max_queue: int = 10,
        flush_secs: int = 120,
        filename_suffix: str = "",
    ) -> None:
        if not log_dir:
            import socket
            from datetime import datetime

            now = datetime.now().strftime("%b%d_%H-%M-%S")
            log_dir = os.path.join("runs", now + "_" + socket.gethostname() + comment)
        self.log_dir = log_dir
        self.purge_step = purge_step
        self.max_queue = max_queue
        self.flush_secs = flush_secs
        self.filename_suffix = filename_suffix
        self.file_writer: Any = None
        self.all_writers: Any = None
        self._get_file_writer()
        # The classes of TensorFlow's histograms: they grow by a tenth each.
        growing = itertools.accumulate(itertools.repeat(1.1), operator.mul, initial=1e-12)
        limits = list(itertools.takewhile(lambda limit: limit < 1e20, growing))
        self.default_bins = [*(-limit for limit in reversed(limits)), 0, *limits]

    def _get_file_writer(self) -> FileWriter:
        known: FileWriter | None = self.file_writer
        if known is not None and self.all_writers is not None:
            return known
        made = FileWriter(self.log_dir, self.max_queue, self.flush_secs, self.filename_suffix)
        self.file_writer, self.all_writers = made, {made.get_logdir(): made}
        step, self.purge_step = self.purge_step, None
        if step is not None:
            log = SessionLog(status=SessionLog.START)
            made.add_event(Event(step=step, file_version="brain.Event:2"))
            made.add_event(Event(step=step, session_log=log))
        return made

    def get_logdir(self) -> Any:
        """The folder."""
        return self.log_dir

    def _put(self, summary: Any, global_step: Any, walltime: float | None) -> None:
        self._get_file_writer().add_summary(summary, global_step, walltime)

    def add_hparams(
        self,
        hparam_dict: Any,
        metric_dict: Any,
        hparam_domain_discrete: Any = None,
        run_name: str | None = None,
        global_step: Any = None,
    ) -> None:
        """Write the parameters of a run, and what came out.

        :param hparam_domain_discrete: the values that a parameter can have.
        :param run_name: the folder of the run; the time by default.
        """
        if type(hparam_dict) is not dict or type(metric_dict) is not dict:
            raise TypeError("hparam_dict and metric_dict should be dictionary.")
        summaries = hparams(hparam_dict, metric_dict, hparam_domain_discrete)
        folder = self._get_file_writer().get_logdir()
        with SummaryWriter(os.path.join(folder, run_name or str(time.time()))) as of_run:
            for summary in summaries:
                of_run._put(summary, global_step, None)
            for name, value in metric_dict.items():
                of_run.add_scalar(name, value, global_step)

    def add_scalar(
        self,
        tag: str,
        scalar_value: Any,
        global_step: Any = None,
        walltime: float | None = None,
        new_style: bool = False,
        double_precision: bool = False,
    ) -> None:
        """Write a number."""
        summary = scalar(tag, scalar_value, new_style=new_style, double_precision=double_precision)
        self._put(summary, global_step, walltime)

    def add_scalars(
        self,
        main_tag: str,
        tag_scalar_dict: dict[str, Any],
        global_step: Any = None,
        walltime: float | None = None,
    ) -> None:
        """Write numbers that stand in one chart."""
        walltime = time.time() if walltime is None else walltime
        own = self._get_file_writer().get_logdir() + "/" + main_tag.replace("/", "_")
        for tag, value in tag_scalar_dict.items():
            folder = f"{own}_{tag}"
            if folder not in self.all_writers:
                options = (self.max_queue, self.flush_secs, self.filename_suffix)
                self.all_writers[folder] = FileWriter(folder, *options)
            summary = scalar(main_tag, value)
            self.all_writers[folder].add_summary(summary, global_step, walltime)

    def add_tensor(
        self, tag: str, tensor: Any, global_step: Any = None, walltime: float | None = None
    ) -> None:
        """Write a tensor."""
        self._put(tensor_proto(tag, tensor), global_step, walltime)

    def add_histogram(
        self,
        tag: str,
        values: Any,
        global_step: Any = None,
        bins: Any = "tensorflow",
        walltime: float | None = None,
        max_bins: int | None = None,
    ) -> None:
        """Write how values are spread.

        :param bins: ``"tensorflow"``, or what ``numpy.histogram`` takes.
        """
        if isinstance(bins, str) and bins == "tensorflow":
            bins = self.default_bins
        self._put(histogram(tag, values, bins, max_bins=max_bins), global_step, walltime)

    def add_histogram_raw(
        self,
        tag: str,
        min: Any,
        max: Any,
        num: Any,
        sum: Any,
        sum_squares: Any,
        bucket_limits: Any,
        bucket_counts: Any,
        global_step: Any = None,
        walltime: float | None = None,
    ) -> None:
        """Write a histogram that was counted already."""
        if len(bucket_limits) != len(bucket_counts):
            raise ValueError("len(bucket_limits) != len(bucket_counts), see the document.")
        summary = histogram_raw(tag, min, max, num, sum, sum_squares, bucket_limits, bucket_counts)
        self._put(summary, global_step, walltime)

    def add_image(
        self,
        tag: str,
        img_tensor: Any,
        global_step: Any = None,
        walltime: float | None = None,
        dataformats: str = "CHW",
    ) -> None:
        """Write an image.

        :param dataformats: its dimensions: ``CHW``, ``HWC``, ``HW``, …
        """
        self._put(image(tag, img_tensor, dataformats=dataformats), global_step, walltime)

    def add_images(
        self,
        tag: str,
        img_tensor: Any,
        global_step: Any = None,
        walltime: float | None = None,
        dataformats: str = "NCHW",
    ) -> None:
        """Write images side by side."""
        if isinstance(img_tensor, list):  # images of one size
            import numpy as np

            img_tensor = np.stack([make_np(each) for each in img_tensor])
        self._put(image(tag, img_tensor, dataformats=dataformats), global_step, walltime)

    def add_image_with_boxes(
        self,
        tag: str,
        img_tensor: Any,
        box_tensor: Any,
        global_step: Any = None,
        walltime: float | None = None,
        rescale: float = 1,
        dataformats: str = "CHW",
        labels: Any = None,
    ) -> None:
        """Write an image with boxes: left, top, right, bottom.

        :param labels: a text for each box.
        """
        labels = [labels] if isinstance(labels, str) else labels
        if labels is not None and len(labels) != box_tensor.shape[0]:
            labels = None
        summary = image_boxes(
            tag, img_tensor, box_tensor, rescale=rescale, dataformats=dataformats, labels=labels
        )
        self._put(summary, global_step, walltime)

    def add_figure(
        self,
        tag: str,
        figure: Any,
        global_step: int | None = None,
        close: bool = True,
        walltime: float | None = None,
    ) -> None:
        """Write a figure of matplotlib, or several side by side."""
        formats = "NCHW" if isinstance(figure, list) else "CHW"
        picture = figure_to_image(figure, close)
        self.add_image(tag, picture, global_step, walltime, dataformats=formats)

    def add_video(
        self,
        tag: str,
        vid_tensor: Any,
        global_step: Any = None,
        fps: float = 4,
        walltime: float | None = None,
    ) -> None:
        """Write films: number, time, channels, height, width. Needs ``moviepy``."""
        self._put(video(tag, vid_tensor, fps), global_step, walltime)

    def add_audio(
        self,
        tag: str,
        snd_tensor: Any,
        global_step: Any = None,
        sample_rate: int = 44100,
        walltime: float | None = None,
    ) -> None:
        """Write a sound: numbers from -1 to 1."""
        self._put(audio(tag, snd_tensor, sample_rate=sample_rate), global_step, walltime)

    def add_text(
        self, tag: str, text_string: str, global_step: Any = None, walltime: float | None = None
    ) -> None:
        """Write a text."""
        self._put(text(tag, text_string), global_step, walltime)

    def add_onnx_graph(self, prototxt: Any) -> None:
        """Write the graph of an ONNX file. Needs ``onnx``."""
        self._get_file_writer().add_onnx_graph(load_onnx_graph(prototxt))

    def add_graph(
        self,
        model: Any,
        input_to_model: Any = None,
        verbose: bool = False,
        use_strict_trace: bool = True,
    ) -> None:
        """Write the graph of a module, as ``torch.fx`` traces it.

        :param input_to_model: what it is called with, which says the shapes.
        """
        self._get_file_writer().add_graph(graph(model, input_to_model, verbose, use_strict_trace))

    @staticmethod
    def _encode(rawstr: str) -> str:
        """A text as part of a path."""
        return "".join([f"%{ord(c):02x}" if c in "%/\\" else c for c in rawstr])

    def add_embedding(
        self,
        mat: Any,
        metadata: Any = None,
        label_img: Any = None,
        global_step: Any = None,
        tag: str = "default",
        metadata_header: Any = None,
    ) -> None:
        """Write points for the projector.

        :param mat: a row for each point.
        :param metadata: a text for each point.
        :param label_img: an image for each point.
        """
        mat = make_np(mat)
        if global_step is None:
            global_step = 0
        step = str(global_step).zfill(5)
        subdir = f"{step}/{self._encode(tag)}"
        save_path = os.path.join(self._get_file_writer().get_logdir(), subdir)
        files = tf.io.gfile
        if not files.exists(save_path):
            files.makedirs(save_path)
        elif files.isdir(save_path):
            print("warning: Embedding dir exists, did you set global_step for add_embedding()?")
        else:
            raise NotADirectoryError(f"Path: `{save_path}` exists, but is a file. Cannot proceed.")
        points = len(mat)
        for beside, what in ((metadata, "labels"), (label_img, "images")):
            if beside is not None and len(beside) != points:
                raise AssertionError(f"#{what} should equal with #data points")
        if metadata is not None:
            make_tsv(metadata, save_path, metadata_header=metadata_header)
        if label_img is not None:
            make_sprite(label_img, save_path)
        if mat.ndim != 2:
            raise AssertionError("mat should be 2D, where mat.size(0) is the number of data points")
        make_mat(mat, save_path)
        self._projector_config = getattr(self, "_projector_config", None) or ProjectorConfig()
        info = get_embedding_info(metadata, label_img, subdir, global_step, tag)
        self._projector_config.embeddings.extend([info])
        from google.protobuf import text_format

        config = text_format.MessageToString(self._projector_config)
        write_pbtxt(self._get_file_writer().get_logdir(), config)

    def add_pr_curve(
        self,
        tag: str,
        labels: Any,
        predictions: Any,
        global_step: Any = None,
        num_thresholds: int = 127,
        weights: Any = None,
        walltime: float | None = None,
    ) -> None:
        """Write precision and recall of predictions from 0 to 1."""
        labels, predictions = make_np(labels), make_np(predictions)
        summary = pr_curve(tag, labels, predictions, num_thresholds, weights)
        self._put(summary, global_step, walltime)

    def add_pr_curve_raw(
        self,
        tag: str,
        true_positive_counts: Any,
        false_positive_counts: Any,
        true_negative_counts: Any,
        false_negative_counts: Any,
        precision: Any,
        recall: Any,
        global_step: Any = None,
        num_thresholds: int = 127,
        weights: Any = None,
        walltime: float | None = None,
    ) -> None:
        """Write precision and recall that were counted already."""
        summary = pr_curve_raw(
            tag,
            true_positive_counts,
            false_positive_counts,
            true_negative_counts,
            false_negative_counts,
            precision,
            recall,
            num_thresholds,
            weights,
        )
        self._put(summary, global_step, walltime)

    def add_custom_scalars_multilinechart(
        self, tags: Any, category: str = "default", title: str = "untitled"
    ) -> None:
        """Say that these numbers stand in one chart."""
        self._put(custom_scalars({category: {title: ["Multiline", tags]}}), None, None)

    def add_custom_scalars_marginchart(
        self, tags: Any, category: str = "default", title: str = "untitled"
    ) -> None:
        """Say that these three numbers are a value and its bounds."""
        if len(tags) != 3:
            raise AssertionError(f"Expected 3 tags, got {len(tags)}.")
        self._put(custom_scalars({category: {title: ["Margin", tags]}}), None, None)

    def add_custom_scalars(self, layout: Any) -> None:
        """Say which numbers stand together: categories of charts of tags."""
        self._put(custom_scalars(layout), None, None)

    def add_mesh(
        self,
        tag: str,
        vertices: Any,
        colors: Any = None,
        faces: Any = None,
        config_dict: Any = None,
        global_step: Any = None,
        walltime: float | None = None,
    ) -> None:
        """Write meshes or clouds of points: number, points, 3."""
        self._put(mesh(tag, vertices, colors, faces, config_dict), global_step, walltime)

    def flush(self) -> None:
        """Write what waits."""
        if self.all_writers is None:
            return
        for writer in self.all_writers.values():
            writer.flush()

    def close(self) -> None:
        """Write what waits and close the files."""
        self.flush()
        for writer in (self.all_writers or {}).values():
            writer.close()
        self.file_writer = self.all_writers = None

    def __enter__(self) -> SummaryWriter:
        return self

    def __exit__(self, exc_type: object, exc_val: object, exc_tb: object) -> None:
        self.close()
