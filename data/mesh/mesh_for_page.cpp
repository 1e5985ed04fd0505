// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/mesh_for_page.h"

#include "core/support/error.h"
#include "data/mesh/linear_cells.h"
#include "data/mesh/mesh_coordinates.h"

#include <vtkCell.h>
#include <vtkCellData.h>
#include <vtkDataSetSurfaceFilter.h>
#include <vtkGenericCell.h>
#include <vtkIdList.h>
#include <vtkIdTypeArray.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkStructuredGrid.h>
#include <vtkTriangleFilter.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>

namespace gridhelm::data {

namespace {

using Numbers = std::vector<std::uint32_t>;

/// Simplices whose corners are points of the mesh, each with its cell.
struct Simplices
{
    Numbers corners, cells;
};

std::uint32_t number(vtkIdType id)
{
    return static_cast<std::uint32_t>(id);
}

vtkIdTypeArray *idsIn(vtkDataSetAttributes &attributes, const char *name)
{
    return vtkIdTypeArray::SafeDownCast(attributes.GetArray(name));
}

/// Triangles and lines of the outer surface.
void addSurface(vtkDataSet &linear, Simplices &triangles, Simplices &lines)
{
    vtkNew<vtkDataSetSurfaceFilter> surface;
    surface->SetInputData(&linear);
    surface->PassThroughPointIdsOn();
    surface->PassThroughCellIdsOn();
    vtkNew<vtkTriangleFilter> filter;
    filter->SetInputConnection(surface->GetOutputPort());
    filter->PassVertsOff();
    filter->Update();
    auto &found = *filter->GetOutput();
    auto *points = idsIn(*found.GetPointData(), surface->GetOriginalPointIdsName());
    auto *cells = idsIn(*found.GetCellData(), surface->GetOriginalCellIdsName());
    if (!points || !cells)
        return;
    vtkNew<vtkIdList> corners;
    for (vtkIdType c = 0; c < found.GetNumberOfCells(); ++c) {
        found.GetCellPoints(c, corners);
        auto &to = corners->GetNumberOfIds() == 3 ? triangles : lines;
        if (corners->GetNumberOfIds() != 3 && corners->GetNumberOfIds() != 2)
            continue;
        for (vtkIdType k = 0; k < corners->GetNumberOfIds(); ++k)
            to.corners.push_back(number(points->GetValue(corners->GetId(k))));
        to.cells.push_back(number(cells->GetValue(c)));
    }
}

Simplices tetrahedraOf(vtkDataSet &linear)
{
    Simplices all;
    vtkNew<vtkGenericCell> cell;
    vtkNew<vtkIdList> corners;
    vtkNew<vtkPoints> places;
    for (vtkIdType c = 0; c < linear.GetNumberOfCells(); ++c) {
        linear.GetCell(c, cell);
        if (cell->GetCellDimension() != 3 || cell->Triangulate(0, corners, places) == 0)
            continue;
        for (vtkIdType k = 0; k + 3 < corners->GetNumberOfIds(); k += 4) {
            for (vtkIdType i = 0; i < 4; ++i)
                all.corners.push_back(number(corners->GetId(k + i)));
            all.cells.push_back(number(c));
        }
    }
    return all;
}

/// Which of the points stand for all: of the points in each box of a grid the first one.
class Clusters
{
public:
    Clusters(vtkDataSet &mesh, const Numbers &points, std::size_t most)
        : m_mesh(mesh)
    {
        mesh.GetBounds(m_bounds.data());
        const double size = std::max(
            {m_bounds[1] - m_bounds[0], m_bounds[3] - m_bounds[2], m_bounds[5] - m_bounds[4]});
        for (double boxes = 2048; boxes >= 2; boxes *= 0.9) {
            m_box = size / boxes;
            m_first.clear();
            for (const auto point : points)
                m_first.try_emplace(keyOf(point), point);
            if (m_first.size() <= most)
                return;
        }
    }

    std::uint32_t standIn(std::uint32_t point) const { return m_first.at(keyOf(point)); }

private:
    std::uint64_t keyOf(std::uint32_t point) const
    {
        std::array<double, 3> x{};
        m_mesh.GetPoint(point, x.data());
        std::uint64_t key = 0;
        for (std::size_t axis = 0; axis < 3; ++axis)
            key = (key << 12U) + static_cast<std::uint64_t>((x[axis] - m_bounds[2 * axis]) / m_box);
        return key;
    }

