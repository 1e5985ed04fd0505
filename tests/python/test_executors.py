# SPDX-License-Identifier: GPL-3.0-or-later
"""Executors of others: Dask and mpi4py, where they are installed."""
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest

import gridhelm

AB = {"a": (0.0, 1.0), "b": (0.0, 1.0)}
X = np.linspace(0, 1, 8)


def plane(a, b):
    return a + 2 * b + X


def in_which_process(a, b):
    return np.full(3, float(os.getpid() % 100_003))


@pytest.fixture(scope="module")
def client():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            yield client


def test_dask_runs_the_calls(tmp_path, client):
    study = gridhelm.sample(plane, AB, out=tmp_path / "x.gridhelm", level=4, executor=client, holdouts=0)
    np.testing.assert_allclose(study.evaluate("value", a=0.3, b=0.9), plane(0.3, 0.9), atol=1e-5)
    assert study.sampling["end"] == "finished" and study.sampling["failed"] == 0


def test_dask_runs_them_elsewhere(tmp_path, client):
    """In both of its processes, and not in this one."""
    study = gridhelm.sample(in_which_process, AB, out=tmp_path / "x.gridhelm", level=4, executor=client, holdouts=0)
    values = study.evaluate("value", [[0.5, 0.5]])
    assert values.max() != os.getpid() % 100_003


def test_dask_gets_each_call_once(tmp_path, client):
    """Also one whose arguments it has seen: what failed is tried again."""
    marks = tmp_path / "marks"
    marks.mkdir()
    def function(a, b, where=str(marks)):
        with open(f"{where}/{a!r},{b!r}", "a") as file:
            file.write("x")
            if file.tell() == 1 and a > 0.6:
                raise ValueError("the first time")
        return np.zeros(3) + a
    out = tmp_path / "x.gridhelm"
    first = gridhelm.sample(function, AB, out=out, level=3, executor=client, holdouts=0, keep_going=True)
    assert first.sampling["failed"] > 0
    assert "ValueError: the first time" in first.sampling["failures"][0][1]
    second = gridhelm.sample(function, AB, out=out, level=3, executor=client, holdouts=0)
    assert second.sampling["failed"] == 0 and second.sampling["runs"] == first.sampling["failed"]
    assert max(path.stat().st_size for path in marks.iterdir()) == 2


def test_a_worker_of_dask_that_dies_is_a_failed_run(tmp_path):
    distributed = pytest.importorskip("distributed")
    dask = pytest.importorskip("dask")
    def function(a, b):
        if a > 0.8:
            os._exit(3)
        return np.zeros(3) + a
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}), \
            distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster, \
            distributed.Client(cluster) as client:
        study = gridhelm.sample(function, AB, out=tmp_path / "x.gridhelm", level=3, executor=client, holdouts=0,
                                keep_going=True)
    assert study.sampling["failed"] > 0 and study.sampling["runs"] > 0
    assert any("KilledWorker" in log for _, log in study.sampling["failures"])


MPI = """
import sys
import numpy as np
import gridhelm
from mpi4py import MPI
from mpi4py.futures import MPIPoolExecutor

def function(a, b):
    if a > 0.8:
        raise ValueError("too much")
    return {"rank": np.full(3, float(MPI.COMM_WORLD.rank)), "plane": a + 2 * b + np.linspace(0, 1, 8)[:3]}

if __name__ == "__main__":
    with MPIPoolExecutor() as executor:
        study = gridhelm.sample(function, {"a": (0, 1), "b": (0, 1)}, out=sys.argv[1], level=4, executor=executor,
                                holdouts=0, keep_going=True)
    sampling = study.sampling
    print("RESULT", sampling["end"], sampling["runs"], sampling["failed"], "ValueError: too much" in sampling["failures"][0][1],
          float(study.evaluate("rank", a=0.5, b=0.5).min()) >= 1)
"""


def test_mpi4py_runs_the_calls(tmp_path):
    pytest.importorskip("mpi4py")
    mpirun = shutil.which("mpirun")
    if mpirun is None:
        pytest.skip("there is no mpirun")
    (tmp_path / "script.py").write_text(MPI)
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                       OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_btl_vader_single_copy_mechanism="none")
    ran = subprocess.run([mpirun, "-n", "3", sys.executable, "-m", "mpi4py.futures", str(tmp_path / "script.py"),
                          str(tmp_path / "x.gridhelm")], env=environment, capture_output=True, text=True, timeout=100)
    lines = [line for line in ran.stdout.splitlines() if line.startswith("RESULT")]
    assert lines, ran.stderr
    _, end, runs, failed, has_traceback, is_elsewhere = lines[0].split()
    assert end == "finished" and int(runs) > 10 and int(failed) > 0
    assert has_traceback == "True" and is_elsewhere == "True"
