"""Containers of layers."""

from __future__ import annotations

from .layer import Layer, stand_for_layers


class Sequential(Layer):
    def forward(self, input):  # type: ignore[no-untyped-def]  # what the layers take
        for module in self:
            input = module(input)
        return input

    def __len__(self) -> int:
        return len(self)


class ModuleList(Layer):
    def __len__(self) -> int:
        return len(self)


class ModuleDict(Layer):
    def __len__(self) -> int:
        return len(self)


stand_for_layers(globals())
