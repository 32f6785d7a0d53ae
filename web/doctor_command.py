"""`meldwatch doctor`: whether everything is ready for an evening."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from vision.cameras import camera_from
from web.doctor import (
    Check,
    check_camera,
    check_certificate,
    check_disk,
    check_models,
    check_port,
    opened,
)
from web.settings import SettingsError, load_settings
from web.site.data_folder import usual_folder
from web.site.network import hosts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from web.options import Loader
    from web.settings_sections import Settings

_MARKS: Final = {"ok": "ok  ", "warn": "look", "fail": "bad "}


@click.command("doctor")
@click.option("--camera", "cameras", multiple=True, metavar="ADDRESS", help="Look through it.")
@click.option("--data", type=click.Path(path_type=Path), help="The folder of the matches.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
@click.pass_context
def doctor_command(
    ctx: click.Context, *, cameras: tuple[str, ...], data: Path | None, as_json: bool
) -> None:
    """Check networks, camera, light, ports, certificate and disk.

    Exit code 1 if something is wrong that an evening cannot do without.
    """
    file = usual_folder() / "settings.toml"
    try:
        settings = load_settings(file if file.is_file() else None)
    except SettingsError as error:
        raise click.ClickException(str(error)) from error
    folder = data or Path(settings.keeping.data or usual_folder()).expanduser()
    checks = list(_checks(ctx.obj, settings, folder, cameras or settings.cameras.camera))
    if as_json:
        click.echo(json.dumps({"version": 1, "checks": [asdict(check) for check in checks]}))
    else:
        for check in checks:
            click.echo(
                f"{_MARKS[check.state]}  {check.name}: {check.text} {check.advice}".rstrip()
            )
    if any(check.state == "fail" for check in checks):
        ctx.exit(1)


def _checks(
    loader: Loader, settings: Settings, folder: Path, cameras: tuple[str, ...]
) -> Iterator[Check]:
    models, pages = settings.cameras.models, settings.pages
    found, reader = check_models(lambda: loader(Path(models) if models else None))
    yield found
    yield check_disk(folder)
    yield check_port(pages.host, pages.port)
    if pages.https_port:
        yield check_port(pages.host, pages.https_port)
        hosts = hosts_of(settings)
        yield check_certificate(folder / "tls", {*hosts.names, *hosts.addresses(), "127.0.0.1"})
    if not cameras:
        yield Check("camera", "ok", "None is set: a phone can be one, or name one with --camera.")
    for address in cameras:
        camera = opened(address, camera_from)
        if isinstance(camera, Check):
            yield camera
        else:
            yield from check_camera(camera, reader)
