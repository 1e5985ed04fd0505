#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What CalculiX has written, for Gridhelm and ParaView: frd2vtu.py CASE.frd CASE.vtu

Takes the mesh of solid elements, and of each result that the deck asks for at the nodes (DISP,
STRESS, NDTEMP ...) the last one; MISES is computed from STRESS.
"""
import sys

# Type of element in the file: VTK's type, and the order of VTK's nodes among the file's.
ELEMENTS = {
    1: (12, range(8)),                                                  # C3D8
    2: (13, range(6)),                                                  # C3D6
    3: (10, range(4)),                                                  # C3D4
    4: (25, [*range(12), *range(16, 20), *range(12, 16)]),              # C3D20
    6: (24, range(10)),                                                 # C3D10
}


def read(path):
    """The points by their numbers, the cells (type, numbers), and the fields (name to values)."""
    points, cells, fields = {}, [], {}
    block = None
    with open(path) as file:
        for line in file:
            if line.startswith("    2C"):
                block = points
            elif line.startswith("    3C"):
                block = cells
            elif line.startswith(" -4"):
                block = fields[line[5:13].strip()] = {}
            elif line.startswith(" -3"):
                block = None
            elif line.startswith(" -1") and block is cells:
                cells.append((int(line[13:18]), []))
            elif line.startswith(" -2") and block is cells:
                cells[-1][1].extend(int(text) for text in columns(line, 3, 10))
            elif line.startswith(" -1") and block is not None:
                block[int(line[3:13])] = [float(text) for text in columns(line, 13, 12)]
    return points, cells, fields


def columns(line, begin, width):
    """Numbers of a fixed width: there need not be a space between them."""
    line = line.rstrip()
    return [line[at:at + width] for at in range(begin, len(line), width)]


def mises(stress):
    xx, yy, zz, xy, yz, zx = stress
    return [(((xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2) / 2
             + 3 * (xy ** 2 + yz ** 2 + zx ** 2)) ** 0.5]


def write(path, points, cells, fields):
    index = {number: i for i, number in enumerate(points)}
    rows = [[index[nodes[i]] for i in ELEMENTS[kind][1]] for kind, nodes in cells]
    ends = [sum(map(len, rows[:i + 1])) for i in range(len(rows))]

    def array(name, kind, values, components=1):
        text = "\n".join(" ".join(map(str, value)) for value in values)
        return (f'<DataArray type="{kind}" Name="{name}" NumberOfComponents="{components}" '
                f'format="ascii">\n{text}\n</DataArray>\n')

    with open(path, "w") as file:
        file.write('<VTKFile type="UnstructuredGrid"><UnstructuredGrid>\n'
                   f'<Piece NumberOfPoints="{len(points)}" NumberOfCells="{len(cells)}">\n'
                   '<PointData>\n')
        for name, values in fields.items():
            of = [values[number] for number in points]
            file.write(array(name, "Float32", of, len(of[0])))
        file.write("</PointData>\n<Points>\n" + array("Points", "Float64", points.values(), 3)
                   + "</Points>\n<Cells>\n" + array("connectivity", "Int64", rows)
                   + array("offsets", "Int64", [[end] for end in ends])
                   + array("types", "UInt8", [[ELEMENTS[kind][0]] for kind, nodes in cells])
                   + "</Cells></Piece></UnstructuredGrid></VTKFile>\n")


points, cells, fields = read(sys.argv[1])
others = {kind for kind, nodes in cells} - set(ELEMENTS)
if others or not cells:
    sys.exit(f"{sys.argv[1]} has {f'elements of type {min(others)}' if others else 'no elements'}; "
             "this script takes solid elements alone (C3D4, 6, 8, 10 and 20)")
if "STRESS" in fields:
    fields["MISES"] = {number: mises(stress) for number, stress in fields["STRESS"].items()}
write(sys.argv[2], points, cells,
      {name: values for name, values in fields.items() if len(values) == len(points)})
