"""Ops that libraries name and that nothing here computes: their schemas, without kernels.

A library may use such an op as a key of a table of its own
(``aten._scaled_grouped_mm.default``), which needs the name alone. Calling one raises torch's
NotImplementedError for an op without kernels.
"""

from __future__ import annotations

from itertools import chain

from mindtorch_dispatch import registry

from ..call.declared import declared
from .tags import tags_of

for _schema, _ in chain.from_iterable(declared().values()):
    registry.register_schema(f"aten::{_schema}")
    _operator = registry.operator(f"aten::{_schema.partition('(')[0]}")
    # An op without a row counts as one that a program defined, of which torch's data says nothing.
    _operator.tags = tuple(tags_of(_operator))
