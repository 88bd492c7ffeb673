"""``hatch run clients:suites``: libraries' own tests with torch and with mindtorch, and a table.

The tests are those of the library's source archive, of the version that is installed, fetched by
pip into a folder of this machine, or the examples in the documentation of its functions; nothing of
them is kept here. Each suite runs in a process of its own, once with torch and once with mindtorch
under torch's name. What passes with torch counts, and of it what passes with mindtorch. ``--write``
makes ``docs/suites.md`` of the result.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tarfile
from collections import Counter
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "suites.md"
CACHE = Path(os.environ.get("XDG_CACHE_HOME", "~/.cache")).expanduser() / "mindtorch-suites"
#: Seconds that one suite may take in one framework.
TIMEOUT = 1800


@dataclass(frozen=True)
class Suite:
    """Which tests of a library are run, without those that need more than torch and the library."""

    library: str
    #: Paths in its source archive.
    tests: tuple[str, ...] = ()
    #: Modules whose examples are run.
    examples: tuple[str, ...] = ()
    #: Files that need a network, another library, several processes or minutes.
    without: tuple[str, ...] = ()
    #: A pytest expression of the tests that are run.
    chosen: str = ""
    #: Files that the archive leaves out though its tests need them; they are made, empty.
    left_out: tuple[str, ...] = ()


SUITES = [
    Suite("e3nn", ("tests",)),
    Suite("einops", ("einops/tests",), without=("einops/tests/test_notebooks.py",)),
    Suite("gpytorch", ("test",), without=("test/examples", "test/kernels/keops")),
    Suite("linear_operator", ("test",)),
    Suite("nflows", ("tests",)),
    Suite("opacus", ("opacus/tests/grad_samples", "opacus/tests/batch_memory_manager_test.py")),
    Suite("skorch", ("skorch/tests",), without=("skorch/tests/llm",)),
    Suite(
        "kornia",
        examples=("kornia",),
        # Large networks, which take minutes.
        chosen="not sold2 and not visual_prompter and not defmo and not siglip2 and not dedode "
        "and not loftr and not matching",
    ),
    Suite(
        "torchmetrics",
        examples=tuple(
            f"torchmetrics.{part}{domain}"
            for part in ("functional.", "")
            for domain in (
                "classification",
                "clustering",
                "nominal",
                "pairwise",
                "regression",
                "retrieval",
                "segmentation",
            )
            if part or domain != "pairwise"
        ),
    ),
    Suite("torchsde", ("tests",), left_out=("tests/__init__.py",)),
    Suite("zuko", ("tests",)),
]


@dataclass
class Result:
    """What the tests of one library came to in both frameworks."""

    library: str
    version: str
    passed: int = 0
    same: int = 0
    #: Tests that pass with torch alone, and why.
    different: dict[str, str] = field(default_factory=dict)


def source(suite: Suite) -> Path:
    """The folder of the installed version's source archive, fetched if it is not there."""
    library, release = suite.library, version(suite.library)
    name = library.replace("-", "_")
    folder = CACHE / f"{name}-{release}"
    if not folder.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        words = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(CACHE)]
        words += ["--no-binary", library, f"{library}=={release}"]
        subprocess.run(words, check=True)
        with tarfile.open(CACHE / f"{name}-{release}.tar.gz") as archive:
            archive.extractall(CACHE, filter="data")
    for each in suite.left_out:
        (folder / each).touch()
    return folder


def run(suite: Suite, framework: str, file: Path) -> None:
    """Run a suite in a framework, its outcomes on *file*."""
    folder = source(suite) if suite.tests else CACHE
    file.unlink(missing_ok=True)
    words = [sys.executable, *(["-m", "mindtorch"] if framework == "mindtorch" else [])]
    words += ["-m", "pytest", "-q", "--tb=line", "-p", "no:cacheprovider", "-p", "outcomes"]
    words += ["--continue-on-collection-errors", "-o", "addopts=", "-W", "ignore"]
    words += [f"--ignore={each}" for each in suite.without]
    words += ["-k", suite.chosen] if suite.chosen else []
    words += suite.tests
    if suite.examples:
        words += ["-o", "doctest_optionflags=NORMALIZE_WHITESPACE ELLIPSIS"]
        words += ["--doctest-modules", "--pyargs", *suite.examples]
    environment = os.environ | {
        "OMP_NUM_THREADS": "1",
        "HF_HUB_OFFLINE": "1",
        "TRANSFORMERS_OFFLINE": "1",
        "TORCH_COMPILE_DISABLE": "1",
        "MPLBACKEND": "agg",
        "MINDTORCH_OUTCOMES": str(file),
        "PYTHONPATH": os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")]),
        "EINOPS_TEST_BACKENDS": "numpy,torch",
    }
    with open(file.with_suffix(".log"), "w", encoding="utf-8") as log:
        try:
            subprocess.run(
                words,
                cwd=folder,
                env=environment,
                timeout=TIMEOUT,
                stdout=log,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
            )
        except subprocess.TimeoutExpired:
            print(f"{suite.library}: {framework} ends after {TIMEOUT} s", flush=True)


