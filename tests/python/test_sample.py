# SPDX-License-Identifier: GPL-3.0-or-later
import concurrent.futures
import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import gridhelm
from conftest import RANGES, X, waves

AB = {"a": (0.0, 1.0), "b": (0.0, 1.0)}


def plane(a, b):
    return a + 2 * b + X


def calls_in(folder):
    """A function that leaves a file for each of its calls, and the number of these."""
    folder.mkdir()
    def count():
        return len(os.listdir(folder))
    def function(a, b):
        (folder / f"{a!r},{b!r},{time.monotonic_ns()}").touch()
        return plane(a, b)
    return function, count


def test_until_is_measured(waves_path):
    study = gridhelm.sample(waves, RANGES, out=waves_path, until="0.3 %")
    assert study.sampling["end"] == "reached" and study.sampling["runs"] == 0 # by the fixture, before
    rng = np.random.default_rng(5)
    errors = []
    for a, b in rng.uniform([0.5, 0.1], [2, 1], (40, 2)):
        truth = waves(a, b)["u"]
        errors.append(np.linalg.norm(study.evaluate("u", a=a, b=b) - truth) / np.linalg.norm(truth))
    assert np.sqrt(np.mean(np.square(errors))) < 0.006


def test_the_same_call_goes_on(tmp_path):
    function, count = calls_in(tmp_path / "calls")
    out = tmp_path / "x.gridhelm"
    first = gridhelm.sample(function, AB, out=out, level=3, processes=2, holdouts=0)
    done = count()
    assert first.sampling["end"] == "finished" and first.sampling["runs"] == done > 4
    gridhelm.sample(function, AB, out=out, level=3, processes=2, holdouts=0)
    assert count() == done # nothing is run twice
    np.testing.assert_allclose(first.evaluate("value", a=0.3, b=0.9), plane(0.3, 0.9), atol=1e-5)


def test_other_parameters_are_refused(tmp_path):
    out = tmp_path / "x.gridhelm"
    gridhelm.sample(plane, AB, out=out, level=1, processes=1, holdouts=0)
    for other in ({"a": (0, 1)}, {"a": (0, 1), "c": (0, 1)}, {"a": (0, 1), "b": (0, 2)}):
        with pytest.raises(gridhelm.ArgumentError, match="there already"):
            gridhelm.sample(plane, other, out=out, level=1)


def test_failures_have_their_tracebacks(tmp_path):
    def function(a, b):
        if a > 0.8:
            raise ZeroDivisionError("too much of a")
        return plane(a, b)
    study = gridhelm.sample(function, AB, out=tmp_path / "x.gridhelm", level=4, processes=2, holdouts=0, keep_going=True)
    assert study.sampling["failed"] == len(study.sampling["failures"]) > 0
    where, log = study.sampling["failures"][0]
    assert where["a"] > 0.8 and "Traceback" in log and "ZeroDivisionError: too much of a" in log
    # Tried again when the function is mended.
    mended = gridhelm.sample(plane, AB, out=tmp_path / "x.gridhelm", level=4, processes=2, holdouts=0)
    assert mended.sampling["failed"] == 0 and mended.sampling["runs"] == study.sampling["failed"]
    assert mended.sampling["failures"] == []


@pytest.mark.parametrize("function, sentence", [
    (lambda a, b: np.full(4, np.nan), "4 of 4 values for 'value' that are no finite numbers"),
    (lambda a, b: np.full(4, 1e39), "too large for float32"),
    (lambda a, b: None, "returned nothing"),
    (lambda a, b: {}, "no fields"),
    (lambda a, b: "text", "real numbers"),
    (lambda a, b: np.empty(0), "empty array"),
    (lambda a, b: 1 / 0, "ZeroDivisionError"),
    (lambda a: 1, "unexpected keyword argument"),
    (lambda a, b: os._exit(7), "exit code 7"),
    (lambda a, b: os.kill(os.getpid(), 11), "by signal 11"),
])
def test_what_is_no_result_is_said(tmp_path, function, sentence):
    with pytest.raises(gridhelm.GridhelmError, match=sentence):
        gridhelm.sample(function, AB, out=tmp_path / "x.gridhelm", until="1 %", processes=2)


