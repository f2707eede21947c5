"""The plugin as a project uses it: fixtures, options, logs and ends."""

import os
import sys

import pytest

from orrery_pytest import Cluster, StartFailed, find_command


def test_a_session_has_one_cluster_and_each_test_finds_it_empty(pytester):
    pytester.makepyfile(
        """
        def test_writes(orrery):
            orrery.request("PUT", "/books/_doc/1?refresh=true", {"title": "Emma"})
            assert orrery.request("GET", "/books/_count")["count"] == 1
            assert len(orrery.urls) == 2

        def test_finds_nothing(orrery, orrery_cluster):
            assert orrery is orrery_cluster
            assert orrery.request("GET", "/_cat/indices?format=json") == []
            assert orrery.request("GET", "/")["cluster_name"] == "mine"
        """
    )
    pytester.makeini("[pytest]\norrery_settings =\n    cluster.name=mine\n")
    pytester.runpytest_subprocess("--orrery-nodes", "2").assert_outcomes(passed=2)


def test_a_failing_test_shows_what_the_nodes_have_logged(pytester):
    pytester.makepyfile(
        """
        def test_fails(orrery_clusters):
            cluster = orrery_clusters(nodes=1)
            assert cluster.request("GET", "/_cluster/health")["status"] == "purple"
        """
    )
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*orrery at http://*", "*setting initial configuration*"])


def test_a_missing_command_is_an_error_and_may_be_a_skip(pytester, monkeypatch):
    monkeypatch.delenv("ORRERY_COMMAND", raising=False)
    monkeypatch.setenv("PATH", os.path.dirname(sys.executable))
    pytester.makepyfile("def test_cluster(orrery): pass")
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*there is no orrery command: *npm install*"])
    pytester.runpytest_subprocess("--orrery-optional").assert_outcomes(skipped=1)


def test_a_start_that_fails_says_why():
    with pytest.raises(StartFailed, match=r"unknown setting \[no\.such\]"):
        Cluster(nodes=1, settings={"no.such": "1"})


def test_a_stopped_cluster_answers_no_more():
    with Cluster(nodes=1) as cluster:
        assert cluster.request("GET", "/_cluster/health")["number_of_nodes"] == 1
    with pytest.raises(OSError):
        cluster.request("GET", "/")
    cluster.stop()


def test_the_command_is_found_in_node_modules_above(tmp_path, monkeypatch):
    monkeypatch.delenv("ORRERY_COMMAND", raising=False)
    name = "orrery.cmd" if os.name == "nt" else "orrery"
    command = tmp_path / "node_modules" / ".bin" / name
    command.parent.mkdir(parents=True)
    command.touch()
    (tmp_path / "a" / "b").mkdir(parents=True)
    assert find_command(start=tmp_path / "a" / "b") == [str(command)]
