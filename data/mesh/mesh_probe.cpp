// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/mesh_probe.h"

#include "core/support/error.h"
#include "data/mesh/cell_gradients.h"

#include <vtkGenericCell.h>
#include <vtkNew.h>
#include <vtkStaticCellLocator.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>

namespace gridhelm::data {

namespace {

std::string placeText(const std::array<double, 3> &place)
{
    char text[80];
    std::snprintf(text, sizeof text, "%.9g,%.9g,%.9g", place[0], place[1], place[2]);
    return text;
}

} // namespace

MeshProbe::MeshProbe(vtkDataSet &data, std::span<const double> places, OutsideMesh outside,
                     CellValues cellValues)
{
    vtkNew<vtkStaticCellLocator> locator;
    locator->SetDataSet(&data);
    locator->BuildLocator();
    find(data, *locator, places, outside, cellValues);
}

MeshProbe::MeshProbe(vtkDataSet &data, vtkStaticCellLocator &locator,
                     std::span<const double> places)
{
    find(data, locator, places, OutsideMesh::refused, CellValues::constant);
}

void MeshProbe::find(vtkDataSet &data, vtkStaticCellLocator &locator,
                     std::span<const double> places, OutsideMesh outside, CellValues cellValues)
{
    const double tolerance = 1e-6 * data.GetLength();
    vtkNew<vtkGenericCell> cell;
    std::vector<double> weights(static_cast<std::size_t>(std::max(data.GetMaxCellSize(), 8)));
    std::optional<CellGradients> gradients;
    if (cellValues == CellValues::linear)
        gradients.emplace(data);
    for (std::size_t i = 0; i + 2 < places.size(); i += 3) {
        std::array<double, 3> x{places[i], places[i + 1], places[i + 2]}, local{};
        const bool isPlace = std::isfinite(x[0] + x[1] + x[2]); // an empty cell has no middle
        vtkIdType id = !isPlace ? -1
                                : locator.FindCell(x.data(), tolerance * tolerance, cell,
                                                   local.data(), weights.data());
        if (id < 0) { // on the boundary, but for round-off
            std::array<double, 3> nearest{};
            double distance = 0;
            int part = 0;
            if (isPlace)
                locator.FindClosestPoint(x.data(), nearest.data(), cell, id, part, distance);
            const bool isOutside = id < 0 || !(distance <= tolerance * tolerance);
            if (isOutside && outside == OutsideMesh::empty) {
                m_ofPoints.first.push_back(m_ofPoints.shares.size());
                m_ofCells.first.push_back(m_ofCells.shares.size());
                continue;
            }
            if (isOutside) {
                const double *bounds = data.GetBounds();
                throw Error("the position " + placeText(x)
                            + " is outside of the mesh, which reaches from "
                            + placeText({bounds[0], bounds[2], bounds[4]}) + " to "
                            + placeText({bounds[1], bounds[3], bounds[5]}) + ": give one inside");
            }
            data.GetCell(id, cell);
            cell->EvaluatePosition(nearest.data(), nullptr, part, local.data(), distance,
                                   weights.data());
        }
        data.GetCell(id, cell);
        for (vtkIdType p = 0; p < cell->GetNumberOfPoints(); ++p) {
            // At a point of the mesh its value counts alone, whatever the others are.
            constexpr double roundOff = 1e-9;
            const double weight = weights[static_cast<std::size_t>(p)];
            if (std::abs(weight) <= roundOff)
                continue;
            m_ofPoints.shares.push_back({static_cast<std::size_t>(cell->PointIds->GetId(p)),
                                         std::abs(weight - 1) <= roundOff ? 1 : weight});
        }
        m_ofPoints.first.push_back(m_ofPoints.shares.size());
        if (gradients) {
            for (const auto &share : gradients->sharesAt(static_cast<std::size_t>(id), x))
                m_ofCells.shares.push_back({share.cell, share.weight});
        } else {
            m_ofCells.shares.push_back({static_cast<std::size_t>(id), 1});
        }
        m_ofCells.first.push_back(m_ofCells.shares.size());
    }
}

std::vector<float> MeshProbe::sample(const Field &field, std::span<const float> values) const
{
    const auto &[first, shares] = field.association == Association::point ? m_ofPoints : m_ofCells;
    const auto components = static_cast<std::size_t>(field.components);
    std::vector<float> result;
    result.reserve(places() * components);
    for (std::size_t i = 0; i < places(); ++i) {
        for (std::size_t c = 0; c < components; ++c) {
            if (!isInside(i)) {
                result.push_back(std::numeric_limits<float>::quiet_NaN());
                continue;
            }
            double value = 0;
            for (auto k = first[i]; k < first[i + 1]; ++k)
                value += shares[k].weight * values[shares[k].entity * components + c];
            result.push_back(static_cast<float>(value));
        }
    }
    return result;
}

} // namespace gridhelm::data
