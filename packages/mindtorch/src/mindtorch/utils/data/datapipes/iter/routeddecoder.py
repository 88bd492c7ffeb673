"""A pipe that decodes files by their names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .._decorator import functional_datapipe
from ..datapipe import IterDataPipe
from ..utils.common import _deprecation_warning
from ..utils.decoder import Decoder, extension_extract_fn, imagehandler
from ..utils.decoder import basichandlers as decoder_basichandlers

__all__ = ["RoutedDecoderIterDataPipe"]


@functional_datapipe("routed_decode")
class RoutedDecoderIterDataPipe(IterDataPipe[tuple[str, Any]]):
    """Each path with what its file means to the first of *handlers* that knows its extension."""

    def __init__(
        self,
        datapipe: Iterable[Any],
        *handlers: Callable[..., Any],
        key_fn: Callable[..., Any] = extension_extract_fn,
    ) -> None:
        super().__init__()
        default = (decoder_basichandlers, imagehandler("torch"))
        self.decoder = Decoder(*(handlers or default), key_fn=key_fn)
        self.datapipe: Any = datapipe
        _deprecation_warning(
            type(self).__name__,
            old_functional_name="routed_decode",
            deprecation_version="1.12",
            removal_version="1.13",
        )

    def add_handler(self, *handler: Callable[..., Any]) -> None:
        """Ask *handler*, too, after the others."""
        self.decoder.add_handler(*handler)

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        for pair in self.datapipe:
            path = pair[0]
            yield path, self.decoder(pair)[path]

    def __len__(self) -> int:
        if not hasattr(type(self.datapipe), "__len__"):
            raise TypeError(f"{type(self).__name__} instance doesn't have valid length")
        return len(self.datapipe)
