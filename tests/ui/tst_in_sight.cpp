// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which points and cells of a mesh are inside of the picture.
#include "tests/support/test_program.h"
#include "tests/ui/scene_case.h"
#include "tests/ui/vector_values.h"
#include "ui/scene/camera/places_in_sight.h"
#include "ui/scene/pictures/warp_options.h"

#include <vtkNew.h>

#include <QTest>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

using Entities = std::vector<std::uint32_t>;

/// Of the part of the window where the field is.
double widthByHeight(const Scene &scene)
{
    const double *viewport = scene.fieldRenderer()->GetViewport();
    return (viewport[2] - viewport[0]) * width / ((viewport[3] - viewport[1]) * height);
}

/// On a flat mesh: the corner at the origin fills the upper right quarter of the picture.
void zoomInOnTheOrigin(Drawn &drawn, double halfHeight)
{
    drawn.scene.setCamera(CameraPlace{{0, 0, 5}, {0, 0, 0}, {0, 1, 0}, halfHeight});
    drawn.draw();
}

} // namespace

class TestInSight : public QObject
{
    Q_OBJECT

private slots:
    void allOfAFittedMeshIsInSight_data()
    {
        QTest::addColumn<int>("layers");
        QTest::addColumn<bool>("atCells");
        QTest::addColumn<double>("relief");
        QTest::newRow("flat, points") << 1 << false << 0.0;
        QTest::newRow("flat, cells") << 1 << true << 0.0;
        QTest::newRow("relief") << 1 << false << 1.0;
        QTest::newRow("in space, points") << 6 << false << 0.0;
        QTest::newRow("in space, cells") << 6 << true << 0.0;
    }
    void allOfAFittedMeshIsInSight()
    {
        QFETCH(int, layers);
        QFETCH(bool, atCells);
        QFETCH(double, relief);
        const auto image = unitImage(7, 5, static_cast<std::size_t>(layers));
        const auto values = sample(
            image, [](double x, double y, double z) { return float(x + y * z); }, atCells);
        ViewSettings settings;
        settings.relief = relief;
        Drawn drawn;
        drawn.show(
            image,
            fieldOf(values.size(), 1, atCells ? data::Association::cell : data::Association::point),
            values, settings);
        QCOMPARE(drawn.scene.inSight().size(), values.size());
    }

    void zoomingInOnACornerGivesItsEntities_data()
    {
        QTest::addColumn<bool>("atCells");
        QTest::newRow("points") << false;
        QTest::newRow("cells") << true;
    }
    void zoomingInOnACornerGivesItsEntities()
    {
        QFETCH(bool, atCells);
        const auto image = unitImage(11, 11);
        const auto xs = sample(
            image, [](double x, double, double) { return float(x); }, atCells);
        const auto ys = sample(
            image, [](double, double y, double) { return float(y); }, atCells);
        Drawn drawn;
        drawn.show(
            image,
            fieldOf(xs.size(), 1, atCells ? data::Association::cell : data::Association::point),
            xs);
        const double halfHeight = 0.33;
        zoomInOnTheOrigin(drawn, halfHeight);
        const double halfWidth = halfHeight * widthByHeight(drawn.scene);
        Entities expected;
        for (std::size_t i = 0; i < xs.size(); ++i)
            if (xs[i] < halfWidth && ys[i] < halfHeight)
                expected.push_back(static_cast<std::uint32_t>(i));
        QVERIFY(expected.size() > 5 && expected.size() < xs.size() / 3);
        QCOMPARE(drawn.scene.inSight(), expected);
        // Beside the mesh there is nothing.
        drawn.scene.setCamera(CameraPlace{{9, 9, 5}, {9, 9, 0}, {0, 1, 0}, halfHeight});
        drawn.draw();
        QVERIFY(drawn.scene.inSight().empty());
        drawn.scene.resetCamera();
        drawn.draw();
        QCOMPARE(drawn.scene.inSight().size(), xs.size());
    }

    void whatIsDrawnElsewhereIsSeenThere()
    {
        // Moved by its vectors to the right, beyond the picture, but for the left side.
        const auto image = unitImage(11, 11);
        const auto vectors = sampleVectors(image, [](double x, double, double) {
            return Vector{x > 0.05 ? 3.0 : 0.0, 0, 0};
        });
        ViewSettings settings;
        setValue(warpOption, 1, settings);
        setValue(warpFactorOption, 1, settings);
        Drawn drawn;
        drawn.show(image, fieldOf(121, 3), vectors, settings);
        QCOMPARE(drawn.scene.inSight().size(), std::size_t{121});
        drawn.scene.setCamera(CameraPlace{{0.5, 0.5, 5}, {0.5, 0.5, 0}, {0, 1, 0}, 0.6});
        drawn.draw();
        const auto seen = drawn.scene.inSight();
        QCOMPARE(seen.size(), std::size_t{11});
        QVERIFY(std::ranges::all_of(seen, [](auto point) { return point % 11 == 0; }));
    }

    void whatLiesBehindTheEyeIsNotSeen()
    {
        vtkNew<vtkCamera> camera; // in the origin, towards +x
        camera->SetPosition(0, 0, 0);
        camera->SetFocalPoint(1, 0, 0);
        camera->SetViewUp(0, 0, 1);
        camera->SetViewAngle(90);
        const double nan = std::nan("");
        const std::vector<double> places{
            1,  0,    0,   // before it
            -1, 0,    0,   // behind it
            -1, -0.5, 0.5, //
            1,  0,    0.9, // half of the height is as far as it is away
            1,  0,    1.1, //
            1,  1.9,  0,   // and the picture is twice as wide
            1,  -2.1, 0,   //
            1,  nan,  0,   // an empty cell
        };
        QCOMPARE(placesInSight(*camera, 2, places), (Entities{0, 3, 5}));
    }

    void withoutValuesNothingIsSeen()
    {
        Scene scene;
        QVERIFY(scene.inSight().empty());
        scene.setMesh(data::encodeImageMesh(unitImage(3, 3)));
        QVERIFY(scene.inSight().empty());
    }
};

GRIDHELM_TEST(TestInSight)
#include "tst_in_sight.moc"
