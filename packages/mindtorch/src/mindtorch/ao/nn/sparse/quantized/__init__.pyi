# Written by `python -m tests.stubs --write`; see tests/stubs.
from typing import Any
from . import dynamic as dynamic
from . import linear as linear
from . import utils as utils

Linear: Any
LinearPackedParams: Any
