# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages that are made when the site is built, and not committed (a hook of mkdocs, see mkdocs.yml):

- cli/reference: a page for each command of gridhelm-cli, which is asked for its --help. The program is
  $GRIDHELM_CLI, or build/release/bin/gridhelm-cli if there is one; without it the pages say so.
- python/reference: app/python/api.md, a page for each class.

In the navigation the index of these folders, and that of develop/decisions, stands for all of its pages.
"""
import logging
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from mkdocs.exceptions import Abort
from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parent.parent
MOST_BYTES = 11_500  # of a page
log = logging.getLogger("mkdocs.hooks.gridhelm")
made = tempfile.TemporaryDirectory(prefix="gridhelm-docs-")


def cli():
    given = os.environ.get("GRIDHELM_CLI")
    path = Path(given) if given else ROOT / "build/release/bin/gridhelm-cli"
    if given and not os.access(path, os.X_OK):
        raise Abort(f"GRIDHELM_CLI: {given} is no program that can be run")
    return path if os.access(path, os.X_OK) else None


def commands():
    """["grid"], ["grid", "count"], ...: as app/cli/commands.h declares them, in its order."""
    groups = ("grid", "solve", "bench", "cluster")
    found = []
    for name in re.findall(r"void add(\w+)Command\(", (ROOT / "app/cli/commands.h").read_text(encoding="utf-8")):
        words = [word.lower() for word in re.findall(r"[A-Z][a-z0-9]*", name)]
        grouped = words[0] in groups and len(words) > 1
        if grouped and words[:1] not in found:
            found.append(words[:1])
        found.append([words[0], "-".join(words[1:])] if grouped else ["-".join(words)])
    return found


def help_of(program, command):
    try:
        return subprocess.run([program, *command, "--help"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=60, check=True).stdout.rstrip()
    except (OSError, subprocess.SubprocessError) as problem:
        log.warning("%s %s --help: %s", program, " ".join(command), problem)
        return None


def parts_of(pieces):
    """The pieces, joined to texts of MOST_BYTES at most."""
    parts = []
    for piece in pieces:
        if parts and len((parts[-1] + piece).encode()) <= MOST_BYTES:
            parts[-1] += piece
        else:
            parts.append(piece)
    return parts


def write(folder, name, title, texts):
    """One page, or several with numbers; returns their entries in the navigation."""
    entries = []
    for number, text in enumerate(texts, 1):
        more = "" if len(texts) == 1 else f" ({number} of {len(texts)})"
        path = f"{folder}/{name}{'' if number == 1 else f'-{number}'}.md"
        page = Path(made.name) / path
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(f"# {title}{more}\n\n{text.strip()}\n", encoding="utf-8")
        entries.append({title + more: path})
    return entries


def write_cli():
    program = cli()
    if program is None:
        log.info("there is no gridhelm-cli: pages of cli/reference only say so")
    entries = []
    for command in [[], *commands()]:
        name = " ".join(["gridhelm-cli", *command])
        text = help_of(program, command) if program else None
        if text is None:
            texts = [f"This page shows what `{name} --help` prints. It was made without the program: build it, and "
                     "build the pages again, with `GRIDHELM_CLI` naming it.\n"]
        else:
            lines = [f"    {line}\n" if line else "\n" for line in text.split("\n")]
            texts = [f"What `{name} --help` prints:\n\n{part}" for part in parts_of(lines)]
        entries += write("cli/reference", "-".join(command) or "index", name, texts)
    return entries


def write_python():
    """Classes have pages of their own; functions share one, and so do exceptions."""
    api = (ROOT / "app/python/api.md").read_text(encoding="utf-8")
    shared, classes = {"functions": "", "exceptions": ""}, []
    for section in re.split(r"^(?=## )", api, flags=re.M)[1:]:
        name = section[3:section.index("\n")]
        kind = "exceptions" if name.endswith("Error") else "functions" if name[0].islower() else None
        if kind:
            shared[kind] += section
        else:
            classes.append((name, section.split("\n", 1)[1].replace("\n### ", "\n## ")))
    texts = [*((kind, kind.capitalize(), text) for kind, text in shared.items() if text),
             *((name.lower(), name, text) for name, text in classes)]
    entries = []
    for name, title, text in texts:
        entries += write("python/reference", name, title, parts_of(re.split(r"^(?=## )", text, flags=re.M)))
    links = "".join(f"- [{title}]({path.rpartition('/')[2]})\n" for entry in entries for title, path in entry.items())
    text = "From the docstrings, as `help()` shows them. How to begin: [Python](../index.md).\n\n" + links
    return write("python/reference", "index", "Reference of gridhelm", [text]) + entries


def decisions(files):
    pages = [file.src_uri for file in files.documentation_pages() if file.src_uri.startswith("develop/decisions/")]
    return sorted(pages, key=lambda path: (not path.endswith("/index.md"), path))


def filled(nav, pages):
    """The navigation, with all pages of a folder in place of its index."""
    if isinstance(nav, list):
        return [filled(item, pages) for item in nav]
    if isinstance(nav, dict):
        return {title: filled(item, pages) for title, item in nav.items()}
    return pages.get(nav, nav)


def on_config(config):
    given = os.environ.get("GRIDHELM_MATHJAX")
    if given:
        remote = [script for script in config["extra_javascript"] if "mathjax@" in script]
        for script in remote:
            config["extra_javascript"][config["extra_javascript"].index(script)] = "javascripts/tex-svg.js"
        target = Path(made.name) / "javascripts/tex-svg.js"
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(given, target)
    return config


def on_files(files, config):
    own = files.get_file_from_path("hooks.py")
    if own:
        files.remove(own)
    pages = {"cli/reference/index.md": write_cli(), "python/reference/index.md": write_python()}
    for path in sorted(Path(made.name).rglob("*.*")):
        files.append(File(path.relative_to(made.name).as_posix(), made.name, config["site_dir"], config["use_directory_urls"]))
    pages["develop/decisions/index.md"] = decisions(files)
    config["nav"] = filled(config["nav"], pages)
    return files
