// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pictures of other values than those before: the same as if all was drawn anew, with less work.
#include "core/support/error.h"
#include "tests/support/test_program.h"
#include "tests/ui/coloured_part.h"
#include "tests/ui/scene_case.h"
#include "tests/ui/vector_values.h"
#include "ui/scene/drawing/repainter.h"
#include "ui/scene/pictures/plane_options.h"

#include <vtkActor.h>
#include <vtkActorCollection.h>
#include <vtkMapper.h>

#include <QTest>

#include <algorithm>
#include <cmath>
#include <span>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

/// A scene whose pictures come from a Repainter that draws off the screen.
struct Repainted : Drawn
{
    std::vector<std::uint32_t> pixels = std::vector<std::uint32_t>(width * height);
    Repainter repainter{scene, [this](std::span<std::uint32_t> into) {
                            draw(0);
                            std::ranges::copy(drawnPixels(), into.begin());
                        }};

    void paint() { repainter.paint(width, height, 72, pixels); }
    std::vector<std::uint32_t> drawnPixels() const
    {
        std::vector<std::uint32_t> all;
        for (const auto &c : image.pixels)
            all.push_back(0xff000000U | std::uint32_t(c[0]) << 16 | std::uint32_t(c[1]) << 8
                          | c[2]);
        return all;
    }
    /// Pixels of the last picture that are others, by more than nobody sees, when all is drawn.
    int wrongPixels()
    {
        draw(0); // the window has one sample of a pixel
        int wrong = 0;
        const auto all = drawnPixels();
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto part = [](std::uint32_t pixel, int bits) {
                return static_cast<std::uint8_t>(pixel >> bits & 255U);
            };
            const auto colour = [&](std::uint32_t pixel) {
                return Colour{part(pixel, 16), part(pixel, 8), part(pixel, 0)};
            };
            wrong += !isNear(colour(pixels[i]), colour(all[i]), 5);
        }
        return wrong;
    }
};

} // namespace

