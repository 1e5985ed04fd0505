// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/geometry/slice_surface.h"

#include "ui/scene/geometry/mesh_axes.h"

#include <vtkCell.h>
#include <vtkCellArray.h>
#include <vtkCutter.h>
#include <vtkGenericCell.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPlane.h>
#include <vtkPoints.h>
#include <vtkStaticCellLocator.h>
#include <vtkStaticPointLocator.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace gridhelm::ui {
namespace {

constexpr float nothing = 1e-4F; // a point of which there is less does not count

ValueSource between(std::size_t first, std::size_t second, double ofSecond)
{
    const auto a = static_cast<std::uint32_t>(first), b = static_cast<std::uint32_t>(second);
    const auto part = static_cast<float>(ofSecond);
    if (part > 1 - nothing)
        return {b, b, 0};
    if (part < nothing)
        return {a, a, 0};
    return {a, b, part};
}

/// The axis across which the plane lies; none if it is tilted.
std::optional<std::size_t> axisOf(const SlicePlane &plane)
{
    for (std::size_t t = 0; t < 3; ++t)
        if (plane.normal[t] == 1)
            return t;
    return std::nullopt;
}

/// Whole rectangles between the lines of the mesh.
SliceSurface acrossAxis(const MeshAxes &axes, std::size_t across, double position)
{
    const auto &lists = axes.coordinates;
    const std::size_t u = across == 0 ? 1 : 0, v = across == 2 ? 1 : 2;
    const auto strides = axes.strides();
    const std::array<std::size_t, 3> cellStrides{1, lists[0].size() - 1,
                                                 (lists[0].size() - 1) * (lists[1].size() - 1)};
    const auto [cell, part] = placeOnAxis(lists[across], position);
    const std::size_t along = lists[u].size(), up = lists[v].size();
    SliceSurface slice;
    vtkNew<vtkPoints> points;
    points->SetNumberOfPoints(static_cast<vtkIdType>(along * up));
    slice.vertices.reserve(along * up);
    for (std::size_t j = 0; j < up; ++j) {
        for (std::size_t i = 0; i < along; ++i) {
            std::array<double, 3> at{};
            at[across] = position;
            at[u] = lists[u][i];
            at[v] = lists[v][j];
            points->SetPoint(static_cast<vtkIdType>(slice.vertices.size()), at.data());
            const std::size_t node = i * strides[u] + j * strides[v] + cell * strides[across];
            slice.vertices.push_back(between(node, node + strides[across], part));
        }
    }
    vtkNew<vtkCellArray> quads;
    quads->AllocateExact(static_cast<vtkIdType>((along - 1) * (up - 1)),
                         static_cast<vtkIdType>(4 * (along - 1) * (up - 1)));
    for (std::size_t j = 0; j + 1 < up; ++j) {
        for (std::size_t i = 0; i + 1 < along; ++i) {
            const auto corner = static_cast<vtkIdType>(j * along + i);
            const auto above = corner + static_cast<vtkIdType>(along);
            const std::array<vtkIdType, 4> corners{corner, corner + 1, above + 1, above};
            quads->InsertNextCell(4, corners.data());
            slice.cells.push_back(static_cast<vtkIdType>(i * cellStrides[u] + j * cellStrides[v]
                                                         + cell * cellStrides[across]));
        }
    }
    slice.polygons = vtkSmartPointer<vtkPolyData>::New();
    slice.polygons->SetPoints(points);
    slice.polygons->SetPolys(quads);
    return slice;
}

vtkSmartPointer<vtkPolyData> cut(vtkDataSet &mesh, const SlicePlane &plane)
{
    auto shape = vtkSmartPointer<vtkDataSet>::Take(mesh.NewInstance());
    shape->CopyStructure(&mesh);
    const auto cutter = cutterOf(plane);
    cutter->SetInputData(shape);
    cutter->Update();
    return cutter->GetOutput();
}

/// In which their middles lie. VTK's fast cutter of linear cells does not say it.
std::vector<vtkIdType> cellsAround(vtkDataSet &mesh, vtkPolyData &polygons)
{
    vtkNew<vtkStaticCellLocator> locator;
    locator->SetDataSet(&mesh);
    locator->BuildLocator();
    std::vector<vtkIdType> cells;
    cells.reserve(static_cast<std::size_t>(polygons.GetNumberOfCells()));
    vtkNew<vtkIdList> corners;
    vtkNew<vtkGenericCell> cell;
    for (vtkIdType c = 0; c < polygons.GetNumberOfCells(); ++c) {
        polygons.GetCellPoints(c, corners);
        std::array<double, 3> middle{};
        for (vtkIdType i = 0; i < corners->GetNumberOfIds(); ++i) {
            const double *at = polygons.GetPoint(corners->GetId(i));
            for (std::size_t t = 0; t < 3; ++t)
                middle[t] += at[t] / static_cast<double>(corners->GetNumberOfIds());
        }
        // Round-off may put it beside all cells.
        vtkIdType nearest = -1;
        std::array<double, 3> there{};
        int part = 0;
        double distance2 = 0;
        locator->FindClosestPoint(middle.data(), there.data(), cell, nearest, part, distance2);
        if (nearest < 0)
            return {};
        cells.push_back(nearest);
    }
    return cells;
}

/// Of an image or a rectilinear mesh, all whose edges are parallel to an axis.
std::vector<ValueSource> sourcesOnAxes(const MeshAxes &axes, vtkPolyData &polygons)
{
    constexpr double slack = 1e-3; // of a cell
    const auto strides = axes.strides();
    std::vector<ValueSource> sources;
    sources.reserve(static_cast<std::size_t>(polygons.GetNumberOfPoints()));
    for (vtkIdType v = 0; v < polygons.GetNumberOfPoints(); ++v) {
        std::array<double, 3> at{};
        polygons.GetPoint(v, at.data());
        std::array<AxisPlace, 3> places;
        std::array<double, 3> beside{}; // the nearest point
        for (std::size_t t = 0; t < 3; ++t) {
            places[t] = placeOnAxis(axes.coordinates[t], at[t]);
            beside[t] = std::abs(places[t].part - std::round(places[t].part));
        }
        const auto along =
            static_cast<std::size_t>(std::ranges::max_element(beside) - beside.begin());
        std::size_t node = places[along].cell * strides[along];
        for (std::size_t t = 0; t < 3; ++t) {
            if (t == along)
                continue;
            if (beside[t] > slack)
                return {};
            node += (places[t].cell + (places[t].part > 0.5 ? 1U : 0U)) * strides[t];
        }
        const bool isThin = axes.coordinates[along].size() < 2;
        sources.push_back(between(node, isThin ? node : node + strides[along], places[along].part));
    }
    return sources;
}

/// Gives the vertices of a slice their sources, edge by edge.
class EdgeSources
{
public:
    explicit EdgeSources(vtkPolyData &polygons)
        : m_sources(static_cast<std::size_t>(polygons.GetNumberOfPoints()))
        , m_isFound(m_sources.size(), false)
    {
        m_locator->SetDataSet(&polygons);
        m_locator->BuildLocator();
        std::array<double, 6> bounds{};
        polygons.GetBounds(bounds.data());
        for (const double bound : bounds)
            m_farthest = std::max(m_farthest, std::abs(bound));
    }

