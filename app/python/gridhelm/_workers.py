# SPDX-License-Identifier: GPL-3.0-or-later
"""Who calls the user's function: processes of our own, or an executor of theirs.

Both say ("finished", [(field name, array of float32) of each]) or ("failed", log).
"""
import multiprocessing
import os
import queue
import select
import signal
import stat
import threading
import time
import traceback

import numpy as np

from . import _native
from ._errors import GridhelmError

_PAUSE = 0.02 #: seconds between looks at whether a run is still wanted


def arrays_of(result):
    """Fields by name, as C-contiguous float32; raises ValueError with a sentence for what is none."""
    table = result if isinstance(result, dict) else {"value": result}
    if not table:
        raise ValueError("the function returned no fields (an empty dict); return an array, or arrays by name")
    fields = []
    for name, values in table.items():
        if values is None:
            raise ValueError(f"the function returned nothing for {name!r} (None); return an array of numbers")
        array = np.asarray(values)
        if array.dtype.kind not in "iufb":
            raise ValueError(f"the function returned {array.dtype} for {name!r}; return an array of real numbers")
        if array.size == 0:
            raise ValueError(f"the function returned an empty array for {name!r}; return a value for each node")
        array = np.ascontiguousarray(array, dtype=np.float32)
        bad = array.size - np.count_nonzero(np.isfinite(array))
        if bad:
            raise ValueError(f"the function returned {bad} of {array.size} values for {name!r} that are no finite "
                             "numbers (nan, inf, or too large for float32); return numbers for all nodes")
        fields.append((str(name), array))
    return fields


def run_once(function, parameters):
    """One call, wherever it runs."""
    try:
        return "finished", arrays_of(function(**parameters))
    except Exception:
        return "failed", traceback.format_exc()


def _open_files():
    """(descriptor, device, inode) of each file that this process has open; pipes and the like are none."""
    folder = "/proc/self/fd" if os.path.isdir("/proc/self/fd") else "/dev/fd"
    found = set()
    for name in os.listdir(folder):
        try:
            status = os.fstat(int(name))
        except OSError: # the one by which the folder was listed
            continue
        if stat.S_ISREG(status.st_mode):
            found.add((int(name), status.st_dev, status.st_ino))
    return found


def _work(connection, function, inherited, files, parent):
    # Of a group of its own: what the function begins can be ended with it, and Ctrl+C is for who has begun us.
    os.setsid()
    _native.end_with_parent(parent)
    for other in inherited: # or nobody would see that our parent, or another process, has ended
        other.close()
    if files is not None: # what the campaign has opened since: its lock would be held as long as we live
        for descriptor, *_ in _open_files() - files:
            os.close(descriptor)
    while True:
        try:
            parameters = connection.recv()
        except EOFError:
            return
        connection.send(run_once(function, parameters))


class _Worker:
    def __init__(self, context, function, others, files):
        self.connection, far = context.Pipe()
        is_fork = context.get_start_method() == "fork"
        inherited = [self.connection, *(other.connection for other in others)] if is_fork else []
        self.process = context.Process(target=_work, daemon=True,
                                       args=(far, function, inherited, files if is_fork else None, os.getpid()))
        try:
            self.process.start()
        except OSError:
            self.connection.close()
            raise
        finally:
            far.close()
        # As connection.poll(), which takes longer than some functions do.
        self._poller = select.poll()
        self._poller.register(self.connection.fileno(), select.POLLIN)

    def has_answer(self, seconds):
        return bool(self._poller.poll(1000 * seconds))

    def end(self):
        """With all that the function has begun."""
        self.connection.close()
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError): # it has no group yet, or nobody is left in it
            pass
        self.process.kill()
        self.process.join()


class Processes:
    """So many processes, each of which runs one call at a time; one that hangs is killed and replaced.

    To be made before the study is opened: a process that is begun later closes what was opened since.
    """

    def __init__(self, function, count, timeout):
        # A function of a notebook cannot be imported by another process: "fork" needs not.
        self._context = multiprocessing.get_context(
            "fork" if "fork" in multiprocessing.get_all_start_methods() else None)
        self._function, self._timeout = function, timeout
        self._files = _open_files()
        self._idle = queue.SimpleQueue() # None: one that is to be begun
        self._all, self._lock = [], threading.Lock()
        try:
            for _ in range(count):
                self._idle.put(self._begun())
        except OSError as error:
            self.close()
            raise GridhelmError(f"{count} processes cannot be begun ({error}): pass fewer, processes=") from error

    def _begun(self):
        with self._lock: # one after the other: a process inherits what is open just then
            worker = _Worker(self._context, self._function, self._all, self._files)
            self._all.append(worker)
        return worker

    def _end(self, worker):
        with self._lock:
            self._all.remove(worker)
        worker.end()

    def call(self, parameters, is_cancelled):
        worker = self._idle.get()
        is_sound = False
        try:
            if worker is None:
                try:
                    worker = self._begun()
                except OSError as error:
                    return "failed", f"no process could be begun for this run ({error}): pass fewer, processes="
            is_sound, *outcome = self._outcome(worker, parameters, is_cancelled)
            return tuple(outcome)
        finally:
            if worker is not None and not is_sound:
                self._end(worker)
                worker = None
            self._idle.put(worker)

    def _outcome(self, worker, parameters, is_cancelled):
        """(whether the worker can go on, state, result)."""
        try:
            begun = time.monotonic()
            worker.connection.send(parameters)
            while not worker.has_answer(_PAUSE):
                if is_cancelled():
                    return False, "cancelled", ""
                if self._timeout is not None and time.monotonic() - begun > self._timeout:
                    return False, "failed", f"the function did not return within {self._timeout:g} s, so it was ended"
            return True, *worker.connection.recv()
        except (EOFError, OSError):
            worker.process.join(1)
            code = worker.process.exitcode
            how = f"by signal {-code}" if code is not None and code < 0 else f"with exit code {code}"
            return False, "failed", f"the process that ran the function ended {how}, without a result"

    def close(self):
        with self._lock:
            for worker in self._all:
                worker.end()
            self._all.clear()


class Executor:
    """Any executor with submit(), whose futures have done(), result(), cancel() and add_done_callback()."""

    def __init__(self, function, executor, timeout):
        self._function, self._executor, self._timeout = function, executor, timeout

    def call(self, parameters, is_cancelled):
        has_ended = threading.Event()
        begun = time.monotonic()
        future = self._executor.submit(run_once, self._function, parameters)
        future.add_done_callback(lambda _: has_ended.set())
        while not has_ended.wait(_PAUSE):
            if is_cancelled():
                future.cancel()
                return "cancelled", ""
            if self._timeout is not None and time.monotonic() - begun > self._timeout:
                future.cancel()
                return "failed", f"the function did not return within {self._timeout:g} s; an executor's run cannot " \
                    "be ended from here"
        try:
            return future.result()
        except Exception: # what the executor itself raises: a broken pool, what cannot be pickled
            return "failed", traceback.format_exc()

    def close(self):
        """The executor is not ours."""
