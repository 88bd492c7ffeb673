# Written by `python -m tests.stubs --write`; see tests/stubs.
from mindtorch.utils.data.datapipes.dataframe.dataframes import CaptureDataFrame as CaptureDataFrame
from mindtorch.utils.data.datapipes.dataframe.datapipes import DataFramesAsTuplesPipe as DataFramesAsTuplesPipe
from mindtorch.utils.data.datapipes.datapipe import DFIterDataPipe as DFIterDataPipe

