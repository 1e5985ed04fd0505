// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/background.h"

#include "core/support/axis_names.h"
#include "core/support/error.h"
#include "data/mesh/boundary_edges.h"
#include "data/mesh/mesh_codec.h"
#include "data/mesh/mesh_coordinates.h"
#include "data/study/image_mesh.h"

#include <fmt/format.h>

#include <vtkCleanPolyData.h>
#include <vtkDataSetSurfaceFilter.h>
#include <vtkGenericCell.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkStaticCellLocator.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace gridhelm::data {

namespace {

using Place = std::array<double, 3>;

/// Parts of a mesh's diagonal that do not count.
constexpr double roundOff = 1e-6;
/// As far as a field is continued by reflection, in distances between nodes.
constexpr double deepest = 3;

double distanceBetween(const Place &a, const Place &b)
{
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/// The nearest point of a data set's cells.
class Nearest
{
public:
    explicit Nearest(vtkDataSet &data)
    {
        m_locator->SetDataSet(&data);
        m_locator->BuildLocator();
    }

    Place to(Place place)
    {
        Place nearest = place;
        vtkIdType id = -1;
        int part = 0;
        double distance = 0;
        m_locator->FindClosestPoint(place.data(), nearest.data(), m_cell, id, part, distance);
        return nearest;
    }

private:
    vtkNew<vtkStaticCellLocator> m_locator;
    vtkNew<vtkGenericCell> m_cell;
};

struct Box
{
    Place low{}, high{};

    double diagonal() const { return distanceBetween(low, high); }
};

Box boxOf(const ImageMesh &image)
{
    Box box{image.origin, image.origin};
    for (std::size_t t = 0; t < 3; ++t)
        box.high[t] += image.spacing[t] * static_cast<double>(image.points[t] - 1);
    return box;
}

std::vector<double> coordinatesOf(const std::vector<Place> &places)
{
    std::vector<double> coordinates;
    coordinates.reserve(3 * places.size());
    for (const auto &place : places)
        coordinates.insert(coordinates.end(), place.begin(), place.end());
    return coordinates;
}

void requireInside(vtkDataSet &data, const ImageMesh &image, const Box &box)
{
    const double *bounds = data.GetBounds();
    const double tolerance = roundOff * box.diagonal();
    for (std::size_t t = 0; t < 3; ++t) {
        const double low = bounds[2 * t], high = bounds[2 * t + 1];
        if (image.points[t] == 1 && high - low > tolerance)
            throw Error(fmt::format("the mesh reaches from {:.6g} to {:.6g} in {}, where the "
                                    "background grid has one point; give it several in the plan's "
                                    "[mesh]",
                                    low, high, axisNames[t]));
        if (low < box.low[t] - tolerance || high > box.high[t] + tolerance)
            throw Error(fmt::format("the mesh reaches from {:.6g} to {:.6g} in {}, and the "
                                    "background grid from {:.6g} to {:.6g}; give the plan's [mesh] "
                                    "a low and a high that hold all shapes",
                                    low, high, axisNames[t], box.low[t], box.high[t]));
    }
}

/// Edges of a flat mesh, faces of a solid one. Blocks, and the two ends of a grid around a hole,
/// may have points in the same places: there is no boundary between them.
vtkSmartPointer<vtkPolyData> outsideOf(vtkDataSet &data, bool isFlat)
{
    vtkNew<vtkDataSetSurfaceFilter> surface;
    surface->SetInputData(&data);
    vtkNew<vtkCleanPolyData> merged;
    merged->SetInputConnection(surface->GetOutputPort());
    merged->SetTolerance(roundOff);
    merged->Update();
    if (!isFlat)
        return merged->GetOutput();
    return boundaryEdges(*merged->GetOutput());
}

std::vector<vtkIdType> sorted(vtkIdList &nodes)
{
    std::vector<vtkIdType> ids(nodes.begin(), nodes.end());
    std::ranges::sort(ids);
    return ids;
}

/// The outside, but what lies in the faces of the box, and faces where two blocks touch.
vtkSmartPointer<vtkPolyData> boundaryOf(vtkDataSet &data, const ImageMesh &image, const Box &box)
{
    const bool isFlat = std::ranges::count(image.points, std::size_t{1}) > 0;
    const auto outside = outsideOf(data, isFlat);
    vtkPolyData &all = *outside;
    const double tolerance = roundOff * box.diagonal();
    const auto isInFace = [&](vtkIdList &nodes) {
        for (std::size_t t = 0; t < 3; ++t) {
            if (image.points[t] == 1)
                continue;
            for (const double face : {box.low[t], box.high[t]}) {
                bool isIn = true;
                for (vtkIdType p = 0; isIn && p < nodes.GetNumberOfIds(); ++p)
                    isIn = std::abs(all.GetPoint(nodes.GetId(p))[t] - face) <= tolerance;
                if (isIn)
                    return true;
            }
        }
        return false;
    };
    auto kept = vtkSmartPointer<vtkPolyData>::New();
    kept->SetPoints(all.GetPoints());
    kept->AllocateEstimate(all.GetNumberOfCells(), 4);
    vtkNew<vtkIdList> nodes;
    std::map<std::vector<vtkIdType>, int> times;
    for (vtkIdType c = 0; c < all.GetNumberOfCells(); ++c) {
        all.GetCellPoints(c, nodes);
        ++times[sorted(*nodes)];
    }
    for (vtkIdType c = 0; c < all.GetNumberOfCells(); ++c) {
        all.GetCellPoints(c, nodes);
        if (times[sorted(*nodes)] == 1 && !isInFace(*nodes))
            kept->InsertNextCell(all.GetCellType(c), nodes);
    }
    return kept;
}

} // namespace

Mesh backgroundMesh(const BackgroundGrid &grid, const Mesh &first)
{
    const auto data = decodeMesh(first);
    const double *bounds = data->GetBounds();
    ImageMesh image;
    image.points = grid.points;
    for (std::size_t t = 0; t < 3; ++t) {
        const bool isFlat = bounds[2 * t + 1] - bounds[2 * t] <= roundOff * data->GetLength();
        if (isFlat && grid.points[t] > 1)
            throw Error(fmt::format("the mesh has no extent in {}, where the background grid has "
                                    "{} points; give it one there, in the plan's [mesh]",
                                    axisNames[t], grid.points[t]));
        if (!isFlat && grid.points[t] == 1)
            throw Error(fmt::format("the mesh has an extent in {}, where the background grid has "
                                    "one point; give it several there, in the plan's [mesh]",
                                    axisNames[t]));
        image.origin[t] = grid.low && !isFlat ? (*grid.low)[t] : bounds[2 * t];
        const double high = grid.high && !isFlat ? (*grid.high)[t] : bounds[2 * t + 1];
        if (!isFlat && !(high > image.origin[t]))
            throw Error(fmt::format("the background grid has no extent in {}: it would reach from "
                                    "{:.6g} to {:.6g}; correct low and high in the plan's [mesh]",
                                    axisNames[t], image.origin[t], high));
        image.spacing[t] =
            isFlat ? 1 : (high - image.origin[t]) / static_cast<double>(grid.points[t] - 1);
    }
    return encodeImageMesh(image);
}

BackgroundSampling::BackgroundSampling(const Mesh &background, const Mesh &mesh,
                                       CellValues cellValues)
{
    const auto image = decodeImageMesh(background);
    const auto data = decodeMesh(mesh);
    const auto box = boxOf(image);
    requireInside(*data, image, box);
    const auto coordinates = placesOfPoints(*decodeMesh(background));
    m_nodes = std::make_unique<const MeshProbe>(*data, coordinates, OutsideMesh::empty, cellValues);
    const auto nodeAt = [&](std::size_t i) {
        return Place{coordinates[3 * i], coordinates[3 * i + 1], coordinates[3 * i + 2]};
    };
    const auto boundary = boundaryOf(*data, image, box);
    m_distance.assign(m_nodes->places(), static_cast<float>(box.diagonal()));
    double spacing = box.diagonal();
    for (std::size_t t = 0; t < 3; ++t)
        spacing = image.points[t] > 1 ? std::min(spacing, image.spacing[t]) : spacing;

    Nearest onMesh(*data);
    std::vector<Place> nearest, opposite;
    for (std::size_t i = 0; i < m_nodes->places(); ++i) {
        if (m_nodes->isInside(i))
            continue;
        const auto node = nodeAt(i), at = onMesh.to(node);
        const double away = distanceBetween(node, at);
        const double most = deepest * spacing;
        const double deep = most * std::tanh(away / most) / away;
        auto within = at;
        for (std::size_t t = 0; t < 3; ++t)
            within[t] += deep * (at[t] - node[t]);
        m_outside.push_back(i);
        m_distance[i] = -static_cast<float>(away);
        nearest.push_back(at);
        opposite.push_back(within);
    }
    if (m_outside.size() == m_nodes->places())
        throw Error("no node of the background grid is inside of the mesh; give it more points, or "
                    "other ends, in the plan's [mesh]");
    if (boundary->GetNumberOfCells() > 0) {
        Nearest onBoundary(*boundary);
        for (std::size_t i = 0; i < m_nodes->places(); ++i)
            if (m_nodes->isInside(i))
                m_distance[i] =
                    static_cast<float>(distanceBetween(nodeAt(i), onBoundary.to(nodeAt(i))));
    }
    if (m_outside.empty())
        return;
    m_nearest = std::make_unique<const MeshProbe>(*data, coordinatesOf(nearest), OutsideMesh::empty,
                                                  cellValues);
    m_opposite = std::make_unique<const MeshProbe>(*data, coordinatesOf(opposite),
                                                   OutsideMesh::empty, cellValues);
}

std::vector<float> BackgroundSampling::sample(const Field &field,
                                              std::span<const float> values) const
{
    auto result = m_nodes->sample(field, values);
    if (m_outside.empty())
        return result;
    const auto components = static_cast<std::size_t>(field.components);
    const auto nearest = m_nearest->sample(field, values);
    const auto opposite = m_opposite->sample(field, values);
    for (std::size_t k = 0; k < m_outside.size(); ++k) {
        for (std::size_t c = 0; c < components; ++c) {
            const float inside = opposite[k * components + c];
            // Round-off might have lost one of them, or both; nothing but smoothness depends on it.
            float value = m_opposite->isInside(k) ? inside : 0;
            if (m_nearest->isInside(k)) {
                const float there = nearest[k * components + c];
                value = m_opposite->isInside(k) ? 2 * there - inside : there;
            }
            result[m_outside[k] * components + c] = value;
        }
    }
    return result;
}

} // namespace gridhelm::data
