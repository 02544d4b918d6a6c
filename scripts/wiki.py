"""A MediaWiki of Debian's packages, filled from a folder of text and served on loopback, for tests and demonstrations.

    python scripts/wiki.py DIR [--port N] [--pages FOLDER] [--language en|zh]

A page is a file `Title.wiki` of wikitext. The language decides how the search index cuts words: only a Chinese wiki
cuts Chinese, and it finds English too.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGES = HERE.parent / "tests" / "wiki"
MEDIAWIKI = Path("/usr/share/mediawiki")
MODULES = frozenset({"pdo_sqlite", "intl", "mbstring", "xml"})
EXTENSIONS = "Cite,ParserFunctions,TextExtracts"
READY_S = 20.0


class WikiError(Exception):
    """The wiki could not be built or served; the message says what PHP said."""


def missing() -> str:
    """Why there can be no wiki here, in one line; empty when there can."""
    if not shutil.which("php"):
        return "no php here; scripts/system-packages.sh installs it"
    if not (MEDIAWIKI / "maintenance" / "install.php").is_file():
        return f"no MediaWiki in {MEDIAWIKI}; scripts/system-packages.sh installs it"
    lacking = MODULES - set(subprocess.run(["php", "-m"], capture_output=True, text=True, check=False).stdout.split())
    return f"PHP lacks {', '.join(sorted(lacking))}; scripts/system-packages.sh installs it" if lacking else ""


def build(where: Path, pages: Path, language: str = "en") -> Path:
    """A wiki of all pages of the folder, in a folder below `where` named after what it holds: built once, then reused.

    Raises WikiError.
    """
    where = where.resolve()  # PHP runs in folders of its own
    ready = where / _fingerprint(pages, language)
    if ready.is_dir():
        return ready
    where.mkdir(parents=True, exist_ok=True)
    # Built aside and renamed: of two test runs that start together, neither sees half a wiki.
    with tempfile.TemporaryDirectory(dir=where, prefix="new-") as aside:
        _install(Path(aside), language)
        _fill(Path(aside), pages)
        _rename(Path(aside), ready)
    return ready


def serve(wiki: Path, port: int) -> subprocess.Popen[bytes]:
    """PHP's own server at `url(port)`, answering when this returns. End it with `stop`. Raises WikiError."""
    # Asked first: while PHP is failing to bind, the program that has the port would answer for it.
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", port)) == 0:
            raise WikiError(f"another program serves {url(port)}")
    options = ["-d", "display_errors=0", "-d", "error_reporting=0", "-d", "opcache.enable=1", "-d", "log_errors=0"]
    server = subprocess.Popen(
        ["php", *options, "-S", f"127.0.0.1:{port}", "-t", str(MEDIAWIKI), str(HERE / "wiki_router.php")],
        env=_environment(wiki) | {"PHP_CLI_SERVER_WORKERS": "4"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # the workers outlive a killed parent, so `stop` ends the group
    )
    try:
        _wait(server, url(port))
    except BaseException:  # an interrupt too: nobody else knows of the server yet
        stop(server)
        raise
    return server


def url(port: int) -> str:
    """The base URL of a wiki served at that port, with a slash at the end."""
    return f"http://127.0.0.1:{port}/"


def free_port() -> int:
    """A port that nothing listened on a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def stop(server: subprocess.Popen[bytes]) -> None:
    """Ends the server and its workers."""
    os.killpg(server.pid, signal.SIGKILL)  # it holds nothing that wants an orderly end
    server.wait()


def _fingerprint(pages: Path, language: str) -> str:
    """A name for the wiki: changes with the pages, the settings, this script and the version of MediaWiki."""
    digest = hashlib.sha256(language.encode())
    for file in (Path(__file__), HERE / "wiki_settings.php", MEDIAWIKI / "includes" / "Defines.php", *_texts(pages)):
        digest.update(f"\0{file.name}\0".encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def _texts(pages: Path) -> list[Path]:
    return sorted(pages.glob("*.wiki"))


def _install(wiki: Path, language: str) -> None:
    """An empty wiki by MediaWiki's own installer, with paths in its settings that survive a rename."""
    # A password is demanded and never used: this wiki is for reading, and stands on loopback.
    options = {"dbtype": "sqlite", "dbpath": wiki, "dbname": "wiki", "confpath": wiki, "lang": language}
    options |= {"server": "http://127.0.0.1", "scriptpath": "/w", "skins": "Vector", "extensions": EXTENSIONS}
    options |= {"pass": os.urandom(12).hex()}
    flags = [f"--{name}={value}" for name, value in options.items()]
    _php(wiki, "install", *flags, "Loopback Wiki", "Keeper", env=dict(os.environ))
    settings = wiki / "LocalSettings.php"
    written = settings.read_text(encoding="utf-8").replace(f'"{wiki}"', "__DIR__")
    extra = (HERE / "wiki_settings.php").read_text(encoding="utf-8").removeprefix("<?php")
    settings.write_text(written + extra, encoding="utf-8")
    (wiki / "cache").mkdir()


def _fill(wiki: Path, pages: Path) -> None:
    """Every text as a page, the index that search reads, and the messages compiled."""
    _php(wiki, "rebuildLocalisationCache", "--lang=en,zh,zh-hans")
    _php(wiki, "importTextFiles", "--overwrite", *map(str, _texts(pages)))
    _php(wiki, "rebuildtextindex")


def _php(wiki: Path, script: str, *arguments: str, env: Mapping[str, str] | None = None) -> None:
    """One maintenance script. Raises WikiError with its last lines when it fails."""
    command = ["php", "-d", "error_reporting=0", str(MEDIAWIKI / "maintenance" / f"{script}.php"), *arguments]
    done = subprocess.run(
        command, env=env or _environment(wiki), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise WikiError(f"{script}.php: {(done.stderr + done.stdout).strip()[-600:]}")


def _environment(wiki: Path) -> dict[str, str]:
    return dict(os.environ) | {"MW_CONFIG_FILE": str(wiki.resolve() / "LocalSettings.php"), "LC_ALL": "C.UTF-8"}


def _rename(aside: Path, ready: Path) -> None:
    """Moves a finished wiki into place; another run may have been quicker, and its wiki is the same."""
    try:
        aside.rename(ready)
    except OSError:
        if not ready.is_dir():
            raise
    else:
        aside.mkdir()  # its owner will remove it


def _wait(server: subprocess.Popen[bytes], base: str) -> None:
    """Returns once the wiki has answered a question about itself."""
    until = time.monotonic() + READY_S
    while time.monotonic() < until:
        if server.poll() is not None:
            raise WikiError(f"php ended with status {server.returncode} before it answered at {base}")
        try:
            with urllib.request.urlopen(
                f"{base}w/api.php?action=query&meta=siteinfo&format=json", timeout=READY_S
            ) as reply:
                told = reply.read()
        except urllib.error.HTTPError as err:
            raise WikiError(f"the wiki answers {err.code}") from err
        except OSError:
            time.sleep(0.05)
        else:
            if not told.startswith(b"{"):  # without its settings MediaWiki says under status 200 that it wants some
                raise WikiError(f"no wiki in the folder served at {base}")
            return
    raise WikiError(f"no answer from {base} in {READY_S:g} s")


def main() -> int:
    """Builds, serves, and stays until interrupted or terminated."""
    words = argparse.ArgumentParser(description="Build a MediaWiki from a folder of text and serve it on loopback.")
    words.add_argument("where", type=Path, metavar="DIR", help="where wikis are built and kept")
    words.add_argument("--port", type=int, default=0, help="port on 127.0.0.1; a free one unless given")
    words.add_argument("--pages", type=Path, default=PAGES, metavar="FOLDER", help="folder of Title.wiki files")
    words.add_argument("--language", default="en", help="language of the wiki: zh cuts Chinese for its search")
    given = words.parse_args()
    if reason := missing():
        print(reason, file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    port = given.port or free_port()
    try:
        server = serve(build(given.where, given.pages, given.language), port)
    except WikiError as err:
        print(err, file=sys.stderr)
        return 1
    try:
        print(f"serving {url(port)}", flush=True)
        server.wait()
    except KeyboardInterrupt:
        return 0
    finally:
        stop(server)
    return 1


if __name__ == "__main__":
    sys.exit(main())