    vtkDataSet &m_mesh;
    std::array<double, 6> m_bounds{};
    double m_box = 1;
    std::unordered_map<std::uint64_t, std::uint32_t> m_first;
};

/// The corners without simplices that have lost their extent.
void merge(Simplices &simplices, std::size_t corners, const Clusters &clusters)
{
    Simplices kept;
    for (std::size_t s = 0; s < simplices.cells.size(); ++s) {
        Numbers here;
        for (std::size_t k = 0; k < corners; ++k)
            here.push_back(clusters.standIn(simplices.corners[s * corners + k]));
        auto sorted = here;
        std::ranges::sort(sorted);
        if (std::ranges::adjacent_find(sorted) != sorted.end())
            continue;
        kept.corners.insert(kept.corners.end(), here.begin(), here.end());
        kept.cells.push_back(simplices.cells[s]);
    }
    simplices = std::move(kept);
}

/// Those that are named, ascending; the names become places among them.
Numbers renumber(std::initializer_list<Numbers *> names)
{
    Numbers order;
    for (const auto *list : names)
        order.insert(order.end(), list->begin(), list->end());
    std::ranges::sort(order);
    order.erase(std::unique(order.begin(), order.end()), order.end());
    for (auto *list : names)
        for (auto &name : *list)
            name =
                static_cast<std::uint32_t>(std::ranges::lower_bound(order, name) - order.begin());
    return order;
}

/// Every `stride`-th point of a grid in space, and its last one along each axis. A coarse cell has
/// the values of the first of those that it covers.
void thin(PageMesh &mesh, std::array<std::size_t, 3> grid, std::size_t stride)
{
    std::array<Numbers, 3> kept;
    std::array<std::size_t, 3> coarse{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (std::size_t i = 0; i + 1 < grid[axis]; i += stride)
            kept[axis].push_back(static_cast<std::uint32_t>(i));
        kept[axis].push_back(static_cast<std::uint32_t>(grid[axis] - 1));
        coarse[axis] = kept[axis].size();
    }
    const auto all = [&](std::size_t less) {
        Numbers numbers;
        const auto columns = static_cast<std::uint32_t>(grid[0] - less);
        const auto rows = static_cast<std::uint32_t>(grid[1] - less);
        for (std::size_t k = 0; k + less < coarse[2]; ++k)
            for (std::size_t j = 0; j + less < coarse[1]; ++j)
                for (std::size_t i = 0; i + less < coarse[0]; ++i)
                    numbers.push_back((kept[2][k] * rows + kept[1][j]) * columns + kept[0][i]);
        return numbers;
    };
    mesh.points = all(0);
    mesh.cells = all(1);
    mesh.grid = coarse;
}

/// The faces of a grid's six sides.
void addSides(PageMesh &mesh)
{
    const auto &grid = *mesh.grid;
    const std::array<std::size_t, 3> strides{1, grid[0], grid[0] * grid[1]};
    const std::array<std::size_t, 3> cellStrides{1, grid[0] - 1, (grid[0] - 1) * (grid[1] - 1)};
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (const bool isLast : {false, true}) {
            const auto u = (axis + 1) % 3, v = (axis + 2) % 3;
            const auto side = isLast ? (grid[axis] - 1) * strides[axis] : 0;
            const auto sideCell = isLast ? (grid[axis] - 2) * cellStrides[axis] : 0;
            for (std::size_t j = 0; j + 1 < grid[v]; ++j)
                for (std::size_t i = 0; i + 1 < grid[u]; ++i) {
                    const auto here = side + i * strides[u] + j * strides[v];
                    const auto cell = sideCell + i * cellStrides[u] + j * cellStrides[v];
                    for (const auto corner :
                         {here, here + strides[u], here + strides[u] + strides[v], here,
                          here + strides[u] + strides[v], here + strides[v]})
                        mesh.triangles.push_back(static_cast<std::uint32_t>(corner));
                    mesh.triangleCells.insert(mesh.triangleCells.end(), 2,
                                              static_cast<std::uint32_t>(cell));
                }
        }
}

PageMesh gridInSpace(vtkDataSet &data, std::array<std::size_t, 3> grid, std::size_t most)
{
    PageMesh mesh;
    std::size_t stride = 1;
    for (;; ++stride) {
        thin(mesh, grid, stride);
        if (mesh.points.size() <= most || stride >= *std::ranges::max_element(grid))
            break;
    }
    if (stride > 1)
        mesh.reduction = fmt::format("Of the mesh's {} points the page has every {}{} along each "
                                     "axis, {} in all.",
                                     data.GetNumberOfPoints(), stride,
                                     stride == 2   ? "nd"
                                     : stride == 3 ? "rd"
                                                   : "th",
                                     mesh.points.size());
    addSides(mesh);
    return mesh;
}

PageMesh simplicesOf(vtkDataSet &data, std::size_t most)
{
    const auto linear = withLinearCells(data);
    Simplices triangles, lines;
    addSurface(*linear, triangles, lines);
    auto tetrahedra = tetrahedraOf(*linear);
    PageMesh mesh;
    const auto drawn = [&] {
        Numbers all = triangles.corners;
        all.insert(all.end(), lines.corners.begin(), lines.corners.end());
        all.insert(all.end(), tetrahedra.corners.begin(), tetrahedra.corners.end());
        std::ranges::sort(all);
        all.erase(std::unique(all.begin(), all.end()), all.end());
        return all;
    };
    auto points = drawn();
    if (points.size() > most && !tetrahedra.cells.empty()) {
        tetrahedra = {};
        mesh.reduction = "The page has the surface of the mesh alone, without slices.";
        points = drawn();
    }
    if (points.size() > most) {
        const Clusters clusters(data, points, most);
        merge(triangles, 3, clusters);
        merge(lines, 2, clusters);
        mesh.reduction +=
            fmt::format("{}Of the {} points that are drawn the page has {}.",
                        mesh.reduction.empty() ? "" : " ", points.size(), drawn().size());
    }
    mesh.triangles = std::move(triangles.corners);
    mesh.triangleCells = std::move(triangles.cells);
    mesh.lines = std::move(lines.corners);
    mesh.lineCells = std::move(lines.cells);
    mesh.tetrahedra = std::move(tetrahedra.corners);
    mesh.tetrahedronCells = std::move(tetrahedra.cells);
    mesh.points = renumber({&mesh.triangles, &mesh.lines, &mesh.tetrahedra});
    if (mesh.points.empty()) { // a cloud
        const auto count = static_cast<std::size_t>(data.GetNumberOfPoints());
        const auto stride = (count + most - 1) / most;
        for (std::size_t i = 0; i < count; i += stride)
            mesh.points.push_back(static_cast<std::uint32_t>(i));
        if (stride > 1)
            mesh.reduction =
                fmt::format("Of the mesh's {} points the page has {}.", count, mesh.points.size());
    }
    mesh.cells = renumber({&mesh.triangleCells, &mesh.lineCells, &mesh.tetrahedronCells});
    return mesh;
}

/// Along the first axis along which a grid has several points.
std::size_t rowLength(vtkDataSet &data, const PageMesh &mesh)
{
    if (mesh.grid)
        return (*mesh.grid)[0];
    const auto points = gridDimensions(data);
    if (!points || mesh.points.size() != static_cast<std::size_t>(data.GetNumberOfPoints()))
        return 0;
    const auto first = std::ranges::find_if(*points, [](auto along) { return along > 1; });
    return first == points->end() ? 0 : static_cast<std::size_t>(*first);
}

bool isFlat(vtkDataSet &data)
{
    std::array<double, 6> bounds{};
    data.GetBounds(bounds.data());
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double side = bounds[2 * axis + 1] - bounds[2 * axis];
        least = std::min(least, side);
        most = std::max(most, side);
    }
    constexpr double roundOff = 1e-7;
    return least <= roundOff * most;
}

} // namespace

