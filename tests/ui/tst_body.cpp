// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pictures of bodies that move, and of bodies that cover a part of their mesh.
#include "core/support/error.h"
#include "data/mesh/mesh_motion.h"
#include "tests/support/test_program.h"
#include "tests/ui/scene_case.h"
#include "ui/scene/colour/colour_table.h"
#include "ui/scene/drawing/transparency.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

constexpr double radius = 0.25;

/// Of a circle, or a sphere, around the middle of the unit square (or cube), which is a hole.
std::vector<float> distanceToHole(const data::ImageMesh &mesh, double holeRadius = radius)
{
    const double middle = mesh.points[2] > 1 ? 0.5 : 0;
    return sample(mesh, [=](double x, double y, double z) {
        return static_cast<float>(std::hypot(x - 0.5, y - 0.5, z - middle) - holeRadius);
    });
}

struct WithHole : Drawn
{
    data::ImageMesh mesh;
    std::vector<float> values, distance;

    /// Values are x outside of the hole, and 100 in it, where nobody may see them.
    explicit WithHole(const data::ImageMesh &of)
        : mesh(of)
        , distance(distanceToHole(of))
    {
        values = sample(mesh, [](double x, double, double) { return static_cast<float>(x); });
        for (std::size_t i = 0; i < values.size(); ++i)
            if (distance[i] < -0.1F)
                values[i] = 100;
    }

    void show(const ViewSettings &settings)
    {
        scene.setView(settings);
        scene.setMesh(data::encodeImageMesh(mesh));
        scene.setValues(fieldOf(values.size()), values, {{}, {}, {}, distance});
        draw();
    }
    /// All of them point along x.
    void showArrows(const data::Field &field, const std::vector<float> &distances)
    {
        std::vector<float> vectors;
        for (std::size_t i = 0; i < field.entities; ++i)
            vectors.insert(vectors.end(), {1, 0, 0});
        ViewSettings settings;
        settings.kind = ViewKind::glyphs;
        settings.glyphCount = 1000;
        scene.setView(settings);
        scene.setMesh(data::encodeImageMesh(mesh));
        scene.setValues(field, vectors, {{}, {}, {}, distances});
        draw();
    }
    std::ptrdiff_t pixelsNear(const Colour &colour) const
    {
        return std::ranges::count_if(image.pixels,
                                     [&](const Colour &c) { return isNear(c, colour, 40); });
    }
};

} // namespace

