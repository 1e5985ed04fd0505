# SPDX-License-Identifier: GPL-3.0-or-later
"""Campaigns of calls in processes, of all kinds, for the thread sanitizer: see .ci/check-python-threads."""
import json
import os
import time

import numpy as np

from gridhelm import _native
from gridhelm._workers import Processes

MESH = "image", b"", 5, 4


def accept(form, times):
    return MESH, [(name, "", 1, "point", shape[0]) for name, shape in json.loads(form)]


def quick(k):
    return np.full(5, k)


def large(k):
    return np.full(100_000, k)


def unsteady(k):
    if k % 7 == 3:
        raise ValueError("no")
    if k % 31 == 5:
        os._exit(3)
    if k % 41 == 6:
        time.sleep(100)
    return np.full(5, k)


def drive(function, runs, *, cancelled=0, end_after=0, timeout=None):
    processes = Processes(function, 3, timeout, lambda values, times: {"k": values[0]})
    try:
        counts = _native.drive(processes, accept, runs, 3, cancelled, end_after)
    finally:
        processes.close()
    print(f"{function.__name__}: {counts}", flush=True)
    return counts


assert drive(quick, 4000) == {"finished": 4000}
assert drive(large, 200) == {"finished": 200}
counts = drive(quick, 1500, cancelled=40)
assert counts["cancelled"] > 0 and sum(counts.values()) == 1500 and "wrong" not in counts
bad = sum(k % 7 == 3 or k % 31 == 5 or k % 41 == 6 for k in range(300))
assert drive(unsteady, 300, timeout=0.3) == {"finished": 300 - bad, "failed": bad}
counts = drive(unsteady, 300, timeout=0.3, cancelled=30)
assert sum(counts.values()) == 300 and "wrong" not in counts
for _ in range(3):
    assert 500 <= drive(quick, 2000, end_after=500)["finished"] < 2000