class TestNewValues : public QObject
{
    Q_OBJECT

private slots:
    void newValuesChangeThePictureAndNothingIsRebuilt_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("pointsInZ");
        for (const ViewKind kind : {ViewKind::slice, ViewKind::contour, ViewKind::surface})
            for (const int z : {1, 9})
                QTest::addRow("%s, %d points in z", toString(kind).data(), z)
                    << static_cast<int>(kind) << z;
    }
    void newValuesChangeThePictureAndNothingIsRebuilt()
    {
        QFETCH(int, kind);
        QFETCH(int, pointsInZ);
        const auto mesh = unitImage(9, 9, static_cast<std::size_t>(pointsInZ));
        const auto up = sample(
            mesh, [](double x, double y, double z) { return static_cast<float>(x + y + z); });
        auto down = up;
        std::reverse(down.begin(), down.end());
        ViewSettings settings;
        settings.kind = static_cast<ViewKind>(kind);
        Drawn drawn;
        drawn.show(mesh, fieldOf(up.size()), up, settings);
        const auto before = drawn.image;
        const auto sources = [&drawn] {
            std::vector<vtkAlgorithm *> list;
            auto *actors = drawn.scene.fieldRenderer()->GetActors();
            actors->InitTraversal();
            while (auto *actor = actors->GetNextActor())
                list.push_back(actor->GetMapper()->GetInputAlgorithm());
            return list;
        };
        const auto sourcesBefore = sources();
        drawn.scene.setValues(fieldOf(up.size()), down);
        drawn.draw();
        QVERIFY(drawn.image.pixels != before.pixels);
        QVERIFY(sources() == sourcesBefore);
        drawn.scene.setValues(fieldOf(up.size()), up);
        drawn.draw();
        QVERIFY(drawn.image.pixels == before.pixels);
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

    void newValuesArePaintedAsOpenGlDrawsThem_data()
    {
        QTest::addColumn<ViewSettings>("settings");
        QTest::addColumn<int>("pointsInZ");
        QTest::addColumn<bool>("atCells");
        QTest::addColumn<bool>("hasNoNumbers");
        ViewSettings settings;
        QTest::newRow("flat") << settings << 1 << false << false;
        QTest::newRow("flat, cells") << settings << 1 << true << false;
        QTest::newRow("flat, some no numbers") << settings << 1 << false << true;
        QTest::newRow("slice, oblique") << settings << 9 << false << false;
        settings.edges = true;
        QTest::newRow("flat, edges") << settings << 1 << false << false;
        settings.edges = false;
        settings.range = ValueRange{0.1, 0.6};
        QTest::newRow("flat, out of the range") << settings << 1 << false << false;
        settings.range = ValueRange{0.01, 10};
        settings.scale = Scale::logarithmic;
        settings.dark = true;
        QTest::newRow("flat, logarithmic, dark") << settings << 1 << false << false;
        settings = {};
        settings.normal = Axis::x;
        settings.position = 0.7;
        settings.projection = ui::Projection::straight;
        QTest::newRow("slice, straight, between points") << settings << 9 << false << false;
        settings.kind = ViewKind::surface;
        settings.projection = ui::Projection::oblique;
        QTest::newRow("surface") << settings << 9 << false << false;
        QTest::newRow("surface, cells") << settings << 9 << true << false;
        setValue(clipOption, 1, settings);
        QTest::newRow("clipped surface") << settings << 9 << false << false;
        QTest::newRow("clipped surface, cells") << settings << 9 << true << false;
    }
    void newValuesArePaintedAsOpenGlDrawsThem()
    {
        QFETCH(ViewSettings, settings);
        QFETCH(int, pointsInZ);
        QFETCH(bool, atCells);
        QFETCH(bool, hasNoNumbers);
        const auto mesh = unitImage(21, 17, static_cast<std::size_t>(pointsInZ));
        const auto valuesOf = [&](double shift) {
            auto values = sample(
                mesh,
                [shift](double x, double y, double z) {
                    return static_cast<float>(0.5 + 0.25 * std::sin(7 * x + shift)
                                              + 0.2 * std::cos(5 * y * x) * z + 0.1 * y);
                },
                atCells);
            if (hasNoNumbers)
                for (std::size_t i = 40; i < 60; ++i)
                    values[i] = noNumber;
            return values;
        };
        const auto first = valuesOf(0);
        const auto field =
            fieldOf(first.size(), 1, atCells ? data::Association::cell : data::Association::point);
        Repainted picture;
        picture.show(mesh, field, first, settings);
        picture.paint();
        QCOMPARE(picture.wrongPixels(), 0);
        for (int step = 0; step < 3; ++step)
            picture.paint(); // gets ready
        QCOMPARE(picture.repainter.painted(), std::uint64_t{0});
        for (int i = 1; i <= 3; ++i) {
            picture.scene.setCaption("Re = " + std::to_string(10 * i));
            picture.scene.setValues(field, valuesOf(0.4 * i));
            for (int step = 0; i == 1 && step < 4; ++step)
                picture.paint(); // the first caption needs room
            picture.paint();
            QVERIFY(picture.repainter.painted() >= static_cast<std::uint64_t>(i));
            const int wrong = picture.wrongPixels();
            QVERIFY2(wrong < 2e-3 * width * height, qPrintable(QString::number(wrong)));
        }
    }

    void visibleValuesAreEnoughForASlice_data()
    {
        QTest::addColumn<ViewSettings>("settings");
        QTest::addColumn<int>("points");
        ViewSettings settings;
        settings.range = unitRange;
        QTest::newRow("on a plane of points") << settings << 17 * 13;
        settings.position = 0.3;
        QTest::newRow("between two") << settings << 2 * 17 * 13;
        settings.normal = Axis::y;
        QTest::newRow("across y") << settings << 2 * 17 * 9;
    }
    void visibleValuesAreEnoughForASlice()
    {
        QFETCH(ViewSettings, settings);
        QFETCH(int, points);
        const auto mesh = unitImage(17, 13, 9);
        const auto up = sample(mesh, [](double x, double y, double z) {
            return static_cast<float>((x + 2 * y + z * z) / 4);
        });
        const auto field = fieldOf(up.size());
        auto down = up;
        std::reverse(down.begin(), down.end());
        Drawn drawn;
        drawn.show(mesh, field, down, settings);
        const auto wanted = drawn.image;
        drawn.scene.setValues(field, up);
        drawn.draw();
        QVERIFY(drawn.image.pixels != wanted.pixels);
        const auto visible = drawn.scene.visible();
        QVERIFY(visible);
        QCOMPARE(static_cast<int>(visible->size()), points);
        std::vector<float> values;
        for (const auto point : *visible)
            values.push_back(down[point]);
        drawn.scene.setVisibleValues(values);
        drawn.draw();
        QVERIFY(drawn.image.pixels == wanted.pixels);
        QVERIFY(drawn.scene.visible() == visible);
        values.pop_back();
        QVERIFY_THROWS_EXCEPTION(Error, drawn.scene.setVisibleValues(values));
        settings.kind = ViewKind::contour;
        drawn.scene.setView(settings);
        QVERIFY(!drawn.scene.visible());
    }

    void whatIsMoreThanNewValuesIsDrawn()
    {
        const auto mesh = unitImage(9, 9);
        const auto up =
            sample(mesh, [](double x, double y, double) { return static_cast<float>(x + y); });
        const auto field = fieldOf(up.size());
        Repainted picture;
        picture.show(mesh, field, up);
        for (int i = 0; i < 5; ++i)
            picture.paint();
        QCOMPARE(picture.repainter.painted(), std::uint64_t{1});
        const auto paintsNothingNew = [&] {
            picture.paint();
            return picture.repainter.painted() == 1 && picture.wrongPixels() == 0;
        };
        picture.scene.fieldRenderer()->GetActiveCamera()->Zoom(1.3);
        QVERIFY(paintsNothingNew());
        picture.scene.resetCamera();
        QVERIFY(paintsNothingNew());
        ViewSettings settings;
        settings.dark = true;
        picture.scene.setView(settings);
        QVERIFY(paintsNothingNew());
        settings.kind = ViewKind::contour; // its lines follow the values
        picture.scene.setView(settings);
        QVERIFY(paintsNothingNew());
        QVERIFY(paintsNothingNew());
        QVERIFY(!picture.repainter.couldBeReady());
        settings.kind = ViewKind::slice;
        picture.scene.setView(settings);
        QVERIFY(paintsNothingNew());
        QVERIFY(picture.repainter.couldBeReady());
        // Ready before the next values come; and the bar follows their range.
        for (int step = 0; step < 3; ++step)
            picture.repainter.getReady(picture.pixels);
        QVERIFY(!picture.repainter.couldBeReady());
        auto twice = up;
        for (float &value : twice)
            value *= 2;
        picture.scene.setValues(field, twice);
        picture.paint();
        QCOMPARE(picture.repainter.painted(), std::uint64_t{2});
        const int wrong = picture.wrongPixels();
        QVERIFY2(wrong < 1e-3 * width * height, qPrintable(QString::number(wrong)));
    }
};

GRIDHELM_TEST(TestNewValues)
#include "tst_new_values.moc"