def outcomes(suite: Suite, framework: str, kept: bool = False) -> dict[str, tuple[str, str]]:
    """Node id -> outcome and error of every test of a suite in a framework."""
    file = CACHE / f"{suite.library}-{framework}.jsonl"
    if not kept or not file.exists():
        run(suite, framework, file)
    found: dict[str, tuple[str, str]] = {}
    for line in file.read_text("utf-8").splitlines() if file.exists() else ():
        name, outcome, _, error = json.loads(line)
        if found.get(name, ("passed",))[0] != "failed":  # a failed tear-down counts as failed
            found[name] = (outcome, error)
    return found


def compare(suite: Suite, kept: str) -> Result:
    """Run *suite* in both frameworks.

    :param kept: whose outcomes of the last time are taken: ``"torch"``, ``"both"`` or neither's.
    """
    want = outcomes(suite, "torch", kept in ("torch", "both"))
    got = outcomes(suite, "mindtorch", kept == "both")
    result = Result(suite.library, version(suite.library))
    uncollected = {name: error for name, (how, error) in got.items() if how == "failed"}
    for name, (how, _) in want.items():
        if how != "passed":
            continue
        result.passed += 1
        ours = got.get(name)
        if ours is None:
            result.different[name] = uncollected.get(name.split("::")[0], "did not run")
        elif ours[0] == "passed":
            result.same += 1
        else:
            result.different[name] = ours[1] or ours[0]
    return result


def page(results: list[Result]) -> str:
    """The table of the docs."""
    passed, same = sum(r.passed for r in results), sum(r.same for r in results)
    lines = [
        "# Libraries' own tests",
        "",
        "Written by `hatch run clients:suites --write`: the tests of libraries' source archives,",
        "with torch 2.13 and with mindtorch under its name. Counted is what passes with torch.",
        "",
        f"**{same} of {passed} tests** ({same / max(passed, 1):.1%}).",
        "",
        "| library | pass with torch | of them with mindtorch | what the others end with |",
        "|---|---|---|---|",
    ]
    for each in results:
        name = f"{each.library} {each.version}"
        lines.append(f"| {name} | {each.passed} | {each.same} | {reasons(each)} |")
    return "\n".join(lines) + "\n"


def reasons(result: Result, shown: int = 3) -> str:
    """The most frequent errors of the tests that differ, each with its count."""
    counted = Counter(_short(why) for why in result.different.values())
    texts = [f"{count} × {text}" for text, count in counted.most_common(shown)]
    if len(counted) > shown:
        texts.append(f"{sum(n for _, n in counted.most_common()[shown:])} × other")
    return "; ".join(texts)


def _short(text: str) -> str:
    text = " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
    return text if len(text) <= 100 else text[:97] + "…"


def main() -> int:
    """Read the command line; 1 where a test that passes with torch does not."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("libraries", nargs="*", help="whose tests; all of the table's if none")
    parser.add_argument("--write", action="store_true", help="write docs/suites.md")
    parser.add_argument("--kept", choices=("torch", "both"), help="take outcomes of the last time")
    parser.add_argument("--show", action="store_true", help="show each test that differs")
    given = parser.parse_args()
    results = []
    for suite in SUITES:
        if given.libraries and suite.library not in given.libraries:
            continue
        results.append(result := compare(suite, given.kept or ""))
        print(f"{result.library:24} {result.same:5} of {result.passed:5}", flush=True)
        for name, why in result.different.items() if given.show else ():
            print(f"    {name}: {_short(why)}", flush=True)
    if given.write:
        PAGE.write_text(page(results), "utf-8")
    return int(any(each.different for each in results))


if __name__ == "__main__":
    sys.exit(main())
