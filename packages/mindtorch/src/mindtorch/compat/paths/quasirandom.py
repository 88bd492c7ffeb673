"""``torch.quasirandom``: numbers that fill a space more evenly than random ones."""

from __future__ import annotations

from typing import Any

from mindtorch.aten import torch
from mindtorch.aten.torch import Tensor

__all__ = ["SobolEngine"]


class SobolEngine:
    """Draws points of a Sobol' sequence, in up to 21201 dimensions, all from 0 to 1.

    :param dimension: how many numbers a point has.
    :param scramble: whether to shift and mix the bits of the sequence at random.
    :param seed: of the scrambling; the default generator is used without one.
    """

    MAXBIT = 30
    MAXDIM = 21201

    def __init__(self, dimension: int, scramble: bool = False, seed: int | None = None) -> None:
        if not 1 <= dimension <= self.MAXDIM:
            raise ValueError(
                f"Supported range of dimensionality for SobolEngine is [1, {self.MAXDIM}]"
            )
        self.seed = seed
        self.scramble = scramble
        self.dimension = dimension
        integers: dict[str, Any] = {"device": torch.device("cpu"), "dtype": torch.long}
        self.sobolstate = torch.zeros(dimension, self.MAXBIT, **integers)
        torch._sobol_engine_initialize_state_(self.sobolstate, dimension)
        if scramble:
            self._scramble()
        else:
            self.shift = torch.zeros(dimension, **integers)
        self.quasi = self.shift.clone(memory_format=torch.contiguous_format)
        self._first_point = (self.quasi / 2**self.MAXBIT).reshape(1, -1)
        self.num_generated = 0

    def draw(
        self, n: int = 1, out: Tensor | None = None, dtype: torch.dtype | None = None
    ) -> Tensor:
        """The next *n* points of the sequence, a row each.

        :param out: a tensor to write them to, which is resized.
        :param dtype: of the numbers; the default dtype without one.
        """
        if dtype is None:
            dtype = torch.get_default_dtype()
        if self.num_generated == 0:
            first = self._first_point.to(dtype)
            result = first if n == 1 else torch.cat((first, self._next(n - 1, dtype)), dim=-2)
        else:
            result = self._next(n, dtype)
        self.num_generated += n
        return result if out is None else out.resize_as_(result).copy_(result)

    def _next(self, n: int, dtype: Any) -> Tensor:
        """*n* points after the first one, which is not counted here."""
        before = max(self.num_generated - 1, 0)
        result, self.quasi = torch._sobol_engine_draw(
            self.quasi, n, self.sobolstate, self.dimension, before, dtype=dtype
        )
        return result

    def draw_base2(
        self, m: int, out: Tensor | None = None, dtype: torch.dtype | None = None
    ) -> Tensor:
        """The next ``2**m`` points; all that were drawn must then be a power of two."""
        n = 2**m
        total = self.num_generated + n
        if not (total & (total - 1) == 0):
            raise ValueError(
                "The balance properties of Sobol' points require n to be a power of 2. "
                f"{self.num_generated} points have been previously generated, then: "
                f"n={self.num_generated}+2**{m}={total}. If you still want to do this, please use "
                "'SobolEngine.draw()' instead."
            )
        return self.draw(n=n, out=out, dtype=dtype)

    def reset(self) -> SobolEngine:
        """Go back to the beginning of the sequence."""
        self.quasi.copy_(self.shift)
        self.num_generated = 0
        return self

    def fast_forward(self, n: int) -> SobolEngine:
        """Skip *n* points."""
        steps, before = (n - 1, 0) if self.num_generated == 0 else (n, self.num_generated - 1)
        torch._sobol_engine_ff_(self.quasi, steps, self.sobolstate, self.dimension, before)
        self.num_generated += n
        return self

    def _scramble(self) -> None:
        """Draw a shift of the first point, and matrices that mix the bits of the directions."""
        generator: torch.Generator | None = None
        if self.seed is not None:
            generator = torch.Generator()
            generator.manual_seed(self.seed)
        cpu = torch.device("cpu")
        bits = torch.randint(2, (self.dimension, self.MAXBIT), device=cpu, generator=generator)
        worth = torch.pow(2, torch.arange(0, self.MAXBIT, device=cpu))
        self.shift = torch.mv(bits, worth)
        shape = (self.dimension, self.MAXBIT, self.MAXBIT)
        ltm = torch.randint(2, shape, device=cpu, generator=generator).tril()
        torch._sobol_engine_scramble_(self.sobolstate, ltm, self.dimension)

    def __repr__(self) -> str:
        shown = [f"dimension={self.dimension}"]
        if self.scramble:
            shown += ["scramble=True"]
        if self.seed is not None:
            shown += [f"seed={self.seed}"]
        return f"{type(self).__name__}({', '.join(shown)})"
