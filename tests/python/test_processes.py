# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls in processes of our own: each is answered once, whatever becomes of processes."""
import os
import signal
import socket
import subprocess
import sys
import time

import numpy as np
import pytest

import gridhelm
from gridhelm import _sample, _workers

AB = {"a": (0.0, 1.0), "b": (0.0, 1.0)}


def test_a_slow_call_holds_up_no_other(tmp_path):
    """The first one of the grid ends when all others have; it would wait for ever if one of these waited for it."""
    ends = tmp_path / "ends"
    ends.mkdir()
    def others(a, b):
        return np.zeros(3) + a
    runs = gridhelm.sample(others, AB, out=tmp_path / "x.gridhelm", level=6, processes=2, holdouts=0).sampling["runs"]
    assert runs > 100
    def function(a, b):
        if a == 0.5 and b == 0.5:
            until = time.monotonic() + 100 # of a test that fails
            while len(os.listdir(ends)) < runs - 1:
                assert time.monotonic() < until, f"{len(os.listdir(ends))} of {runs - 1} others have ended"
                time.sleep(0.01)
        else:
            (ends / f"{a!r},{b!r}").touch()
        return others(a, b)
    study = gridhelm.sample(function, AB, out=tmp_path / "y.gridhelm", level=6, processes=2, holdouts=0)
    assert study.sampling["runs"] == runs and study.sampling["failed"] == 0


def test_a_process_that_ends_with_a_call_unsaid_loses_none(tmp_path, monkeypatch):
    """It is asked for again, once it is known that nobody has it."""
    marks = tmp_path / "marks"
    marks.mkdir()
    run = _workers._Loop.run
    def taking_one_away(self):
        if self._k == 0 and not os.path.exists(marks / "taken"):
            assert self._calls.recv(4096)
            (marks / "taken").touch()
            os._exit(9)
        run(self)
    monkeypatch.setattr(_workers._Loop, "run", taking_one_away)
    study = gridhelm.sample(lambda a, b: np.zeros(3) + a, AB, out=tmp_path / "x.gridhelm", level=4, processes=2, holdouts=0)
    assert (marks / "taken").exists()
    assert study.sampling["failed"] == 0 and study.sampling["end"] == "finished"
    np.testing.assert_allclose(study.evaluate("value", a=0.25, b=0.5), 0.25, atol=1e-6)


@pytest.fixture
def a_minute():
    """What takes longer fails, in place of waiting for ever."""
    def too_late(*_):
        raise TimeoutError
    before = signal.signal(signal.SIGALRM, too_late)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("level", [3, 5]) # fewer than there is room for at a time, and more
def test_calls_may_be_longer_than_a_message(tmp_path, monkeypatch, a_minute, level):
    class Narrow(_workers.Processes):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            self._near.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
    monkeypatch.setattr(_sample, "Processes", Narrow)
    seen = tmp_path / "seen"
    seen.mkdir()
    def function(k, t):
        (seen / repr(k)).write_text(str(len(t)))
        return k * t[:, None] * np.ones(2)
    study = gridhelm.sample(function, {"k": (1, 2), "t": {"low": 0, "high": 1, "kind": "time-like", "times": 1025}},
                            out=tmp_path / "x.gridhelm", level=level, processes=2, holdouts=0)
    assert study.sampling["failed"] == 0 and {path.read_text() for path in seen.iterdir()} == {"1025"}
    np.testing.assert_allclose(study.evaluate("value", k=1.5, t=0.25), 0.375, atol=1e-3)


def test_what_is_no_answer_is_a_failed_run(tmp_path):
    def function(a, b):
        if a > 0.8:
            for number in range(3, 200):
                try:
                    socket.socket(fileno=os.dup(number)).send(b"\xff" * 64)
                except OSError: # no file, or no socket
                    pass
            time.sleep(10)
        return np.zeros(3) + a
    begin = time.monotonic()
    study = gridhelm.sample(function, AB, out=tmp_path / "x.gridhelm", level=3, processes=2, holdouts=0, keep_going=True)
    assert time.monotonic() - begin < 9
    assert study.sampling["failed"] > 0 and study.sampling["runs"] > 0
    assert all("sent what is no answer" in log for _, log in study.sampling["failures"])


def test_large_results_arrive_as_they_were(tmp_path):
    size = 400_000 # more than a stream holds
    def function(a, b):
        return {"one": np.arange(size, dtype=np.float32) + a, "two": np.full(size, b)}
    study = gridhelm.sample(function, AB, out=tmp_path / "x.gridhelm", level=2, processes=2, holdouts=0)
    assert study.sampling["failed"] == 0
    np.testing.assert_array_equal(study.evaluate("one", a=0.5, b=0.5, nodes=[0, 1, size - 1]), [0.5, 1.5, size - 0.5])
    np.testing.assert_array_equal(study.evaluate("two", a=0.5, b=0.25, nodes=[0, size - 1]), [0.25, 0.25])


@pytest.mark.parametrize("calls_before", [200, 700])
def test_who_is_killed_loses_the_last_calls_at_most(tmp_path, calls_before):
    """And what is there already is not run again."""
    most = 2 * 64 # that are handed out before they are stored (process_pool.cpp, maxSubmitted())
    program = """
import sys, time, numpy as np, gridhelm
def function(a, b):
    time.sleep(0.001)
    with open(sys.argv[2], "ab", 0) as file:
        file.write(b"%.17g,%.17g\\n" % (a, b))
    return np.zeros(3) + a
gridhelm.sample(function, {"a": (0, 1), "b": (0, 1)}, out=sys.argv[1], level=9, processes=2, holdouts=0)
"""
    out, calls = tmp_path / "x.gridhelm", tmp_path / "calls"
    command = [sys.executable, "-c", program, str(out), str(calls)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        while not calls.exists() or calls.read_bytes().count(b"\n") < calls_before:
            assert process.poll() is None
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.stdout.read() # to its end: nobody who has inherited it is left
    before = calls.read_text().split()
    subprocess.run(command, check=True)
    after = calls.read_text().split()[len(before):]
    again = set(before) & set(after)
    assert calls_before <= len(before) == len(set(before)) and after and len(after) == len(set(after))
    assert len(again) <= most
    study = gridhelm.open(out)
    assert study.error("value", a=0.5, b=0.5) is None or study.error("value", a=0.5, b=0.5).relative < 0.01
    np.testing.assert_allclose(study.evaluate("value", a=0.3, b=0.9), 0.3, atol=1e-4)
