// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bodies that are drawn as their displacement deforms them.
#include "core/support/error.h"
#include "tests/support/test_program.h"
#include "tests/ui/coloured_part.h"
#include "tests/ui/scene_case.h"
#include "tests/ui/unstructured_image.h"
#include "tests/ui/vector_values.h"
#include "ui/scene/geometry/warp.h"
#include "ui/scene/pictures/plane_options.h"
#include "ui/scene/pictures/warp_options.h"

#include <vtkCellPicker.h>
#include <vtkNew.h>

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

ViewSettings warpedView(ViewKind kind, double factor)
{
    auto settings = viewOf(kind);
    setValue(warpOption, 1, settings);
    setValue(warpFactorOption, factor, settings);
    return settings;
}

/// Grows along y with x.
std::vector<float> shear(const data::ImageMesh &image, double factor, bool atCells = false)
{
    return sampleVectors(
        image,
        [factor](double x, double, double) {
            return Vector{0, factor * x, 0};
        },
        atCells);
}

} // namespace

class TestWarp : public QObject
{
    Q_OBJECT

private slots:
    void nodesAreDrawnWhereTheVectorsTakeThem_data()
    {
        QTest::addColumn<bool>("isImage");
        QTest::addColumn<bool>("isClipped");
        for (const bool isImage : {true, false})
            for (const bool isClipped : {false, true})
                QTest::addRow("%s, %s", isImage ? "image" : "unstructured",
                              isClipped ? "clipped" : "whole")
                    << isImage << isClipped;
    }
    void nodesAreDrawnWhereTheVectorsTakeThem()
    {
        QFETCH(bool, isImage);
        QFETCH(bool, isClipped);
        const auto image = unitImage(6, 6, 6);
        const auto field = fieldOf(216, 3);
        auto settings = warpedView(ViewKind::surface, -2);
        setValue(clipOption, isClipped ? 1 : 0, settings);
        Drawn drawn;
        drawn.show(meshOf(image, isImage), field, shear(image, 0.1), settings);
        for (const double shift : {0.1, 0.4, -0.3}) { // while the user drags
            drawn.scene.setValues(field, shear(image, shift));
            drawn.draw();
            auto *shown = coloured(drawn);
            for (vtkIdType i = 0; i < shown->GetNumberOfPoints(); ++i) {
                const auto at = pointOf(*shown, i);
                const double y = at[1] + 2 * shift * at[0], z = at[2];
                const double top = isClipped ? 0.5 : 1;
                const double outside =
                    std::max({-at[0], at[0] - 1, -y, y - 1, -z, z - top}); // of the body at rest
                QVERIFY2(std::abs(outside) < 1e-5, qPrintable(QString::number(outside)));
                QVERIFY(std::abs(valueAt(*shown, i) - std::abs(shift) * at[0]) < 1e-5);
            }
            QVERIFY2(!drawn.scene.layOut(width, height, 72), "new values move it");
            QVERIFY(!drawn.scene.visible());
        }
        setValue(warpOption, 0, settings);
        drawn.scene.setView(settings);
        drawn.draw();
        auto *shown = coloured(drawn);
        QVERIFY(std::abs(shown->GetBounds()[2]) < 1e-6
                && std::abs(shown->GetBounds()[3] - 1) < 1e-6);
        QVERIFY(drawn.scene.layOut(width, height, 72));
        QVERIFY(!shown->GetPointData()->GetArray(warpArray));
        QCOMPARE(drawn.scene.warpOf(5), (Vector{0, 0, 0}));
    }