PageMesh pageMesh(vtkDataSet &data, std::size_t mostPoints)
{
    std::optional<std::array<std::size_t, 3>> grid;
    // Of even or uneven distances along the axes; others are cut as solids.
    if (const auto found = gridDimensions(data);
        found && !vtkStructuredGrid::SafeDownCast(&data)
        && std::ranges::all_of(*found, [](auto points) { return points > 1; }))
        grid = {static_cast<std::size_t>((*found)[0]), static_cast<std::size_t>((*found)[1]),
                static_cast<std::size_t>((*found)[2])};
    auto mesh = grid ? gridInSpace(data, *grid, mostPoints) : simplicesOf(data, mostPoints);
    if (mesh.points.empty())
        throw Error("the study's mesh has no points that a page could draw");
    mesh.isFlat = isFlat(data);
    mesh.rowLength = rowLength(data, mesh);
    if (vtkImageData::SafeDownCast(&data) && mesh.isFlat && mesh.rowLength > 1
        && mesh.points.size() >= 2 * mesh.rowLength)
        mesh.image = {mesh.rowLength, mesh.points.size() / mesh.rowLength};
    for (const auto point : mesh.points) {
        std::array<double, 3> x{};
        data.GetPoint(point, x.data());
        mesh.places.insert(mesh.places.end(), x.begin(), x.end());
    }
    return mesh;
}

} // namespace gridhelm::data
