# SPDX-License-Identifier: GPL-3.0-or-later
import concurrent.futures
import os
import shutil
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
    (lambda a, b: np.full(4, np.inf), "nan or inf"),
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
    (dict(parameters={"a": {"low": 0, "high": 1, "colour": 3}}), "colour"), (dict(parameters={"a:b": (0, 1)}), "a:b"),
    (dict(processes=0), "processes=0"), (dict(timeout=-1), "timeout=-1"), (dict(executor=3), "no submit"),
    (dict(until="half"), "is no fraction"), (dict(until=2), "above 0 and below 1"), (dict(level=2, runs=3), "one of them"),
    (dict(runs=-1), "runs=-1"), (dict(runs=2.5), "runs=2.5"), (dict(level=1.5), "level=1.5"), (dict(holdouts="x"), "holdouts='x'"),
    (dict(hours="x"), "hours is 'x'"), (dict(timeout="x"), "timeout is 'x'"), (dict(field=3, runs=4), "field is 3"),
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
        with pytest.raises(gridhelm.GridhelmError, match="writ|has been changed"):
            study.response("m", "u")
    while not go_on.is_set():
        wrote.append(np.abs(study.evaluate("u", a=1.1, b=0.4) - waves(1.1, 0.4)["u"]).max())
    thread.join()
    assert not problems and max(wrote) < 1
    before = wrote[0]
    assert np.abs(study.evaluate("u", a=1.1, b=0.4) - waves(1.1, 0.4)["u"]).max() <= max(before, 0.01)
    np.testing.assert_array_equal(study.evaluate("u", a=1.1, b=0.4), gridhelm.open(out).evaluate("u", a=1.1, b=0.4))


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def all_end(pids, seconds=10):
    until = time.monotonic() + seconds
    while any(map(is_alive, pids)) and time.monotonic() < until:
        time.sleep(0.05)
    return not any(map(is_alive, pids))


def pids_in(folder, count):
    """Of processes that have left a file there, once there are so many."""
    until = time.monotonic() + 20
    while len(os.listdir(folder)) < count:
        assert time.monotonic() < until
        time.sleep(0.05)
    return [int(name) for name in os.listdir(folder)]


# The third one never lets another thread of Python's run.
@pytest.mark.parametrize("what, count", [
    ("time.sleep(0.2)", 3), ("time.sleep(40)", 3), ("ctypes.PyDLL(None).sleep(40)", 3),
    ("pathlib.Path(sys.argv[2], str(subprocess.Popen(['sleep', '77']).pid)).touch(); time.sleep(40)", 6),
])
def test_no_process_outlives_a_killed_program(tmp_path, what, count):
    program = f"""
import ctypes, os, pathlib, subprocess, sys, time, gridhelm
def function(a, b):
    pathlib.Path(sys.argv[2], str(os.getpid())).touch()
    {what}
    return a
gridhelm.sample(function, {{"a": (0, 1), "b": (0, 1)}}, out=sys.argv[1], level=6, processes=3)
"""
    calls = tmp_path / "calls"
    calls.mkdir()
    process = subprocess.Popen([sys.executable, "-c", program, str(tmp_path / "x.gridhelm"), str(calls)])
    pids = pids_in(calls, count)
    process.kill()
    process.wait()
    assert all_end(pids)


def test_who_replaces_a_process_does_not_hold_the_study(tmp_path):
    """Nor is a study locked once its program was killed."""
    program = """
import os, pathlib, sys, time, gridhelm
def function(a, b):
    pathlib.Path(sys.argv[2], str(os.getpid())).touch()
    if a > 0.3:
        time.sleep(100)
    return a
gridhelm.sample(function, {"a": (0, 1), "b": (0, 1)}, out=sys.argv[1], level=4, processes=2, timeout=0.5, keep_going=True)
"""
    calls, out = tmp_path / "calls", tmp_path / "x.gridhelm"
    calls.mkdir()
    process = subprocess.Popen([sys.executable, "-c", program, str(out), str(calls)])
    first = set(pids_in(calls, 2))
    pids = pids_in(calls, 4)
    held = []
    for pid in set(pids) - first:
        try:
            held += [os.readlink(f"/proc/{pid}/fd/{name}") for name in os.listdir(f"/proc/{pid}/fd")]
        except OSError: # it has been replaced as well
            pass
    process.kill()
    process.wait()
    assert held and not [name for name in held if "x.gridhelm" in name]
    assert all_end(pids_in(calls, 4))
    study = gridhelm.sample(lambda a, b: a, AB, out=out, level=4, processes=2, holdouts=0)
    assert study.sampling["end"] == "finished"


def test_what_the_function_began_ends_with_it(tmp_path):
    calls = tmp_path / "calls"
    calls.mkdir()
    def function(a, b):
        if a > 0.8:
            with subprocess.Popen(["sleep", "77"]) as solver:
                (calls / str(solver.pid)).touch()
        return plane(a, b)
    gridhelm.sample(function, AB, out=tmp_path / "x.gridhelm", level=3, processes=2, holdouts=0, timeout=0.5, keep_going=True)
    pids = pids_in(calls, 1)
    assert all_end(pids, 3)


