# Written by `python -m tests.stubs --write`; see tests/stubs.
from . import dynamic as dynamic
from . import modules as modules
from mindtorch.ao.nn.qat.modules.conv import Conv1d as Conv1d
from mindtorch.ao.nn.qat.modules.conv import Conv2d as Conv2d
from mindtorch.ao.nn.qat.modules.conv import Conv3d as Conv3d
from mindtorch.ao.nn.qat.modules.embedding_ops import Embedding as Embedding
from mindtorch.ao.nn.qat.modules.embedding_ops import EmbeddingBag as EmbeddingBag
from mindtorch.ao.nn.qat.modules.linear import Linear as Linear

