// SPDX-License-Identifier: GPL-3.0-or-later
//
// Arrows, streamlines, volumes, tilted planes, places of low confidence, and the camera: what is
// drawn.
#include "core/support/error.h"
#include "tests/ui/scene_case.h"
#include "ui/scene/geometry/slice_plane.h"

#include <vtkActor.h>
#include <vtkActorCollection.h>
#include <vtkCellArray.h>
#include <vtkCellType.h>
#include <vtkIdList.h>
#include <vtkMapper.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkUnstructuredGrid.h>

#include <QtTest>

#include <algorithm>
#include <limits>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

constexpr float noNumber = std::numeric_limits<float>::quiet_NaN();

using Vector = std::array<double, 3>;
using VectorFunction = std::function<Vector(double, double, double)>;

std::vector<float> sampleVectors(const data::ImageMesh &image, const VectorFunction &f,
                                 bool atCells = false)
{
    std::vector<std::vector<float>> parts;
    for (std::size_t c = 0; c < 3; ++c)
        parts.push_back(sample(
            image, [&](double x, double y, double z) { return static_cast<float>(f(x, y, z)[c]); },
            atCells));
    std::vector<float> values;
    for (std::size_t i = 0; i < parts[0].size(); ++i)
        for (std::size_t c = 0; c < 3; ++c)
            values.push_back(parts[c][i]);
    return values;
}

/// What the scene colours by value, as polygons and lines.
vtkPolyData *coloured(const Drawn &drawn)
{
    auto *actors = drawn.scene.fieldRenderer()->GetActors();
    actors->InitTraversal();
    while (auto *actor = actors->GetNextActor()) {
        if (actor->GetVisibility() && actor->GetMapper()->GetScalarVisibility())
            return vtkPolyData::SafeDownCast(actor->GetMapper()->GetInput());
    }
    return nullptr;
}

/// The same image as hexahedra, so that no structure is known.
data::Mesh unstructured(const data::ImageMesh &image)
{
    vtkNew<vtkUnstructuredGrid> grid;
    vtkNew<vtkPoints> points;
    const auto &n = image.points;
    const auto at = [&](std::size_t i, std::size_t j, std::size_t k) {
        return static_cast<vtkIdType>(i + n[0] * (j + n[1] * k));
    };
    for (std::size_t k = 0; k < n[2]; ++k)
        for (std::size_t j = 0; j < n[1]; ++j)
            for (std::size_t i = 0; i < n[0]; ++i)
                points->InsertNextPoint(image.origin[0] + image.spacing[0] * static_cast<double>(i),
                                        image.origin[1] + image.spacing[1] * static_cast<double>(j),
                                        image.origin[2]
                                            + image.spacing[2] * static_cast<double>(k));
    grid->SetPoints(points);
    grid->Allocate();
    for (std::size_t k = 0; k + 1 < std::max<std::size_t>(n[2], 2); ++k)
        for (std::size_t j = 0; j + 1 < n[1]; ++j)
            for (std::size_t i = 0; i + 1 < n[0]; ++i) {
                std::vector<vtkIdType> corners{at(i, j, k), at(i + 1, j, k), at(i + 1, j + 1, k),
                                               at(i, j + 1, k)};
                if (n[2] > 1)
                    for (const auto corner : {at(i, j, k + 1), at(i + 1, j, k + 1),
                                              at(i + 1, j + 1, k + 1), at(i, j + 1, k + 1)})
                        corners.push_back(corner);
                grid->InsertNextCell(n[2] > 1 ? VTK_HEXAHEDRON : VTK_QUAD,
                                     static_cast<vtkIdType>(corners.size()), corners.data());
            }
    return data::encodeMesh(*grid);
}

void show(Drawn &drawn, const data::Mesh &mesh, const data::Field &field,
          const std::vector<float> &values, const ViewSettings &settings)
{
    drawn.scene.setView(settings);
    drawn.scene.setMesh(mesh);
    drawn.scene.setValues(field, values);
    drawn.draw();
}

ViewSettings viewOf(ViewKind kind)
{
    ViewSettings settings;
    settings.kind = kind;
    return settings;
}

/// Lightness on a white background: less is more of a thing.
int sumOf(const Colour &c)
{
    return c[0] + c[1] + c[2];
}

