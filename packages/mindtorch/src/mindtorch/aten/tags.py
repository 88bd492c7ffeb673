"""Tags of the ops that come from rows: torch's, looked up and derived when first asked for."""

from __future__ import annotations

from functools import cache

from mindtorch_dispatch import Operator

from ..core.tags import Tag
from .tag_data import FAMILIES, OVERLOADS

__all__ = ["tags_of"]


@cache
def _names(data_of_families: bool) -> dict[str, frozenset[str]]:
    data = FAMILIES if data_of_families else OVERLOADS
    return {tag: frozenset(names.split()) for tag, names in data.items()}


def tags_of(operator: Operator) -> list[Tag]:
    """What torch's definition says of an op of the namespace ``aten``, in torch's order."""
    name = operator.name.partition("::")[2]
    base = name.partition(".")[0]
    writes = base.endswith("_") and (not base.endswith("__") or base[2:3] == "i")
    family = base[:-1] if base.endswith("_") and not base.endswith("__") else base
    found = {"pt2_compliant_tag"}
    for of_families, key in ((True, family), (False, name)):
        found |= {tag for tag, names in _names(of_families).items() if key in names}
    if writes:
        found.add("inplace")
    schema = operator.schema
    if schema is not None and any(a.is_out for a in schema.arguments):
        found.add("out")
    return [tag for tag in Tag if tag.name in found]
