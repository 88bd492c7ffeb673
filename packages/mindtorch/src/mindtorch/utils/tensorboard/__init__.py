"""``torch.utils.tensorboard``: what a training does, for TensorBoard.

It needs the package ``tensorboard``: ``pip install mindtorch[tensorboard]``.
"""

import tensorboard as _tensorboard  # first: its absence is what a user is to hear of
from tensorboard.summary.writer.record_writer import RecordWriter

from .writer import FileWriter, SummaryWriter

__all__ = ["FileWriter", "RecordWriter", "SummaryWriter"]