    void add(const std::array<double, 3> &at, double slack, const ValueSource &source)
    {
        // Vertices have single precision.
        constexpr double roundOff = 4e-7;
        m_locator->FindPointsWithinRadius(std::max(slack, roundOff * m_farthest), at.data(),
                                          m_near);
        for (vtkIdType i = 0; i < m_near->GetNumberOfIds(); ++i) {
            const auto vertex = static_cast<std::size_t>(m_near->GetId(i));
            if (!m_isFound[vertex]) {
                m_isFound[vertex] = true;
                m_sources[vertex] = source;
                ++m_found;
            }
        }
    }
    bool areAllFound() const { return m_found == m_sources.size(); }
    std::vector<ValueSource> take() { return std::move(m_sources); }

private:
    vtkNew<vtkStaticPointLocator> m_locator;
    vtkNew<vtkIdList> m_near;
    std::vector<ValueSource> m_sources;
    std::vector<bool> m_isFound;
    std::size_t m_found = 0;
    double m_farthest = 0; ///< coordinate
};

/// Of any mesh: the points in which the plane meets the edges of its cells are those of the slice.
std::vector<ValueSource> sourcesOnEdges(vtkDataSet &mesh, vtkPolyData &polygons,
                                        const SlicePlane &plane)
{
    const auto placeOf = [&mesh](vtkIdType point) {
        std::array<double, 3> at{};
        mesh.GetPoint(point, at.data());
        return at;
    };
    std::vector<double> beyond(static_cast<std::size_t>(mesh.GetNumberOfPoints()));
    const double position = plane.cutPosition();
    for (std::size_t i = 0; i < beyond.size(); ++i) {
        const auto at = placeOf(static_cast<vtkIdType>(i));
        beyond[i] =
            plane.normal[0] * at[0] + plane.normal[1] * at[1] + plane.normal[2] * at[2] - position;
    }
    EdgeSources sources(polygons);
    vtkNew<vtkIdList> points;
    vtkNew<vtkGenericCell> cell;
    for (vtkIdType number = 0; number < mesh.GetNumberOfCells(); ++number) {
        mesh.GetCellPoints(number, points);
        bool hasBelow = false, hasAbove = false;
        for (vtkIdType i = 0; i < points->GetNumberOfIds(); ++i) {
            const double side = beyond[static_cast<std::size_t>(points->GetId(i))];
            hasBelow = hasBelow || side <= 0;
            hasAbove = hasAbove || side >= 0;
        }
        if (!hasBelow || !hasAbove)
            continue;
        mesh.GetCell(number, cell);
        for (int e = 0; e < cell->GetNumberOfEdges(); ++e) {
            auto *ends = cell->GetEdge(e)->GetPointIds();
            const auto a = static_cast<std::size_t>(ends->GetId(0));
            const auto b = static_cast<std::size_t>(ends->GetId(1));
            if ((beyond[a] < 0) == (beyond[b] < 0) && beyond[a] != 0 && beyond[b] != 0)
                continue;
            const double part = beyond[a] == beyond[b] ? 0 : beyond[a] / (beyond[a] - beyond[b]);
            if (!(part >= 0 && part <= 1))
                continue;
            const auto from = placeOf(ends->GetId(0)), to = placeOf(ends->GetId(1));
            std::array<double, 3> at{};
            double length = 0;
            for (std::size_t t = 0; t < 3; ++t) {
                at[t] = from[t] + part * (to[t] - from[t]);
                length = std::max(length, std::abs(to[t] - from[t]));
            }
            constexpr double slack = 1e-5; // of an edge
            sources.add(at, slack * length, between(a, b, part));
            if (sources.areAllFound())
                return sources.take();
        }
    }
    return {};
}

} // namespace

vtkSmartPointer<vtkCutter> cutterOf(const SlicePlane &plane)
{
    auto origin = plane.normal;
    for (double &x : origin)
        x *= plane.cutPosition();
    vtkNew<vtkPlane> cut;
    cut->SetNormal(plane.normal.data());
    cut->SetOrigin(origin.data());
    auto cutter = vtkSmartPointer<vtkCutter>::New();
    cutter->SetCutFunction(cut);
    return cutter;
}

SliceSurface sliceSurface(vtkDataSet &mesh, const SlicePlane &plane, SliceCells cells)
{
    const auto axes = meshAxes(mesh);
    const auto across = axisOf(plane);
    const bool isSolid =
        std::ranges::all_of(axes.coordinates, [](const auto &list) { return list.size() > 1; });
    if (across && isSolid)
        return acrossAxis(axes, *across, plane.position);
    SliceSurface slice;
    slice.polygons = cut(mesh, plane);
    slice.vertices = axes.isEmpty() ? sourcesOnEdges(mesh, *slice.polygons, plane)
                                    : sourcesOnAxes(axes, *slice.polygons);
    if (cells == SliceCells::known)
        slice.cells = cellsAround(mesh, *slice.polygons);
    return slice;
}

} // namespace gridhelm::ui