Vector rotation(double x, double y, double)
{
    return {0.5 - y, x - 0.5, 0};
}

} // namespace

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
        show(drawn, isImage ? data::encodeImageMesh(image) : unstructured(image),
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

    void arrowsPointWhereTheFlowGoes_data()
    {
        QTest::addColumn<double>("vx");
        QTest::addColumn<double>("vy");
        QTest::newRow("right") << 1.0 << 0.0;
        QTest::newRow("left") << -1.0 << 0.0;
        QTest::newRow("up") << 0.0 << 1.0;
        QTest::newRow("down") << 0.0 << -1.0;
    }
    /// Of the one arrow there is only the head is wider than the shaft.
    void arrowsPointWhereTheFlowGoes()
    {
        QFETCH(double, vx);
        QFETCH(double, vy);
        const auto mesh = unitImage(3, 3);
        auto settings = viewOf(ViewKind::glyphs);
        settings.glyphCount = 1;
        settings.glyphScale = 0.8;
        settings.outline = false;
        const auto values = sampleVectors(mesh, [&](double, double, double) {
            return Vector{vx, vy, 0};
        });
        Drawn drawn;
        drawn.show(mesh, fieldOf(9, 3), values, settings);
        int shaft = 0, ahead = 0, behind = 0;
        for (double x = 0.005; x < 1; x += 0.01)
            for (double y = 0.005; y < 1; y += 0.01)
                if (!isNear(drawn.colourAt(x, y), white)) {
                    const double across = std::abs((x - 0.5) * vy - (y - 0.5) * vx);
                    shaft += across < 0.05;
                    if (across > 0.08)
                        ((x - 0.5) * vx + (y - 0.5) * vy > 0 ? ahead : behind)++;
                }
        QVERIFY2(shaft > 200 && ahead > 50 && behind == 0,
                 qPrintable(QString("%1, %2 ahead, %3 behind").arg(shaft).arg(ahead).arg(behind)));
    }

    void arrowsAreAsLongAsTheirVectorsAndOfTheirColour()
    {
        const auto mesh = unitImage(17, 17);
        auto settings = viewOf(ViewKind::glyphs);
        settings.glyphCount = 64;
        settings.glyphScale = 1;
        settings.range = ValueRange{0, 2};
        const auto flow = [](double x, double, double) { return Vector{0, 2 * x, 0}; };
        Drawn drawn;
        drawn.show(mesh, fieldOf(17 * 17, 3), sampleVectors(mesh, flow), settings);
        auto &arrows = *coloured(drawn);
        const auto perArrow = arrows.GetNumberOfPoints() / 64;
        QCOMPARE(arrows.GetNumberOfPoints() % 64, vtkIdType{0});
        for (vtkIdType first = 0; first < arrows.GetNumberOfPoints(); first += perArrow) {
            double low = 1e9, high = -1e9, x = 0;
            for (auto i = first; i < first + perArrow; ++i) {
                low = std::min(low, arrows.GetPoint(i)[1]);
                high = std::max(high, arrows.GetPoint(i)[1]);
                x += arrows.GetPoint(i)[0] / static_cast<double>(perArrow);
            }
            const double value = arrows.GetPointData()->GetScalars()->GetTuple1(first);
            QVERIFY(std::abs(value - 2 * x) < 0.02);
            QVERIFY(std::abs((high - low) - 0.125 * value / 2) < 1e-4); // 1/8 from one to the next
        }
    }

    void vectorsThatRestOrAreNoNumbersHaveNoArrow()
    {
        const auto mesh = unitImage(9, 9, 9);
        auto values = sampleVectors(mesh, [](double x, double, double) {
            if (x < 0.3)
                return Vector{0, 0, 0};
            return x < 0.6 ? Vector{noNumber, 1, 1} : Vector{1, 0, 0};
        });
        for (const auto kind : {ViewKind::glyphs, ViewKind::streamlines}) {
            Drawn drawn;
            drawn.show(mesh, fieldOf(729, 3), values, viewOf(kind));
            auto &shown = *coloured(drawn);
            QVERIFY(shown.GetNumberOfPoints() > 0);
            double bounds[6];
            shown.GetBounds(bounds);
            for (const double end : bounds)
                QVERIFY(std::isfinite(end));
            if (kind == ViewKind::glyphs)
                QVERIFY(bounds[0] > 0.5);
        }
        std::fill(values.begin(), values.end(), 0.0F); // nothing moves at all
        for (const auto kind : {ViewKind::glyphs, ViewKind::streamlines}) {
            Drawn drawn;
            drawn.show(mesh, fieldOf(729, 3), values, viewOf(kind));
            QCOMPARE(coloured(drawn)->GetNumberOfCells(), vtkIdType{0});
        }
    }

    void streamlinesOfARotationAreCircles_data()
    {
        QTest::addColumn<bool>("isImage");
        QTest::addColumn<int>("layers");
        QTest::addColumn<bool>("atCells");
        for (const bool isImage : {true, false})
            for (const int layers : {1, 5})
                for (const bool atCells : {false, true})
                    QTest::addRow("%s, %d layers, %s", isImage ? "image" : "unstructured", layers,
                                  atCells ? "cells" : "points")
                        << isImage << layers << atCells;
    }
    void streamlinesOfARotationAreCircles()
    {
        QFETCH(bool, isImage);
        QFETCH(int, layers);
        QFETCH(bool, atCells);
        const auto image = unitImage(33, 33, static_cast<std::size_t>(layers));
        const auto values = sampleVectors(image, rotation, atCells);
        auto settings = viewOf(ViewKind::streamlines);
        settings.streamlineCount = 20;
        Drawn drawn;
        show(drawn, isImage ? data::encodeImageMesh(image) : unstructured(image),
             fieldOf(values.size() / 3, 3,
                     atCells ? data::Association::cell : data::Association::point),
             values, settings);
        auto &lines = *coloured(drawn);
        QVERIFY2(lines.GetNumberOfLines() >= 20, "two ways from most places");
        vtkNew<vtkIdList> ids;
        int circles = 0;
        lines.GetLines()->InitTraversal();
        while (lines.GetLines()->GetNextCell(ids)) {
            double low = 1e9, high = 0;
            for (vtkIdType i = 0; i < ids->GetNumberOfIds(); ++i) {
                const double *x = lines.GetPoint(ids->GetId(i));
                const double radius = std::hypot(x[0] - 0.5, x[1] - 0.5);
                low = std::min(low, radius);
                high = std::max(high, radius);
                // The magnitude is not linear: in the cell around the middle it is some percent
                // of its size beside; values of cells lose half of a cell at the border.
                const double value = lines.GetPointData()->GetScalars()->GetTuple1(ids->GetId(i));
                QVERIFY(std::abs(value - radius) < (atCells ? 0.03 : 0.01));
            }
            const bool isWhole = high < 0.45;
            circles += isWhole;
            if (isWhole)
                QVERIFY2(high - low < 2e-3, qPrintable(QString("%1 .. %2").arg(low).arg(high)));
        }
        QVERIFY(circles > 5);
    }

    void streamlinesPassThroughTheLineOfSeeds()
    {
        const auto mesh = unitImage(9, 9, 9);
        auto settings = viewOf(ViewKind::streamlines);
        settings.seeds = Seeds::alongY;
        settings.streamlineCount = 4;
        Drawn drawn;
        drawn.show(mesh, fieldOf(729, 3),
                   sampleVectors(mesh,
                                 [](double, double, double) {
                                     return Vector{1, 0, 0};
                                 }),
                   settings);
        auto &lines = *coloured(drawn);
        QCOMPARE(lines.GetNumberOfLines(), vtkIdType{8}); // both ways
        for (vtkIdType i = 0; i < lines.GetNumberOfPoints(); ++i) {
            const double *x = lines.GetPoint(i);
            QVERIFY(std::abs(x[2] - 0.5) < 1e-6);
            QVERIFY(std::abs(4 * x[1] - 0.5 - std::round(4 * x[1] - 0.5)) < 1e-6);
        }
        double bounds[6];
        lines.GetBounds(bounds);
        QVERIFY2(bounds[0] < 0.05 && bounds[1] > 0.95, "from border to border");
    }

    void aVolumeOfABallIsBrighterInTheMiddle_data()
    {
        QTest::addColumn<bool>("isImage");
        QTest::addColumn<bool>("atCells");
        QTest::newRow("image, points") << true << false;
        QTest::newRow("image, cells") << true << true;
        QTest::newRow("unstructured, points") << false << false;
        QTest::newRow("unstructured, cells") << false << true;
    }
    void aVolumeOfABallIsBrighterInTheMiddle()
    {
        QFETCH(bool, isImage);
        QFETCH(bool, atCells);
        const auto image = unitImage(17, 17, 17);
        const auto values = sample(
            image,
            [](double x, double y, double z) {
                return static_cast<float>(
                    std::max(0.0, 1 - 3 * std::hypot(x - 0.5, y - 0.5, z - 0.5)));
            },
            atCells);
        auto settings = viewOf(ViewKind::volume);
        settings.outline = false;
        settings.range = unitRange;
        settings.projection = Projection::straight;
        settings.colours = ColourMap::grey;
        settings.dark = true;
        Drawn drawn;
        show(
            drawn, isImage ? data::encodeImageMesh(image) : unstructured(image),
            fieldOf(values.size(), 1, atCells ? data::Association::cell : data::Association::point),
            values, settings);
        const auto ground = drawn.image.at(0, 0);
        const int middle = sumOf(drawn.colourAt(0.5, 0.5));
        const int between = sumOf(drawn.colourAt(0.68, 0.5));
        QVERIFY2(middle > between + 40 && between > sumOf(ground) + 20,
                 qPrintable(QString("%1 %2").arg(middle).arg(between)));
        for (const double at : {0.04, 0.96})
            COMPARE_COLOURS(drawn.colourAt(at, at), ground);
        settings.opacity = 0.1;
        drawn.scene.setView(settings);
        drawn.draw();
        const int thin = sumOf(drawn.colourAt(0.5, 0.5));
        QVERIFY2(thin < middle - 40 && thin > sumOf(ground) + 10,
                 qPrintable(QString("%1 %2").arg(middle).arg(thin)));
    }

    void aVolumeIsNothingBesideItsMeshAndWhereThereIsNoNumber()
    {
        // The half with larger x is missing in the one and no number in the other.
        const auto image = unitImage(9, 9, 9);
        auto values =
            sample(image, [](double x, double, double) { return x > 0.52 ? noNumber : 1.0F; });
        auto settings = viewOf(ViewKind::volume);
        settings.outline = false;
        settings.range = unitRange;
        settings.projection = Projection::straight;
        Drawn drawn;
        drawn.show(image, fieldOf(729), values, settings);
        QVERIFY(sumOf(drawn.colourAt(0.3, 0.5)) < sumOf(white) - 100);
        COMPARE_COLOURS(drawn.colourAt(0.8, 0.5), white);
    }

    void aBriefVolumeIsCoarserAndComesBack()
    {
        const auto image = unitImage(9, 9, 9);
        const auto values = sample(image, [](double x, double y, double z) {
            return static_cast<float>(std::sin(9 * x) * std::sin(8 * y) * std::sin(7 * z));
        });
        Drawn drawn;
        drawn.scene.setPace(Pace::brief);
        drawn.show(image, fieldOf(729), values, viewOf(ViewKind::volume));
        const auto quick = drawn.image.pixels;
        QVERIFY(drawn.scene.isCoarse()); // nobody knows how long it takes
        QVERIFY(drawn.scene.wouldBeFiner(Pace::full));
        drawn.scene.setPace(Pace::full);
        drawn.draw();
        const auto sharp = drawn.image.pixels;
        QVERIFY(!drawn.scene.isCoarse() && !drawn.scene.wouldBeFiner(Pace::full));
        QVERIFY(sharp != quick);
        for (int i = 0; i < 3; ++i) {
            drawn.scene.setPace(Pace::brief); // of any coarseness, by the machine
            drawn.draw();
        }
        drawn.scene.setPace(Pace::full);
        drawn.draw();
        QVERIFY(drawn.image.pixels == sharp);
    }

    void edgesBeforeAVolumeAreDrawnOverIt()
    {
        // Thick enough to hide everything behind it; from a corner, so that three edges are hidden.
        const auto image = unitImage(9, 9, 9);
        auto settings = viewOf(ViewKind::volume);
        settings.range = unitRange;
        settings.colours = ColourMap::grey; // the highest value is light, edges are dark
        Drawn drawn;
        drawn.scene.setPace(Pace::brief); // the fewer rays the larger a gap around a line
        drawn.show(image, fieldOf(729), std::vector<float>(729, 1.0F), settings);
        auto &renderer = *drawn.scene.fieldRenderer();
        const double *eye = renderer.GetActiveCamera()->GetPosition();
        int seen = 0, hidden = 0;
        for (int corner = 0; corner < 8; ++corner) {
            for (int axis = 0; axis < 3; ++axis) {
                if ((corner >> axis & 1) != 0)
                    continue;
                std::array<double, 4> middle{0, 0, 0, 1};
                bool isSeen = false;
                for (int t = 0; t < 3; ++t) {
                    const bool isUpper = (corner >> t & 1) != 0;
                    const auto place = static_cast<std::size_t>(t);
                    middle[place] = t == axis ? 0.5 : isUpper ? 1 : 0;
                    if (t != axis)
                        isSeen = isSeen || (isUpper ? eye[t] > 1 : eye[t] < 0);
                }
                renderer.SetWorldPoint(middle.data());
                renderer.WorldToDisplay();
                const double *at = renderer.GetDisplayPoint();
                int darkest = 3 * 255;
                for (int dx = -1; dx <= 1; ++dx)
                    for (int dy = -1; dy <= 1; ++dy)
                        darkest = std::min(
                            darkest,
                            sumOf(drawn.image.at(static_cast<int>(at[0]) + dx,
                                                 height - 1 - static_cast<int>(at[1]) + dy)));
                ++(isSeen ? seen : hidden);
                QVERIFY2(isSeen ? darkest < 300 : darkest > 400,
                         qPrintable(
                             QString("corner %1, axis %2: %3").arg(corner).arg(axis).arg(darkest)));
            }
        }
        QCOMPARE(seen, 9);
        QCOMPARE(hidden, 3);
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
        show(drawn, isImage ? data::encodeImageMesh(image) : unstructured(image),
             fieldOf(entities, 3), std::vector<float>(3 * entities, static_cast<float>(value)),
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
        for (int fault = 0; fault < 6; ++fault) {
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

    void newValuesMakeNothingAnew_data()
    {
        QTest::addColumn<int>("kind");
        for (const ViewKind kind : {ViewKind::glyphs, ViewKind::streamlines, ViewKind::volume})
            QTest::addRow("%s", toString(kind).data()) << static_cast<int>(kind);
    }
    void newValuesMakeNothingAnew()
    {
        QFETCH(int, kind);
        const auto mesh = unitImage(9, 9, 9);
        const auto one = sampleVectors(mesh, rotation);
        const auto other = sampleVectors(mesh, [](double x, double y, double z) {
            return Vector{0.2 + y, x * z, 0.1};
        });
        Drawn drawn;
        drawn.show(mesh, fieldOf(729, 3), one, viewOf(static_cast<ViewKind>(kind)));
        const auto before = drawn.image.pixels;
        auto *made = coloured(drawn);
        drawn.scene.setValues(fieldOf(729, 3), other);
        drawn.draw();
        QVERIFY(drawn.image.pixels != before);
        QCOMPARE(coloured(drawn), made);
        drawn.scene.setValues(fieldOf(729, 3), one);
        drawn.draw();
        QVERIFY(drawn.image.pixels == before);
    }

    void arrowsOfAnotherFieldThanTheColours()
    {
        const auto mesh = unitImage(9, 9);
        auto settings = viewOf(ViewKind::glyphs);
        Drawn drawn;
        drawn.scene.setView(settings);
        drawn.scene.setMesh(data::encodeImageMesh(mesh));
        const auto flow = sampleVectors(mesh, [](double, double, double) {
            return Vector{1, 0, 0};
        });
        const auto indicator = sampleVectors(mesh, [](double x, double, double) {
            return Vector{0, x, 0};
        });
        drawn.scene.setValues(fieldOf(81, 3), indicator, {flow, indicator});
        drawn.draw();
        auto &arrows = *coloured(drawn);
        double bounds[6];
        arrows.GetBounds(bounds);
        QVERIFY2(bounds[0] < 0, "the arrow at x = 0 has the flow's length");
        for (vtkIdType i = 0; i < arrows.GetNumberOfPoints(); ++i)
            QVERIFY(arrows.GetPointData()->GetScalars()->GetTuple1(i) <= 1.0);
        QVERIFY_EXCEPTION_THROWN(
            drawn.scene.setValues(fieldOf(81, 3), indicator, {std::span(flow).subspan(3), {}}),
            Error);
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

QTEST_GUILESS_MAIN(TestViewKinds)
#include "tst_view_kinds.moc"
