# SPDX-License-Identifier: GPL-3.0-or-later
"""Studies in which somebody changed a row or a bit: the answers of before, or an error; from several threads, too."""
import concurrent.futures
import os
import random
import shutil
import sqlite3

import numpy as np
import pytest

import gridhelm

AT = [[0.7, 0.3], [1.1, 0.5], [1.9, 0.9]]
CASES = 400 if os.environ.get("GRIDHELM_LONG_TESTS") else 30


def answers(path):
    """What everybody who reads it is told, question by question; an error is None."""
    def ask(question):
        try:
            return question()
        except gridhelm.GridhelmError:
            return None
    study = ask(lambda: gridhelm.open(path, threads=1))
    if study is None:
        return None
    name = ask(lambda: study.fields[0].name)
    if name is None:
        return [None]
    return [
        ask(lambda: [tuple(p) for p in study.parameters]),
        ask(lambda: [tuple(f) for f in study.fields]),
        ask(lambda: study.evaluate(name, AT).tobytes()),
        ask(lambda: study.evaluate(name, AT, nodes=[0, 2]).tobytes()),
        ask(lambda: np.array(list(study.gradient(name, AT[0]).values())).tobytes()),
        ask(lambda: str(study.error(name, AT[0]))),
        ask(lambda: str(study.accuracy())),
        ask(lambda: {name: values.tobytes() for name, values in study.respond(points=AT).items()}),
        ask(lambda: str(study.sobol(samples=64))),
    ]


def is_the_same_or_an_error(now, before):
    def is_fine(a, b):
        if isinstance(a, dict): # those that cannot be had are left out, with a warning
            return all(value == b[name] for name, value in a.items())
        return a is None or a == b
    return now is None or now == [None] or all(map(is_fine, now, before))


def change_a_row(path, chance):
    """Any column of any row, by one; whether the study let itself be changed."""
    with sqlite3.connect(path) as base:
        columns = base.execute("SELECT m.name, p.name, p.type FROM sqlite_master m, pragma_table_info(m.name) p "
                               "WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'").fetchall()
        table, column, kind = chance.choice(columns)
        value = {"TEXT": f"{column} || 'x'", "BLOB": f"CAST(substr({column}, 2) || x'5a' AS BLOB)",
                 "REAL": f"{column} * 1.5 + 0.25"}.get(kind, f"{column} + 1")
        try:
            base.execute("PRAGMA ignore_check_constraints = ON")
            return base.execute(f"UPDATE {table} SET {column} = {value} WHERE rowid = "
                                f"(SELECT rowid FROM {table} ORDER BY random() LIMIT 1)").rowcount > 0
        except sqlite3.Error:
            return False


def flip_a_bit(path, chance):
    with open(path, "r+b") as file:
        file.seek(chance.randrange(os.path.getsize(path)))
        byte = file.read(1)[0]
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte ^ 1 << chance.randrange(8)]))
    return True


@pytest.fixture(scope="module")
def answered(waves_path):
    before = answers(waves_path)
    assert before is not None and sum(a is not None for a in before) >= 7
    return before


@pytest.mark.filterwarnings("ignore:left out")
@pytest.mark.parametrize("change", [change_a_row, flip_a_bit])
def test_no_other_number(waves_path, answered, tmp_path, change):
    chance = random.Random(5)
    changed = 0
    for case in range(CASES):
        path = tmp_path / f"{case}.gridhelm"
        shutil.copy(waves_path, path)
        if change(path, chance):
            changed += 1
            assert is_the_same_or_an_error(answers(path), answered), case
        path.unlink()
    assert changed > CASES / 3


@pytest.mark.filterwarnings("ignore:left out")
def test_from_threads(waves_path, answered, tmp_path):
    """One study, and damaged ones beside it, asked by eight threads at once."""
    chance = random.Random(6)
    paths = [waves_path] * 8
    for case in range(8):
        paths.append(tmp_path / f"{case}.gridhelm")
        shutil.copy(waves_path, paths[-1])
        (flip_a_bit if case % 2 else change_a_row)(paths[-1], chance)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for path, now in zip(paths, pool.map(answers, paths), strict=True):
            assert now == answered if path == waves_path else is_the_same_or_an_error(now, answered)


def test_one_object_from_threads(study):
    def ask(i):
        a, b = 0.5 + 0.1 * (i % 16), 0.1 + 0.05 * (i % 18)
        return a, b, study.evaluate("u", a=a, b=b), study.error("u", a=a, b=b)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for a, b, values, band in pool.map(ask, range(64)):
            assert np.array_equal(values, study.evaluate("u", a=a, b=b))
            assert str(band) == str(study.error("u", a=a, b=b))


def test_what_is_wrong_is_said_in_utf8(waves_path, tmp_path):
    """SQLite quotes what stands in the file."""
    path = tmp_path / "x.gridhelm"
    path.write_bytes(waves_path.read_bytes().replace(b"NOT NULL", b"NOT \xceULL"))
    with pytest.raises(gridhelm.GridhelmError, match="malformed.*ULL"):
        gridhelm.open(path)
