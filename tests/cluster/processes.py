# SPDX-License-Identifier: GPL-3.0-or-later
"""Processes and ports of this machine, as slurm-on-loopback needs them."""

import os
import pathlib
import random
import socket


def free_ports(number):
    """Ports on 127.0.0.1 that nobody listens at, below those that the kernel gives to whoever asks."""
    ports = []
    while len(ports) < number:
        port = random.randrange(15000, 32000)
        with socket.socket() as attempt:
            try:
                attempt.bind(("127.0.0.1", port))
            except OSError:
                continue
        if port not in ports:
            ports.append(port)
    return ports


def listens(port):
    with socket.socket() as attempt:
        return attempt.connect_ex(("127.0.0.1", port)) == 0


def status_of(pid):
    """Name of a process, then the fields of /proc/PID/stat from its state on; or None."""
    try:
        text = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    end = text.rindex(")")
    return [text[text.index("(") + 1:end], *text[end + 2:].split()]


def alive(pid):
    status = status_of(pid)
    return status is not None and status[1] != "Z"


def begin_of(pid):
    status = status_of(pid)
    return status[20] if status else "ended"


def command_of(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_text(errors="replace").replace("\0", " ").strip()
    except OSError:
        return ""


def process_ids():
    return [int(entry.name) for entry in pathlib.Path("/proc").iterdir() if entry.name.isdigit()]


def sessions(listener):
    """The processes of sshd below what listens: one or two for each session."""
    parents = {pid: int(status[2]) for pid in process_ids() if (status := status_of(pid)) and status[0] == "sshd"}
    found = {pid for pid, parent in parents.items() if parent == listener}
    return found | {pid for pid, parent in parents.items() if parent in found}


def kill(pid, number):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass
