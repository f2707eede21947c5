"""A cluster of `orrery up`: its start, its URLs and its end. Needs nothing but the standard library."""

import json
import os
import queue
import shlex
import shutil
import subprocess
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Dict, List, Mapping, Optional, Sequence

START_SECONDS = 60
STOP_SECONDS = 15
REQUEST_SECONDS = 30


class CommandMissing(Exception):
    """There is no orrery command."""


class StartFailed(Exception):
    """The command ended before its cluster was ready, or took too long."""


def find_command(given: Optional[str] = None, start: Optional[Path] = None) -> List[str]:
    """The given command, that of ORRERY_COMMAND, of the nearest node_modules, or of the path."""
    named = given or os.environ.get("ORRERY_COMMAND")
    if named:
        # A path with spaces is no command line.
        return [named] if Path(named).exists() else shlex.split(named, posix=os.name != "nt")
    name = "orrery.cmd" if os.name == "nt" else "orrery"
    folder = (start or Path.cwd()).resolve()
    for above in [folder, *folder.parents]:
        command = above / "node_modules" / ".bin" / name
        if command.exists():
            return [str(command)]
    found = shutil.which("orrery")
    if found:
        return [found]
    raise CommandMissing(
        "there is no orrery command: [npm install --save-dev @orrery/cli] installs it, "
        "and ORRERY_COMMAND or the option orrery_command names another one"
    )


class Cluster:
    """A running cluster. `stop` ends it; as a context manager it ends with the block."""

    def __init__(
        self,
        nodes: int = 3,
        transport: str = "memory",
        settings: Optional[Mapping[str, str]] = None,
        zones: Sequence[str] = (),
        command: Optional[Sequence[str]] = None,
    ) -> None:
        args = [*(command or find_command()), "up", "--json", "--http-port", "0"]
        args += ["--nodes", str(nodes), "--transport", transport]
        if zones:
            args += ["--zones", ",".join(zones)]
        for key, value in (settings or {}).items():
            args += ["-E", f"{key}={value}"]
        self._logs: List[str] = []
        try:
            self._process = subprocess.Popen(
                args,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
            )
        except OSError as error:
            raise CommandMissing(f"{args[0]}: {error}") from error
        self._readers = [
            threading.Thread(target=self._read_logs, daemon=True),
            threading.Thread(target=self._read_events, daemon=True),
        ]
        self._ready: "queue.Queue[Optional[dict]]" = queue.Queue()
        for reader in self._readers:
            reader.start()
        try:
            self._event = self._wait_until_ready()
        except BaseException:
            self.stop()
            raise

    @property
    def urls(self) -> List[str]:
        """URLs of the nodes, in the order of their numbers."""
        return [node["http"] for node in self._event["nodes"]]

    @property
    def url(self) -> str:
        """URL of the first node."""
        return self.urls[0]

    @property
    def nodes(self) -> List[Dict]:
        """The nodes, each with `name`, `http`, `transport`, `pid` and `roles`."""
        return list(self._event["nodes"])

    def logs(self) -> List[str]:
        """Lines that the nodes have logged."""
        return list(self._logs)

    def request(self, method: str, path: str, body: Optional[object] = None) -> object:
        """Body of the answer of the first node; raises `urllib.error.HTTPError` for an error."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"content-type": "application/json"}
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        # A proxy of the environment is for other hosts.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=REQUEST_SECONDS) as answer:
            text = answer.read().decode()
        return json.loads(text) if text else None

    def clean(self) -> None:
        """Deletes all indices, data streams and templates."""
        everything = "expand_wildcards=all&ignore_unavailable=true"
        for path in (
            "/_data_stream/*",
            f"/*?{everything}",
            "/_index_template/*",
            "/_component_template/*",
            "/_template/*",
        ):
            try:
                self.request("DELETE", path)
            except urllib.error.HTTPError as error:
                # There may be none.
                if error.code != 404:
                    raise

    def stop(self) -> None:
        """Stops the cluster; does nothing if it has ended."""
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        for reader in self._readers:
            reader.join(STOP_SECONDS)

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _read_logs(self) -> None:
        with self._process.stderr as stream:
            for line in stream:
                self._logs.append(line.rstrip("\n"))

    def _read_events(self) -> None:
        with self._process.stdout as stream:
            for line in stream:
                try:
                    event = json.loads(line)
                except ValueError:
                    continue
                if isinstance(event, dict) and event.get("event") == "ready":
                    self._ready.put(event)
        self._ready.put(None)

    def _wait_until_ready(self) -> dict:
        deadline = time.monotonic() + START_SECONDS
        try:
            event = self._ready.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            event = None
        if event is not None:
            return event
        code = self._process.poll()
        how = f"was not ready within {START_SECONDS} s" if code is None else f"ended with {code}"
        self.stop()
        raise StartFailed("\n".join([f"the cluster {how}", *self._logs[-20:]]))
