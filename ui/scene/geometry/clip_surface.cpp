// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/geometry/clip_surface.h"

#include <vtkCellArray.h>
#include <vtkCellType.h>
#include <vtkClipPolyData.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPoints.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace gridhelm::ui {
namespace {

/// Cells of one sort, and those of the mesh that they are faces of.
struct KeptCells
{
    vtkNew<vtkCellArray> corners;
    std::vector<vtkIdType> cells;

    void add(const std::vector<vtkIdType> &points, vtkIdType cell)
    {
        corners->InsertNextCell(static_cast<vtkIdType>(points.size()), points.data());
        cells.push_back(cell);
    }
};

/// Cuts the cells of a surface one after the other; neighbours share the vertices on their edges.
class SurfaceClip
{
public:
    SurfaceClip(const OuterSurface &surface, vtkPlane &plane)
        : m_surface(*surface.polyData())
        , m_points(surface.ids(data::Association::point))
        , m_cells(surface.ids(data::Association::cell))
        , m_kept(m_points.size(), none)
    {
        m_places->SetDataTypeToDouble();
        m_inside.reserve(m_points.size());
        for (vtkIdType i = 0; i < m_surface.GetNumberOfPoints(); ++i)
            m_inside.push_back(plane.EvaluateFunction(m_surface.GetPoint(i)));
    }

    SliceSurface run()
    {
        vtkNew<vtkIdList> ids;
        for (vtkIdType c = 0; c < m_surface.GetNumberOfCells(); ++c) {
            m_surface.GetCellPoints(c, ids);
            const std::vector<vtkIdType> corners(ids->begin(), ids->end());
            const auto cell = m_cells[static_cast<std::size_t>(c)];
            switch (m_surface.GetCellType(c)) {
            case VTK_VERTEX:
            case VTK_POLY_VERTEX:
                keepWhole(corners, cell, m_vertices);
                break;
            case VTK_LINE:
            case VTK_POLY_LINE:
                keepWhole(corners, cell, m_lines);
                break;
            case VTK_TRIANGLE_STRIP:
                for (std::size_t i = 0; i + 2 < corners.size(); ++i)
                    clip({corners[i], corners[i + 1], corners[i + 2]}, cell);
                break;
            default:
                clip(corners, cell);
            }
        }
        m_result.polygons = vtkSmartPointer<vtkPolyData>::New();
        m_result.polygons->SetPoints(m_places);
        m_result.polygons->SetVerts(m_vertices.corners);
        m_result.polygons->SetLines(m_lines.corners);
        m_result.polygons->SetPolys(m_polygons.corners);
        for (const auto *sort : {&m_vertices, &m_lines, &m_polygons}) // VTK's order
            m_result.cells.insert(m_result.cells.end(), sort->cells.begin(), sort->cells.end());
        return std::move(m_result);
    }

private:
    static constexpr vtkIdType none = -1;

    double inside(vtkIdType point) const { return m_inside[static_cast<std::size_t>(point)]; }

    vtkIdType add(const std::array<double, 3> &at, const ValueSource &source)
    {
        m_result.vertices.push_back(source);
        return m_places->InsertNextPoint(at.data());
    }

    vtkIdType kept(vtkIdType point)
    {
        auto &vertex = m_kept[static_cast<std::size_t>(point)];
        if (vertex == none) {
            const auto id = idOf(point);
            vertex = add(placeOf(point), {id, id, 0});
        }
        return vertex;
    }

    /// Where the plane meets the edge between two points, of which one is kept.
    vtkIdType between(vtkIdType a, vtkIdType b)
    {
        const auto edge = std::minmax({a, b});
        const auto [found, isNew] = m_onEdges.try_emplace(edge, none);
        if (isNew) {
            const auto [first, second] = edge;
            const double part = inside(first) / (inside(first) - inside(second));
            auto at = placeOf(first);
            const auto to = placeOf(second);
            for (std::size_t t = 0; t < 3; ++t)
                at[t] += part * (to[t] - at[t]);
            found->second = add(at, {idOf(first), idOf(second), static_cast<float>(part)});
        }
        return found->second;
    }

