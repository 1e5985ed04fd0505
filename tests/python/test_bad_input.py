# SPDX-License-Identifier: GPL-3.0-or-later
"""What cannot be is a sentence, of a class that Python's own code would have raised as well."""
import shutil
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import gridhelm


@pytest.mark.parametrize("ask, kind, sentence", [
    (lambda s: s.evaluate("uu", a=1, b=0.5), KeyError, 'no field \'uu\' here: choose from u, flow; did you mean "u"|did you mean "u"'),
    (lambda s: s.evaluate("q", a=1, b=0.5), KeyError, "choose from (u, flow|flow, u)$"),
    (lambda s: s.evaluate("u", A=1, b=0.5), KeyError, 'did you mean "a"'),
    (lambda s: s.evaluate("u", a=1), ValueError, "parameter b has no value"),
    (lambda s: s.evaluate("u"), ValueError, "parameter a has no value"),
    (lambda s: s.evaluate("u", a=5, b=0.5), ValueError, "a = 5 is outside its range, 0.5 to 2"),
    (lambda s: s.evaluate("u", a=1, b=-1, extrapolate=True), ValueError, "b"),
    (lambda s: s.evaluate("u", a=np.nan, b=0.5), ValueError, "nan or inf"),
    (lambda s: s.evaluate("u", a=10 ** 400, b=0.5), ValueError, "parameter a"),
    (lambda s: s.evaluate("u", a="1", b=0.5), ValueError, "no real number"),
    (lambda s: s.evaluate("u", a=1j, b=0.5), ValueError, "complex128, which is no real number"),
    (lambda s: s.evaluate("u", a=True, b=0.5), ValueError, "bool, which is no real number"),
    (lambda s: s.evaluate("u", [[1, 0.5, 3]]), ValueError, "give one row for each point, with 2 columns"),
    (lambda s: s.evaluate("u", [[1, 0.5], [1]]), ValueError, "several lengths|object"),
    (lambda s: s.evaluate("u", np.zeros((2, 2, 2))), ValueError, "give one row for each point"),
    (lambda s: s.evaluate("u", [[1, 0.5]], a=1), ValueError, "given twice"),
    (lambda s: s.evaluate("u", a=[1, 1.2], b=[0.5, 0.6, 0.7]), ValueError, "several lengths \\(a: 2, b: 3\\)"),
    (lambda s: s.evaluate("u", a=[[1]], b=0.5), ValueError, "has the shape \\(1, 1\\)"),
    (lambda s: s.evaluate("u", a=1, b=0.5, level=99), ValueError, "level=99 is not possible"),
    (lambda s: s.evaluate("u", a=1, b=0.5, nodes=[40]), ValueError, "node 40 is none: u has 40"),
    (lambda s: s.evaluate("u", a=1, b=0.5, nodes=[-1]), ValueError, "numbered from 0"),
    (lambda s: s.evaluate("u", a=1, b=0.5, nodes=[0.5]), ValueError, "list of whole numbers"),
    (lambda s: s.evaluate("u", a=1, b=0.5, nodes=[[1]]), ValueError, "list of whole numbers"),
    (lambda s: s.evaluate("u", a=1, b=0.5, out=np.empty(40)), ValueError, "float64.*numpy.empty"),
    (lambda s: s.evaluate("u", a=1, b=0.5, out=np.empty(39, np.float32)), ValueError, "numpy.empty"),
    (lambda s: s.evaluate("u", a=1, b=0.5, out=np.empty(80, np.float32)[::2]), ValueError, "not contiguous"),
    (lambda s: s.evaluate("u", a=1, b=0.5, out=np.broadcast_to(np.float32(0), 40)), ValueError, "contiguous|read-only"),
    (lambda s: s.evaluate("u", a=1, b=0.5, out=[0] * 40), ValueError, "a list"),
    (lambda s: s.evaluate(a=1, b=0.5, out=np.empty(40, np.float32)), ValueError, "out= holds one field"),
    (lambda s: s.error("u", a=[1, 1.1], b=0.5), ValueError, "an error is of one point"),
    (lambda s: s.respond("drag", a=1, b=0.5), KeyError, "no response 'drag'"),
    (lambda s: s.sobol("drag"), KeyError, "no response 'drag'"),
    (lambda s: s.forget("drag"), KeyError, "no response 'drag'"),
    (lambda s: s.evaluate(0, a=1, b=0.5), KeyError, "no field 0 here: choose from"),
    (lambda s: s.evaluate("u", a=1, b=0.5, level=1.5), ValueError, "level=1.5 is not possible"),
    (lambda s: s.evaluate("u", a=1, b=0.5, level="1"), ValueError, "level=1 is not possible"),
    (lambda s: s.sobol(samples=-5), ValueError, "samples=-5 is not possible"),
    (lambda s: s.sobol(seed=0.5), ValueError, "seed=0.5 is not possible"),
    (lambda s: s.match([{"value": 1}], seed=-1), ValueError, "seed=-1 is not possible"),
    (lambda s: s.match([{"value": 1}], samples="many"), ValueError, "samples='many' is not possible"),
    (lambda s: s.match([{"value": 1}], fixed={"a": "x"}), ValueError, "fixed a is 'x'"),
    (lambda s: s.match("x\0.csv"), ValueError, "cannot be read"),
    (lambda s: s.suggest(-1), ValueError, "runs=-1 is not possible"),
    (lambda s: s.suggest(2.5), ValueError, "runs=2.5 is not possible"),
    (lambda s: s.refine(runs=-1), ValueError, "runs=-1 is not possible"),
    (lambda s: s.refine(runs=1, jobs=0.5), ValueError, "jobs=0.5 is not possible"),
    (lambda s: gridhelm.open(s.path, threads=-1), ValueError, "threads=-1 is not possible"),
    (lambda s: gridhelm.image((3, 3), spacing=np.nan), ValueError, "spacing is nan"),
    (lambda s: gridhelm.image((3, 3), spacing=(1, 0)), ValueError, "spacing has 0"),
    (lambda s: gridhelm.image((3, 3), origin=(np.inf, 0)), ValueError, "origin is inf"),
    (lambda s: gridhelm.image((3, 2.5)), ValueError, "shape=2.5 is not possible"),
    (lambda s: s.refine(), ValueError, "say when it is enough"),
])
def test_sentences(study, ask, kind, sentence):
    with pytest.raises(kind, match=sentence) as caught:
        ask(study)
    assert isinstance(caught.value, gridhelm.GridhelmError)