    void otherKindsAreWarpedToo_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("layers");
        for (const auto kind : {ViewKind::slice, ViewKind::contour, ViewKind::surface})
            for (const int layers : {1, 6})
                QTest::addRow("%s, %d", toString(kind).data(), layers)
                    << static_cast<int>(kind) << layers;
    }
    /// Everything goes to the right by as much.
    void otherKindsAreWarpedToo()
    {
        QFETCH(int, kind);
        QFETCH(int, layers);
        const auto image = unitImage(6, 6, static_cast<std::size_t>(layers));
        const bool isFlat = layers == 1;
        std::vector<float> values;
        for (std::size_t i = 0; i < 36 * static_cast<std::size_t>(layers); ++i)
            values.insert(values.end(), {0.5F, static_cast<float>(i % 6) / 5});
        if (!isFlat)
            values = sampleVectors(image, [](double x, double, double) {
                return Vector{0.5, x, 0};
            });
        auto settings = viewOf(static_cast<ViewKind>(kind));
        settings.component.index = 1;
        settings.levels = {0.25, 0.75};
        settings.range = unitRange;
        Drawn drawn;
        drawn.show(image, fieldOf(36 * static_cast<std::size_t>(layers), isFlat ? 2 : 3), values,
                   settings);
        std::array<double, 6> before{}, after{};
        coloured(drawn)->GetBounds(before.data());
        setValue(warpOption, 1, settings);
        setValue(warpFactorOption, 4, settings);
        drawn.scene.setView(settings);
        drawn.draw();
        coloured(drawn)->GetBounds(after.data());
        QVERIFY(std::abs(after[0] - before[0] - 2) < 1e-5);
        const bool isIsosurface = !isFlat && kind == static_cast<int>(ViewKind::contour);
        const double lowest = isIsosurface ? 1 : 0; // by 4 x, and the first one is at x = 0.25
        QVERIFY(std::abs(after[2] - before[2] - lowest) < 1e-5);
        QVERIFY(after[3] > before[3] + 2.9);
        if (isFlat)
            QVERIFY2(std::abs(after[5] - before[5]) < 1e-5, "in the plane");
    }

    void allOfAWarpedBodyIsSeen()
    {
        const auto image = unitImage(6, 6, 6);
        Drawn drawn;
        drawn.show(image, fieldOf(216, 3), shear(image, 1), warpedView(ViewKind::surface, 7));
        auto &renderer = *drawn.scene.fieldRenderer();
        const double *viewport = renderer.GetViewport();
        for (const auto &corner : {Vector{0, 0, 0}, Vector{1, 8, 0}, Vector{1, 7, 1}}) {
            renderer.SetWorldPoint(corner[0], corner[1], corner[2], 1);
            renderer.WorldToDisplay();
            const double *at = renderer.GetDisplayPoint();
            QVERIFY(at[0] > viewport[0] * width && at[0] < viewport[2] * width);
            QVERIFY(at[1] > viewport[1] * height && at[1] < viewport[3] * height);
        }
    }

    void aClickOnAWarpedBodyMeansWhereItWas_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("surface") << static_cast<int>(ViewKind::surface);
        QTest::newRow("slice") << static_cast<int>(ViewKind::slice);
    }
    void aClickOnAWarpedBodyMeansWhereItWas()
    {
        QFETCH(int, kind);
        const auto image = unitImage(6, 6, 6);
        Drawn drawn;
        drawn.show(image, fieldOf(216, 3), shear(image, 0.25),
                   warpedView(static_cast<ViewKind>(kind), 2));
        const double *viewport = drawn.scene.fieldRenderer()->GetViewport();
        vtkNew<vtkCellPicker> picker;
        picker->SetTolerance(1e-4);
        int picked = 0;
        for (double across = 0.3; across < 0.71; across += 0.04) {
            const double x = (viewport[0] + across * (viewport[2] - viewport[0])) * width;
            const double y = 0.5 * (viewport[1] + viewport[3]) * height;
            if (picker->Pick(x, y, 0, drawn.scene.fieldRenderer()) == 0)
                continue;
            ++picked;
            Vector at{}, local{};
            picker->GetPickPosition(at.data());
            picker->GetPCoords(local.data());
            const auto was =
                unwarped(*picker->GetDataSet(), picker->GetCellId(), picker->GetSubId(), local, at);
            QVERIFY(std::abs(was[0] - at[0]) < 1e-4 && std::abs(was[2] - at[2]) < 1e-4);
            QVERIFY2(std::abs(was[1] - (at[1] - 0.5 * at[0])) < 1e-4,
                     qPrintable(QString("%1 of %2").arg(was[1]).arg(at[1])));
        }
        QVERIFY(picked > 4);
        // And the mark of a probed point is where the point is drawn: the last one has x = 1.
        QVERIFY(std::abs(drawn.scene.warpOf(215)[1] - 0.5) < 1e-6);
    }

    void fieldsThatAreNoDisplacementSayWhyNot()
    {
        const auto image = unitImage(4, 4, 4);
        const auto warp = warpedView(ViewKind::surface, 1);
        const auto plain = viewOf(ViewKind::surface);
        struct Case
        {
            data::Field field;
            const char *says;
        };
        for (const auto &[field, says] :
             {Case{fieldOf(64), "has 1"}, Case{fieldOf(64, 2), "has 2"},
              Case{fieldOf(27, 3, data::Association::cell), "values of cells"}}) {
            Drawn drawn;
            drawn.show(image, field, std::vector<float>(field.values(), 0.5F), plain);
            const auto before = drawn.image.pixels;
            const auto reason = whyRefused(drawn, warp);
            QVERIFY2(reason.contains(says) && reason.contains("choose another field"), reason);
            drawn.draw();
            QVERIFY(drawn.image.pixels == before);
            QVERIFY2(whyRefused(drawn, warpedView(ViewKind::volume, 1)).isEmpty(),
                     "who cannot warp does not care");
        }
        Drawn drawn; // a field that can, and then one that cannot
        drawn.show(image, fieldOf(64, 3), shear(image, 0.1), warp);
        const auto before = drawn.image.pixels;
        QVERIFY_EXCEPTION_THROWN(drawn.scene.setValues(fieldOf(64), std::vector<float>(64, 1.0F)),
                                 Error);
        drawn.draw();
        QVERIFY(drawn.image.pixels == before);
    }

    void vectorsThatAreNoNumbersMoveNothing()
    {
        const auto image = unitImage(4, 4, 4);
        auto values = shear(image, 0.5);
        std::fill(values.begin(), values.begin() + 30, noNumber);
        values[100] = 3e38F;
        Drawn drawn;
        drawn.show(image, fieldOf(64, 3), values, warpedView(ViewKind::surface, 1e9));
        for (const double end : std::span(coloured(drawn)->GetBounds(), 6))
            QVERIFY(std::isfinite(end) && std::abs(end) < 1e31);
        for (const double factor : {std::nan(""), 2e9, -2e9})
            QVERIFY(whyRefused(drawn, warpedView(ViewKind::surface, factor)).contains("factor"));
    }
};

GRIDHELM_TEST(TestWarp)
#include "tst_warp.moc"
