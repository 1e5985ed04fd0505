# SPDX-License-Identifier: GPL-3.0-or-later
"""Exceptions. Each is one sentence: what is wrong, why, and what to do."""
from ._native import ArgumentError, GridhelmError, nearest_name


class UnknownNameError(GridhelmError, KeyError):
    """There is no field, parameter or response of that name."""

    def __str__(self):
        return str(self.args[0])


def unknown(kind, name, names):
    """An UnknownNameError that names what there is, and the nearest of it."""
    near = nearest_name(str(name), [str(n) for n in names]) if isinstance(name, str) else ""
    hint = f"; did you mean \"{near}\"?" if near else ""
    there = ", ".join(names) if names else "there are none"
    return UnknownNameError(f"there is no {kind} {name!r} here{hint} Choose from: {there}" if near
                            else f"there is no {kind} {name!r} here: choose from {there}")


def need(package, purpose, extra):
    """The package, or a sentence how to get it."""
    import importlib
    try:
        return importlib.import_module(package)
    except ImportError as error:
        raise GridhelmError(f"{purpose} needs the package {package}, which is not here: install it with "
                            f"pip install \"gridhelm[{extra}]\"") from error