def test_another_shape_is_a_failed_run(tmp_path):
    def function(a, b):
        return np.zeros(4 if a > 0.8 else 5) + a
    study = gridhelm.sample(function, AB, out=tmp_path / "x.gridhelm", level=4, processes=2, holdouts=0, keep_going=True)
    assert study.sampling["failed"] > 0
    assert any("earlier runs value (5 nodes)" in log or "has the shape (4,)" in log
               for _, log in study.sampling["failures"])


def test_who_hangs_is_ended(tmp_path):
    def function(a, b):
        if a > 0.8:
            time.sleep(60)
        return plane(a, b)
    begin = time.monotonic()
    study = gridhelm.sample(function, AB, out=tmp_path / "x.gridhelm", level=3, processes=2, holdouts=0, timeout=0.3,
                            keep_going=True)
    assert time.monotonic() - begin < 30
    assert study.sampling["failed"] > 0 and "did not return within 0.3 s" in study.sampling["failures"][0][1]


@pytest.mark.parametrize("kind", [concurrent.futures.ThreadPoolExecutor, concurrent.futures.ProcessPoolExecutor])
def test_executors(tmp_path, kind):
    with kind(2) as executor:
        study = gridhelm.sample(plane, AB, out=tmp_path / "x.gridhelm", level=2, executor=executor, holdouts=0)
    np.testing.assert_allclose(study.evaluate("value", a=0.3, b=0.9), plane(0.3, 0.9), atol=1e-5)


def test_an_executor_that_breaks_is_a_failure(tmp_path):
    with concurrent.futures.ProcessPoolExecutor(1) as executor:
        with pytest.raises(gridhelm.GridhelmError, match="pickle|Pickl"):
            gridhelm.sample(lambda a, b: 1.0, AB, out=tmp_path / "x.gridhelm", until="1 %", executor=executor)


def test_times_are_one_run(tmp_path):
    function_calls = tmp_path / "calls"
    function_calls.mkdir()
    def decay(k, t):
        (function_calls / f"{k!r}").touch()
        return {"y": np.exp(-k * t)[:, None] * (1 + X)}
    study = gridhelm.sample(decay, {"k": (0.1, 1), "t": {"low": 0, "high": 2, "kind": "time-like", "times": 17}},
                            out=tmp_path / "x.gridhelm", level=5, processes=2, holdouts=0)
    assert study.sampling["runs"] == len(os.listdir(function_calls)) < 40
    np.testing.assert_allclose(study.evaluate("y", k=0.5, t=1.3), np.exp(-0.65) * (1 + X), atol=0.01)


def test_units_meshes_and_components(tmp_path):
    mesh = gridhelm.image((4, 3), origin=(1, 2), spacing=(0.5, 0.5))
    def function(a, b):
        return {"p": np.full((3, 4), a), "v": np.full((3, 4, 2), b)}
    study = gridhelm.sample(function, AB, out=tmp_path / "x.gridhelm", level=2, mesh=mesh, units={"p": "Pa"},
                            processes=1, holdouts=0)
    assert {f.name: (f.unit, f.components, f.entities) for f in study.fields} == {"p": ("Pa", 1, 12), "v": ("", 2, 12)}
    np.testing.assert_array_equal(study.mesh().points[[0, -1]], [[1, 2, 0], [2.5, 3, 0]])
    with pytest.raises(gridhelm.GridhelmError, match="12 nodes"):
        gridhelm.sample(lambda a, b: np.zeros(7), AB, out=tmp_path / "y.gridhelm", until="1 %", mesh=mesh)


