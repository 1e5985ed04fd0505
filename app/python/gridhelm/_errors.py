# SPDX-License-Identifier: GPL-3.0-or-later
"""Exceptions. Each is one sentence: what is wrong, why, and what to do."""
from ._native import ArgumentError, GridhelmError, nearest_name


class UnknownNameError(GridhelmError, KeyError):
    """There is no field, parameter or response of that name."""

    def __str__(self):
        return str(self.args[0])


def require_known(kind, name, names):
    """Raises an UnknownNameError, which says what there is and the nearest of it, unless it is one of the names."""
    if name in names:
        return
    text = str(name)
    near = next((n for n in names if n.lower() == text.lower()), "")
    if not near and len(text) > 1: # any letter is near to any other
        near = nearest_name(text, list(names))
    hint = f"; did you mean \"{near}\"?" if near else ""
    there = ", ".join(names) if names else "there are none"
    raise UnknownNameError(f"there is no {kind} {name!r} here: choose from {there}{hint}")


def need(package, purpose, extra):
    """The package, or a sentence how to get it."""
    import importlib
    try:
        return importlib.import_module(package)
    except ImportError as error:
        raise GridhelmError(f"{purpose} needs the package {package}, which is not here: install it with "
                            f"pip install \"gridhelm[{extra}]\"") from error
