// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/boundary_edges.h"

#include <vtkCellArray.h>
#include <vtkNew.h>
#include <vtkPoints.h>

#include <algorithm>
#include <vector>

namespace gridhelm::data {

namespace {

/// action(a, b) for each edge of each face, a < b.
template <typename Ids, typename Action>
void forEdgesIn(Ids &offsets, Ids &connectivity, vtkIdType faces, Action action)
{
    const auto *begins = offsets.GetPointer(0);
    const auto *nodes = connectivity.GetPointer(0);
    for (vtkIdType face = 0; face < faces; ++face) {
        const auto begin = begins[face], end = begins[face + 1];
        for (auto i = begin; i < end; ++i) {
            const auto from = nodes[i], to = nodes[i + 1 < end ? i + 1 : begin];
            if (from != to)
                action(static_cast<std::size_t>(std::min(from, to)),
                       static_cast<vtkIdType>(std::max(from, to)));
        }
    }
}

template <typename Action>
void forEdges(vtkCellArray &faces, Action action)
{
    const auto count = faces.GetNumberOfCells();
    if (faces.IsStorage64Bit())
        forEdgesIn(*faces.GetOffsetsArray64(), *faces.GetConnectivityArray64(), count, action);
    else
        forEdgesIn(*faces.GetOffsetsArray32(), *faces.GetConnectivityArray32(), count, action);
}

/// Points that edges name get numbers in the order in which they are named.
class NamedPoints
{
public:
    explicit NamedPoints(vtkPoints &all)
        : m_all(all)
        , m_numbers(static_cast<std::size_t>(all.GetNumberOfPoints()), -1)
    {
        m_named->SetDataType(all.GetDataType());
    }

    vtkIdType numberOf(vtkIdType point)
    {
        auto &number = m_numbers[static_cast<std::size_t>(point)];
        if (number < 0)
            number = m_named->InsertNextPoint(m_all.GetPoint(point));
        return number;
    }
    vtkPoints *named() const { return m_named; }

private:
    vtkPoints &m_all;
    std::vector<vtkIdType> m_numbers;
    vtkNew<vtkPoints> m_named;
};

} // namespace

// Not vtkFeatureEdges, which (VTK 9.1) reserves memory for the square of the number of points: more
// than there is from a million on.
vtkSmartPointer<vtkPolyData> boundaryEdges(vtkPolyData &surface)
{
    auto edges = vtkSmartPointer<vtkPolyData>::New();
    vtkCellArray *faces = surface.GetPolys();
    if (surface.GetNumberOfPoints() == 0 || faces->GetNumberOfCells() == 0)
        return edges;
    // The other ends of each point's edges, as often as faces have them, one point after the other.
    std::vector<std::size_t> begins(static_cast<std::size_t>(surface.GetNumberOfPoints()) + 1, 0);
    forEdges(*faces, [&](std::size_t a, vtkIdType) { ++begins[a + 1]; });
    for (std::size_t i = 1; i < begins.size(); ++i)
        begins[i] += begins[i - 1];
    std::vector<vtkIdType> ends(begins.back());
    auto next = begins;
    forEdges(*faces, [&](std::size_t a, vtkIdType b) { ends[next[a]++] = b; });

    NamedPoints points(*surface.GetPoints());
    vtkNew<vtkCellArray> lines;
    for (std::size_t a = 0; a + 1 < begins.size(); ++a) {
        const auto begin = ends.begin() + static_cast<std::ptrdiff_t>(begins[a]);
        const auto end = ends.begin() + static_cast<std::ptrdiff_t>(begins[a + 1]);
        std::sort(begin, end);
        for (auto b = begin; b != end;) {
            const auto after = std::upper_bound(b, end, *b);
            if (after - b == 1) {
                const vtkIdType line[2] = {points.numberOf(static_cast<vtkIdType>(a)),
                                           points.numberOf(*b)};
                lines->InsertNextCell(2, line);
            }
            b = after;
        }
    }
    edges->SetPoints(points.named());
    edges->SetLines(lines);
    return edges;
}

} // namespace gridhelm::data
