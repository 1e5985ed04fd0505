# SPDX-License-Identifier: GPL-3.0-or-later
import json
import os
import subprocess
import sys

import numpy as np
import pytest

import gridhelm
from gridhelm._render import round_range

pytest.importorskip("pyvista")

SIZE = (320, 240)


def colours_of(picture):
    return len(np.unique(picture.reshape(-1, picture.shape[2]), axis=0))


@pytest.fixture(scope="module")
def body_path(tmp_path_factory):
    """A block of 6 x 5 x 4 nodes, with a vector, and holes that depend on a."""
    path = tmp_path_factory.mktemp("studies") / "body.gridhelm"
    z, y, x = np.meshgrid(np.arange(4), np.arange(5), np.arange(6), indexing="ij")
    def block(a, b):
        return {"u": np.stack([a * x, b * y, 1.0 * z], axis=-1), "mesh.signed_distance": 4.0 - x + 4 * a}
    gridhelm.sample(block, {"a": (0, 1), "b": (0, 1)}, out=path, level=3, processes=1, holdouts=0,
                    mesh=gridhelm.image((6, 5, 4)))
    return path


def test_a_picture_is_an_array(grid):
    picture = grid.render("p", a=1, b=0.5, size=SIZE)
    assert picture.shape == (240, 320, 3) and picture.dtype == np.uint8 and picture.flags.c_contiguous
    assert colours_of(picture) > 50
    np.testing.assert_array_equal(picture, grid.render("p", [1, 0.5], size=SIZE))
    assert (picture != grid.render("p", a=0.2, b=0.5, size=SIZE)).any()
    assert grid.render(a=1, b=0.5).shape == (900, 1200, 3)


@pytest.mark.parametrize("change", [
    dict(cmap="coolwarm"), dict(range=(0, 10)), dict(edges=True), dict(outline=False), dict(dark=True),
    dict(camera="isometric"), dict(camera=[(3, 3, 5), (1, 0.5, 0), (0, 1, 0)]), dict(log=True, range=(0.1, 2))])
def test_what_is_asked_for_changes_it(grid, change):
    before, after = (grid.render("p", a=1, b=0.5, size=SIZE, **more) for more in ({}, change))
    assert after.shape == before.shape and (after != before).any() and colours_of(after) > 50


def test_the_field_is_where_it_belongs(tmp_path):
    """Values grow to the right alone, from 0 to 1."""
    grid = gridhelm.sample(lambda a: np.tile(a * np.linspace(0, 1, 9), (5, 1)), {"a": (0, 1)}, out=tmp_path / "x.gridhelm",
                           level=3, processes=1, holdouts=0, mesh=gridhelm.image((9, 5)))
    picture = grid.render(a=1, size=SIZE, cmap="gray", outline=False, range=(0, 1.2)).astype(int)[:, :250]
    places = np.flatnonzero(np.ptp(picture[80:140], axis=(0, 2)) == 0) # columns of one grey each, from top to bottom
    greys = picture[120, places, 0]
    greys = greys[greys < 250][2:-2] # without what is smoothed at the ends
    assert len(greys) > 40 and (np.diff(greys) >= 0).all() and greys[0] < 20 and greys[-1] > 180


def test_transparent_pictures_have_a_fourth_number(grid):
    picture = grid.render("p", a=1, b=0.5, size=SIZE, transparent=True)
    assert picture.shape == (240, 320, 4)
    assert picture[0, 0, 3] == 0 and picture[..., 3].max() == 255


def test_bodies_are_cut_or_seen_from_outside(body_path):
    study = gridhelm.open(body_path)
    pictures = [study.render("u", a=0.9, b=0.5, size=SIZE, **more)
                for more in ({}, dict(view="surface"), dict(component="x"), dict(component=1), dict(component="2"),
                             dict(camera="+x"), dict(camera="-y"))]
    assert all(colours_of(p) > 20 for p in pictures)
    for i, p in enumerate(pictures):
        assert not any((p.shape == q.shape and (p == q).all()) for q in pictures[:i])


def test_what_is_outside_of_the_body_is_not_drawn(body_path):
    study = gridhelm.open(body_path)
    def coloured(a):
        picture = study.render("u", a=a, b=0.5, size=SIZE, outline=False, view="surface").astype(int)
        body = picture[:, :250] # without the bar of colours
        return np.count_nonzero(np.ptp(body, axis=2) > 40)
    assert 0 < coloured(0) < 0.95 * coloured(1)


def test_a_line_is_drawn(study):
    assert colours_of(study.render("u", a=1, b=0.5, size=SIZE)) > 20


@pytest.mark.parametrize("values, log", [((0.02, 0.98), False), ((-3.3, 12.1), False), ((5, 5), False), ((0, 0), False),
                                         ((0.03, 870), True), ((1e-9, 3e-9), False)])
