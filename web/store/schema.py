"""Open a database, and bring its tables up to date."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import URL, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError
from sqlalchemy.pool import StaticPool

from referee.phrases import say
from web.store.errors import StoreError, in_words

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

_MIGRATIONS: Final = Path(__file__).parent / "migrations"
_WAIT_MS: Final = 5000
READS: Final = "meldwatch_reads"
"""The execution option of connections that only read."""
_MOVED: Final = say(
    "store.moved",
    "The file of matches was moved, deleted or replaced while it was in use, so this was not "
    "kept. Put it back, and do it again; or export the matches that you need, and start again.",
)
_IN_MEMORY: Final = frozenset({None, "", ":memory:"})


def open_engine(url: str | Path) -> Engine:
    """Connect, and bring the tables up to date; SQLite and PostgreSQL are known to work.

    Parameters
    ----------
    url
        A database's address, or an SQLite file.

    Raises
    ------
    StoreError
        If the address is wrong, the database cannot be reached, is damaged, or belongs to a
        newer version of the program. It is then left as it is.
    """
    try:
        engine = _engine(url)
    except ModuleNotFoundError as error:
        raise StoreError(
            f"What speaks to this database is not installed ({error.name}); "
            "for PostgreSQL, run: pip install 'meldwatch[postgresql]'"
        ) from error
    except (ArgumentError, NoSuchModuleError) as error:
        raise StoreError(
            f"{url!r} is no address of a database ({error}); expected one like "
            "sqlite:////home/me/matches.sqlite or postgresql+psycopg://me@host/matches"
        ) from error
    try:
        _migrate(engine)
    except BaseException:
        engine.dispose()
        raise
    return engine


def _engine(url: str | Path) -> Engine:
    # In an address some signs that a path may have mean something else.
    address = URL.create("sqlite", database=str(url)) if isinstance(url, Path) else make_url(url)
    if address.get_backend_name() == "postgresql":
        return create_engine(address, pool_pre_ping=True, connect_args=_patience(address))
    if address.get_backend_name() != "sqlite":
        return create_engine(address, pool_pre_ping=True)
    alone = address.database in _IN_MEMORY
    options: dict[str, Any] = {"poolclass": StaticPool} if alone else {}
    engine = create_engine(address, connect_args={"check_same_thread": False}, **options)
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    if not alone and not str(address.database).startswith("file:"):
        _hold_on_to(Path(str(address.database)).absolute(), engine)
    return engine


def _hold_on_to(path: Path, engine: Engine) -> None:
    """Let nothing be written once the file was moved, deleted or replaced: none would find it.

    SQLite itself looks for that only without WAL.
    """
    first: list[tuple[int, int]] = []

    def connected(_connection: object, _record: object) -> None:
        if not first:
            first.append(_file(path))

    def begin(connection: Connection) -> None:
        if not connection.get_execution_options().get(READS) and _file(path) != first[0]:
            raise StoreError(_MOVED)

    event.listen(engine, "connect", connected)
    event.listen(engine, "begin", begin, insert=True)


def _file(path: Path) -> tuple[int, int]:
    """Return which file lies there; none where there is none."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_dev, found.st_ino


def _patience(address: URL) -> dict[str, Any]:
    """Let PostgreSQL wait no longer than SQLite does, unless its address says otherwise."""
    wanted = {
        "connect_timeout": max(_WAIT_MS // 1000, 2),
        "tcp_user_timeout": _WAIT_MS,
        "options": f"-c lock_timeout={_WAIT_MS}",
    }
    return {name: value for name, value in wanted.items() if name not in address.query}


def _prepare(connection: Any, _record: object) -> None:  # noqa: ANN401 - a sqlite3 connection
    # The driver would begin transactions late, and not at all before a change of tables.
    connection.isolation_level = None
    # A write that was confirmed must outlast the machine's power, so every one is synchronised.
    for pragma in (
        f"busy_timeout={_WAIT_MS}", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"
    ):  # fmt: skip
        connection.execute(f"PRAGMA {pragma}").close()


def _begin(connection: Any) -> None:  # noqa: ANN401 - SQLAlchemy hands over its own
    # Who will write locks at once, so that what was read before the write is still true. Who only
    # reads waits for nobody.
    reads = connection.get_execution_options().get(READS)
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


def _migrate(engine: Engine) -> None:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    try:
        with in_words(), engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except CommandError as error:
        raise StoreError(
            "The matches were kept by a newer version of Meldwatch, and were left as they are. "
            "Install that version, or choose another folder."
        ) from error
