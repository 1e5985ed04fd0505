// SPDX-License-Identifier: GPL-3.0-or-later
//
// A solver in a thread of its own: what it computes, how it ends, and that nobody waits for it.
#include "core/solvers/poisson/poisson_stepper.h"
#include "core/solvers/setup/pmm_setup.h"
#include "core/solvers/setup/poisson_setup.h"
#include "core/solvers/vti_file.h"
#include "core/support/error.h"
#include "tests/core/field_values.h"
#include "tests/core/on_cpu.h"
#include "tests/core/sanitized.h"
#include "tests/ui/least_time.h"
#include "tests/ui/memory_in_use.h"
#include "tests/ui/widget_test.h"
#include "ui/solve/solver_run.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <chrono>
#include <thread>

using namespace gridhelm;
using namespace gridhelm::solvers;
using namespace gridhelm::ui;
using gridhelm::test::valuesOf;

namespace {

constexpr int patience = 20000;   ///< milliseconds; instrumented builds are slow
constexpr qint64 immediate = 200; ///< milliseconds; by design some tens

constexpr const char *endless = "1000000000000"; ///< iterations

PoissonProblem problem(const std::string &size, const std::string &source = "spike")
{
    PoissonSetup setup;
    setup.size = size;
    setup.source.name = source;
    return poissonProblem(setup);
}

RunRequest jacobi(const std::string &size, const std::string &iterations,
                  const std::string &until = {})
{
    RunRequest request;
    request.makeCase = [=](const std::stop_token &) {
        RunSetup run;
        if (!iterations.empty())
            run.iterations = iterations;
        if (!until.empty())
            run.until = TargetSetup::split(until);
        return poissonCase(problem(size), {"tuned"}, run, false, test::onCpu());
    };
    return request;
}

bool waitFor(const SolverRun &run, RunPhase phase)
{
    return QTest::qWaitFor([&] { return run.state().phase == phase; }, patience);
}

} // namespace

class TestSolverRun : public QObject
{
    Q_OBJECT

private slots:
    void finishedRunHasTheFieldOfAStepper();
    void steppedRunHasTheFieldOfAStepper();
    void targetEndsOrSettlesTheRun_data();
    void targetEndsOrSettlesTheRun();
    void pausedRunStandsStill();
    void liveChangeActsWhileRunning();
    void refusedChangeIsSaidAndChangesNothing();
    void stoppedRunIsCancelled();
    void badInputFailsBeforeAnythingIsAllocated();
    void divergenceFails();
    void slicesAreThoseOfTheField();
    void resultIsSaved();
    void unwritableFileIsAComplaint();
    void deletingIsImmediate_data();
    void deletingIsImmediate();
    void stoppingIsImmediateWhilePreparing();
    void nextRunWaitsForTheOneLeftBehind();
    void sweepIsLeftBehindSafely();
    void aRunThatIsOverKeepsItsFieldAlone();
    void historyIsThatOfTheRun();
    void framesComeAtMostThirtyTimesASecond();
};

void TestSolverRun::finishedRunHasTheFieldOfAStepper()
{
    SolverRun run(jacobi("37x29", "1234"));
    QVERIFY(waitFor(run, RunPhase::finished));
    QCOMPARE(run.state().report.iterations, std::uint64_t{1234});
    const auto stepper = makePoissonStepper(problem("37x29"), {"tuned"}, test::onCpu());
    stepper->advance(1234);
    QVERIFY(run.frame());
    QCOMPARE(run.frame()->slice.values, valuesOf(*stepper));
    QCOMPARE(run.state().report.residual, stepper->report().residual);
}

void TestSolverRun::steppedRunHasTheFieldOfAStepper()
{
    RunRequest request;
    request.startsPaused = true;
    request.makeCase = [](const std::stop_token &) {
        return poissonCase(problem("40"), {"sequential"}, {}, false, test::onCpu());
    };
    SolverRun run(std::move(request));
    run.step(3);
    run.step(4);
    QVERIFY(waitFor(run, RunPhase::paused));
    QTRY_COMPARE_WITH_TIMEOUT(run.state().report.iterations, std::uint64_t{7}, patience);
    QCOMPARE(run.state().phase, RunPhase::paused);
    const auto stepper = makePoissonStepper(problem("40"), {"sequential"}, test::onCpu());
    stepper->advance(7);
    QTRY_COMPARE_WITH_TIMEOUT(run.frame()->slice.values, valuesOf(*stepper), patience);
}

void TestSolverRun::targetEndsOrSettlesTheRun_data()
{
    QTest::addColumn<bool>("staysLive");
    QTest::newRow("finished") << false;
    QTest::newRow("settled, and goes on after a change") << true;
}