class TestBody : public QObject
{
    Q_OBJECT

private slots:
    void aHoleShowsTheBackground_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("slice") << static_cast<int>(ViewKind::slice);
        QTest::newRow("contour") << static_cast<int>(ViewKind::contour);
    }
    void aHoleShowsTheBackground()
    {
        QFETCH(int, kind);
        WithHole drawn(unitImage(65, 65));
        ViewSettings settings;
        settings.kind = static_cast<ViewKind>(kind);
        drawn.show(settings);
        for (const double angle : {0.0, 1.0, 2.0, 3.0, 4.0, 5.0}) {
            const auto at = [&](double r) {
                return drawn.colourAt(0.5 + r * std::cos(angle), 0.5 + r * std::sin(angle));
            };
            COMPARE_COLOURS(at(0.9 * radius), white);
            COMPARE_COLOURS(at(0.0), white);
            QVERIFY(!isNear(at(1.15 * radius), white, 40));
        }
        // What a field is continued with does not count.
        QCOMPARE(drawn.scene.range().high, 1.0);
    }

    void aHoleMayGrowAndGo()
    {
        WithHole drawn(unitImage(65, 65));
        drawn.show({});
        QVERIFY(!isNear(drawn.colourAt(0.5 + 0.3, 0.5), white, 40));
        drawn.distance = distanceToHole(drawn.mesh, 0.4);
        drawn.show({});
        COMPARE_COLOURS(drawn.colourAt(0.5 + 0.3, 0.5), white);
        drawn.scene.setValues(fieldOf(drawn.values.size()), drawn.values);
        drawn.draw();
        QVERIFY(!isNear(drawn.colourAt(0.5 + 0.3, 0.5), white, 40));
    }

    void aSliceThroughASolidHasTheHole()
    {
        WithHole drawn(unitImage(33, 33, 33));
        drawn.show({});
        COMPARE_COLOURS(drawn.colourAt(0.5, 0.5), white);
        QVERIFY(!isNear(drawn.colourAt(0.5, 0.85), white, 40));
    }

    /// The walls of a hole are drawn, in the colours of the values there.
    void aHoleInASolidHasWalls()
    {
        const auto mesh = unitImage(33, 33, 33);
        WithHole drawn(mesh);
        drawn.distance = sample(mesh, [](double x, double y, double) { // a bore along z
            return static_cast<float>(std::hypot(x - 0.5, y - 0.5) - radius);
        });
        drawn.values = sample(mesh, [](double x, double y, double) {
            return std::hypot(x - 0.5, y - 0.5) < 0.3 ? 1.0F : 0.0F;
        });
        ViewSettings settings;
        settings.kind = ViewKind::surface;
        settings.range = unitRange;
        settings.colours = ColourMap::grey;
        settings.outline = false;
        drawn.show(settings);
        auto &camera = *drawn.scene.fieldRenderer()->GetActiveCamera();
        QVERIFY(std::abs(camera.GetDirectionOfProjection()[2]) < 0.9); // from the side and above
        // The lit inside of the bore is bright; the outside, with values of 0, is dark.
        const auto bright = std::ranges::count_if(drawn.image.pixels, [](const Colour &c) {
            return c[0] > 110 && c[0] < 250 && c[0] == c[1] && c[1] == c[2];
        });
        QVERIFY2(bright > 500, QByteArray::number(static_cast<int>(bright)));
    }

    void aVolumeHasNothingInAHole()
    {
        const auto mesh = unitImage(17, 17, 17);
        WithHole drawn(mesh);
        drawn.values.assign(drawn.values.size(), 1);
        ViewSettings settings;
        settings.kind = ViewKind::volume;
        settings.range = unitRange;
        settings.opacity = 1;
        settings.outline = false;
        drawn.distance.assign(drawn.values.size(), 1);
        drawn.show(settings);
        QVERIFY(!isNear(drawn.middle(), white, 40));
        drawn.distance.assign(drawn.values.size(), -1);
        drawn.distance.front() = 1;
        drawn.show(settings);
        COMPARE_COLOURS(drawn.middle(), white);
    }

    void arrowsAreInTheBody()
    {
        WithHole drawn(unitImage(33, 33));
        drawn.showArrows(fieldOf(33 * 33, 3), drawn.distance);
        for (int i = -4; i <= 4; ++i)
            for (int j = -4; j <= 4; ++j)
                COMPARE_COLOURS(drawn.colourAt(0.5 + 0.03 * i, 0.5 + 0.03 * j), white);
    }

    /// Distances are those of points: what lies on cells is drawn everywhere.
    void cellsHaveNoDistance()
    {
        WithHole drawn(unitImage(33, 33));
        const std::vector<float> nowhere(33 * 33, -1);
        drawn.showArrows(fieldOf(32 * 32, 3, data::Association::cell), nowhere);
        QVERIFY(drawn.pixelsNear(colourOf(ViewSettings().colours, 1)) > 100);
    }

    void nodesGoWhereTheyAre()
    {
        const auto image = unitImage(9, 9);
        const auto mesh = data::movable(data::encodeImageMesh(image));
        QCOMPARE(mesh.kind, std::string("structured"));
        const auto values =
            sample(image, [](double x, double, double) { return static_cast<float>(x); });
        ViewSettings settings;
        settings.range = unitRange;
        Drawn drawn;
        drawn.scene.setView(settings);
        drawn.scene.setMesh(mesh);
        const auto stretched = [&](double factor) {
            std::vector<float> displacement;
            for (std::size_t i = 0; i < 81; ++i)
                displacement.insert(
                    displacement.end(),
                    {static_cast<float>((factor - 1) * 0.125 * static_cast<double>(i % 9)), 0, 0});
            drawn.scene.setValues(fieldOf(81), values, {{}, {}, displacement, {}});
            drawn.draw();
        };
        stretched(1);
        COMPARE_COLOURS(drawn.colourAt(0.75, 0.5), colourOf(settings.colours, 0.75));
        stretched(0.5);
        COMPARE_COLOURS(drawn.colourAt(0.375, 0.5), colourOf(settings.colours, 0.75));
        COMPARE_COLOURS(drawn.colourAt(0.75, 0.5), white);
        stretched(3); // all of it is seen
        COMPARE_COLOURS(drawn.colourAt(2.25, 0.5), colourOf(settings.colours, 0.75));
        COMPARE_COLOURS(drawn.colourAt(2.9, 0.5), colourOf(settings.colours, 2.9 / 3));
        QVERIFY(!drawn.scene.visible()); // every node may go anywhere
    }

    void whatIsOfAnotherLengthIsRefused()
    {
        WithHole drawn(unitImage(9, 9));
        drawn.show({});
        const auto before = drawn.image.pixels;
        const std::vector<float> few(7);
        const auto field = fieldOf(81);
        QVERIFY_THROWS_EXCEPTION(Error,
                                 drawn.scene.setValues(field, drawn.values, {{}, {}, few, {}}));
        QVERIFY_THROWS_EXCEPTION(Error,
                                 drawn.scene.setValues(field, drawn.values, {{}, {}, {}, few}));
        const std::vector<float> still(3 * 81);
        QVERIFY_THROWS_EXCEPTION( // an image has no points that could move
            Error, drawn.scene.setValues(field, drawn.values, {{}, {}, still, {}}));
        drawn.draw();
        QVERIFY(drawn.image.pixels == before);
    }
};

GRIDHELM_TEST(TestBody)
#include "tst_body.moc"
