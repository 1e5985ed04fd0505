// SPDX-License-Identifier: GPL-3.0-or-later
//
// The outline of a flat mesh: what VTK's own filter says of small ones, and of large ones that it
// has no memory for.
#include "data/mesh/boundary_edges.h"

#include "data/mesh/mesh_codec.h"
#include "tests/data/plate_meshes.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <vtkCellArray.h>
#include <vtkDataSetSurfaceFilter.h>
#include <vtkFeatureEdges.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPoints.h>

#include <algorithm>
#include <array>
#include <set>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

using Ends = std::array<std::array<double, 3>, 2>;

/// Whatever the order of lines, and of their ends.
std::multiset<Ends> linesOf(vtkPolyData &edges)
{
    std::multiset<Ends> lines;
    vtkNew<vtkIdList> nodes;
    for (vtkIdType i = 0; i < edges.GetNumberOfLines(); ++i) {
        edges.GetLines()->GetCellAtId(i, nodes);
        Ends ends;
        for (std::size_t e = 0; e < 2; ++e)
            edges.GetPoint(nodes->GetId(static_cast<vtkIdType>(e)), ends[e].data());
        std::ranges::sort(ends);
        lines.insert(ends);
    }
    return lines;
}

std::multiset<Ends> linesByVtk(vtkPolyData &surface)
{
    vtkNew<vtkPolyData> bare;
    bare->CopyStructure(&surface);
    vtkNew<vtkFeatureEdges> edges;
    edges->SetInputData(bare);
    edges->BoundaryEdgesOn();
    edges->FeatureEdgesOff();
    edges->NonManifoldEdgesOff();
    edges->ManifoldEdgesOff();
    edges->Update();
    return linesOf(*edges->GetOutput());
}

} // namespace

class BoundaryEdgesTest : public QObject
{
    Q_OBJECT

private slots:
    void theyAreVtks()
    {
        for (const int around : {8, 24}) {
            vtkNew<vtkDataSetSurfaceFilter> surface;
            const auto plate = decodeMesh(plateWithHole(0.5, around, 4));
            surface->SetInputData(plate);
            surface->Update();
            const auto edges = boundaryEdges(*surface->GetOutput());
            const auto lines = linesOf(*edges);
            QVERIFY(lines.size() > static_cast<std::size_t>(around));
            QVERIFY(lines == linesByVtk(*surface->GetOutput()));
            QVERIFY(edges->GetNumberOfPoints() < surface->GetOutput()->GetNumberOfPoints());
        }
    }

    /// Two triangles and a quad around an edge of three faces, a face that names a point twice.
    void facesOfAnyKindCount()
    {
        vtkNew<vtkPoints> points;
        for (int i = 0; i < 8; ++i) {
            const int column = i % 3, row = i / 3;
            points->InsertNextPoint(column, row, i == 7 ? 1 : 0);
        }
        vtkNew<vtkCellArray> faces;
        const auto add = [&](std::initializer_list<vtkIdType> nodes) {
            faces->InsertNextCell(static_cast<vtkIdType>(nodes.size()), nodes.begin());
        };
        add({0, 1, 3});
        add({1, 4, 3});
        add({1, 2, 5, 4});
        add({1, 4, 7});
        vtkNew<vtkPolyData> surface;
        surface->SetPoints(points);
        surface->SetPolys(faces);
        const auto lines = linesOf(*boundaryEdges(*surface));
        QCOMPARE(lines.size(), std::size_t{8}); // 01 03 43 12 25 54 47 17
        QVERIFY(lines == linesByVtk(*surface));
        add({6, 6, 3});
        surface->SetPolys(faces);
        QCOMPARE(linesOf(*boundaryEdges(*surface)).size(), std::size_t{8}); // 63 comes twice
    }

    void nothingHasNone()
    {
        vtkNew<vtkPolyData> nothing;
        QCOMPARE(boundaryEdges(*nothing)->GetNumberOfLines(), vtkIdType{0});
    }

    void aMillionPointsFitIntoMemory()
    {
        constexpr int side = 1200;
        vtkNew<vtkPoints> points;
        vtkNew<vtkCellArray> faces;
        for (int j = 0; j <= side; ++j)
            for (int i = 0; i <= side; ++i)
                points->InsertNextPoint(i, j, 0);
        for (int j = 0; j < side; ++j)
            for (int i = 0; i < side; ++i) {
                const vtkIdType first = j * (side + 1) + i;
                const vtkIdType face[4] = {first, first + 1, first + side + 2, first + side + 1};
                faces->InsertNextCell(4, face);
            }
        vtkNew<vtkPolyData> plane;
        plane->SetPoints(points);
        plane->SetPolys(faces);
        const auto edges = boundaryEdges(*plane);
        QCOMPARE(edges->GetNumberOfLines(), vtkIdType{4 * side});
        QCOMPARE(edges->GetNumberOfPoints(), vtkIdType{4 * side});
    }
};

GRIDHELM_TEST(BoundaryEdgesTest)
#include "tst_boundary_edges.moc"
