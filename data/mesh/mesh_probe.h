// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/study/study_types.h"

#include <vtkDataSet.h>
#include <vtkStaticCellLocator.h>

#include <cstddef>
#include <span>
#include <vector>

namespace gridhelm::data {

/// What becomes of places outside of the mesh.
enum class OutsideMesh {
    refused,
    empty, ///< their values are no numbers (NaN)
};

/// How values of cells count at places that are not their centres.
enum class CellValues {
    constant, ///< as they are, all over the cell
    linear,   ///< as values at the centres: see CellGradients
};

/// Places in a mesh: found once, then asked for the values of any number of fields.
class MeshProbe
{
public:
    /// `places`: x, y, z of each. `refused` throws gridhelm::Error naming the first one that is
    /// outside of the mesh, by more than 1e-6 of its diagonal.
    MeshProbe(vtkDataSet &data, std::span<const double> places,
              OutsideMesh outside = OutsideMesh::refused,
              CellValues cellValues = CellValues::constant);
    /// The same with a locator of this data set that was built before, which takes most of the time
    /// where places are few; cells' values are constant in them.
    MeshProbe(vtkDataSet &data, vtkStaticCellLocator &locator, std::span<const double> places);

    std::size_t places() const { return m_ofPoints.first.size() - 1; }
    bool isInside(std::size_t place) const
    {
        return m_ofCells.first[place] < m_ofCells.first[place + 1];
    }

    /// The field interpolated within the cell (exactly a point's value at the point), or the cells'
    /// values; components adjacent. `values` are those of the whole field on this mesh.
    std::vector<float> sample(const Field &field, std::span<const float> values) const;

    /// A point or cell whose values a place takes.
    struct Share
    {
        std::size_t entity;
        double weight;
    };
    /// Of a place; none: outside.
    std::span<const Share> sharesAt(std::size_t place, Association of) const
    {
        const auto &all = of == Association::point ? m_ofPoints : m_ofCells;
        return std::span(all.shares)
            .subspan(all.first[place], all.first[place + 1] - all.first[place]);
    }

private:
    /// Of each place: the points (or cells) whose values it takes, by weight.
    struct Shares
    {
        std::vector<std::size_t> first{0}; ///< of each place, and the end; none: outside
        std::vector<Share> shares;
    };

    void find(vtkDataSet &data, vtkStaticCellLocator &locator, std::span<const double> places,
              OutsideMesh outside, CellValues cellValues);

    Shares m_ofPoints, m_ofCells;
};

} // namespace gridhelm::data
