"""Pipes of frames of data."""

from importlib import import_module
from typing import Any

__all__ = ["CaptureDataFrame", "DFIterDataPipe", "DataFramesAsTuplesPipe"]


def __getattr__(name: str) -> Any:
    # Later: other pipes need the module of frames, and these need other pipes.
    homes = {
        "CaptureDataFrame": ".dataframes",
        "DFIterDataPipe": "..datapipe",
        "DataFramesAsTuplesPipe": ".datapipes",
    }
    if name not in homes:
        raise AttributeError(
            f"module 'torch.utils.data.datapipes.dataframe' has no attribute '{name}'"
        )
    return getattr(import_module(homes[name], __name__), name)
