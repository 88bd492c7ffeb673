"""What packages declare about themselves, and what the workspace relies on."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib

import pytest

from tests.workspace import MAY_LOAD, PACKAGES, ROOT, sources

FOLDERS = sorted(PACKAGES)


def project(folder: str) -> dict:
    return tomllib.loads((ROOT / folder / "pyproject.toml").read_text("utf-8"))["project"]


@pytest.mark.parametrize("folder", FOLDERS)
def test_package_describes_itself(folder):
    """Name, description, licence and Python version are there and agree."""
    meta = project(folder)
    assert meta["name"].replace("-", "_") == PACKAGES[folder]
    assert len(meta["description"]) > 20
    assert meta["license"] == "Apache-2.0"
    assert meta["requires-python"] == ">=3.11"
    assert (ROOT / folder / "CHANGELOG.md").exists()


@pytest.mark.parametrize("folder", FOLDERS)
def test_siblings_are_declared_with_an_upper_bound(folder):
    """A name like ours exists on package indexes with other versions: bounds keep it away."""
    own = [d for d in project(folder)["dependencies"] if d.startswith("mindtorch")]
    assert all(re.fullmatch(r"mindtorch(-\w+)?>=1\.\d+,<2", d) for d in own), own
    declared = {re.split("[<>=]", d)[0].replace("-", "_") for d in own}
    assert declared <= MAY_LOAD[PACKAGES[folder]]


@pytest.mark.parametrize("folder", FOLDERS)
def test_version_is_one_or_later(folder):
    """Versions start at 1.0.0; lower ones belong to an unrelated project."""
    about = ROOT / folder / "src" / PACKAGES[folder] / "__about__.py"
    version = re.search(r'__version__ = "(\d+)\.\d+\.\d+"', about.read_text("utf-8"))
    assert version and int(version.group(1)) >= 1


def test_every_folder_of_packages_is_a_member():
    """A folder without pyproject.toml breaks every command of the workspace."""
    folders = [p for p in (ROOT / "packages").iterdir() if p.is_dir()]
    assert all((p / "pyproject.toml").exists() for p in folders)
    assert {f"packages/{p.name}" for p in folders} == set(FOLDERS) - {"cli"}


def test_every_environment_uses_pip():
    """uv reads other settings than pip and may fetch a CUDA build of torch."""
    envs = tomllib.loads((ROOT / "hatch.toml").read_text("utf-8"))["envs"]
    assert {name: env.get("installer") for name, env in envs.items()} == dict.fromkeys(envs, "pip")


def test_test_dependency_is_the_oracle_that_the_tests_expect():
    """The version in hatch.toml and the one that the tests insist on are the same."""
    from tests.conftest import ORACLE

    envs = tomllib.loads((ROOT / "hatch.toml").read_text("utf-8"))["envs"]
    assert f"torch=={ORACLE}" in envs["hatch-test"]["extra-dependencies"]


def test_ci_script_can_be_run():
    """It is executable and bash reads it without complaint."""
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert subprocess.run(["bash", "-n", str(script)]).returncode == 0


def test_licence_is_apache():
    """The full text, not a pointer to it."""
    text = (ROOT / "LICENSE").read_text("utf-8")
    assert "Apache License" in text and "END OF TERMS AND CONDITIONS" in text


@pytest.mark.parametrize("folder", FOLDERS)
def test_source_has_no_todo(folder):
    """What is not done is an issue or a decision page, not a note in the source."""
    wrong = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in sources(folder)
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if re.search(r"#.*\b(TODO|FIXME|XXX)\b", line)
    ]
    assert not wrong, wrong