void TestSolverRun::targetEndsOrSettlesTheRun()
{
    QFETCH(bool, staysLive);
    auto request = jacobi("20", "", "residual=1e-3");
    request.staysLive = staysLive;
    SolverRun run(std::move(request));
    QVERIFY(waitFor(run, staysLive ? RunPhase::settled : RunPhase::finished));
    QVERIFY(run.state().report.residual <= 1e-3);
    const auto iterations = run.state().report.iterations;
    QVERIFY(QString::fromStdString(run.state().message).contains("residual 0.001 reached"));
    run.setLiveParameter("source x", 0.1);
    if (!staysLive) {
        QTest::qWait(100);
        QCOMPARE(run.state().phase, RunPhase::finished);
        QCOMPARE(run.state().report.iterations, iterations);
        return;
    }
    QVERIFY(QTest::qWaitFor(
        [&] {
            return run.state().phase == RunPhase::settled
                   && run.state().report.iterations > iterations;
        },
        patience));
    run.stop();
    QVERIFY(waitFor(run, RunPhase::finished)); // it had reached what it was to
}

void TestSolverRun::pausedRunStandsStill()
{
    SolverRun run(jacobi("64", endless));
    QVERIFY(QTest::qWaitFor([&] { return run.state().report.iterations > 0; }, patience));
    run.pause();
    QVERIFY(waitFor(run, RunPhase::paused));
    const auto iterations = run.state().report.iterations;
    QTest::qWait(100);
    QCOMPARE(run.state().report.iterations, iterations);
    run.run();
    QVERIFY(QTest::qWaitFor([&] { return run.state().report.iterations > iterations; }, patience));
    QCOMPARE(run.state().phase, RunPhase::running);
}

void TestSolverRun::liveChangeActsWhileRunning()
{
    auto request = jacobi("33", endless);
    SolverRun run(std::move(request));
    QVERIFY(waitFor(run, RunPhase::running));
    run.setLiveParameter("source strength", 0);
    run.setLiveParameter("boundary x low", 7);
    run.setLiveParameter("boundary x high", 7);
    run.setLiveParameter("boundary y low", 7);
    run.setLiveParameter("boundary y high", 7);
    // The solution is 7 everywhere then.
    QVERIFY(QTest::qWaitFor(
        [&] {
            return run.frame() && std::abs(run.frame()->lowest - 7) < 1e-6
                   && std::abs(run.frame()->highest - 7) < 1e-6;
        },
        patience));
}

void TestSolverRun::refusedChangeIsSaidAndChangesNothing()
{
    SolverRun run(jacobi("33", endless));
    QSignalSpy complaints(&run, &SolverRun::complained);
    QVERIFY(waitFor(run, RunPhase::running));
    run.setLiveParameter("source x", 1.5);
    QTRY_COMPARE_WITH_TIMEOUT(complaints.size(), 1, patience);
    QVERIFY(complaints[0][0].toString().contains("source x"));
    QCOMPARE(run.state().phase, RunPhase::running);
    QCOMPARE(run.state().parameters.front().value, 0.5);
}

void TestSolverRun::stoppedRunIsCancelled()
{
    SolverRun run(jacobi("64", endless));
    QVERIFY(QTest::qWaitFor([&] { return run.state().report.iterations > 0; }, patience));
    run.stop();
    QVERIFY(waitFor(run, RunPhase::cancelled));
    const auto iterations = run.state().report.iterations;
    run.run(); // over is over
    QTest::qWait(60);
    QCOMPARE(run.state().phase, RunPhase::cancelled);
    QCOMPARE(run.state().report.iterations, iterations);
    QCOMPARE(run.frame()->iterations, iterations);
}

void TestSolverRun::badInputFailsBeforeAnythingIsAllocated()
{
    SolverRun run(jacobi("1000000x1000000", "10"));
    QVERIFY(waitFor(run, RunPhase::failed));
    QVERIFY2(run.state().message.find("choose fewer unknowns") != std::string::npos,
             run.state().message.c_str());
    QCOMPARE(run.state().unknowns, std::size_t{0});
    run.step(1);
    run.stop();
    QTest::qWait(20);
    QCOMPARE(run.state().phase, RunPhase::failed);
}

