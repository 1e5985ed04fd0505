# SPDX-License-Identifier: GPL-3.0-or-later
"""Who calls the user's function: processes of our own, or an executor of theirs."""
import json
import mmap
import multiprocessing
import os
import signal
import socket
import stat
import struct
import threading
import time
import traceback

import numpy as np

from . import _native
from ._errors import GridhelmError

_PAUSE = 0.02 #: seconds between looks at whether a run of an executor is still wanted
_IN_FILE = 2 ** 32 - 1 #: numbers of a call that is too long for a message
_IDLE = -1


def arrays_of(result):
    """Fields by name, as C-contiguous float64; raises ValueError with a sentence for what is none."""
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
        array = np.ascontiguousarray(array, dtype=np.float64).reshape(array.shape)
        if not np.isfinite(array).all():
            bad = array.size - np.count_nonzero(np.isfinite(array))
            raise ValueError(f"the function returned {bad} of {array.size} values for {name!r} that are no finite "
                             "numbers (nan or inf); return numbers for all nodes")
        fields.append((str(name), array))
    return fields


def run_once(function, parameters):
    """One call, wherever it runs: ("finished", [(field name, array of float64) of each]) or ("failed", log)."""
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


class _Call:
    """What is asked for in a message: see process_messages.h."""

    def __init__(self, message):
        self.number, count, times = struct.unpack_from("=QII", message)
        if count == _IN_FILE:
            process, file = struct.unpack_from("=qq", message, 16)
            with open(f"/proc/{process}/fd/{file}", "rb") as stream:
                message = stream.read()
            _, count, times = struct.unpack_from("=QII", message)
        self.parameters = struct.unpack_from(f"={count}d", message, 16)
        self.times = np.frombuffer(message, np.float64, times, 16 + 8 * count).copy() if times else np.empty(0)


class _Loop:
    """What a process of ours does until its parent has gone: take calls, and answer them."""

    def __init__(self, function, arguments, calls, stream, slots, k):
        self._function, self._arguments = function, arguments
        self._calls, self._stream, self._slots, self._k = calls, stream, slots, 2 * k
        self._form = None, b"" #: of the last answer, which the next is most likely to have

    def run(self):
        longest = self._calls.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)
        while message := self._calls.recv(longest):
            number, = struct.unpack_from("=q", message)
            self._slots[self._k + 1] = begun = time.monotonic_ns()
            self._slots[self._k] = number
            state, result = self._answer(message)
            seconds = 1e-9 * (time.monotonic_ns() - begun)
            if state == "finished":
                self._send(number, 1, self._form_of(result), [array for _, array in result], seconds)
            else:
                self._send(number, 0, result.encode("utf-8", "replace"), [], seconds)
            self._slots[self._k] = _IDLE

    def _answer(self, message):
        try:
            call = _Call(message)
        except Exception:
            return "failed", traceback.format_exc()
        return run_once(self._function, self._arguments(call.parameters, call.times))

    def _form_of(self, fields):
        shapes = [(name, array.shape) for name, array in fields]
        if shapes != self._form[0]:
            self._form = shapes, json.dumps(shapes).encode()
        return self._form[1]

    def _send(self, number, has_finished, text, arrays, seconds):
        head = struct.pack("=QQQd", number, 2 * len(text) + has_finished, sum(array.size for array in arrays), seconds)
        parts = [head, text, *(memoryview(array.reshape(-1)).cast("B") for array in arrays)]
        if sum(len(part) for part in parts) < 100_000:
            self._stream.sendall(b"".join(parts))
        else:
            for part in parts:
                self._stream.sendall(part)


def _work(loop, inherited, files, parent):
    # Of a group of its own: what the function begins can be ended with it, and Ctrl+C is for who has begun us.
    os.setsid()
    _native.end_with_parent(parent)
    for other in inherited: # or nobody would see that our parent, or another process, has ended
        other.close()
    for descriptor, *_ in _open_files() - files: # what the campaign has opened since: its lock would be held as long as we live
        os.close(descriptor)
    loop.run()


class Processes:
    """So many processes, each of which runs one call at a time.

    The compiled part (process_runner.h) gives them calls, reads their answers, ends those that are not wanted any more,
    and has them begun again here. To be made before the study is opened: a process that is begun later closes what was
    opened since. arguments(parameters, times): those of the function, by name.
    """

    def __init__(self, function, count, timeout, arguments):
        # A function of a notebook cannot be imported by another process: "fork" needs not.
        self._context = multiprocessing.get_context("fork")
        self._function, self._arguments, self.timeout = function, arguments, timeout
        self._far, self._near = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._memory = mmap.mmap(-1, 16 * count)
        self.slots = np.frombuffer(self._memory, np.int64).reshape(count, 2)
        self.slots[:, 0] = _IDLE
        self._files = _open_files()
        self._all, self._lock = [None] * count, threading.Lock() #: (stream, process) of each
        try:
            self.streams = [self.begin(k) for k in range(count)]
        except OSError as error:
            self.close()
            raise GridhelmError(f"{count} processes cannot be begun ({error}): pass fewer, processes=") from error

    @property
    def calls(self):
        """Where calls are put."""
        return self._near.fileno()

    @property
    def queue(self):
        """Where processes take them from."""
        return self._far.fileno()

    def begin(self, k):
        """Process k, which there is not: (stream of its answers, pid)."""
        with self._lock: # one after the other: a process inherits what is open just then
            near, far = socket.socketpair()
            inherited = [near, self._near, *(known[0] for known in self._all if known is not None)]
            loop = _Loop(self._function, self._arguments, self._far, far, memoryview(self._memory).cast("q"), k)
            process = self._context.Process(target=_work, daemon=True, args=(loop, inherited, self._files, os.getpid()))
            try:
                process.start()
            except OSError:
                near.close()
                raise
            finally:
                far.close()
            self._all[k] = near, process
        return near.fileno(), process.pid

    def ended(self, k):
        """How process k has ended, which is killed or about to end."""
        with self._lock:
            stream, process = self._all[k]
            self._all[k] = None
        process.join(1)
        code = process.exitcode
        _end(stream, process)
        how = f"by signal {-code}" if code is not None and code < 0 else f"with exit code {code}"
        return f"the process that ran the function ended {how}, without a result"

    def close(self):
        """End all, with what their functions have begun."""
        with self._lock:
            for known in self._all:
                if known is not None:
                    _end(*known)
            self._all = [None] * len(self._all)
        self._near.close()
        self._far.close()


def _end(stream, process):
    stream.close()
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError): # it has no group yet, or nobody is left in it
        pass
    process.kill()
    process.join()


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
