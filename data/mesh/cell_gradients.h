// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/mesh/vector_3.h"

#include <vtkDataSet.h>

#include <array>
#include <cstddef>
#include <vector>

namespace gridhelm::data {

/// What the values at cells' centres say between them, to second order: in every cell the linear
/// function through its own value whose slope fits those of the cells around it best (weighted
/// least squares over all cells that share a point with it, as finite volume methods reconstruct
/// gradients [Barth1989]). Exact for linear fields, at the border, too.
///
/// One thread at a time.
class CellGradients
{
public:
    /// Keeps the data set.
    explicit CellGradients(vtkDataSet &data);

    /// What a cell's value counts at a place.
    struct Share
    {
        std::size_t cell;
        double weight;
    };
    /// Of the value at a place in this cell: weights sum up to 1. The cell alone where nothing is
    /// beside it.
    std::vector<Share> sharesAt(std::size_t cell, const std::array<double, 3> &place);
    /// The slope in a cell is the sum over these of `weight` * (the value there - the cell's own).
    struct SlopeShare
    {
        std::size_t cell;
        Vector3 weight;
    };
    std::vector<SlopeShare> slopeAt(std::size_t cell);

private:
    /// Slope = sum over neighbours of `slopes` * (value there - value here).
    struct Stencil
    {
        std::vector<std::size_t> cells;
        std::vector<Vector3> slopes;
        bool isMade = false;
    };
    const Stencil &stencilOf(std::size_t cell);
    std::vector<std::size_t> neighboursOf(std::size_t cell);

    vtkDataSet &m_data;
    std::vector<Vector3> m_centres;
    std::vector<Stencil> m_stencils; ///< made when they are first asked for
};

} // namespace gridhelm::data
