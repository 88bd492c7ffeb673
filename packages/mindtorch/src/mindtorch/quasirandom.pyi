# Written by `python -m tests.stubs --write`; see tests/stubs.
from mindtorch.aten import torch
from mindtorch.aten.torch import Tensor
from typing import Any

class SobolEngine:
    seed: Any
    scramble: Any
    dimension: Any
    sobolstate: Any
    quasi: Any
    _first_point: Any
    num_generated: Any
    shift: Any
    MAXBIT = 30
    MAXDIM = 21201

    def __init__(self, dimension: int, scramble: bool=False, seed: int | None=None) -> None:
        ...

    def draw(self, n: int=1, out: Tensor | None=None, dtype: torch.dtype | None=None) -> Tensor:
        ...

    def _next(self, n: int, dtype: Any) -> Tensor:
        ...

    def draw_base2(self, m: int, out: Tensor | None=None, dtype: torch.dtype | None=None) -> Tensor:
        ...

    def reset(self) -> SobolEngine:
        ...

    def fast_forward(self, n: int) -> SobolEngine:
        ...

    def _scramble(self) -> None:
        ...

    def __repr__(self) -> str:
        ...