void TestSolverRun::divergenceFails()
{
    auto request = jacobi("16", endless);
    request.makeCase = [](const std::stop_token &) {
        RunSetup run;
        run.until = TargetSetup{"residual", "1e-30"};
        PoissonSetup setup;
        setup.size = "16";
        setup.strength = "3e38"; // h^2 f is beyond float
        setup.spacing = "1e-3";
        return poissonCase(poissonProblem(setup), {"tuned", Precision::float32}, run, false,
                           test::onCpu());
    };
    SolverRun run(std::move(request));
    QVERIFY(waitFor(run, RunPhase::failed));
    QVERIFY2(run.state().message.find("beyond all numbers") != std::string::npos,
             run.state().message.c_str());
    QVERIFY(run.state().report.iterations > 0); // it had begun
}

void TestSolverRun::slicesAreThoseOfTheField()
{
    RunRequest request;
    request.startsPaused = true;
    request.slice = {2, 0.5};
    const PoissonProblem box = problem("9x8x7", "gaussian");
    request.makeCase = [box](const std::stop_token &) {
        return poissonCase(box, {"red-black"}, {}, false, test::onCpu());
    };
    SolverRun run(std::move(request));
    run.step(5);
    QTRY_COMPARE_WITH_TIMEOUT(run.state().report.iterations, std::uint64_t{5}, patience);
    const auto stepper = makePoissonStepper(box, {"red-black"}, test::onCpu());
    stepper->advance(5);
    const auto field = valuesOf(*stepper);
    constexpr std::array<std::size_t, 3> points{9, 8, 7};
    for (const std::size_t axis : {0U, 1U, 2U}) {
        run.showSlice({axis, 1.0});
        QVERIFY(QTest::qWaitFor(
            [&] {
                const auto &slice = run.frame()->slice;
                return slice.normal == axis && slice.place > 0.5;
            },
            patience));
        const auto &slice = run.frame()->slice;
        QCOMPARE(slice.width, points[slice.axes[0]]);
        QCOMPARE(slice.height, points[slice.axes[1]]);
        std::array<std::size_t, 3> at{};
        at[axis] = points[axis] - 1;
        for (std::size_t row = 0; row < slice.height; ++row) {
            for (std::size_t column = 0; column < slice.width; ++column) {
                at[slice.axes[0]] = column;
                at[slice.axes[1]] = row;
                QCOMPARE(slice.values[row * slice.width + column],
                         field[(at[2] * points[1] + at[1]) * points[0] + at[0]]);
            }
        }
    }
}

void TestSolverRun::resultIsSaved()
{
    const QTemporaryDir folder;
    const auto path = folder.filePath("u.vti");
    SolverRun run(jacobi("12x10", "50"));
    QVERIFY(waitFor(run, RunPhase::finished));
    QSignalSpy saved(&run, &SolverRun::saved);
    run.save(path, {});
    QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, patience);
    const auto image = readVti(path.toStdString());
    QCOMPARE(image.arrays.front().name, std::string("u"));
    QCOMPARE(std::get<std::vector<double>>(image.arrays.front().values), run.frame()->slice.values);
}

void TestSolverRun::unwritableFileIsAComplaint()
{
    SolverRun run(jacobi("12x10", "50"));
    QVERIFY(waitFor(run, RunPhase::finished));
    QSignalSpy complaints(&run, &SolverRun::complained);
    run.save("/nowhere/at/all/u.vti", {});
    QTRY_COMPARE_WITH_TIMEOUT(complaints.size(), 1, patience);
    QVERIFY(complaints[0][0].toString().contains("/nowhere/at/all/u.vti"));
    QCOMPARE(run.state().phase, RunPhase::finished);
}

void TestSolverRun::deletingIsImmediate_data()
{
    QTest::addColumn<int>("after");
    QTest::newRow("at once") << 0;
    QTest::newRow("while it is allocated") << 5;
    QTest::newRow("while it runs") << 300;
}

void TestSolverRun::deletingIsImmediate()
{
    QFETCH(int, after);
    std::unique_ptr<SolverRun> run;
    const auto took = test::leastTime(
        immediate,
        [&] {
            run = std::make_unique<SolverRun>(jacobi("3000", endless));
            QTest::qWait(after);
        },
        [&] { run.reset(); });
    QVERIFY2(took < immediate, QByteArray::number(took));
}

/// Work that does not notice anything for a while, as a huge allocation.
RunRequest slowToPrepare(std::shared_ptr<std::atomic<int>> log)
{
    RunRequest request;
    request.makeCase = [log = std::move(log)](const std::stop_token &) -> SolverCase {
        ++*log;
        std::this_thread::sleep_for(std::chrono::milliseconds(700));
        ++*log;
        throw Error("too late");
    };
    return request;
}