def test_read_only_out_is_refused(study):
    out = np.empty(40, np.float32)
    out.flags.writeable = False
    with pytest.raises(gridhelm.ArgumentError, match="read-only"):
        study.evaluate("u", a=1, b=0.5, out=out)


def test_no_places_are_no_fields(study):
    assert study.evaluate("u", np.empty((0, 2))).shape == (0, 40)
    assert study.evaluate("flow", a=[], b=[]).shape == (0, 40, 3)


@pytest.mark.parametrize("content", [b"", b"no study", b"SQLite format 3\0" + bytes(4096)])
def test_what_is_no_study(tmp_path, content):
    path = tmp_path / "x.gridhelm"
    path.write_bytes(content)
    with pytest.raises(gridhelm.GridhelmError):
        gridhelm.open(path)
    assert path.read_bytes() == content


def test_no_file(tmp_path):
    with pytest.raises(gridhelm.GridhelmError, match="there is no file"):
        gridhelm.open(tmp_path / "none.gridhelm")


def test_no_such_device(waves_path):
    with pytest.raises(gridhelm.GridhelmError, match="devices"):
        gridhelm.open(waves_path, devices="tpu")
    with pytest.raises(gridhelm.GridhelmError, match="resolution"):
        gridhelm.open(waves_path, resolution=9)


def test_who_waits_for_a_file_stops_no_other_thread(waves_path, tmp_path):
    path = tmp_path / "x.gridhelm"
    shutil.copy(waves_path, path)
    program = """
import sqlite3, sys
base = sqlite3.connect(sys.argv[1], isolation_level=None)
base.execute("PRAGMA locking_mode = EXCLUSIVE")
base.execute("BEGIN EXCLUSIVE")
base.execute("CREATE TABLE other (x)")
print("locked", flush=True)
sys.stdin.read()
"""
    longest = [0.0]
    is_over = threading.Event()
    def tick():
        last = time.monotonic()
        while not is_over.wait(0.01):
            longest[0] = max(longest[0], time.monotonic() - last)
            last = time.monotonic()
    for ask in (gridhelm._native.study_form, gridhelm._native.response_definitions):
        with subprocess.Popen([sys.executable, "-c", program, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
            assert holder.stdout.readline() == b"locked\n"
            release = threading.Timer(1.5, holder.stdin.close)
            release.start()
            is_over.clear()
            thread = threading.Thread(target=tick)
            thread.start()
            begin = time.monotonic()
            try:
                ask(str(path))
            except gridhelm.GridhelmError:
                pass
            waited = time.monotonic() - begin
            is_over.set()
            thread.join()
            release.join()
        assert waited > 1 and longest[0] < 0.7
