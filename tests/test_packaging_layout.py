"""One namespace package from five source roots: nothing may turn it into an ordinary one, or leave it."""

from __future__ import annotations

import tomllib
from importlib.util import find_spec
from pathlib import Path
from zipfile import ZipFile

from hatchling.builders.wheel import WheelBuilder

from layers import NAMESPACE, ROOTS

REPOSITORY = Path(__file__).parents[1]
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))


def test_no_root_has_an_init_file_in_the_namespace() -> None:
    """An ``__init__.py`` in one root would hide the four others."""
    for root in ROOTS:
        assert (REPOSITORY / root / NAMESPACE).is_dir()
        assert not (REPOSITORY / root / "__init__.py").exists()
        assert not (REPOSITORY / root / NAMESPACE / "__init__.py").exists()


def test_the_namespace_spans_all_roots() -> None:
    """The installed package has no file of its own, and looks into every root."""
    spec = find_spec(NAMESPACE)

    assert spec is not None
    assert spec.origin is None
    assert {str(REPOSITORY / root / NAMESPACE) for root in ROOTS} <= set(spec.submodule_search_locations or ())


def test_every_package_is_typed() -> None:
    """Below the namespace each package has a ``py.typed``."""
    for root in ROOTS:
        packages = [path for path in (REPOSITORY / root / NAMESPACE).iterdir() if any(path.glob("*.py"))]
        assert packages
        assert [path for path in packages if not (path / "py.typed").is_file()] == []


def test_settings_name_the_same_roots() -> None:
    """Build, type checker and layers agree about where the source is."""
    tools = PROJECT["tool"]
    wheel = tools["hatch"]["build"]["targets"]["wheel"]
    assert tuple(tools["hatch"]["build"]["dev-mode-dirs"]) == ROOTS
    assert tuple(wheel["sources"]) == ROOTS
    assert tuple(wheel["only-include"]) == tuple(f"{root}/{NAMESPACE}" for root in ROOTS)
    assert set(ROOTS) <= set(tools["mypy"]["mypy_path"].split(":"))


def test_a_wheel_holds_the_namespace_and_nothing_else(tmp_path: Path) -> None:
    """No ``protocol`` or ``harness`` at top level overwrites a stranger's package; templates and types come along."""
    (built,) = WheelBuilder(str(REPOSITORY)).build(directory=str(tmp_path), versions=["standard"])

    names = ZipFile(built).namelist()

    assert {name.partition("/")[0].partition("-")[0] for name in names} == {NAMESPACE}
    assert f"{NAMESPACE}/__init__.py" not in names
    for root in ROOTS:
        for path in (REPOSITORY / root / NAMESPACE).rglob("*"):
            if path.suffix in {".py", ".pyi", ".html", ".css", ".proto"}:
                assert path.relative_to(REPOSITORY / root).as_posix() in names
