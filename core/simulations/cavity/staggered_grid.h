// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>

namespace gridhelm::simulations {

/// Where the values of a staggered (marker-and-cell) grid are: the unit square or cube has n cells
/// along each side, pressures in the middle of cells, velocity components in the middle of the
/// faces that they pass. All arrays have the same extents, n + 2 along each axis, x fastest:
/// index 1 .. n along an axis is a cell, 0 and n + 1 are ghosts beyond the walls; along its own
/// axis index i of a component is the face between cells i and i + 1, so that 0 and n are walls.
struct StaggeredGrid
{
    int dimension = 2;
    std::size_t cells = 1;

    std::size_t extent() const { return cells + 2; }
    std::array<std::size_t, 3> strides() const { return {1, extent(), extent() * extent()}; }
    std::size_t size() const { return extent() * extent() * (dimension == 3 ? extent() : 1); }
    std::size_t cellCount() const { return cells * cells * planes(); }
    double spacing() const { return 1 / static_cast<double>(cells); }

    /// Index range along z, which 2D grids do not have.
    std::size_t planes() const { return dimension == 3 ? cells : 1; }
    std::size_t plane(std::size_t k) const { return dimension == 3 ? k * strides()[2] : 0; }

    /// Calls visit(offset, j, k) for every row of cells, j and k from 0; offset is that of its
    /// first cell.
    template <typename Visitor>
    void forEachRow(Visitor visit) const
    {
        for (std::size_t k = 0; k < planes(); ++k) {
            for (std::size_t j = 0; j < cells; ++j)
                visit(plane(k + 1) + (j + 1) * extent() + 1, j, k);
        }
    }

    /// The same for the inner faces of a component: visit(offset, count).
    template <typename Visitor>
    void forEachFaceRow(int component, Visitor visit) const
    {
        const std::size_t count = component == 0 ? cells - 1 : cells;
        const std::size_t rows = component == 1 ? cells - 1 : cells;
        const std::size_t layers = component == 2 ? cells - 1 : planes();
        for (std::size_t k = 1; k <= layers; ++k) {
            for (std::size_t j = 1; j <= rows; ++j)
                visit(plane(k) + j * extent() + 1, count);
        }
    }
};

} // namespace gridhelm::simulations
