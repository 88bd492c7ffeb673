"""Custom ops that several tests define."""

from __future__ import annotations


def doubling(torch, ns, **options):
    """``ns::f``, which doubles."""

    def f(x: torch.Tensor) -> torch.Tensor:
        return x * 2

    f.__annotations__ = {"x": torch.Tensor, "return": torch.Tensor}
    return torch.library.custom_op(f"{ns}::f", f, mutates_args=(), **options)


def annotated(torch, **kinds):
    """A decorator that sets annotations: names of torch's are looked up in the module."""

    def annotate(fn):
        fn.__annotations__ = kinds
        return fn

    return annotate
