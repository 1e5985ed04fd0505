// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bodies that a plane cuts open.
#include "data/mesh/mesh_motion.h"
#include "tests/support/test_program.h"
#include "tests/ui/coloured_part.h"
#include "tests/ui/scene_case.h"
#include "tests/ui/unstructured_image.h"
#include "tests/ui/vector_values.h"
#include "ui/scene/geometry/slice_plane.h"
#include "ui/scene/pictures/plane_options.h"

#include <vtkCellData.h>
#include <vtkIdList.h>
#include <vtkNew.h>

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

/// Of all its polygons.
double areaOf(vtkPolyData &drawn)
{
    double area = 0;
    vtkNew<vtkIdList> corners;
    for (vtkIdType c = 0; c < drawn.GetNumberOfCells(); ++c) {
        drawn.GetCellPoints(c, corners);
        const auto first = pointOf(drawn, corners->GetId(0));
        for (vtkIdType i = 1; i + 1 < corners->GetNumberOfIds(); ++i) {
            const auto to = pointOf(drawn, corners->GetId(i));
            const auto on = pointOf(drawn, corners->GetId(i + 1));
            Vector a{}, b{};
            for (std::size_t t = 0; t < 3; ++t) {
                a[t] = to[t] - first[t];
                b[t] = on[t] - first[t];
            }
            area += 0.5
                    * std::hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                                 a[0] * b[1] - a[1] * b[0]);
        }
    }
    return area;
}

ViewSettings clippedView(ViewKind kind, bool isInverted = false)
{
    auto settings = viewOf(kind);
    setValue(clipOption, 1, settings);
    setValue(clipInvertOption, isInverted ? 1 : 0, settings);
    settings.range = unitRange;
    settings.outline = false;
    return settings;
}

float linear(double x, double y, double z)
{
    return static_cast<float>(0.1 + 0.4 * x + 0.2 * y + 0.3 * z);
}

} // namespace

class TestClip : public QObject
{
    Q_OBJECT

private slots:
    void aClippedSurfaceIsClosedByTheFieldOnTheCut_data()
    {
        QTest::addColumn<bool>("isImage");
        QTest::addColumn<bool>("atCells");
        QTest::addColumn<bool>("isInverted");
        for (const bool isImage : {true, false})
            for (const bool atCells : {false, true})
                for (const bool isInverted : {false, true})
                    QTest::addRow("%s, %s, %s", isImage ? "image" : "unstructured",
                                  atCells ? "cells" : "points", isInverted ? "above" : "below")
                        << isImage << atCells << isInverted;
    }
    void aClippedSurfaceIsClosedByTheFieldOnTheCut()
    {
        QFETCH(bool, isImage);
        QFETCH(bool, atCells);
        QFETCH(bool, isInverted);
        const auto image = unitImage(6, 6, 6);
        const auto values = sample(image, linear, atCells);
        auto settings = clippedView(ViewKind::surface, isInverted);
        settings.normal = Axis::x;
        settings.position = 0.3;
        const auto field =
            fieldOf(values.size(), 1, atCells ? data::Association::cell : data::Association::point);
        Drawn drawn;
        drawn.show(meshOf(image, isImage), field, values, settings);
        auto *shown = coloured(drawn);
        // Two faces across x, and four strips along it.
        const double length = isInverted ? 0.7 : 0.3;
        QVERIFY2(std::abs(areaOf(*shown) - (2 + 4 * length)) < 1e-4,
                 qPrintable(QString::number(areaOf(*shown))));
        int onCut = 0;
        for (vtkIdType i = 0; i < shown->GetNumberOfPoints(); ++i) {
            const auto at = pointOf(*shown, i);
            QVERIFY(isInverted ? at[0] > 0.3 - 1e-5 : at[0] < 0.3 + 1e-5);
            onCut += std::abs(at[0] - 0.3) < 1e-5;
            if (!atCells)
                QVERIFY(std::abs(valueAt(*shown, i) - linear(at[0], at[1], at[2])) < 1e-5);
        }
        QVERIFY2(onCut >= 36, "the cut is there");
        vtkNew<vtkIdList> corners;
        for (vtkIdType c = 0; atCells && c < shown->GetNumberOfCells(); ++c) {
            Vector middle{}; // of a cell of the mesh
            shown->GetCellPoints(c, corners);
            for (vtkIdType i = 0; i < corners->GetNumberOfIds(); ++i)
                for (std::size_t t = 0; t < 3; ++t)
                    middle[t] += pointOf(*shown, corners->GetId(i))[t]
                                 / static_cast<double>(corners->GetNumberOfIds());
            for (double &x : middle)
                x = (std::min(std::floor(5 * x), 4.0) + 0.5) / 5;
            QVERIFY(std::abs(shown->GetCellData()->GetScalars()->GetTuple1(c)
                             - linear(middle[0], middle[1], middle[2]))
                    < 1e-5);
        }
        // New values change colours alone, so that dragging is as fast as without the plane.
        QVERIFY(drawn.scene.layOut(width, height, 72));
        QCOMPARE(drawn.scene.surface().sources.size(),
                 static_cast<std::size_t>(atCells ? shown->GetNumberOfCells()
                                                  : shown->GetNumberOfPoints()));
        auto other = values;
        for (float &value : other)
            value = 1 - value;
        drawn.scene.setValues(field, other);
        drawn.draw();
        QCOMPARE(coloured(drawn), shown);
        if (!atCells)
            for (vtkIdType i = 0; i < shown->GetNumberOfPoints(); ++i) {
                const auto at = pointOf(*shown, i);
                QVERIFY(std::abs(valueAt(*shown, i) - 1 + linear(at[0], at[1], at[2])) < 1e-5);
            }
    }

