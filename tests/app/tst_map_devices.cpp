// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who makes Sobol' maps where there is no GPU, or one that fails.
#include "app/machine/map_devices.h"
#include "core/support/error.h"
#include "gpu/device_info.h"
#include "tests/core/square_sums_case.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <string>
#include <vector>

using namespace gridhelm;
using gridhelm::test::SquareSumsCase;

namespace {

/// A GPU that no machine has.
std::vector<GpuDevice> missingGpu()
{
    GpuDevice gpu;
    gpu.index = 40;
    return {gpu};
}

} // namespace

class MapDevicesTest : public QObject
{
    Q_OBJECT

private slots:
    void theCpuMakesThemWhereThereIsNoGpu()
    {
        const SquareSumsCase given(5, 300, {4, 20}, {1, 0});
        auto out = given.output();
        const auto summer = app::squareSummer(ExecutionContext(CpuDevice{2}), true);
        QVERIFY(summer(given.sums, given.matrix(), out.spans()) == ComputedOn::cpu());
        QVERIFY2(given.isRight(out), qPrintable(given.problem));
    }

    void theCpuTakesOverFromAGpuThatFails()
    {
        if (!gpu::isBuilt())
            QSKIP("built without CUDA");
        const SquareSumsCase given(5, 300, {4, 20}, {1, 0});
        auto out = given.output();
        const auto context = ExecutionContext(CpuDevice{2}).withGpus(missingGpu());
        QVERIFY_THROWS_EXCEPTION(BackendError, app::squareSummer(context, true)(
                                                   given.sums, given.matrix(), out.spans()));
        std::vector<std::string> said;
        const auto summer = app::squareSummer(
            context.withFallback(FallbackPolicy::allowed).withEvents([&](const auto &event) {
                said.push_back(event.sentence);
            }),
            true);
        QVERIFY(summer(given.sums, given.matrix(), out.spans()) == ComputedOn::cpu());
        QVERIFY2(given.isRight(out), qPrintable(given.problem));
        QCOMPARE(said.size(), 1U);
        QVERIFY2(said[0].starts_with("the CPU makes the maps: "), said[0].c_str());
    }

    void littleWorkIsTheCpus()
    {
        // Without being asked for, a GPU that cannot be had is not even tried.
        const SquareSumsCase given(5, 300, {4, 20}, {1, 0});
        auto out = given.output();
        const auto summer =
            app::squareSummer(ExecutionContext(CpuDevice{1}).withGpus(missingGpu()), false);
        QVERIFY(summer(given.sums, given.matrix(), out.spans()) == ComputedOn::cpu());
        QVERIFY2(given.isRight(out), qPrintable(given.problem));
    }
};

GRIDHELM_TEST(MapDevicesTest)
#include "tst_map_devices.moc"