def test_no_process_can_be_begun(tmp_path, monkeypatch):
    """That is a run's failure, and the next one tries again."""
    fork, calls = os.fork, []
    def forking():
        calls.append(0)
        if len(calls) in (2, 3):
            raise OSError(11, "Resource temporarily unavailable")
        return fork()
    monkeypatch.setattr(os, "fork", forking)
    def function(a, b):
        if a > 0.6:
            time.sleep(60)
        return plane(a, b)
    study = gridhelm.sample(function, AB, out=tmp_path / "x.gridhelm", level=3, processes=1, holdouts=0, timeout=0.5,
                            keep_going=True)
    logs = [log for _, log in study.sampling["failures"]]
    assert sum("no process could be begun" in log for log in logs) == 2
    assert all("no process could be begun" in log or "did not return" in log for log in logs)
    assert study.sampling["runs"] > len(calls)
    calls.clear()
    calls.append(0)
    with pytest.raises(gridhelm.GridhelmError, match="pass fewer"):
        gridhelm.sample(plane, AB, out=tmp_path / "y.gridhelm", level=1, processes=1)


def test_another_grid_is_refused(tmp_path, waves_path):
    """All runs of a grid are those of this one."""
    out = tmp_path / "x.gridhelm"
    gridhelm.sample(plane, AB, out=out, level=2, processes=1, holdouts=0)
    with pytest.raises(gridhelm.ArgumentError, match="there already, and has the grid of level 2, not 4"):
        gridhelm.sample(plane, AB, out=out, level=4, processes=1, holdouts=0)
    gridhelm.sample(plane, AB, out=out, level=2, processes=1, holdouts=0)
    shutil.copy(waves_path, tmp_path / "waves.gridhelm")
    with pytest.raises(gridhelm.ArgumentError, match="there already, and is refined where the error is"):
        gridhelm.sample(waves, RANGES, out=tmp_path / "waves.gridhelm", level=4, processes=1, holdouts=0)


def test_other_times_meshes_and_units_are_refused(tmp_path):
    out = tmp_path / "x.gridhelm"
    def decay(k, t):
        return np.exp(-k * t)[:, None] * (1 + X[:4])
    def parameters(times):
        return {"k": (0.1, 1), "t": {"low": 0, "high": 2, "kind": "time-like", "times": times}}
    def go_on(times=17, level=2, **more):
        return gridhelm.sample(decay, parameters(times), out=out, level=level, processes=1, holdouts=0, **more)
    go_on(mesh=gridhelm.image((2, 2)), units={"value": "K"})
    for other, sentence in ((dict(times=33), "its t has other times"), (dict(mesh=gridhelm.image((4,))), "its mesh of 4 nodes"),
                            (dict(units={"value": "Pa"}), "its value has the unit K, not the unit Pa")):
        with pytest.raises(gridhelm.ArgumentError, match="there already, and " + sentence):
            go_on(**other)
    assert go_on().sampling["failed"] == 0


def test_who_goes_on_needs_not_say_units_and_mesh_again(tmp_path):
    out, fails = tmp_path / "x.gridhelm", [True]
    def function(a, b):
        if fails and a > 0.8:
            raise ValueError
        return np.full((3, 4), a)
    first = gridhelm.sample(function, AB, out=out, level=3, processes=1, holdouts=0, keep_going=True, units={"value": "Pa"},
                            mesh=gridhelm.image((4, 3)))
    assert first.sampling["failed"] > 0
    fails.clear()
    study = gridhelm.sample(function, AB, out=out, level=3, processes=1, holdouts=0)
    assert study.sampling["failed"] == 0 and study.sampling["runs"] == first.sampling["failed"]
    assert study.fields[0].unit == "Pa" and study.mesh().shape == (4, 3, 1)


def test_hold_outs_are_by_all_runs(tmp_path):
    """Who was interrupted gets as many as who was not."""
    out = tmp_path / "x.gridhelm"
    gridhelm.sample(plane, AB, out=out, level=6, processes=2, holdouts=0)
    study = gridhelm.sample(plane, AB, out=out, level=6, processes=2)
    assert study.error("value", a=0.3, b=0.4).holdouts > 12


def test_names_and_units_of_any_letters(tmp_path):
    study = gridhelm.sample(plane, {"a": {"low": 0, "high": 1, "unit": "\U0001f600\x7f\n\"\\"}, "b": (0, 1)},
                            out=tmp_path / "x\U0001f600\x7f.gridhelm", level=1, processes=1, holdouts=0)
    assert study.parameters[0].unit == "\U0001f600\x7f\n\"\\" and study.title == "x\U0001f600\x7f"


def test_paths_are_text_bytes_or_path_like(tmp_path):
    out = tmp_path / "x.gridhelm"
    gridhelm.sample(plane, AB, out=os.fsencode(out), level=1, processes=1, holdouts=0)
    assert gridhelm.open(os.fsencode(out)).path == str(out)
    for path in (f"{out}\0.gridhelm", "x\udcff.gridhelm", "", 3):
        with pytest.raises(gridhelm.ArgumentError, match="path"):
            gridhelm.open(path)


def test_progress_is_told(tmp_path):
    told = []
    gridhelm.sample(plane, AB, out=tmp_path / "x.gridhelm", level=5, processes=1, holdouts=0, progress=told.append)
    assert any(text.startswith("jobs") for text in told)
