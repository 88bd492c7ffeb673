"""Versions of ONNX's operators."""

from __future__ import annotations

import logging
from typing import Any

from onnx import helper, version_converter

__all__ = ["DEFAULT_VERSION", "older", "version_to_build"]

#: What an export is written in unless it is asked for another.
DEFAULT_VERSION = 20
#: The versions that translations are made for.
OLDEST, NEWEST = 11, 25
_logger = logging.getLogger(__name__)


def version_to_build(version: int) -> int:
    """The version in which a graph is built that is wanted in *version*."""
    if version > NEWEST:
        return 18
    return max(version, OLDEST)


def ir_version_of(version: int) -> int:
    """The first version of the format that has a *version* of the operators."""
    found: int = helper.find_min_ir_version_for([helper.make_opsetid("", version)])
    return found


def older(model: Any, version: int, ir_version: int) -> Any:
    """*model* in an older *version*, where ONNX's own converter can; else as it is.

    :param ir_version: of the format.
    """
    try:
        made = version_converter.convert_version(model, version)
    except Exception as error:
        _logger.warning("the model cannot be of version %d: %s", version, error)
        return model
    made.ir_version = ir_version
    return made