    void keepWhole(const std::vector<vtkIdType> &corners, vtkIdType cell, KeptCells &cells)
    {
        std::vector<vtkIdType> vertices;
        for (const auto corner : corners) {
            if (inside(corner) < 0)
                return;
            vertices.push_back(kept(corner));
        }
        cells.add(vertices, cell);
    }

    /// As Sutherland and Hodgman do.
    void clip(const std::vector<vtkIdType> &corners, vtkIdType cell)
    {
        std::vector<vtkIdType> vertices;
        for (std::size_t i = 0; i < corners.size(); ++i) {
            const auto here = corners[i], next = corners[(i + 1) % corners.size()];
            if (inside(here) >= 0)
                vertices.push_back(kept(here));
            if ((inside(here) > 0 && inside(next) < 0) || (inside(here) < 0 && inside(next) > 0))
                vertices.push_back(between(here, next));
        }
        if (vertices.size() > 2)
            m_polygons.add(vertices, cell);
    }

    std::uint32_t idOf(vtkIdType point) const
    {
        return static_cast<std::uint32_t>(m_points[static_cast<std::size_t>(point)]);
    }
    std::array<double, 3> placeOf(vtkIdType point) const
    {
        std::array<double, 3> at{};
        m_surface.GetPoint(point, at.data());
        return at;
    }

    vtkPolyData &m_surface;
    const std::vector<vtkIdType> &m_points, &m_cells; ///< of the mesh
    std::vector<double> m_inside;                     ///< of each point; negative: cut away
    std::vector<vtkIdType> m_kept;                    ///< its vertex
    std::map<std::pair<vtkIdType, vtkIdType>, vtkIdType> m_onEdges;
    vtkNew<vtkPoints> m_places;
    KeptCells m_vertices, m_lines, m_polygons;
    SliceSurface m_result;
};

void append(SliceSurface &surface, const SliceSurface &cut)
{
    const auto first = surface.polygons->GetNumberOfPoints();
    for (vtkIdType i = 0; i < cut.polygons->GetNumberOfPoints(); ++i)
        surface.polygons->GetPoints()->InsertNextPoint(cut.polygons->GetPoint(i));
    surface.polygons->GetPolys()->Append(cut.polygons->GetPolys(), first);
    surface.vertices.insert(surface.vertices.end(), cut.vertices.begin(), cut.vertices.end());
    surface.cells.insert(surface.cells.end(), cut.cells.begin(), cut.cells.end());
}

} // namespace

vtkSmartPointer<vtkPlane> planeOf(const ClipPlane &clip)
{
    auto normal = clip.plane.normal, origin = clip.plane.normal;
    for (std::size_t t = 0; t < 3; ++t) {
        origin[t] *= clip.plane.cutPosition();
        normal[t] *= clip.isInverted ? 1 : -1;
    }
    auto plane = vtkSmartPointer<vtkPlane>::New();
    plane->SetNormal(normal.data());
    plane->SetOrigin(origin.data());
    return plane;
}

SliceSurface clippedSurface(vtkDataSet &mesh, const OuterSurface &surface, const ClipPlane &clip,
                            SliceCells cells)
{
    const auto cut = sliceSurface(mesh, clip.plane, cells);
    const bool isKnown = !cut.vertices.empty()
                         && cut.polygons->GetNumberOfPolys() == cut.polygons->GetNumberOfCells()
                         && !(cells == SliceCells::known && cut.cells.empty());
    if (!isKnown)
        return {};
    auto both = SurfaceClip(surface, *planeOf(clip)).run();
    append(both, cut);
    if (cells == SliceCells::unknown)
        both.cells.clear();
    return both;
}

vtkSmartPointer<vtkAlgorithm> clipped(vtkAlgorithm &polygons, const ClipPlane &clip)
{
    auto clipper = vtkSmartPointer<vtkClipPolyData>::New();
    clipper->SetInputConnection(polygons.GetOutputPort());
    clipper->SetClipFunction(planeOf(clip));
    return clipper;
}

} // namespace gridhelm::ui
