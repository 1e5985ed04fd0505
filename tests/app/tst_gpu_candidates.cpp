// SPDX-License-Identifier: GPL-3.0-or-later
//
// What `auto` may choose among on machines with GPUs, and whose constants are theirs; none need be
// there.
#include "app/machine/gpu_candidates.h"
#include "app/machine/tuned_machine.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <string>
#include <vector>

using namespace gridhelm;

class TestGpuCandidates : public QObject
{
    Q_OBJECT

private slots:
    void oneSeveralAndTheCpuWithThem();
    void constantsAreKeptForAModelAndItsDriver();
};

void TestGpuCandidates::oneSeveralAndTheCpuWithThem()
{
    using Names = std::vector<std::string>;
    const auto namesOf = [](const std::vector<GpuDevice> &gpus, const Names &machine) {
        const auto context = ExecutionContext(CpuDevice{4}).withGpus(gpus);
        Names names;
        for (const auto &candidate : app::gpuCandidates(context, machine, "driver")) {
            names.push_back(candidate.name);
            if (candidate.solvers == nullptr)
                names.emplace_back("for grids alone");
        }
        return names;
    };
    QCOMPARE(namesOf({}, {}), Names{});
    QCOMPARE(namesOf({GpuDevice{0}}, {"first"}), (Names{"cuda", "gpu+cpu", "for grids alone"}));
    QCOMPARE(namesOf({GpuDevice{0}, GpuDevice{1}}, {"first", "second"}),
             (Names{"cuda", "gpu:all", "gpu:all+cpu", "for grids alone"}));
    QCOMPARE(namesOf({GpuDevice{1}}, {"first", "second"}), Names{"cuda"}); // it was chosen

    // The times of one GPU do not depend on another one.
    const auto one = ExecutionContext(CpuDevice{1}).withGpus(std::vector{GpuDevice{1}});
    const auto candidates = app::gpuCandidates(one, {"first", "second"}, "driver");
    QCOMPARE(candidates.front().hardware, std::string("second, driver"));
}

void TestGpuCandidates::constantsAreKeptForAModelAndItsDriver()
{
    const auto context = [](const std::vector<GpuDevice> &gpus) {
        return ExecutionContext(CpuDevice{1}).withGpus(gpus);
    };
    const gpu::DeviceList alike{{{"one"}, {"one"}}, "driver 1", {}};
    const gpu::DeviceList unlike{{{"one"}, {"other"}}, "driver 1", {}};
    const std::vector both{GpuDevice{0}, GpuDevice{1}};
    const auto kept = app::tunedGpus(context(both), alike);
    QVERIFY(kept.has_value());
    QCOMPARE(kept->hardware, std::string("one, driver 1"));
    QCOMPARE(app::tunedGpus(context({GpuDevice{1}}), unlike)->hardware,
             std::string("other, driver 1"));
    QVERIFY(!app::tunedGpus(context(both), unlike)); // which of them asks?
    QVERIFY(!app::tunedGpus(context({}), alike));
    QVERIFY(!app::tunedGpus(context({GpuDevice{2}}), alike)); // it has gone
    // One of each model is tuned, if there is something to choose.
    const auto counted = [&](const gpu::DeviceList &machine) {
        return app::tuningGpus(context(both), machine).size();
    };
    QCOMPARE(counted(alike), std::size_t{gpu::isBuilt() ? 1U : 0U});
    QCOMPARE(counted(unlike), std::size_t{gpu::isBuilt() ? 2U : 0U});
}

GRIDHELM_TEST(TestGpuCandidates)
#include "tst_gpu_candidates.moc"
