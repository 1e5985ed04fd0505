#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes api.md, beside this file, from the docstrings of an installed gridhelm: write_api.py [--check]."""
import inspect
import sys
from pathlib import Path

# Its own folder holds the package without what is compiled.
sys.path[:] = [part for part in sys.path if Path(part or ".").resolve() != Path(__file__).resolve().parent]
import gridhelm  # noqa: E402

PAGE = Path(__file__).with_name("api.md")
ORDER = ["open", "Study", "Parameter", "Field", "Accuracy", "Band", "Response", "Influence", "ShapleyEffects", "Spread",
         "Proportion", "Density", "Match", "Validation", "InfluenceMaps", "SpreadMaps", "ErrorMap", "GpuArray", "Mesh", "image", "Page", "PageField", "sample", "fit",
         "Surrogate", "SurrogateRegressor", "show", "GridhelmError", "ArgumentError", "UnknownNameError"]


def text_of(thing):
    text = inspect.cleandoc(thing.__doc__ or "")
    # numpydoc's underlined sections become lists.
    lines, out, section = text.split("\n"), [], None
    for i, line in enumerate(lines):
        if i + 1 < len(lines) and lines[i + 1] and set(lines[i + 1]) == {"-"}:
            section = line
            out += [f"**{line}**", ""]
        elif line and set(line) == {"-"}:
            continue
        elif section in ("Parameters", "Attributes", "Returns", "Raises", "Warns") and line and line[0] != " ":
            out.append(f"- `{line}`")
        elif section == "Examples":
            out.append("    " + line if line else "")
        elif line.startswith("    "):
            out.append(line[4:] if section is None else "  " + line.strip())
        else:
            out.append(line)
    return "\n".join(out).strip()


def entry(name, thing, level):
    try:
        signature = str(inspect.signature(thing)) if not isinstance(thing, property) else ""
    except (TypeError, ValueError):
        signature = ""
    return [f"{'#' * level} {name}", "", f"    {name}{signature}", "", text_of(thing), ""]


def page():
    assert sorted(ORDER) == sorted(gridhelm.__all__), set(ORDER) ^ set(gridhelm.__all__)
    out = ["# Calls of gridhelm", "", "*Made by `write_api.py` from the docstrings.*", ""]
    for name in ORDER:
        thing = getattr(gridhelm, name)
        if not inspect.isclass(thing):
            out += entry(name, thing, 2)
            continue
        if issubclass(thing, tuple):
            out += [f"## {name}", "", text_of(thing), "", "    " + ", ".join(thing._fields), ""]
            continue
        if issubclass(thing, Exception):
            out += [f"## {name}", "", text_of(thing), ""]
            continue
        out += entry(name, thing, 2)
        for part, of in inspect.getmembers(thing):
            is_ours = str(getattr(of.fget if isinstance(of, property) else of, "__module__", "")).startswith("gridhelm")
            if not part.startswith("_") and is_ours and (inspect.isfunction(of) or isinstance(of, property)):
                out += entry(f"{name}.{part}", of, 3)
    return "\n".join(out)


if __name__ == "__main__":
    if "--check" in sys.argv:
        if PAGE.read_text(encoding="utf-8") != page():
            sys.exit("api.md is not what the docstrings say: run app/python/write_api.py")
    else:
        PAGE.write_text(page(), encoding="utf-8")
