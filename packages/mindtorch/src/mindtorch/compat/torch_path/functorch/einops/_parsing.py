"""``functorch.einops._parsing``: patterns of ``rearrange``, taken apart."""

from mindtorch.func.rearrange_pattern import (
    AnonymousAxis,
    ParsedExpression,
    comma_separate,
    parse_pattern,
    validate_rearrange_expressions,
)
from mindtorch.func.rearrange_pattern import ellipsis as _ellipsis  # noqa: F401  (theirs)

__all__ = [
    "AnonymousAxis",
    "ParsedExpression",
    "comma_separate",
    "parse_pattern",
    "validate_rearrange_expressions",
]
