// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tilted planes, places of low confidence, the camera, and what holds for all kinds of view: what
// is drawn.
#include "core/support/error.h"
#include "tests/support/test_program.h"
#include "tests/ui/coloured_part.h"
#include "tests/ui/scene_case.h"
#include "tests/ui/unstructured_image.h"
#include "tests/ui/vector_values.h"
#include "ui/scene/camera/camera_path.h"
#include "ui/scene/geometry/slice_plane.h"

#include <vtkPointData.h>

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

class TestViewKinds : public QObject
{
    Q_OBJECT

private slots:
    void tiltedPlaneHasTheValuesOfItsPlace_data()
    {
        QTest::addColumn<bool>("isImage");
        QTest::addColumn<double>("position");
        for (const bool isImage : {true, false})
            for (const double position : {-0.35, 0.12, 0.5})
                QTest::addRow("%s, %g", isImage ? "image" : "unstructured", position)
                    << isImage << position;
    }
    void tiltedPlaneHasTheValuesOfItsPlace()
    {
        QFETCH(bool, isImage);
        QFETCH(double, position);
        const auto image = unitImage(9, 9, 9);
        auto settings = viewOf(ViewKind::slice);
        settings.tilted = true;
        settings.tilt = directionOf({1, -1.5, 1}); // towards the eye
        settings.position = position;
        settings.range = ValueRange{-1, 1};
        const auto normal = unitVector(settings.tilt);
        const auto along = [&](double x, double y, double z) {
            return static_cast<float>(normal[0] * x + normal[1] * y + normal[2] * z);
        };
        const auto values = sample(image, along);
        Drawn drawn;
        drawn.show(isImage ? data::encodeImageMesh(image) : unstructured(image),
                   fieldOf(values.size()), values, settings);
        // Everything at one distance from the origin along the normal has one value.
        COMPARE_COLOURS(drawn.middle(), colourOf(ColourMap::viridis, (position + 1) / 2));

        // Another linear field: what the plane says is the field at each of its points.
        const auto other = [](double x, double y, double z) {
            return static_cast<float>(1 + x - 2 * y + 0.5 * z);
        };
        drawn.scene.setValues(fieldOf(values.size()), sample(image, other));
        drawn.draw();
        auto &cut = *coloured(drawn);
        QVERIFY(cut.GetNumberOfPoints() > 10);
        for (vtkIdType i = 0; i < cut.GetNumberOfPoints(); ++i) {
            const double *x = cut.GetPoint(i);
            QVERIFY(std::abs(along(x[0], x[1], x[2]) - position) < 1e-5);
            QVERIFY(
                std::abs(cut.GetPointData()->GetScalars()->GetTuple1(i) - other(x[0], x[1], x[2]))
                < 1e-5);
        }
    }

    void anglesAndVectorsAreTheSameDirection()
    {
        for (const auto &vector : {Vector{1, 0, 0}, Vector{0, -2, 0}, Vector{0, 0, 3},
                                   Vector{0, 0, -1}, Vector{1, 2, -2}}) {
            const auto unit = unitVector(directionOf(vector));
            const double length = std::hypot(vector[0], vector[1], vector[2]);
            for (std::size_t t = 0; t < 3; ++t)
                QVERIFY(std::abs(unit[t] - vector[t] / length) < 1e-12);
        }
        QVERIFY_EXCEPTION_THROWN(directionOf({0, 0, 0}), Error);
        QVERIFY_EXCEPTION_THROWN(directionOf({0, std::nan(""), 1}), Error);
    }