    void aTiltedClipKeepsWhatLiesBehindThePlane()
    {
        const auto image = unitImage(6, 6, 6);
        auto settings = clippedView(ViewKind::surface);
        settings.tilted = true;
        settings.tilt = directionOf({1, -1.5, 1});
        settings.position = 0.2;
        const auto normal = unitVector(settings.tilt);
        for (const bool isImage : {true, false}) {
            Drawn drawn;
            drawn.show(meshOf(image, isImage), fieldOf(216), sample(image, linear), settings);
            auto *shown = coloured(drawn);
            double most = -10;
            for (vtkIdType i = 0; i < shown->GetNumberOfPoints(); ++i) {
                const auto at = pointOf(*shown, i);
                most = std::max(most, normal[0] * at[0] + normal[1] * at[1] + normal[2] * at[2]);
                QVERIFY(std::abs(valueAt(*shown, i) - linear(at[0], at[1], at[2])) < 1e-5);
            }
            QVERIFY(std::abs(most - 0.2) < 1e-5);
        }
    }

    /// What changes with every state is cut again by VTK.
    void aClippedBodyMayMove()
    {
        const auto image = unitImage(6, 6, 6);
        const auto mesh = data::movable(data::encodeImageMesh(image));
        const auto values = sample(image, linear);
        auto settings = clippedView(ViewKind::surface);
        settings.normal = Axis::x;
        settings.position = 0.5;
        Drawn drawn;
        drawn.scene.setView(settings);
        drawn.scene.setMesh(mesh);
        for (const double stretch : {1.0, 2.0, 4.0}) {
            const auto moved = sampleVectors(image, [stretch](double x, double, double) {
                return Vector{(stretch - 1) * x, 0, 0};
            });
            drawn.scene.setValues(fieldOf(216), values, {{}, {}, moved, {}});
            drawn.draw();
            auto *shown = coloured(drawn);
            QVERIFY2(std::abs(areaOf(*shown) - 4) < 1e-4, // half a cube, whatever it is cut from
                     qPrintable(QString::number(areaOf(*shown))));
            for (vtkIdType i = 0; i < shown->GetNumberOfPoints(); ++i) {
                const auto at = pointOf(*shown, i);
                QVERIFY(std::abs(valueAt(*shown, i) - linear(at[0] / stretch, at[1], at[2]))
                        < 1e-5);
            }
        }
    }

    void halfOfAHoleIsSeen()
    {
        const auto image = unitImage(17, 17, 17);
        const auto distance = sample(image, [](double x, double y, double z) {
            return static_cast<float>(std::hypot(x - 0.5, y - 0.5, z - 0.5) - 0.3);
        });
        auto settings = clippedView(ViewKind::surface);
        Drawn drawn;
        drawn.scene.setView(settings);
        drawn.scene.setMesh(data::encodeImageMesh(image));
        drawn.scene.setValues(fieldOf(distance.size()), sample(image, linear),
                              {{}, {}, {}, distance});
        drawn.draw();
        auto *shown = coloured(drawn);
        constexpr double pi = std::numbers::pi;
        const double expected = 2 + 4 * 0.5 - pi * 0.09 + 2 * pi * 0.09; // its circle, and its wall
        QVERIFY2(std::abs(areaOf(*shown) - expected) < 0.03,
                 qPrintable(QString::number(areaOf(*shown))));
        QVERIFY(shown->GetBounds()[5] < 0.5 + 1e-4);
    }

