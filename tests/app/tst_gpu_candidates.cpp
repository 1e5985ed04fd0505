// SPDX-License-Identifier: GPL-3.0-or-later
//
// What `auto` may choose among on machines with GPUs; none need be there.
#include "app/machine/gpu_candidates.h"

#include <QTest>

#include <string>
#include <vector>

using namespace gridhelm;

class TestGpuCandidates : public QObject
{
    Q_OBJECT

private slots:
    void oneSeveralAndTheCpuWithThem();
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

QTEST_GUILESS_MAIN(TestGpuCandidates)
#include "tst_gpu_candidates.moc"
