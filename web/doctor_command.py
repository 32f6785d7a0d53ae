"""`meldwatch doctor`: whether everything is ready for an evening."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from vision.cameras import FeedSettings, hush
from web.doctor import (
    Check,
    check_camera,
    check_certificate,
    check_disk,
    check_models,
    check_port,
    check_set,
    check_store,
    opened,
)
from web.settings import SettingsError, settings_and_folder
from web.settings_text import settings_options
from web.site.cameras import camera_at
from web.site.data_folder import DataFolder
from web.site.network import hosts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from web.options import Loader
    from web.settings_sections import Settings

_MARKS: Final = {"ok": "ok  ", "warn": "look", "fail": "bad "}


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
@settings_options
@click.pass_context
def doctor_command(
    ctx: click.Context, *, as_json: bool, settings_path: Path | None, flags: dict[str, Any]
) -> None:
    """Check networks, cameras, light, ports, certificate and disk.

    Everything is looked at as `meldwatch serve` with the same settings and flags would use it.
    Exit code 1 if something is wrong that an evening cannot do without.
    """
    try:
        settings, folder = settings_and_folder(settings_path, flags)
    except SettingsError as error:
        raise click.ClickException(str(error)) from error
    hush()
    checks = list(_checks(ctx.obj, settings, folder))
    if as_json:
        click.echo(json.dumps({"version": 1, "checks": [asdict(check) for check in checks]}))
    else:
        for check in checks:
            click.echo(
                f"{_MARKS[check.state]}  {check.name}: {check.text} {check.advice}".rstrip()
            )
    if any(check.state == "fail" for check in checks):
        ctx.exit(1)


def _checks(loader: Loader, settings: Settings, folder: Path) -> Iterator[Check]:
    models, pages = settings.cameras.models, settings.pages
    ill = FeedSettings(**settings.feeds.model_dump())
    found, reader = check_models(lambda: loader(Path(models) if models else None))
    yield found
    if reader is not None and settings.cameras.set:
        yield check_set(reader, DataFolder(folder).sets, settings.cameras.set)
    yield check_disk(folder)
    # A file of matches that is not there yet is made at the first start.
    kept = DataFolder(folder).store
    if settings.keeping.store or kept.exists():
        yield check_store(settings.keeping.store or kept)
    yield check_port(pages.host, pages.port)
    if pages.https_port:
        yield check_port(pages.host, pages.https_port)
        yield check_certificate(folder / "tls", hosts_of(settings).vouched())
    if not settings.cameras.camera:
        yield Check("camera", "ok", "None is set: a phone can be one, or name one with --camera.")
    for address in settings.cameras.camera:
        camera = opened(address, camera_at)
        if isinstance(camera, Check):
            yield camera
        else:
            yield from check_camera(camera, reader, ill)
