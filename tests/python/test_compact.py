# SPDX-License-Identifier: GPL-3.0-or-later
"""Files give unused space back, and hold the same afterwards."""
import shutil
import signal
import sqlite3
import sys
import threading
import time

import numpy as np
import pytest

import gridhelm


@pytest.fixture
def loose(grid_path, tmp_path):
    """A copy with unused space: a table of 8 MB that is gone again."""
    path = tmp_path / "loose.gridhelm"
    shutil.copy(grid_path, path)
    with sqlite3.connect(path) as base:
        base.execute("PRAGMA journal_mode = DELETE")
        base.execute("CREATE TABLE dropped (bytes BLOB)")
        base.executemany("INSERT INTO dropped VALUES (zeroblob(100000))", [()] * 80)
        base.execute("DROP TABLE dropped")
    return path


def test_space_goes_back(loose):
    study = gridhelm.open(loose)
    there = study.evaluate("p", a=0.3, b=0.7)
    size = loose.stat().st_size
    shares = []
    before, after = study.compact(progress=shares.append)
    assert before == size and after == loose.stat().st_size
    assert after < before - 7_000_000
    assert shares and all(0 <= share <= 1 for share in shares)
    assert np.array_equal(study.evaluate("p", a=0.3, b=0.7), there)
    assert np.array_equal(gridhelm.open(loose).evaluate("p", a=0.3, b=0.7), there)


def test_who_shows_progress_cannot_break_it(loose, monkeypatch):
    said = []
    monkeypatch.setattr(sys, "unraisablehook", lambda raised: said.append(raised.exc_type))
    before, after = gridhelm.open(loose).compact(progress=lambda share: 1 / 0)
    assert after < before
    assert said and set(said) == {ZeroDivisionError}


def test_interrupted_it_is_as_before(loose):
    study = gridhelm.open(loose)
    signal.signal(signal.SIGINT, signal.default_int_handler) # who is begun in the background ignores it
    size = loose.stat().st_size
    def interrupt(share):
        signal.raise_signal(signal.SIGINT)
        time.sleep(2) # in which it is answered, long before so small a file is done
    with pytest.raises(KeyboardInterrupt):
        study.compact(progress=interrupt)
    assert loose.stat().st_size == size
    assert not loose.with_name(loose.name + "-new").exists()
    assert study.compact()[1] < size


def test_who_writes_is_left_alone(loose):
    begun, let_go = threading.Event(), threading.Event()
    def hold(share):
        begun.set()
        let_go.wait(30)
    first = threading.Thread(target=lambda: gridhelm.open(loose).compact(progress=hold))
    first.start()
    assert begun.wait(30)
    try:
        with pytest.raises(gridhelm.GridhelmError, match="is being written"):
            gridhelm.open(loose).compact()
    finally:
        let_go.set()
        first.join()
