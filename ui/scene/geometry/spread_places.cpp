// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/geometry/spread_places.h"

#include <vtkGenericCell.h>
#include <vtkNew.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace gridhelm::ui {
namespace {

using Place = std::array<double, 3>;

class Centres
{
public:
    Centres(vtkDataSet &mesh, data::Association association)
        : m_mesh(mesh)
        , m_atPoints(association == data::Association::point)
        , m_weights(static_cast<std::size_t>(std::max(mesh.GetMaxCellSize(), 8)))
    {
    }

    vtkIdType count() const
    {
        return m_atPoints ? m_mesh.GetNumberOfPoints() : m_mesh.GetNumberOfCells();
    }

    Place operator()(vtkIdType entity)
    {
        Place place{};
        if (m_atPoints) {
            m_mesh.GetPoint(entity, place.data());
            return place;
        }
        m_mesh.GetCell(entity, m_cell);
        Place local{};
        int part = m_cell->GetParametricCenter(local.data());
        m_cell->EvaluateLocation(part, local.data(), place.data(), m_weights.data());
        return place;
    }

private:
    vtkDataSet &m_mesh;
    bool m_atPoints;
    vtkNew<vtkGenericCell> m_cell;
    std::vector<double> m_weights;
};

/// Edge of cubes so that about `count` fill the box; sides shorter than the edge count as one.
double edgeOf(const MeshShape &shape, int count)
{
    std::vector<double> sides;
    for (const Axis axis : {Axis::x, Axis::y, Axis::z})
        if (shape.extent(axis) > 1e-6 * shape.longestSide())
            sides.push_back(shape.extent(axis));
    std::ranges::sort(sides);
    while (!sides.empty()) {
        double size = 1;
        for (const double side : sides)
            size *= side;
        const double edge = std::pow(size / count, 1.0 / static_cast<double>(sides.size()));
        if (edge <= sides.front() || sides.size() == 1)
            return edge;
        sides.erase(sides.begin());
    }
    return 1;
}

} // namespace

SpreadPlaces spreadOver(vtkDataSet &mesh, const MeshShape &shape, data::Association association,
                        int count)
{
    SpreadPlaces spread;
    spread.distance = edgeOf(shape, count);
    std::array<std::size_t, 3> boxes{1, 1, 1};
    std::array<double, 3> edges{};
    for (std::size_t t = 0; t < 3; ++t) {
        const double extent = shape.extent(static_cast<Axis>(t));
        boxes[t] = static_cast<std::size_t>(std::max(1.0, std::round(extent / spread.distance)));
        edges[t] = extent / static_cast<double>(boxes[t]);
    }
    struct Candidate
    {
        double squaredDistance = std::numeric_limits<double>::infinity();
        vtkIdType entity = -1;
        Place place{};
    };
    std::map<std::size_t, Candidate> nearest; // of box
    Centres centres(mesh, association);
    for (vtkIdType entity = 0; entity < centres.count(); ++entity) {
        const Place place = centres(entity);
        std::size_t box = 0;
        double squared = 0;
        for (std::size_t t = 3; t-- > 0;) {
            std::size_t index = 0;
            if (edges[t] > 0) {
                const double along = (place[t] - shape.bounds[2 * t]) / edges[t];
                const double most = static_cast<double>(boxes[t] - 1);
                const double inside = std::clamp(std::floor(along), 0.0, most);
                index = static_cast<std::size_t>(inside);
                squared += std::pow((along - inside - 0.5) * edges[t], 2);
            }
            box = box * boxes[t] + index;
        }
        auto &best = nearest[box];
        // By more than round-off: rows of equally near ones are chosen alike in all boxes.
        if (best.entity < 0 || squared < best.squaredDistance * (1 - 1e-9))
            best = {squared, entity, place};
    }
    for (const auto &[box, candidate] : nearest) {
        spread.entities.push_back(candidate.entity);
        spread.places.push_back(candidate.place);
    }
    return spread;
}

} // namespace gridhelm::ui
