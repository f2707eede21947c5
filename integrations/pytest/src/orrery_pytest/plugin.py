"""Fixtures with a cluster, and its logs in the report of a failing test."""

from typing import Callable, Dict, Iterator, List

import pytest

from .cluster import Cluster, CommandMissing, find_command

LOG_LINES = 40


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("orrery", "clusters of orrery")
    group.addoption("--orrery-command", help="the orrery command")
    group.addoption("--orrery-nodes", type=int, help="number of nodes (3)")
    group.addoption("--orrery-transport", help="memory, grpc or websocket (memory)")
    group.addoption(
        "--orrery-optional",
        action="store_true",
        help="skip tests with a cluster where there is no orrery command",
    )
    parser.addini("orrery_command", "the orrery command")
    parser.addini("orrery_nodes", "number of nodes (3)")
    parser.addini("orrery_transport", "memory, grpc or websocket (memory)")
    parser.addini("orrery_settings", "node settings, lines key=value", type="linelist")


class Clusters:
    """The clusters of this session that run now."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self.running: List[Cluster] = []

    def start(self, **options: object) -> Cluster:
        try:
            command = find_command(self._option("command"), self._config.rootpath)
            cluster = Cluster(command=command, **{**self._defaults(), **options})
        except CommandMissing as missing:
            if self._config.getoption("--orrery-optional"):
                pytest.skip(str(missing))
            pytest.fail(str(missing), pytrace=False)
        self.running.append(cluster)
        return cluster

    def stop(self, cluster: Cluster) -> None:
        self.running.remove(cluster)
        cluster.stop()

    def _option(self, name: str) -> str:
        given = self._config.getoption(f"--orrery-{name}")
        return self._config.getini(f"orrery_{name}") if given is None else given

    def _defaults(self) -> Dict[str, object]:
        lines = self._config.getini("orrery_settings")
        return {
            "nodes": int(self._option("nodes") or 3),
            "transport": self._option("transport") or "memory",
            "settings": dict(line.split("=", 1) for line in lines),
        }


CLUSTERS = pytest.StashKey[Clusters]()
LOGS_BEFORE = pytest.StashKey[Dict[Cluster, int]]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[CLUSTERS] = Clusters(config)


@pytest.fixture(scope="session")
def orrery_cluster(pytestconfig: pytest.Config) -> Iterator[Cluster]:
    """The cluster of the session."""
    clusters = pytestconfig.stash[CLUSTERS]
    cluster = clusters.start()
    yield cluster
    clusters.stop(cluster)


@pytest.fixture
def orrery(orrery_cluster: Cluster) -> Iterator[Cluster]:
    """The cluster of the session, which is empty again after the test."""
    yield orrery_cluster
    orrery_cluster.clean()


@pytest.fixture
def orrery_clusters(pytestconfig: pytest.Config) -> Iterator[Callable[..., Cluster]]:
    """Starts clusters with options of their own; they are stopped after the test."""
    clusters = pytestconfig.stash[CLUSTERS]
    started: List[Cluster] = []

    def start(**options: object) -> Cluster:
        cluster = clusters.start(**options)
        started.append(cluster)
        return cluster

    yield start
    for cluster in started:
        clusters.stop(cluster)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    running = item.config.stash[CLUSTERS].running
    item.stash[LOGS_BEFORE] = {cluster: len(cluster.logs()) for cluster in running}


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    outcome = yield
    report = outcome.get_result()
    if not report.failed:
        return
    before = item.stash.get(LOGS_BEFORE, {})
    for cluster in item.config.stash[CLUSTERS].running:
        lines = cluster.logs()[before.get(cluster, 0) :][-LOG_LINES:]
        if lines:
            report.sections.append((f"orrery at {cluster.url}", "\n".join(lines)))
