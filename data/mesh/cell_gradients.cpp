// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/cell_gradients.h"

#include "data/mesh/vector_3.h"

#include <vtkGenericCell.h>
#include <vtkIdList.h>
#include <vtkMath.h>
#include <vtkNew.h>

#include <algorithm>
#include <limits>

namespace gridhelm::data {

namespace {

constexpr std::size_t maxNeighbours = 256;

/// The pseudo-inverse of a symmetric matrix, times vectors: directions in which the cells do not
/// differ (across a flat mesh, say) have no slope.
class PseudoInverse
{
public:
    explicit PseudoInverse(std::array<Vector3, 3> matrix)
    {
        std::array<double *, 3> rows{matrix[0].data(), matrix[1].data(), matrix[2].data()};
        std::array<double *, 3> columns{m_vectors[0].data(), m_vectors[1].data(),
                                        m_vectors[2].data()};
        vtkMath::Jacobi(rows.data(), m_values.data(), columns.data());
    }

    Vector3 times(const Vector3 &b) const
    {
        // Directions are those of unit vectors to neighbours, so that 1 is a usual eigenvalue.
        constexpr double none = 1e-6;
        Vector3 x{};
        for (std::size_t k = 0; k < 3; ++k) {
            if (m_values[k] <= none)
                continue;
            const Vector3 direction{m_vectors[0][k], m_vectors[1][k], m_vectors[2][k]};
            const double part = dot(direction, b) / m_values[k];
            for (std::size_t i = 0; i < 3; ++i)
                x[i] += part * direction[i];
        }
        return x;
    }

private:
    Vector3 m_values{};
    std::array<Vector3, 3> m_vectors{}; ///< in columns
};

} // namespace

CellGradients::CellGradients(vtkDataSet &data)
    : m_data(data)
    , m_stencils(static_cast<std::size_t>(data.GetNumberOfCells()))
{
    vtkNew<vtkGenericCell> cell;
    std::vector<double> weights(static_cast<std::size_t>(std::max(data.GetMaxCellSize(), 8)));
    for (vtkIdType c = 0; c < data.GetNumberOfCells(); ++c) {
        auto &centre = m_centres.emplace_back();
        centre.fill(std::numeric_limits<double>::quiet_NaN());
        data.GetCell(c, cell);
        if (cell->GetNumberOfPoints() == 0)
            continue;
        Vector3 parametric{};
        int part = cell->GetParametricCenter(parametric.data());
        cell->EvaluateLocation(part, parametric.data(), centre.data(), weights.data());
    }
}

std::vector<std::size_t> CellGradients::neighboursOf(std::size_t cell)
{
    vtkNew<vtkIdList> points, around;
    m_data.GetCellPoints(static_cast<vtkIdType>(cell), points);
    std::vector<std::size_t> found;
    for (vtkIdType p = 0; p < points->GetNumberOfIds(); ++p) {
        m_data.GetPointCells(points->GetId(p), around);
        for (vtkIdType c = 0; c < around->GetNumberOfIds(); ++c)
            found.push_back(static_cast<std::size_t>(around->GetId(c)));
    }
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    std::erase(found, cell);
    // Around the tip of a fan, all of its cells would be neighbours of each other.
    found.resize(std::min(found.size(), maxNeighbours));
    return found;
}

const CellGradients::Stencil &CellGradients::stencilOf(std::size_t cell)
{
    auto &stencil = m_stencils[cell];
    if (stencil.isMade)
        return stencil;
    stencil.isMade = true;
    std::array<Vector3, 3> normal{};
    for (const auto other : neighboursOf(cell)) {
        const auto d = minus(m_centres[other], m_centres[cell]);
        const double squared = dot(d, d);
        if (!(squared > 0))
            continue; // one upon the other
        stencil.cells.push_back(other);
        stencil.slopes.push_back({d[0] / squared, d[1] / squared, d[2] / squared});
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j)
                normal[i][j] += d[i] * d[j] / squared;
    }
    const PseudoInverse inverse(normal);
    for (auto &slope : stencil.slopes)
        slope = inverse.times(slope);
    return stencil;
}

std::vector<CellGradients::Share> CellGradients::sharesAt(std::size_t cell,
                                                          const std::array<double, 3> &place)
{
    const auto &stencil = stencilOf(cell);
    const auto away = minus(place, m_centres[cell]);
    std::vector<Share> shares{{cell, 1}};
    for (std::size_t k = 0; k < stencil.cells.size(); ++k) {
        const double weight = dot(stencil.slopes[k], away);
        if (weight == 0)
            continue;
        shares.push_back({stencil.cells[k], weight});
        shares.front().weight -= weight;
    }
    return shares;
}

} // namespace gridhelm::data
