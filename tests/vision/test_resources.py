from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from vision import resources
from vision.resources import ResourceError, resource_dir, sample_pictures

if TYPE_CHECKING:
    from pathlib import Path


def test_a_checkout_has_all_of_them() -> None:
    assert all(resource_dir(name).is_dir() for name in ("models", "editions", "samples"))


def test_an_installed_package_carries_them_inside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "vision/_data/models").mkdir(parents=True)
    (tmp_path / "models").mkdir()
    monkeypatch.setattr(resources, "__file__", str(tmp_path / "vision/resources.py"))
    assert resource_dir("models") == tmp_path / "vision/_data/models"
    with pytest.raises(ResourceError, match="editions folder is missing"):
        resource_dir("editions")


def test_samples_are_pictures_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "datasets/samples"
    folder.mkdir(parents=True)
    for name in ("b.jpg", "a.JPG", "labels.json"):
        (folder / name).touch()
    monkeypatch.setattr(resources, "__file__", str(tmp_path / "vision/resources.py"))
    assert [path.name for path in sample_pictures()] == ["a.JPG", "b.jpg"]
