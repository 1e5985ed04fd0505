// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gridhelm::data {

/// What an interactive page draws of a study's mesh, for what knows no VTK.
struct PageMesh
{
    /// Of the study's mesh, those that the page has; all below are numbers of these.
    std::vector<std::uint32_t> points, cells;
    std::vector<double> places;               ///< x, y, z of each point
    std::vector<std::uint32_t> triangles;     ///< three points each: the surface, or flat cells
    std::vector<std::uint32_t> triangleCells; ///< of each triangle
    std::vector<std::uint32_t> lines;         ///< two points each: of cells that are lines
    std::vector<std::uint32_t> lineCells;
    std::vector<std::uint32_t> tetrahedra; ///< four points each, of solids that are no grids
    std::vector<std::uint32_t> tetrahedronCells;
    /// Points along x, y and z, x fastest, if the mesh is a grid in space: all points, all cells.
    std::optional<std::array<std::size_t, 3>> grid;
    /// Points of a row, if the mesh is a grid, also a flat one with all of its points; else 0.
    std::size_t rowLength = 0;
    /// Points along both axes, the faster one first, if it is a flat grid of even distances: its
    /// values are a picture.
    std::optional<std::array<std::size_t, 2>> image;
    bool isFlat = false; ///< all points in a plane across an axis
    /// What had to be left out so that the page is not too large, as a sentence; empty: nothing.
    std::string reduction;
};

/// The mesh with at most so many points: of those that are drawn some stand for their neighbours.
/// Throws gridhelm::Error if nothing of it can be drawn.
using PageMeshMaker = std::function<PageMesh(std::size_t mostPoints)>;

} // namespace gridhelm::data
