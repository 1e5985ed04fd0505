// SPDX-License-Identifier: GPL-3.0-or-later
//
// A program of a user's own, as plans run it.
#pragma once

#include <cmath>
#include <filesystem>
#include <fstream>

namespace gridhelm::test {

/// For "sh FILE {speed} {times}": ownValue() at 17 x 13 points, in out_{t}.vti. At speeds other
/// than 1.5 it waits until the file "go" is beside it (or itself is gone).
inline void writeOwnProgram(const std::filesystem::path &file)
{
    std::ofstream(file) << R"(#!/bin/sh
here=$(dirname "$0") speed=$1
shift
while [ "$speed" != 1.5 ] && [ ! -e "$here/go" ] && [ -e "$0" ]; do sleep 0.05; done
for t in "$@"; do
    awk -v s="$speed" -v t="$t" 'BEGIN {
        print "<VTKFile type=\"ImageData\"><ImageData WholeExtent=\"0 16 0 12 0 0\">"
        print "<Piece Extent=\"0 16 0 12 0 0\"><PointData>"
        print "<DataArray type=\"Float32\" Name=\"u\" format=\"ascii\">"
        for (y = 0; y < 13; ++y)
            for (x = 0; x < 17; ++x)
                printf "%.7g ", sin(s * x / 4) + y * t / 100
        print "</DataArray></PointData></Piece></ImageData></VTKFile>"
    }' > "out_$t.vti"
done
)";
}

inline double ownValue(double speed, double t, int x, int y)
{
    return std::sin(speed * x / 4) + y * t / 100;
}

} // namespace gridhelm::test
