"""Moving and casting all of a module's tensors."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from mindtorch_autograd import no_grad
from typing_extensions import Self

from ... import signature as S
from ..parameter import Parameter
