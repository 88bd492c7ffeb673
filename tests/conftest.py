"""The oracle must be there when it is asked for, and must be the version the texts come from."""

from __future__ import annotations

import gc
import os
import sys

# Before numpy and torch load: small arrays gain nothing from a second BLAS thread.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

# Who looks for a mistake in the library wants to see its frames.
os.environ.setdefault("MINDTORCH_TRACEBACK", "full")

from importlib.metadata import PackageNotFoundError, version

import pytest

#: Texts, dtypes and strides are compared with this version of torch and with no other.
ORACLE = "2.13.0"


def _installed_oracle() -> str | None:
    try:
        return version("torch").partition("+")[0]
    except PackageNotFoundError:
        return None


collect_ignore_glob: list[str] = []
if _installed_oracle() != ORACLE:
    if os.environ.get("MINDTORCH_REQUIRE_ORACLE") == "1":
        raise pytest.UsageError(
            f"these tests need torch=={ORACLE} as the oracle, found {_installed_oracle()}"
        )
    # Without the oracle there is nothing to compare with; the other tests still run.
    collect_ignore_glob.append("contract/test_*.py")


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--rows``, of which ``contract/batches.py`` tells."""
    parser.addoption(
        "--rows", metavar="PATTERN", default="*", help="rows that tests of all rows are run for"
    )


@pytest.fixture(scope="module", autouse=True)
def what_was_there_before() -> None:
    """Objects of earlier test files, of which there are millions by the end, are left alone.

    The garbage collector walks over the others only, and so does the search for the tensors over a
    memory that moves. What nobody holds goes first, for it may have memory of a device.
    """
    gc.collect()
    gc.freeze()


def pytest_collection_finish() -> None:
    """What is there before the first test lives on: the collector need not walk over it again.

    Nor over all objects as often as by default, which took a tenth of the time of all tests.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    for name in ("torch.cuda.random", "torch.xpu.random"):
        if (module := sys.modules.get(name)) is not None:
            # Seeding the oracle notes the stack for accelerators that it has not: milliseconds.
            module._lazy_call = lambda call, **kwargs: None


def pytest_runtest_setup() -> None:
    """Each test draws the same numbers in each run, whatever ran before it."""
    if (mindtorch := sys.modules.get("mindtorch")) is not None:
        mindtorch.manual_seed(67280421310721)
