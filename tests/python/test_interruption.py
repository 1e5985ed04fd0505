# SPDX-License-Identifier: GPL-3.0-or-later
"""Ctrl+C is answered, and leaves everything in order. Each in a process of its own, which gets the signal."""
import shutil
import signal
import subprocess
import sys
import textwrap
import time

import pytest

import gridhelm
from test_sample import is_alive

BEGIN = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler) # who is begun in the background ignores it
import numpy as np
import gridhelm
"""


def interrupted(code, path):
    """Seconds from the signal, sent a moment after the program has said "ready", to its KeyboardInterrupt."""
    program = BEGIN + textwrap.dedent(code) + textwrap.dedent("""
        print("ready", flush=True)
        try:
            work()
        except KeyboardInterrupt:
            print("interrupted", flush=True)
            sys.exit()
        print("ended", flush=True)
    """)
    process = subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(1)
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    assert process.stdout.readline() == "interrupted\n"
    seconds = time.monotonic() - begin
    assert process.wait(60) == 0
    return seconds


def ended(code, path):
    """Seconds from the signal to the end of the program, which waits for what goes on unseen."""
    begin = time.monotonic()
    interrupted(code, path)
    return time.monotonic() - begin


LIMIT = 1.0 #: on a machine that does other things as well; alone it is 0.2 s


def test_many_fields(waves_path):
    assert interrupted("""
        study = gridhelm.open(sys.argv[1])
        places = np.random.default_rng(0).uniform([0.5, 0.1], [2, 1], (10_000_000, 2))
        def work():
            study.evaluate("u", places, nodes=[3])
    """, waves_path) < LIMIT


def test_fit():
    assert interrupted("""
        X = np.random.default_rng(0).random((600, 6))
        def work():
            gridhelm.fit(X, np.random.default_rng(1).random((600, 20)))
    """, "") < LIMIT


def test_sample(tmp_path):
    out = tmp_path / "x.gridhelm"
    assert interrupted("""
        def function(a, b):
            time.sleep(a if a < 0.2 else 100)
            return np.ones(5) * a
        def work():
            gridhelm.sample(function, {"a": (0, 1), "b": (0, 1)}, out=sys.argv[1], level=4, processes=2)
    """, out) < LIMIT
    # And goes on, without anything being lost or left locked.
    study = gridhelm.sample(lambda a, b: [a] * 5, {"a": (0, 1), "b": (0, 1)}, out=out, level=4, processes=2, holdouts=0)
    assert study.sampling["end"] == "finished" and study.evaluate("value", a=0.3, b=0.4)[0] == pytest.approx(0.3, abs=1e-5)


def test_what_a_function_began_is_interrupted(tmp_path):
    interrupted("""
        import subprocess, pathlib
        def function(a, b):
            with subprocess.Popen(["sleep", "77"]) as solver:
                pathlib.Path(sys.argv[1], str(solver.pid)).touch()
        def work():
            gridhelm.sample(function, {"a": (0, 1), "b": (0, 1)}, out=sys.argv[1] + "/x.gridhelm", level=4, processes=2)
    """, tmp_path)
    pids = [int(path.name) for path in tmp_path.iterdir() if path.name.isdigit()]
    assert len(pids) == 2 and not any(is_alive(pid) for pid in pids)


@pytest.mark.parametrize("question", ["study.sobol('peak', samples=10_000_000)", "study.match(rows, samples=0)"])
def test_what_was_asked_does_not_go_on(waves_path, tmp_path, question):
    path = shutil.copy(waves_path, tmp_path / "x.gridhelm")
    gridhelm.open(path).response("peak", "u", reduce="maximum")
    assert ended(f"""
        study = gridhelm.open(sys.argv[1])
        rows = {{"response": ["peak"] * 20_000, "value": [1.0] * 20_000, "sd": [0.01] * 20_000,
                "a": np.linspace(0.6, 1.9, 20_000)}}
        def work():
            {question}
    """, path) < 10


def test_a_signals_handler_may_ask_the_study_that_is_being_loaded(waves_path):
    """Nor does another thread wait for ever that asks meanwhile."""
    program = BEGIN + textwrap.dedent("""
        import os, threading
        answers, wanted = [], {"a": 1.0, "b": 0.5}
        study = gridhelm.open(sys.argv[1])
        def handler(*_):
            answers.append(study.evaluate("u", **wanted))
            answers.append(study.evaluate("flow", **wanted))
        signal.signal(signal.SIGUSR1, handler)
        expected = gridhelm.open(sys.argv[1]).evaluate("u", **wanted)
        is_over = threading.Event()
        def disturb():
            while not is_over.is_set():
                os.kill(os.getpid(), signal.SIGUSR1)
                time.sleep(0.0003)
        threading.Thread(target=disturb).start()
        other = []
        for _ in range(60): # each is loaded anew
            study = gridhelm.open(sys.argv[1])
            thread = threading.Thread(target=lambda: other.append(study.evaluate("u", **wanted)))
            thread.start()
            for _ in range(5):
                answers.append(study.evaluate("u", **wanted))
                study.gradient("u", **wanted)
            thread.join()
        is_over.set()
        print(len(other), all(np.allclose(a, expected, atol=1e-5) for a in other),
              all(np.allclose(a, expected, atol=1e-5) for a in answers if a.ndim == 1), len(answers) > 320)
    """)
    ran = subprocess.run([sys.executable, "-c", program, str(waves_path)], capture_output=True, text=True, timeout=100)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split() == ["60", "True", "True", "True"]
