// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/study/study_types.h"

#include <vtkDataSet.h>

#include <cstddef>
#include <span>
#include <vector>

namespace gridhelm::data {

/// What becomes of places outside of the mesh.
enum class OutsideMesh {
    refused,
    empty, ///< their values are no numbers (NaN)
};

/// Places in a mesh: found once, then asked for the values of any number of fields.
class MeshProbe
{
public:
    /// `places`: x, y, z of each. `refused` throws gridhelm::Error naming the first one that is
    /// outside of the mesh, by more than 1e-6 of its diagonal.
    MeshProbe(vtkDataSet &data, std::span<const double> places,
              OutsideMesh outside = OutsideMesh::refused);

    std::size_t places() const { return m_cells.size(); }

    /// The field interpolated within the cell (exactly a point's value at the point), or the cell's
    /// value; components adjacent. `values` are those of the whole field on this mesh.
    std::vector<float> sample(const Field &field, std::span<const float> values) const;

private:
    struct Corner
    {
        std::size_t point;
        double weight;
    };
    static constexpr auto noCell = static_cast<std::size_t>(-1);

    std::vector<std::size_t> m_cells;       ///< of each place
    std::vector<std::size_t> m_firstCorner; ///< of each place, and the end
    std::vector<Corner> m_corners;
};

} // namespace gridhelm::data
