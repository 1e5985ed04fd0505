// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which variants of a stencil's code are tried. The GPU is made up: it takes the CPU's literal
// loop for its code, and refuses what it is told to.
#include "data/stencil/compile_stencil.h"
#include "data/stencil/tune_stencil.h"
#include "tests/core/expect_error.h"
#include "tests/data/partless_gpu.h"
#include "tests/data/stencil_cases.h"
#include "tests/data/stencil_values.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <functional>
#include <utility>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::stencil;

namespace {

class MadeUpGpu final : public test::PartlessGpu
{
public:
    explicit MadeUpGpu(std::function<bool(const Target &)> refuses)
        : m_refuses(std::move(refuses))
    {
    }
    CubinCompiler compilerFor(const ExecutionContext &) const override
    {
        return {"made up 1.0", "1.0", [](const std::string &text) { return text; }};
    }
    std::unique_ptr<solvers::Stepper> makeStepper(const Stencil &stencil, const std::string &,
                                                  const ExecutionContext &) const override
    {
        if (m_refuses(stencil.target))
            throw BackendError("there are not enough registers for its blocks");
        return makeStencilStepper(stencil, {}, CpuDevice{1});
    }

private:
    std::function<bool(const Target &)> m_refuses;
};

int threadsOf(const StencilVariant &variant)
{
    return variant.target.block[0] * variant.target.block[1];
}

Stencil smallStencil(Target::Device device)
{
    auto stencil = test::lopsidedStencil(2, 2);
    stencil.points = {9, 7, 1};
    stencil.target.device = device;
    return stencil;
}

} // namespace

class TestStencilTuning : public QObject
{
    Q_OBJECT

private slots:
    void whatCannotRunIsLeftOut_data();
    void whatCannotRunIsLeftOut();
    void ifNothingRunsTheFirstReasonIsSaid();
    void whatNoFolderCanHaveIsRefused();
    void largeBlocksAreTriedWhereTheFileHasThem();
    void aStopSaysNothingElse();
    void theCpuBesideGpusKeepsTheirPasses();

private:
    StencilTuning tuned(const Stencil &stencil, const MadeUpGpu &gpu,
                        const StencilTuneOptions &options = {.shortest = 1e-6})
    {
        const StencilMeans means{&gpu, "auto", stencil.isForGpu() ? "gpu" : "cpu", false,
                                 m_folder.path().toStdString() + "/gridhelm"};
        const auto context = ExecutionContext(CpuDevice{1})
                                 .withGpus({GpuDevice{0}})
                                 .withFallback(FallbackPolicy::forbidden);
        return tuneStencil(stencil, means, context, options);
    }

    QTemporaryDir m_folder;
};

void TestStencilTuning::whatCannotRunIsLeftOut_data()
{
    QTest::addColumn<int>("unknowns"); // of the file
    QTest::newRow("others") << 32;
    QTest::newRow("the file's own") << 4;
}

void TestStencilTuning::whatCannotRunIsLeftOut()
{
    QFETCH(const int, unknowns);
    auto stencil = smallStencil(Target::Device::gpu);
    stencil.target.unknowns = unknowns;
    const auto refuses = [](const Target &target) { return target.unknowns < 16; };
    const auto found = tuned(stencil, MadeUpGpu(refuses));
    QVERIFY(std::ranges::any_of(found.tried, [](const auto &each) { return each.whyNot.empty(); }));
    QVERIFY(
        std::ranges::any_of(found.tried, [](const auto &each) { return !each.whyNot.empty(); }));
    for (const auto &each : found.tried) {
        QCOMPARE(!each.whyNot.empty(), refuses(each.target));
        QCOMPARE(each.updatesPerSecond > 0, each.whyNot.empty());
    }
    QVERIFY(found.best.whyNot.empty() && found.best.updatesPerSecond > 0);
    QCOMPARE(found.before.target.unknowns, unknowns);
}

void TestStencilTuning::ifNothingRunsTheFirstReasonIsSaid()
{
    const MadeUpGpu gpu([](const Target &) { return true; });
    QVERIFY(test::isRefused([&] { (void)tuned(smallStencil(Target::Device::gpu), gpu); },
                            "not enough registers"));
}

/// A GPU makes no passes of this radius: the file would become code with one iteration a pass.
void TestStencilTuning::whatNoFolderCanHaveIsRefused()
{
    auto stencil = smallStencil(Target::Device::gpu);
    stencil.target.iterationsPerPass = 4;
    int made = 0;
    const MadeUpGpu gpu([&](const Target &) {
        ++made;
        return false;
    });
    QVERIFY(test::isRefused([&] { (void)tuned(stencil, gpu); }, "iterations a pass"));
    QCOMPARE(made, 0);
}

/// More threads than are usual: the others of as many are tried as well.
void TestStencilTuning::largeBlocksAreTriedWhereTheFileHasThem()
{
    auto stencil = smallStencil(Target::Device::gpu);
    stencil.target.block = {1024, 1};
    const auto found = tuned(stencil, MadeUpGpu([](const Target &) { return false; }));
    QCOMPARE(threadsOf(found.before), 1024);
    const auto ofLarge = std::ranges::count_if(
        found.tried, [](const auto &each) { return threadsOf(each) == 1024; });
    QVERIFY2(ofLarge >= 2, std::to_string(ofLarge).c_str());
    QVERIFY(
        std::ranges::none_of(found.tried, [](const auto &each) { return threadsOf(each) > 1024; }));
    stencil.target.block = {64, 2};
    const auto usual = tuned(stencil, MadeUpGpu([](const Target &) { return false; }));
    QVERIFY(
        std::ranges::none_of(usual.tried, [](const auto &each) { return threadsOf(each) > 512; }));
}

void TestStencilTuning::aStopSaysNothingElse()
{
    std::stop_source stop;
    const auto found = tuned(smallStencil(Target::Device::gpu), MadeUpGpu([&](const Target &) {
                                 stop.request_stop();
                                 return false;
                             }),
                             {.shortest = 1e-6, .stop = stop.get_token()});
    QVERIFY(found.isStopped);
    QVERIFY(found.tried.empty());
}

void TestStencilTuning::theCpuBesideGpusKeepsTheirPasses()
{
    if (data::findCompiler().empty())
        QSKIP("there is no C++ compiler in PATH");
    auto stencil = smallStencil(Target::Device::cpu);
    stencil.target.iterationsPerPass = 3;
    const auto found = tuned(stencil, MadeUpGpu([](const Target &) { return true; }),
                             {.keepsPasses = true, .shortest = 1e-6});
    QVERIFY(found.tried.size() > 1);
    for (const auto &each : found.tried)
        QCOMPARE(each.target.iterationsPerPass, 3);
}

GRIDHELM_TEST(TestStencilTuning)
#include "tst_stencil_tuning.moc"
