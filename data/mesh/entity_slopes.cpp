// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/entity_slopes.h"

#include "core/support/error.h"
#include "data/mesh/fitted_slopes.h"
#include "data/mesh/vtk_messages.h"

#include <vtkGenericCell.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPoints.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace gridhelm::data {
namespace {

using Weights = std::map<std::size_t, Vector3>;

void add(vtkGenericCell &cell, std::size_t corner, const Vector3 &slope, Weights &weights)
{
    auto &sum = weights[static_cast<std::size_t>(cell.GetPointId(static_cast<int>(corner)))];
    for (std::size_t axis = 0; axis < 3; ++axis)
        sum[axis] += slope[axis];
}

/// Polygons and polyhedra, whose functions VTK differentiates roughly: what fits all corners best.
void addFitted(vtkGenericCell &cell, std::size_t here, Weights &weights)
{
    std::vector<Vector3> corners(static_cast<std::size_t>(cell.GetNumberOfPoints()));
    for (std::size_t i = 0; i < corners.size(); ++i)
        cell.GetPoints()->GetPoint(static_cast<vtkIdType>(i), corners[i].data());
    const auto slopes = fittedSlopes(corners[here], corners);
    for (std::size_t i = 0; i < corners.size(); ++i) {
        add(cell, i, slopes[i], weights);
        add(cell, here, minus({}, slopes[i]), weights);
    }
}

/// What the cell says at one of its points; false for a cell without volume.
bool addSlopes(vtkGenericCell &cell, vtkIdType point, Weights &weights)
{
    const auto count = static_cast<std::size_t>(cell.GetNumberOfPoints());
    const auto here = static_cast<std::size_t>(cell.GetPointIds()->IsId(point));
    const double *parametric = cell.GetParametricCoords();
    if (!parametric) {
        addFitted(cell, here, weights);
        return true;
    }
    // A function for each corner that is 1 there and 0 at the others: components of one field.
    std::vector<double> functions(count * count, 0.0), slopes(3 * count, 0.0);
    for (std::size_t i = 0; i < count; ++i)
        functions[i * count + i] = 1;
    cell.Derivatives(0, parametric + 3 * here, functions.data(), static_cast<int>(count),
                     slopes.data());
    if (!std::ranges::all_of(slopes, [](double slope) { return std::isfinite(slope); }))
        return false;
    for (std::size_t i = 0; i < count; ++i)
        add(cell, i, {slopes[3 * i], slopes[3 * i + 1], slopes[3 * i + 2]}, weights);
    return true;
}

} // namespace

EntitySlopes::EntitySlopes(vtkDataSet &data, Association of)
    : m_data(data)
{
    if (of == Association::cell) {
        m_ofCells.emplace(data);
        return;
    }
    vtkNew<vtkGenericCell> cell;
    for (vtkIdType c = 0; c < data.GetNumberOfCells(); ++c) {
        data.GetCell(c, cell);
        if (cell->GetCellDimension() > 0)
            return;
    }
    throw Error("a gradient needs cells between the points of the mesh, and this one has points "
                "alone: use a formula without grad(), div() and curl()");
}

std::vector<EntitySlopes::Share> EntitySlopes::at(std::size_t entity)
{
    if (!m_ofCells)
        return atPoint(entity);
    Weights weights;
    for (const auto &[cell, slope] : m_ofCells->slopeAt(entity)) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            weights[cell][axis] += slope[axis];
            weights[entity][axis] -= slope[axis];
        }
    }
    std::vector<Share> shares;
    for (const auto &[cell, weight] : weights)
        shares.push_back({cell, weight});
    return shares;
}

std::vector<EntitySlopes::Share> EntitySlopes::atPoint(std::size_t point)
{
    const VtkMessages silent; // of cells without volume, which count for nothing
    vtkNew<vtkIdList> around;
    m_data.GetPointCells(static_cast<vtkIdType>(point), around);
    vtkNew<vtkGenericCell> cell;
    int highest = 1;
    for (vtkIdType c = 0; c < around->GetNumberOfIds(); ++c) {
        m_data.GetCell(around->GetId(c), cell);
        highest = std::max(highest, cell->GetCellDimension());
    }
    Weights weights;
    double cells = 0;
    for (vtkIdType c = 0; c < around->GetNumberOfIds(); ++c) {
        m_data.GetCell(around->GetId(c), cell);
        if (cell->GetCellDimension() == highest
            && addSlopes(*cell, static_cast<vtkIdType>(point), weights))
            ++cells;
    }
    double largest = 0;
    for (const auto &[other, weight] : weights)
        for (const double part : weight)
            largest = std::max(largest, std::abs(part));
    std::vector<Share> shares;
    for (auto &[other, weight] : weights) {
        bool counts = false;
        for (auto &part : weight) {
            // In boxes most points count along one axis alone; round-off is not worth its memory.
            part = std::abs(part) > 1e-14 * largest ? part / cells : 0;
            counts = counts || part != 0;
        }
        if (counts)
            shares.push_back({other, weight});
    }
    return shares;
}

} // namespace gridhelm::data