@pytest.mark.parametrize("arguments, sentence", [
    (dict(function=3), "cannot be called"), (dict(parameters={}), "no dict"), (dict(parameters={"a": 3}), "range"),
    (dict(parameters={"a": (0, "x")}), "give a number"), (dict(parameters={"a": (1, 0)}), "a"),
    (dict(parameters={"a": {"low": 0, "high": 1, "colour": 3}}), "colour"), (dict(parameters={"a b": (0, 1)}), "a b"),
    (dict(processes=0), "processes=0"), (dict(timeout=-1), "timeout=-1"), (dict(executor=3), "no submit"),
    (dict(until="half"), "is no share"), (dict(until=2), "above 0 and below 1"), (dict(level=2, runs=3), "one of them"),
    (dict(mesh=(3, 4)), "gridhelm.image"), (dict(out="/nowhere/at/all.gridhelm"), "nowhere"),
])
def test_bad_arguments(tmp_path, arguments, sentence):
    given = dict(function=plane, parameters=AB, out=tmp_path / "x.gridhelm", processes=1)
    given.update(arguments)
    with pytest.raises(gridhelm.GridhelmError, match=sentence):
        gridhelm.sample(**given)
    assert not (tmp_path / "x.gridhelm").exists()


def test_nothing_of_the_function_is_in_the_study(tmp_path):
    def very_particular_name(a, b):
        return plane(a, b)
    out = tmp_path / "x.gridhelm"
    gridhelm.sample(very_particular_name, AB, out=out, level=2, processes=1, holdouts=0)
    data = out.read_bytes()
    assert b"very_particular_name" not in data and b"pickle" not in data


def test_a_study_that_is_being_written(tmp_path):
    """Whoever evaluates meanwhile sees one state or another, and the last one in the end; no second one may write."""
    out = tmp_path / "x.gridhelm"
    gridhelm.sample(waves, RANGES, out=out, runs=8, processes=1, holdouts=0)
    study = gridhelm.open(out)
    go_on, problems, wrote = threading.Event(), [], []
    def slow(a, b):
        time.sleep(0.02)
        return waves(a, b)
    def write():
        try:
            gridhelm.sample(slow, RANGES, out=out, runs=30, processes=1, holdouts=0)
        except Exception as error:
            problems.append(error)
        go_on.set()
    thread = threading.Thread(target=write)
    thread.start()
    time.sleep(0.3)
    if not go_on.is_set():
        with pytest.raises(gridhelm.GridhelmError, match="writ"):
            study.response("m", "u")
    while not go_on.is_set():
        wrote.append(np.abs(study.evaluate("u", a=1.1, b=0.4) - waves(1.1, 0.4)["u"]).max())
    thread.join()
    assert not problems and max(wrote) < 1
    before = wrote[0]
    assert np.abs(study.evaluate("u", a=1.1, b=0.4) - waves(1.1, 0.4)["u"]).max() <= max(before, 0.01)
    np.testing.assert_array_equal(study.evaluate("u", a=1.1, b=0.4), gridhelm.open(out).evaluate("u", a=1.1, b=0.4))


def test_no_process_outlives_a_killed_program(tmp_path):
    program = """
import sys, time, gridhelm
def function(a, b):
    time.sleep(0.2)
    return a
gridhelm.sample(function, {"a": (0, 1), "b": (0, 1)}, out=sys.argv[1], level=6, processes=3)
"""
    process = subprocess.Popen([sys.executable, "-c", program, str(tmp_path / "x.gridhelm")])
    def children():
        listed = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True).stdout.split()
        return [int(pid) for pid in listed]
    for _ in range(100):
        pids = children()
        if len(pids) == 3:
            break
        time.sleep(0.1)
    assert len(pids) == 3
    process.kill()
    process.wait()
    for _ in range(100):
        if not any(os.path.exists(f"/proc/{pid}") for pid in pids):
            break
        time.sleep(0.1)
    assert not any(os.path.exists(f"/proc/{pid}") for pid in pids)


def test_progress_is_told(tmp_path):
    told = []
    gridhelm.sample(plane, AB, out=tmp_path / "x.gridhelm", level=5, processes=1, holdouts=0, progress=told.append)
    assert any(text.startswith("jobs") for text in told)
