// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/cell_gradients.h"

#include "data/mesh/fitted_slopes.h"
#include "data/mesh/vector_3.h"

#include <vtkGenericCell.h>
#include <vtkIdList.h>
#include <vtkNew.h>

#include <algorithm>
#include <limits>

namespace gridhelm::data {

namespace {

constexpr std::size_t maxNeighbours = 256;

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
    std::vector<Vector3> around;
    for (const auto other : neighboursOf(cell)) {
        if (m_centres[other] == m_centres[cell])
            continue; // one upon the other
        stencil.cells.push_back(other);
        around.push_back(m_centres[other]);
    }
    stencil.slopes = fittedSlopes(m_centres[cell], around);
    return stencil;
}

std::vector<CellGradients::SlopeShare> CellGradients::slopeAt(std::size_t cell)
{
    const auto &stencil = stencilOf(cell);
    std::vector<SlopeShare> shares;
    for (std::size_t k = 0; k < stencil.cells.size(); ++k)
        shares.push_back({stencil.cells[k], stencil.slopes[k]});
    return shares;
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