    void isosurfacesAndVolumesAreCutOpen_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<bool>("isImage");
        QTest::addColumn<bool>("isInverted");
        for (const auto kind : {ViewKind::contour, ViewKind::volume})
            for (const bool isImage : {true, false})
                for (const bool isInverted : {false, true})
                    QTest::addRow("%s, %s, %d", toString(kind).data(),
                                  isImage ? "image" : "unstructured", isInverted)
                        << static_cast<int>(kind) << isImage << isInverted;
    }
    void isosurfacesAndVolumesAreCutOpen()
    {
        QFETCH(int, kind);
        QFETCH(bool, isImage);
        QFETCH(bool, isInverted);
        const auto image = unitImage(17, 17, 17);
        const auto values = sample(image, [](double x, double y, double z) {
            return static_cast<float>(std::max(0.0, 1 - 2 * std::hypot(x - 0.5, y - 0.5, z - 0.5)));
        });
        auto settings = clippedView(static_cast<ViewKind>(kind), isInverted);
        settings.levels = {0.3};
        settings.normal = Axis::x;
        settings.position = 0.5;
        settings.projection = Projection::straight;
        Drawn drawn;
        drawn.show(meshOf(image, isImage), fieldOf(values.size()), values, settings);
        COMPARE_COLOURS(drawn.colourAt(isInverted ? 0.4 : 0.6, 0.5), white);
        QVERIFY(!isNear(drawn.colourAt(isInverted ? 0.6 : 0.4, 0.5), white, 40));
        setValue(clipOption, 0, settings);
        drawn.scene.setView(settings);
        drawn.draw();
        for (const double x : {0.4, 0.6})
            QVERIFY(!isNear(drawn.colourAt(x, 0.5), white, 40));
    }

    void captionsSayWhereThePlaneIs()
    {
        const MeshShape shape{{-1, 1, -1, 1, -1, 1}, false, Axis::z};
        auto settings = clippedView(ViewKind::surface);
        QCOMPARE(clipCaptionOf(slicePlane(shape, settings), settings),
                 std::string("clip at z = 0"));
        settings.tilted = true;
        settings.tilt = directionOf({1, -1, 0});
        settings.position = 1e-17;
        QCOMPARE(clipCaptionOf(slicePlane(shape, settings), settings),
                 std::string("clip across (0.71 -0.71 0) at 0"));
    }

    void flatMeshesAreNotClippedAndPlanesOutsideAreRefused()
    {
        const auto flat = unitImage(5, 5), solid = unitImage(5, 5, 5);
        for (const auto kind : {ViewKind::contour, ViewKind::surface}) {
            auto settings = clippedView(kind);
            Drawn drawn, plain;
            drawn.show(flat, fieldOf(25), sample(flat, linear), settings);
            setValue(clipOption, 0, settings);
            plain.show(flat, fieldOf(25), sample(flat, linear), settings);
            QVERIFY(drawn.image.pixels == plain.image.pixels);
        }
        for (const auto kind : {ViewKind::contour, ViewKind::surface, ViewKind::volume}) {
            auto settings = clippedView(kind);
            Drawn drawn;
            drawn.show(solid, fieldOf(125), sample(solid, linear), settings);
            const auto before = drawn.image.pixels;
            settings.position = 1.5;
            QVERIFY(whyRefused(drawn, settings).contains("outside of the mesh"));
            drawn.draw();
            QVERIFY(drawn.image.pixels == before);
        }
        QVERIFY(usesPlane(viewOf(ViewKind::slice)) && !usesPlane(viewOf(ViewKind::surface)));
        QVERIFY(usesPlane(clippedView(ViewKind::surface)) && !usesPlane(viewOf(ViewKind::glyphs)));
    }
};

GRIDHELM_TEST(TestClip)
#include "tst_clip.moc"