    void constantFieldsAndSingleCellsAreDrawn_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("layers");
        QTest::addColumn<double>("value");
        QTest::addColumn<bool>("isImage");
        for (const auto kind : allViewKinds)
            for (const int layers : {1, 2})
                for (const double value : {0.0, -3.0})
                    for (const bool isImage : {true, false})
                        if (layers > 1 || kind != ViewKind::volume)
                            QTest::addRow("%s, %d, %g, %d", toString(kind).data(), layers, value,
                                          isImage)
                                << static_cast<int>(kind) << layers << value << isImage;
    }
    void constantFieldsAndSingleCellsAreDrawn()
    {
        QFETCH(int, kind);
        QFETCH(int, layers);
        QFETCH(double, value);
        QFETCH(bool, isImage);
        const auto image = unitImage(2, 2, static_cast<std::size_t>(layers));
        const auto entities = static_cast<std::size_t>(4 * layers);
        Drawn drawn;
        drawn.show(isImage ? data::encodeImageMesh(image) : unstructured(image),
                   fieldOf(entities, 3),
                   std::vector<float>(3 * entities, static_cast<float>(value)),
                   viewOf(static_cast<ViewKind>(kind)));
        auto cell = viewOf(static_cast<ViewKind>(kind));
        cell.component.index = 1;
        drawn.scene.setView(cell);
        drawn.scene.setValues(fieldOf(entities, 3),
                              std::vector<float>(3 * entities, static_cast<float>(value)));
        drawn.draw();
    }

    void viewsThatCannotShowAFieldAreSentencesAndThePictureStays()
    {
        const auto mesh = unitImage(3, 3);
        Drawn drawn;
        drawn.show(mesh, fieldOf(9), {-1, 0, 1, -1, 0, 1, -1, 0, -1});
        const auto before = drawn.image.pixels;
        for (const auto &[kind, says] :
             {std::pair(ViewKind::glyphs, "vector"), std::pair(ViewKind::streamlines, "vector"),
              std::pair(ViewKind::volume, "flat")}) {
            try {
                drawn.scene.setView(viewOf(kind));
                QFAIL("not refused");
            } catch (const Error &problem) {
                QVERIFY2(QString(problem.what()).contains(says), problem.what());
            }
        }
        for (int fault = 0; fault < 8; ++fault) {
            ViewSettings settings;
            if (fault == 0)
                settings.glyphCount = 0;
            else if (fault == 1)
                settings.glyphScale = std::nan("");
            else if (fault == 2)
                settings.streamlineCount = maxStreamlines + 1;
            else if (fault == 3)
                settings.tilt.azimuth = std::nan("");
            else if (fault == 4)
                settings.lowConfidenceAbove = 0;
            else if (fault == 5)
                settings.colours.bands = 1;
            else if (fault == 6)
                settings.colours.bands = ColourScheme::maxBands + 1;
            else
                settings.glyphCount = maxGlyphs + 1;
            QVERIFY_EXCEPTION_THROWN(drawn.scene.setView(settings), Error);
        }
        drawn.draw();
        QVERIFY(drawn.image.pixels == before);
        // A vector field with arrows, then a scalar one.
        Drawn other;
        other.show(mesh, fieldOf(9, 3), std::vector<float>(27, 1.0F), viewOf(ViewKind::glyphs));
        const auto arrows = other.image.pixels;
        QVERIFY_EXCEPTION_THROWN(other.scene.setValues(fieldOf(9), std::vector<float>(9, 1.0F)),
                                 Error);
        other.draw();
        QVERIFY(other.image.pixels == arrows);
    }

    void lowConfidencePlacesAreDark_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("layers");
        QTest::addColumn<bool>("atCells");
        for (const auto kind : {ViewKind::slice, ViewKind::contour})
            for (const bool atCells : {false, true})
                QTest::addRow("%s, flat, %d", toString(kind).data(), atCells)
                    << static_cast<int>(kind) << 1 << atCells;
        QTest::newRow("relief") << static_cast<int>(ViewKind::surface) << 1 << false;
        QTest::newRow("plane") << static_cast<int>(ViewKind::slice) << 9 << false;
        QTest::newRow("plane, cells") << static_cast<int>(ViewKind::slice) << 9 << true;
    }
    void lowConfidencePlacesAreDark()
    {
        QFETCH(int, kind);
        QFETCH(int, layers);
        QFETCH(bool, atCells);
        const auto mesh = unitImage(17, 17, static_cast<std::size_t>(layers));
        const auto values = sample(
            mesh, [](double, double, double) { return 7.0F; }, atCells);
        const auto indicator = sample(
            mesh, [](double x, double, double) { return x > 0.5 ? 1.0F : 0.2F; }, atCells);
        const auto field =
            fieldOf(values.size(), 1, atCells ? data::Association::cell : data::Association::point);
        auto settings = viewOf(static_cast<ViewKind>(kind));
        settings.projection = Projection::straight;
        settings.range = ValueRange{0, 10};
        settings.levels = {1};
        settings.relief = 0.3;
        settings.markLowConfidence = true;
        settings.lowConfidenceAbove = 0.05; // 0.5 of 10
        Drawn drawn;
        drawn.scene.setView(settings);
        drawn.scene.setMesh(data::encodeImageMesh(mesh));
        drawn.scene.setValues(field, values, {{}, indicator});
        drawn.draw();
        const auto good = drawn.colourAt(0.3, 0.4), bad = drawn.colourAt(0.8, 0.4);
        QVERIFY2(sumOf(bad) < 0.7 * sumOf(good), text(bad) + " beside " + text(good));
        settings.lowConfidenceAbove = 0.2;
        drawn.scene.setView(settings);
        drawn.draw();
        COMPARE_COLOURS(drawn.colourAt(0.8, 0.4), good);
        settings.lowConfidenceAbove = 0.05;
        settings.markLowConfidence = false;
        drawn.scene.setView(settings);
        drawn.draw();
        COMPARE_COLOURS(drawn.colourAt(0.8, 0.4), good);
        settings.markLowConfidence = true; // of values without an indicator
        drawn.scene.setView(settings);
        drawn.scene.setValues(field, values);
        drawn.draw();
        COMPARE_COLOURS(drawn.colourAt(0.8, 0.4), good);
    }

    void sidesToLookFrom_data()
    {
        QTest::addColumn<int>("sight");
        QTest::addColumn<int>("axis");
        for (const auto sight : allSights)
            if (sight != Sight::isometric)
                QTest::addRow("%s", toString(sight).data())
                    << static_cast<int>(sight) << static_cast<int>(sight) / 2;
    }
    /// A box whose faces have the colours of their places along the axis.
    void sidesToLookFrom()
    {
        QFETCH(int, sight);
        QFETCH(int, axis);
        const auto mesh = unitImage(5, 5, 5);
        const auto values = sample(mesh, [&](double x, double y, double z) {
            return static_cast<float>(Vector{x, y, z}[static_cast<std::size_t>(axis)]);
        });
        auto settings = viewOf(ViewKind::surface);
        settings.range = unitRange;
        Drawn drawn;
        drawn.show(mesh, fieldOf(125), values, settings);
        QVERIFY(!drawn.scene.camera());
        const auto before = drawn.image.pixels;
        drawn.scene.lookFrom(static_cast<Sight>(sight));
        drawn.draw();
        const bool isPlus = sight % 2 == 0;
        const auto near = drawn.middle();
        const auto expected = colourOf(ColourMap::viridis, isPlus ? 1 : 0);
        // Shaded, so compared by which part of the colour is largest.
        QVERIFY2(isPlus ? near[1] > near[2] : near[2] > near[1],
                 text(near) + " for " + text(expected));
        auto &camera = *drawn.scene.fieldRenderer()->GetActiveCamera();
        const double side = camera.GetPosition()[axis] - camera.GetFocalPoint()[axis];
        QVERIFY(isPlus == (side > 0));
        QVERIFY2(drawn.scene.camera(), "chosen, so worth keeping");
        const auto place = drawn.scene.camera();
        const auto picture = drawn.image.pixels;
        drawn.scene.resetCamera();
        drawn.draw();
        QVERIFY(drawn.image.pixels == before && !drawn.scene.camera());
        drawn.scene.setCamera(place);
        QCOMPARE(drawn.scene.camera()->position, place->position);
        drawn.draw();
        QVERIFY(drawn.image.pixels == picture);
        QCOMPARE(drawn.scene.camera()->position, place->position);
        drawn.scene.setCamera(CameraPlace{{0, 0, 0}, {0, 0, 0}, {0, 1, 0}, 1}); // of no use
        drawn.draw();
        QVERIFY(drawn.image.pixels == before);
    }

    void aCameraTurnsRoundItsFocus()
    {
        const CameraPlace from{{3, 1, 2}, {1, 1, 0}, {-0.7, 0, 0.71}, 2}; // z is upwards
        const auto quarter = turned(from, 90);
        const std::array<double, 3> expected{1, 3, 2};
        for (std::size_t t = 0; t < 3; ++t) {
            QVERIFY(std::abs(quarter.position[t] - expected[t]) < 1e-12);
            QCOMPARE(quarter.focus[t], from.focus[t]);
        }
        QVERIFY(std::abs(quarter.up[1] + 0.7) < 1e-12 && std::abs(quarter.up[2] - 0.71) < 1e-12);
        const auto all = turned(from, 360);
        for (std::size_t t = 0; t < 3; ++t)
            QVERIFY(std::abs(all.position[t] - from.position[t]) < 1e-12);
        // Seen upside down, "counterclockwise from above" is the other way round.
        auto below = from;
        below.up[2] = -0.71;
        QVERIFY(std::abs(turned(below, 90).position[1] + 1) < 1e-12);
    }

    void aCameraGoesRoundAndNotThroughWhatItLooksAt()
    {
        const CameraPlace front{{0, -4, 0}, {0, 0, 0}, {0, 0, 1}, 1};
        const CameraPlace side{{9, 0, 0}, {0, 0, 0}, {0, 0, 1}, 4};
        const auto isAt = [](const CameraPlace &a, const CameraPlace &b) {
            for (std::size_t t = 0; t < 3; ++t)
                if (std::abs(a.position[t] - b.position[t]) > 1e-9
                    || std::abs(a.focus[t] - b.focus[t]) > 1e-9
                    || std::abs(a.up[t] - b.up[t]) > 1e-9)
                    return false;
            return std::abs(a.parallelScale - b.parallelScale) < 1e-9;
        };
        QVERIFY(isAt(between(front, side, 0), front));
        QVERIFY(isAt(between(front, side, 1), side));
        const double part = 6 * std::sqrt(0.5); // the distance grows by even factors
        QVERIFY(isAt(between(front, side, 0.5), {{part, -part, 0}, {0, 0, 0}, {0, 0, 1}, 2}));
        const auto back = between(front, {{0, 4, 0}, {0, 0, 0}, {0, 0, 1}, 1}, 0.5);
        QVERIFY2(std::abs(std::hypot(back.position[0], back.position[1], back.position[2]) - 4)
                     < 1e-9,
                 "not through the middle");
        QVERIFY(back.isSound());
    }

    void flatFieldsAreNotTurned()
    {
        const auto mesh = unitImage(3, 3);
        Drawn drawn;
        drawn.show(mesh, fieldOf(9), {-1, 0, 1, -1, 0, 1, -1, 0, -1});
        QVERIFY_EXCEPTION_THROWN(drawn.scene.lookFrom(Sight::plusX), Error);
        const auto before = drawn.image.pixels;
        drawn.scene.setCamera(CameraPlace{{5, 0.5, 0}, {0.25, 0.5, 0}, {0, 0, 1}, 0.25});
        drawn.draw();
        QVERIFY2(drawn.image.pixels != before, "moved, and nearer");
        auto &camera = *drawn.scene.fieldRenderer()->GetActiveCamera();
        QVERIFY2(camera.GetDirectionOfProjection()[2] < -0.99, "but straight from above");
    }

    void isosurfacesStayWhileSomethingMoves()
    {
        // Around the middle, one in the other; the outermost and innermost levels are nowhere.
        const auto mesh = unitImage(49, 49, 49);
        const auto values = sample(mesh, [](double x, double y, double z) {
            return static_cast<float>(std::hypot(x - 0.5, y - 0.5, z - 0.5));
        });
        auto settings = viewOf(ViewKind::contour);
        settings.outline = false;
        settings.range = ValueRange{-1, 2};
        settings.levels = {-0.9, -0.5, 0.2, 0.3, 0.4, 1, 1.3, 1.6, 1.9};
        Drawn drawn;
        const auto seen = [&] {
            double pixels = 0;
            for (const auto &pixel : drawn.image.pixels)
                pixels += !isNear({pixel[0], pixel[1], pixel[2]}, white, 20);
            return pixels;
        };
        drawn.show(mesh, fieldOf(values.size()), values, settings);
        const double whole = seen();
        drawn.scene.setPace(Pace::brief);
        drawn.scene.setMesh(data::encodeImageMesh(mesh)); // nobody knows how long it takes
        drawn.scene.setValues(fieldOf(values.size()), values);
        drawn.draw();
        QVERIFY(drawn.scene.isCoarse());
        QVERIFY2(std::abs(seen() / whole - 1) < 0.05, qPrintable(QString::number(seen() / whole)));
        // Also where it is as coarse as it gets; seen from within, each level is there.
        settings.opacity = 0.5;
        drawn.scene.setView(settings);
        drawn.draw();
        const auto translucent = drawn.middle();
        drawn.scene.setPace(Pace::full);
        drawn.draw();
        QVERIFY(!drawn.scene.isCoarse());
        COMPARE_COLOURS(translucent, drawn.middle());
        QVERIFY(std::abs(seen() / whole - 1) < 0.05);
    }

    void transparentPicturesHaveTheirColoursAndNoBackground()
    {
        const auto mesh = unitImage(5, 4);
        auto settings = viewOf(ViewKind::slice);
        settings.range = unitRange;
        Drawn drawn;
        drawn.show(mesh, fieldOf(20), std::vector<float>(20, 0.5F), settings);
        const auto solid = drawn.image.pixels;
        const auto image = drawn.window->drawTransparent();
        QCOMPARE(image.pixels.size(), solid.size());
        QCOMPARE(int(image.pixels.front()[3]), 0);
        std::size_t opaque = 0;
        for (std::size_t i = 0; i < solid.size(); ++i) {
            const auto &[r, g, b, a] = image.pixels[i];
            opaque += a == 255;
            Colour onWhite{};
            for (std::size_t part = 0; part < 3; ++part)
                onWhite[part] =
                    static_cast<std::uint8_t>((image.pixels[i][part] * a + 255 * (255 - a)) / 255);
            COMPARE_COLOURS(onWhite, solid[i]);
        }
        QVERIFY(opaque > solid.size() / 4);
        drawn.draw();
        QVERIFY2(drawn.image.pixels == solid, "the background is back");
    }
};

GRIDHELM_TEST(TestViewKinds)
#include "tst_view_kinds.moc"