void TestSolverRun::stoppingIsImmediateWhilePreparing()
{
    std::shared_ptr<std::atomic<int>> log;
    std::unique_ptr<SolverRun> run;
    const auto took = test::leastTime(
        immediate,
        [&] {
            log = std::make_shared<std::atomic<int>>(0);
            run = std::make_unique<SolverRun>(slowToPrepare(log));
            QVERIFY(QTest::qWaitFor([&] { return *log == 1; }, patience));
        },
        [&] { run->stop(); });
    QVERIFY2(took < immediate, QByteArray::number(took));
    QCOMPARE(run->state().phase, RunPhase::cancelled);
    QVERIFY(QTest::qWaitFor([&] { return *log == 2; }, patience));
    QTest::qWait(30);
    QCOMPARE(run->state().phase, RunPhase::cancelled); // not "failed: too late"
}

void TestSolverRun::nextRunWaitsForTheOneLeftBehind()
{
    const auto log = std::make_shared<std::atomic<int>>(0);
    auto first = std::make_unique<SolverRun>(slowToPrepare(log));
    QVERIFY(QTest::qWaitFor([&] { return *log == 1; }, patience));
    first.reset(); // its memory is not free yet
    auto request = jacobi("16", "10");
    int seen = 0;
    request.makeCase = [&seen, log, makeCase = request.makeCase](const std::stop_token &) {
        seen = *log;
        return makeCase({});
    };
    SolverRun second(std::move(request));
    QVERIFY(waitFor(second, RunPhase::finished));
    QCOMPARE(seen, 2);
}

void TestSolverRun::sweepIsLeftBehindSafely()
{
    std::unique_ptr<SolverRun> run;
    const auto took = test::leastTime(
        immediate,
        [&] {
            RunRequest request;
            request.makeCase = [](const std::stop_token &) {
                PmmSetup setup;
                setup.nodes = "160";
                setup.speed = "lens:1,2";
                setup.horizon = "folds";
                return pmmCase(pmmProblem(setup), Precision::float64, {}, test::onCpu());
            };
            run = std::make_unique<SolverRun>(std::move(request));
            QTest::qWait(400);
        },
        [&] { run.reset(); });
    QVERIFY2(took < immediate, QByteArray::number(took));
}

void TestSolverRun::aRunThatIsOverKeepsItsFieldAlone()
{
    constexpr double field = 2001.0 * 2001 * sizeof(double) / 1e6; // megabytes
    [[maybe_unused]] const double before = test::megabytesInUse(); // not under asan
    SolverRun run(jacobi("2000", "1"));
    QVERIFY(waitFor(run, RunPhase::finished));
    const auto frame = run.frame();
    QSignalSpy frames(&run, &SolverRun::frameChanged), saved(&run, &SolverRun::saved);
    run.showSlice({2, 0.5});
    QVERIFY(frames.wait(patience));
    QVERIFY(run.frame() != frame);
    QVERIFY(run.frame()->slice.values == frame->slice.values);
    // The slices, as numbers in double precision, are as large as the field.
    [[maybe_unused]] const double slices = 2 * field;
#ifndef GRIDHELM_SANITIZED
    const double kept = test::megabytesInUse() - before;
    QVERIFY2(kept < slices + 1.5 * field, QByteArray::number(kept)); // a solver takes two more
#endif
    const QTemporaryDir folder;
    run.save(folder.filePath("u.vti"), {});
    QVERIFY(saved.wait(patience));
}

void TestSolverRun::historyIsThatOfTheRun()
{
    SolverRun run(jacobi("50", "2000"));
    std::vector<solvers::StepReport> history;
    connect(&run, &SolverRun::historyGrown, this, [&](const auto &points) {
        history.insert(history.end(), points.begin(), points.end());
    });
    QVERIFY(waitFor(run, RunPhase::finished));
    QCOMPARE(history.front().iterations, std::uint64_t{0});
    QCOMPARE(history.back().iterations, std::uint64_t{2000});
    QVERIFY(history.size() > 50);
    run.showSlice({2, 0.1}); // nothing new to report
    run.showSlice({2, 0.9});
    QTest::qWait(100);
    for (std::size_t i = 1; i < history.size(); ++i)
        QVERIFY(history[i].iterations > history[i - 1].iterations);
}

void TestSolverRun::framesComeAtMostThirtyTimesASecond()
{
    SolverRun run(jacobi("64", endless));
    QVERIFY(waitFor(run, RunPhase::running));
    QSignalSpy frames(&run, &SolverRun::frameChanged);
    QTest::qWait(1000);
    QVERIFY2(frames.size() <= 32, QByteArray::number(frames.size()));
    QVERIFY(frames.size() >= 2);
}

GRIDHELM_WIDGET_TEST(TestSolverRun)
#include "tst_solver_run.moc"
