// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/mesh/cell_gradients.h"
#include "data/mesh/vector_3.h"
#include "data/study/study_types.h"

#include <vtkDataSet.h>

#include <cstddef>
#include <optional>
#include <vector>

namespace gridhelm::data {

/// Gradients of fields on a mesh, as sums over values. At a point the mean of what the shape
/// functions of the cells around it say there (of polygons and polyhedra what fits their corners
/// best; of the highest dimension, where a mesh has several); in a cell that of CellGradients.
/// Exact for linear fields; on a mesh of surfaces or lines within these.
///
/// One thread at a time.
class EntitySlopes
{
public:
    /// Keeps the data set. Throws gridhelm::Error for points without cells between them.
    EntitySlopes(vtkDataSet &data, Association of);

    /// Each axis: d field / d axis = sum over shares of weight[axis] times the value there.
    struct Share
    {
        std::size_t entity;
        Vector3 weight;
    };
    /// Ascending entities; none where nothing is beside it.
    std::vector<Share> at(std::size_t entity);

private:
    std::vector<Share> atPoint(std::size_t point);

    vtkDataSet &m_data;
    std::optional<CellGradients> m_ofCells;
};

} // namespace gridhelm::data
