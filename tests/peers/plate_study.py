# SPDX-License-Identifier: GPL-3.0-or-later
"""A plate of three parameters that peers of answers ask the same questions as gridhelm-cli."""
import csv
import json
import os
import subprocess
import tempfile
from contextlib import contextmanager

PLAN = """
[[parameter]]
name = "x"
low = 0.25
high = 0.75
[[parameter]]
name = "y"
low = 0.25
high = 0.75
[[parameter]]
name = "width"
low = 0.2
high = 0.8
[grid]
level = 4
[simulation]
builtin = "plate"
resolution = 17
"""
SKIPPED = 77
NAMES = ["x", "y", "width"]
BOUNDS = [[0.25, 0.75], [0.25, 0.75], [0.2, 0.8]]


class PlateStudy:
    """Asked by the command line alone, in the folder where it is."""

    def __init__(self, program):
        self.program = program

    def run(self, *arguments):
        done = subprocess.run([self.program, *arguments], check=True, capture_output=True, text=True)
        return done.stdout

    def json(self, command, *arguments):
        return json.loads(self.run(command, "plate.gridhelm", *arguments, "--json"))

    def add_probe(self, name, place):
        self.run("responses", "plate.gridhelm", "--add", name, "--of", "temperature", "--reduce", "value",
                 "--in", f"point {place}")

    def values_at(self, place, points):
        """The field at one place for many parameters, by `eval`, which knows nothing of responses."""
        with open("points.csv", "w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(NAMES)
            writer.writerows(points)
        self.run("eval", "plate.gridhelm", "--points", "points.csv", "--probe", place, "--csv", "values.csv")
        with open("values.csv", newline="") as file:
            rows = list(csv.reader(file))
        column = len(rows[0]) - 1  # behind parameters and place
        return [float(row[column]) for row in rows[1:]]


@contextmanager
def plate_study(program, basis=""):
    """`basis`: lines of the plan for each parameter; none: as usual."""
    program = os.path.abspath(program)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        study = PlateStudy(program)
        with open("plate.toml", "w") as file:
            file.write(PLAN.replace("[[parameter]]", "[[parameter]]\n" + basis))
        for step in (["plan", "plate.toml"], ["run", "plate.gridhelm"], ["compress", "plate.gridhelm"]):
            study.run(*step)
        yield study
        os.chdir("/")


def exit_code(good):
    """Of what peers said: True, False, or None for one that is not installed."""
    if False in good:
        return 1
    return 0 if True in good else SKIPPED