def test_ranges_are_round_and_hold_the_values(values, log):
    low, high = round_range(*values, log)
    assert low <= values[0] and values[1] <= high and low < high
    steps = np.array([low, high]) / 10.0 ** np.floor(np.log10(high - low)) * 40
    assert log or np.allclose(steps, np.round(steps), atol=1e-5) or values[0] == values[1]


def test_the_range_is_the_command_lines(cli, grid, grid_path, tmp_path):
    for a, b in ((1, 0.5), (0.13, 0.71), (0.02, 0.9)):
        told = json.loads(cli("render", grid_path, "--at", f"a={a},b={b}", "--out", tmp_path / "x.png", "--json"))
        values = grid.evaluate("p", a=a, b=b)
        assert round_range(float(values.min()), float(values.max())) == pytest.approx(told["range"], rel=1e-12)


@pytest.mark.parametrize("arguments, kind, sentence", [
    (dict(field="q"), KeyError, "no field 'q' here"), (dict(a=[1, 0.5]), ValueError, "a picture is of one point"),
    (dict(size=3), ValueError, "width and height"), (dict(size=(0, 10)), ValueError, "size=0"),
    (dict(size=(10, 1e9)), ValueError, "size="), (dict(view="volume"), ValueError, "slice, surface"),
    (dict(range=(2, 1)), ValueError, "low below high"), (dict(range=3), ValueError, "two numbers"),
    (dict(range=(0, 1), log=True), ValueError, "above 0"), (dict(camera="up"), ValueError, "isometric"),
    (dict(camera=[1, 2]), ValueError, "focal point"), (dict(component="w"), ValueError, "no component 'w'"),
    (dict(component=1), ValueError, "p has 1, numbered from 0"), (dict(cmap="greyish"), ValueError, "cmap='greyish'"),
    (dict(a=7), ValueError, "outside its range")])
def test_what_cannot_be_drawn(grid, arguments, kind, sentence):
    given = {"field": "p", "a": 1, "b": 0.5, **arguments}
    with pytest.raises(kind, match=sentence) as caught:
        grid.render(**given)
    assert isinstance(caught.value, gridhelm.GridhelmError)


def test_without_pyvista(grid, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyvista", None)
    with pytest.raises(gridhelm.GridhelmError, match=r"pip install \"gridhelm\[mesh\]\""):
        grid.render("p", a=1, b=0.5)


@pytest.mark.parametrize("display", [None, ":4711"])
def test_no_screen_is_needed(grid_path, display):
    environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    if display:
        environment["DISPLAY"] = display # where nobody answers
    program = ("import gridhelm, sys; p = gridhelm.open(sys.argv[1]).render('p', a=1, b=0.5, size=(64, 48)); "
               "print(p.shape, p.min() < p.max())")
    ran = subprocess.run([sys.executable, "-c", program, str(grid_path)], env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip() == "(48, 64, 3) True" and ran.stderr == ""


def mesh_in(picture):
    """What is seen of the mesh, at one size, and its proportions: the numbers around it are laid out otherwise."""
    part = picture[:, : int(0.8 * picture.shape[1]), :3].astype(int) # left of the bar
    is_coloured = np.ptp(part, axis=2) > 40
    def extent(counts):
        found = np.flatnonzero(counts > 0.15 * counts.max())
        return found[0], found[-1]
    (top, bottom), (left, right) = extent(is_coloured.sum(axis=1)), extent(is_coloured.sum(axis=0))
    i, j = np.linspace(top, bottom, 120).round().astype(int), np.linspace(left, right, 120).round().astype(int)
    return part[np.ix_(i, j)], (right - left) / (bottom - top)


@pytest.mark.parametrize("name, field, ours, theirs", [
    ("grid", "p", {}, ()), ("grid", "p", dict(edges=True), ("--edges",)),
    ("body", "u", {}, ()), ("body", "u", dict(component="x"), ("--component", "x")),
    ("body", "u", dict(view="surface"), ("--view", "surface")),
    ("body", "u", dict(view="surface", camera="+x"), ("--view", "surface", "--from", "+x"))])
def test_the_picture_is_the_command_lines(cli, grid_path, body_path, tmp_path, name, field, ours, theirs):
    """Drawn by another VTK: the same colours at the same places, seen from the same side in the same light."""
    image = pytest.importorskip("matplotlib.image")
    path = {"grid": grid_path, "body": body_path}[name]
    cli("render", path, "--at", "a=0.5,b=0.7", "--field", field, "--size", "640x480", "--out", tmp_path / "x.png", *theirs)
    there, proportions = mesh_in(255 * image.imread(tmp_path / "x.png"))
    here, own = mesh_in(gridhelm.open(path).render(field, a=0.5, b=0.7, size=(640, 480), **ours))
    assert own == pytest.approx(proportions, rel=0.08)
    off = np.abs(here - there).max(axis=2)
    assert np.median(off) <= 6 and np.percentile(off, 80) <= 14
