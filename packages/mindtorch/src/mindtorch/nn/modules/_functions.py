"""``torch.nn.modules._functions``: functions with gradients of their own that layers call."""

from __future__ import annotations

from typing import Any

from ...autograd import Function

__all__ = ["CrossMapLRN2d"]


class CrossMapLRN2d(Function):
    """Response normalisation across channels, with the windows of the Lua original.

    They are not quite where one would put them: forwards the first channel is never left out
    again, backwards a window reaches from earlier channels to the channel itself.
    """

    @staticmethod
    def forward(
        ctx: Any, input: Any, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1
    ) -> Any:
        if input.dim() != 4:
            raise ValueError(f"CrossMapLRN2d: Expected input to be 4D, got {input.dim()}D instead.")
        ctx.size, ctx.alpha, ctx.beta = size, alpha, beta
        channels = input.size(1)
        reach = int((size - 1) / 2 + 1)
        squares = input.square()
        scale = input.new_empty(input.shape)
        total = squares.narrow(1, 0, min(reach, channels)).sum(1)
        for c in range(channels):
            if c:
                if c < channels - reach + 1:
                    total = total + squares.select(1, c + reach - 1)
                if c > reach:
                    total = total - squares.select(1, c - reach)
            scale.select(1, c).copy_(total)
        scale.mul_(alpha / size).add_(k)
        # Contiguous as the scales are, whatever the layout of the input.
        output = scale.pow(-beta).mul_(input)
        ctx.scale = scale
        ctx.save_for_backward(input, output)
        return output

    @staticmethod
    def backward(ctx: Any, grad_output: Any) -> Any:
        input, output = ctx.saved_tensors
        scale, size = ctx.scale, ctx.size
        channels = input.size(1)
        shape = list(input.shape)
        shape[1] = channels + size - 1
        padded = input.new_zeros(shape)
        start = int(size - (size - 1) / 2)
        padded.narrow(1, start, channels).copy_(grad_output * output / scale)
        grad = scale.pow(-ctx.beta) * grad_output
        factor = 2 * ctx.alpha * ctx.beta / size
        total = padded.narrow(1, 0, size - 1).sum(1)
        for c in range(channels):
            total = total + padded.select(1, c + size - 1)
            grad.select(1, c).sub_(input.select(1, c) * total * factor)
            total = total - padded.select(1, c)
        return grad, None, None, None, None
