// SPDX-License-Identifier: GPL-3.0-or-later
//
// Arrows, streamlines and volumes: what is drawn.
#include "core/support/error.h"
#include "tests/support/test_program.h"
#include "tests/ui/coloured_part.h"
#include "tests/ui/scene_case.h"
#include "tests/ui/unstructured_image.h"
#include "tests/ui/vector_values.h"
#include "ui/scene/pictures/picture_kind.h"

#include <vtkCellArray.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPointData.h>

#include <QTest>

#include <algorithm>
#include <cmath>
#include <span>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

class TestArrowsAndVolumes : public QObject
{
    Q_OBJECT

private slots:
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
        drawn.show(isImage ? data::encodeImageMesh(image) : unstructured(image),
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

    void tubesAreRoundTheLinesAndOfTheirColours_data()
    {
        QTest::addColumn<int>("layers");
        QTest::newRow("flat") << 1;
        QTest::newRow("solid") << 9;
    }
    void tubesAreRoundTheLinesAndOfTheirColours()
    {
        QFETCH(int, layers);
        const auto mesh = unitImage(9, 9, static_cast<std::size_t>(layers));
        const double z = layers > 1 ? 0.5 : 0;
        auto settings = viewOf(ViewKind::streamlines);
        settings.seeds = Seeds::alongY;
        settings.streamlineCount = 4;
        settings.range = ValueRange{0, 4};
        for (const auto *option : kindOf(ViewKind::streamlines).options)
            if (option->key == "tubes")
                setValue(*option, 1, settings);
            else if (option->key == "tube-thickness")
                setValue(*option, 0.06, settings);
        Drawn drawn;
        const auto along = [](double speed) {
            return [speed](double, double y, double) { return Vector{speed * (1 + y), 0, 0}; };
        };
        const auto field = fieldOf(81 * static_cast<std::size_t>(layers), 3);
        drawn.show(mesh, field, sampleVectors(mesh, along(1)), settings);
        for (const double speed : {1.0, 2.0}) { // and they follow new values
            drawn.scene.setValues(field, sampleVectors(mesh, along(speed)));
            drawn.draw();
            auto &tubes = *coloured(drawn);
            QVERIFY(tubes.GetNumberOfLines() == 0 && tubes.GetNumberOfStrips() > 0);
            for (vtkIdType i = 0; i < tubes.GetNumberOfPoints(); ++i) {
                const double *x = tubes.GetPoint(i);
                const double line = (std::floor(4 * x[1]) + 0.5) / 4;
                QVERIFY(std::abs(std::hypot(x[1] - line, x[2] - z) - 0.03) < 1e-5);
                const double value = tubes.GetPointData()->GetScalars()->GetTuple1(i);
                QVERIFY(std::abs(value - speed * (1 + line)) < 1e-4);
            }
            double bounds[6];
            tubes.GetBounds(bounds);
            QVERIFY2(bounds[0] < 0.05 && bounds[1] > 0.95, "from border to border");
        }
        if (layers == 1) { // seen straight, without shades: a band of the value's colour
            const auto colour = colourOf(ColourMap::viridis, 2 * 1.625 / 4);
            for (const double beside : {-0.02, 0.0, 0.02})
                COMPARE_COLOURS(drawn.colourAt(0.4, 0.625 + beside), colour);
            COMPARE_COLOURS(drawn.colourAt(0.4, 0.625 + 0.04), white);
        }
    }

    void tubesOfLinesThatRestOrEndAtOnceAreNone()
    {
        const auto mesh = unitImage(9, 9, 9);
        auto settings = viewOf(ViewKind::streamlines);
        for (const auto *option : kindOf(ViewKind::streamlines).options)
            if (option->key == "tubes")
                setValue(*option, 1, settings);
        Drawn drawn;
        drawn.show(mesh, fieldOf(729, 3), std::vector<float>(3 * 729, 0.0F), settings);
        QCOMPARE(coloured(drawn)->GetNumberOfCells(), vtkIdType{0});
        drawn.scene.setValues(fieldOf(729, 3), sampleVectors(mesh, [](double x, double, double) {
                                  return x < 0.5 ? Vector{noNumber, 1, 1} : Vector{0, 0, 1};
                              }));
        drawn.draw();
        double bounds[6];
        coloured(drawn)->GetBounds(bounds);
        QVERIFY(coloured(drawn)->GetNumberOfCells() > 0);
        for (const double end : bounds)
            QVERIFY(end > -0.1 && end < 1.1);
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
        drawn.show(
            isImage ? data::encodeImageMesh(image) : unstructured(image),
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

    /// What rays on the CPU show, but for what their steps round.
    void aVolumeThroughOpenGlIsTheSame()
    {
        const auto image = unitImage(33, 33, 33);
        const auto values = sample(image, [](double x, double y, double z) {
            const double away = std::hypot(x - 0.5, y - 0.4, z - 0.6);
            return away > 0.48 ? noNumber : static_cast<float>(1 - 2 * away);
        });
        auto settings = viewOf(ViewKind::volume);
        settings.range = unitRange;
        std::vector<Image> pictures;
        for (const auto by : {OpenGl::software, OpenGl::hardware}) {
            Drawn drawn;
            drawn.scene.setOpenGl(by);
            drawn.scene.setPace(by == OpenGl::hardware ? Pace::brief : Pace::full);
            drawn.show(image, fieldOf(values.size()), values, settings);
            QVERIFY(!drawn.scene.isCoarse());
            pictures.push_back(drawn.image);
        }
        double sum = 0;
        int far = 0, differing = 0;
        for (std::size_t i = 0; i < pictures[0].pixels.size(); ++i)
            for (std::size_t part = 0; part < 3; ++part) {
                const int off =
                    std::abs(int(pictures[0].pixels[i][part]) - int(pictures[1].pixels[i][part]));
                sum += off;
                far += off > 30 ? 1 : 0;
                differing += off > 0 ? 1 : 0;
            }
        const auto parts = 3.0 * static_cast<double>(pictures[0].pixels.size());
        qInfo("%g in the mean, %g %% of the parts by more than 30", sum / parts, 100 * far / parts);
        QVERIFY(differing > 0); // there are two ways
        QVERIFY(sum / parts < 2 && far < 0.005 * parts);
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
};

GRIDHELM_TEST(TestArrowsAndVolumes)
#include "tst_arrows_and_volumes.moc"
