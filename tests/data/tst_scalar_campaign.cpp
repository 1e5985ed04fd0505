// SPDX-License-Identifier: GPL-3.0-or-later
//
// Scalar studies from their plan to their errors and pictures: plates, and a made-up simulation
// that knows time.
#include "core/support/error.h"
#include "data/campaign/campaign.h"
#include "data/campaign/local_runner.h"
#include "data/campaign/plan_cost.h"
#include "data/campaign/runner_registry.h"
#include "data/campaign/sample_snapshot.h"
#include "data/campaign/study_plan.h"
#include "data/evaluate/hold_out.h"
#include "data/evaluate/hold_out_places.h"
#include "data/evaluate/sample_scalar.h"
#include "data/study/image_mesh.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/data/study_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace gridhelm;
using namespace gridhelm::data;
using gridhelm::test::refusalOf;

namespace {

/// Two directions and three parameters. 32 cells a side: points of the first four levels are points
/// of its mesh.
std::string platePlan(int level)
{
    return "[study]\nkind = \"scalar\"\n[[space]]\nname = \"px\"\n[[space]]\nname = \"py\"\ncap = "
           "2\n"
           "[[parameter]]\nname = \"x\"\n[[parameter]]\nname = \"width\"\nlow = 0.2\nhigh = 0.4\n"
           "[[parameter]]\nname = \"strength\"\ncap = 2\n[grid]\nlevel = "
           + std::to_string(level) + "\n[simulation]\nbuiltin = \"plate\"\nresolution = 33\n";
}

const std::string commandPlan =
    "[study]\nkind = \"scalar\"\n[[space]]\nname = \"u\"\nlow = 0\nhigh = 2\n[[space]]\nlow = -1\n"
    "high = 0\n[[parameter]]\nname = \"a\"\n low = 1\nhigh = 3\n[[parameter]]\nname = \"t\"\n"
    "low = 0\nhigh = 4\ntime-like = true\n[grid]\nlevel = 3\n[simulation]\n"
    "command = [\"solve\", \"{a}\", \"{times}\"]\nresult = \"out\"\n";

double madeUp(double u, double y, double a, double t)
{
    return std::sin(u + a * y) + 0.1 * a * t;
}

/// A command's results: a scalar and a vector on 9 x 9 points, or a mesh of another kind.
class MadeUpRun : public LocalRun
{
public:
    MadeUpRun(RunRequest of, std::string kind)
        : m_request(std::move(of))
        , m_kind(std::move(kind))
    {
    }

    RunResult run(const RunSink &sink, const std::stop_token &, const std::function<void(double)> &,
                  std::string &) override
    {
        const ImageMesh image{{9, 9, 1}, {0, -1, 0}, {0.25, 0.125, 1}};
        for (std::size_t i = 0; i < m_request.times.size(); ++i) {
            RunSnapshot snapshot{
                m_request.times[i],
                encodeImageMesh(image),
                {{"s", "K", 1, Association::point, 81}, {"v", "m/s", 2, Association::point, 81}},
                {{}, {}}};
            snapshot.mesh.kind = m_kind;
            for (std::size_t node = 0; node < 81; ++node) {
                const double u = 0.25 * static_cast<double>(node % 9);
                const auto row = node / 9;
                const double y = -1 + 0.125 * static_cast<double>(row);
                const double s = madeUp(u, y, m_request.parameters.front(), m_request.times[i]);
                snapshot.values[0].push_back(static_cast<float>(s));
                snapshot.values[1].push_back(static_cast<float>(2 * s));
                snapshot.values[1].push_back(static_cast<float>(-s));
            }
            sink(i, std::move(snapshot));
        }
        return RunResult::finished;
    }

private:
    RunRequest m_request;
    std::string m_kind;
};

class MadeUpRunner : public LocalRunner
{
public:
    explicit MadeUpRunner(const std::string &kind = "image")
        : LocalRunner([kind](const RunRequest &request) {
            return std::make_unique<MadeUpRun>(request, kind);
        })
    {
    }
};

StudyWriter studyOf(const std::filesystem::path &path, const std::string &toml)
{
    return StudyWriter::create(path, parsePlan(toml, "plan", path.parent_path()).description);
}

std::unique_ptr<JobRunner> runnerOf(const StudyWriter &writer)
{
    return makeJobRunner(planOf(writer), {});
}

double heldOutError(const Study &study)
{
    for (const auto &summary : summarize(study.errorFigures())) {
        if (summary.kind == ErrorKind::heldOut && summary.field == 0)
            return summary.meanRelativeL2;
    }
    return -1;
}

} // namespace

class TestScalarCampaign : public QObject
{
    Q_OBJECT

private slots:
    void interpolationIsExactWhereItHasToBe()
    {
        const ImageMesh image{{3, 4, 2}, {-1, 2, 0}, {0.5, 0.1, 3}};
        RunSnapshot snapshot{
            {},
            encodeImageMesh(image),
            {{"p", "", 1, Association::point, 24}, {"c", "", 1, Association::cell, 6}},
            {std::vector<float>(24), std::vector<float>(6)}};
        const auto linear = [](double x, double y, double z) { return 8 + 2 * x - 4 * y + z; };
        for (std::size_t i = 0; i < 24; ++i) {
            const auto layer = i / 12;
            snapshot.values[0][i] = static_cast<float>(
                linear(-1 + 0.5 * static_cast<double>(i % 3),
                       2 + 0.1 * static_cast<double>(i / 3 % 4), 3 * static_cast<double>(layer)));
        }
        for (std::size_t i = 0; i < 6; ++i)
            snapshot.values[1][i] = static_cast<float>(i);
        const std::vector<Place> places{
            {-1, 2.1, 3}, {-0.3, 2.25, 1.2}, {0, 2.3, 0}, {-0.5, 2.15, 9}};
        QVERIFY(refusalOf([&] { sampleSnapshot(snapshot, places); }).find("z = 9")
                != std::string::npos);
        const auto sampled = sampleSnapshot(snapshot, std::span(places).first(3));
        QCOMPARE(sampled.values[0][0], snapshot.values[0][15]); // a point: to the bit
        QVERIFY(std::abs(sampled.values[0][1] - static_cast<float>(linear(-0.3, 2.25, 1.2)))
                < 1e-5F);
        // Cells: (0, 0..1) at a corner, at (0.9, 2) between centres, and beyond the last centre.
        QVERIFY(std::abs(sampled.values[1][0] - 1.0F) < 1e-5F);
        QVERIFY(std::abs(sampled.values[1][1] - 4.9F) < 1e-5F);
        QCOMPARE(sampled.values[1][2], 5.0F);
        snapshot.values[0].pop_back();
        QVERIFY(refusalOf([&] { sampleSnapshot(snapshot, std::span(places).first(1)); }).find("fit")
                != std::string::npos);
    }

    void badSpaceNamesLineAndKey_data()
    {
        QTest::addColumn<QString>("toml");
        QTest::addColumn<QString>("part");
        const auto plate = QString::fromStdString(platePlan(3));
        const auto command = QString::fromStdString(commandPlan);
        QTest::newRow("kind") << QString(plate).replace("\"scalar\"", "\"tensor\"") << "'tensor'";
        QTest::newRow("vector") << QString(plate).replace("\"scalar\"", "\"vector\"")
                                << "belongs to scalar studies";
        QTest::newRow("no space") << QString(plate)
                                         .remove("[[space]]\nname = \"px\"\n")
                                         .remove("[[space]]\nname = \"py\"\ncap = 2\n")
                                  << "has no space";
        QTest::newRow("too little space")
            << QString(plate).remove("[[space]]\nname = \"px\"\n") << "has 1 directions";
        QTest::newRow("names") << QString(plate).replace("\"px\"", "\"x\"")
                               << "also a direction of space";
        QTest::newRow("outside") << QString(plate).replace("cap = 2\n[[p", "high = 1.5\n[[p")
                                 << "line 7: [[space]] high is outside";
        QTest::newRow("unknown") << QString(plate).replace("cap = 2\n[[p", "colour = 2\n[[p")
                                 << "colour is unknown";
        QTest::newRow("no range") << QString(command).remove("low = 0\nhigh = 2\n")
                                  << "'u' has no range";
        QTest::newRow("no simulation")
            << QString(command).left(command.indexOf("[simulation]")) << "has no [simulation]";
        QTest::newRow("no parameters")
            << QString(plate).remove("[[parameter]]\nname = \"x\"\n[[parameter]]\nname = "
                                     "\"width\"\nlow = 0.2\nhigh = 0.4\n[[parameter]]\nname = "
                                     "\"strength\"\ncap = 2\n")
            << "has no parameters";
    }
    void badSpaceNamesLineAndKey()
    {
        QFETCH(QString, toml);
        QFETCH(QString, part);
        const auto error = QString::fromStdString(
            refusalOf([&] { parsePlan(toml.toStdString(), "p.toml", "/"); }));
        QVERIFY2(error.contains(part), qPrintable(error));
    }

    void oneRunServesAllOfSpace()
    {
        const auto plan = parsePlan(platePlan(3), "p.toml", "/");
        const auto &space = plan.description.space;
        QCOMPARE(space.spatial(), (std::vector<std::size_t>{0, 1}));
        QCOMPARE(space[1].high, 1.0); // the plate's
        const auto cost = costOf(plan, space, 3);
        const test::Folder folder;
        auto writer = studyOf(folder / "s.gridhelm", platePlan(3));
        QCOMPARE(cost.jobs, std::uint64_t(writer.jobs().size()));
        QCOMPARE(cost.points, writer.grid()->points());
        QVERIFY(cost.jobs < cost.points / 10);
        QCOMPARE(cost.bytes, 8.0 * static_cast<double>(cost.points));
    }

    void valuesAtGridPointsAreTheSimulations()
    {
        const test::Folder folder;
        auto writer = studyOf(folder / "s.gridhelm", platePlan(3));
        QCOMPARE(runCampaign(writer, *runnerOf(writer), {}).waiting, std::size_t(0));
        QCOMPARE(compress(writer, {}).computed, writer.grid()->points());
        const auto &plate = simulations::findSimulation("plate");
        const ScalarSurrogate surrogate(writer, 0, *sparse::makeOmpBackend(test::onCpu(1)));
        std::size_t points = 0;
        for (const auto &job : writer.jobs()) {
            const auto stored = writer.readScalarValues(job.id, 0);
            std::vector<float> snapshot;
            for (std::size_t i = 0; i < job.points.size(); ++i, ++points) {
                const auto p = writer.description().space.valuesAt(*writer.grid(), job.points[i]);
                if (snapshot.empty()) {
                    auto values = plate.defaultValues();
                    for (std::size_t k = 0; k < plate.parameters().size(); ++k) {
                        for (std::size_t t = 2; t < p.size(); ++t) {
                            if (plate.parameters()[k].name == writer.description().space[t].name)
                                values[k] = p[t];
                        }
                    }
                    plate.run(
                        {33, {}}, values, {},
                        [&](std::size_t, simulations::Snapshot one) {
                            snapshot = std::move(one.fields.front());
                        },
                        test::onCpu());
                }
                const auto node = static_cast<std::size_t>(std::lround(32 * p[0]))
                                  + 33 * static_cast<std::size_t>(std::lround(32 * p[1]));
                QCOMPARE(stored[i], snapshot[node]);
                float value = 0;
                surrogate.evaluate({{p[0]}, {p[1]}, {p[2]}, {p[3]}, {p[4]}}, {{&value, 1}});
                QVERIFY(std::abs(value - snapshot[node])
                        <= 1e-5F * std::max(1.0F, std::abs(snapshot[node])));
            }
        }
        QCOMPARE(points, writer.grid()->points());
    }

    void errorFallsWithLevel()
    {
        const test::Folder folder;
        auto writer = studyOf(folder / "s.gridhelm", platePlan(2));
        const auto runner = runnerOf(writer);
        // The same places for all levels: those that a finer grid would choose are other ones.
        const auto holdOuts = holdOutParameters(writer, 6, 1);
        std::vector<double> errors;
        for (int level : {2, 4, 6}) { // from one to the next it may stand still: a narrow peak
            const std::vector<int> caps{30, 30, 30, 30, 30};
            const auto old = writer.grid()->points();
            if (level > 2)
                QVERIFY(writer.growGrid(level, caps) > 0);
            QCOMPARE(runCampaign(writer, *runner, {}).waiting, std::size_t(0));
            QCOMPARE(compress(writer, {}).computed,
                     writer.grid()->points() - (level > 2 ? old : 0));
            const auto report = runHoldOuts(writer, *runner, holdOuts, {});
            QCOMPARE(report.failed, std::size_t(0));
            QCOMPARE(report.done, std::size_t(level == 2 ? 6 : 0)); // runs, not values
            QCOMPARE(runHoldOuts(writer, *runner, holdOuts, {}).done, std::size_t(0));
            storeErrors(writer, test::onCpu());
            errors.push_back(heldOutError(writer));
        }
        const auto text = QString("%1 %2 %3").arg(errors[0]).arg(errors[1]).arg(errors[2]);
        QVERIFY2(errors[2] > 0 && errors[2] < errors[1] && errors[1] < errors[0], qPrintable(text));
        QVERIFY2(errors[2] < 0.5 * errors[0], qPrintable(text));
        writer.close();
        QCOMPARE(test::problemsOf(folder / "s.gridhelm"), std::string());
    }

    void heldOutErrorsAreThoseOfWholeRuns()
    {
        const test::Folder folder;
        auto writer = studyOf(folder / "s.gridhelm", commandPlan);
        MadeUpRunner runner;
        runCampaign(writer, runner, {});
        compress(writer, {});
        runHoldOuts(writer, runner, holdOutParameters(writer, 5, 1), {});
        storeErrors(writer, test::onCpu());
        const auto summaries = summarize(writer.errorFigures());
        QCOMPARE(summaries.size(), std::size_t(6)); // held out and indicator of s, v_x, v_y
        for (const auto &summary : summaries) {
            QCOMPARE(summary.places, std::size_t(5));
            QVERIFY(summary.meanRelativeL2 < 0.1);
        }
        // Doubled values have doubled errors, and the same relative ones.
        QVERIFY(std::abs(summaries[2].maximum / summaries[0].maximum - 2) < 1e-3);
        QVERIFY(std::abs(summaries[2].meanRelativeL2 / summaries[0].meanRelativeL2 - 1) < 1e-3);
    }

    void oneRunServesAllTimes()
    {
        const test::Folder folder;
        auto writer = studyOf(folder / "s.gridhelm", commandPlan);
        QCOMPARE(writer.jobs().size(), std::size_t(7)); // values of a
        MadeUpRunner runner;
        const auto report = runCampaign(writer, runner, {});
        QCOMPARE(report.done, std::size_t(7));
        compress(writer, {});
        QCOMPARE(writer.fields().size(), std::size_t(3));
        QCOMPARE(writer.fields()[2].name, std::string("v_y"));
        QCOMPARE(writer.fields()[2].unit, std::string("m/s"));
        const ScalarSurrogate surrogate(writer, 2, *sparse::makeOmpBackend(test::onCpu(1)));
        for (std::uint64_t point = 0; point < writer.grid()->points(); ++point) {
            const auto p = writer.description().space.valuesAt(*writer.grid(), point);
            float value = 0;
            surrogate.evaluate({{p[0]}, {p[1]}, {p[2]}, {p[3]}}, {{&value, 1}});
            QVERIFY(std::abs(value + madeUp(p[0], p[1], p[2], p[3])) < 1e-5);
        }
    }

    void interruptedCampaignEndsLikeAnUninterruptedOne()
    {
        const test::Folder folder;
        auto whole = studyOf(folder / "whole.gridhelm", platePlan(2));
        QCOMPARE(runCampaign(whole, *runnerOf(whole), {}).failed, std::size_t(0));
        compress(whole, {});
        auto broken = studyOf(folder / "broken.gridhelm", platePlan(2));
        int rounds = 0;
        for (; rounds < 100; ++rounds) {
            std::size_t done = 0;
            CampaignOptions options;
            options.jobs = 2;
            options.progress = [&](const auto &progress) { done = progress.done; };
            options.cancelled = [&] { return done >= 1; };
            if (!broken.fields().empty()) {
                CompressOptions some;
                some.allowMissing = true;
                compress(broken, some);
            }
            if (!runCampaign(broken, *runnerOf(broken), options).cancelled)
                break;
        }
        QCOMPARE(runCampaign(broken, *runnerOf(broken), {}).waiting, std::size_t(0));
        compress(broken, {});
        QCOMPARE(test::allCoefficients(broken), test::allCoefficients(whole));
        broken.close();
        QCOMPARE(test::problemsOf(folder / "broken.gridhelm"), std::string());
    }

    void picturesAreTheFieldOnTheBox()
    {
        const test::Folder folder;
        auto writer = studyOf(folder / "s.gridhelm", commandPlan);
        MadeUpRunner runner;
        runCampaign(writer, runner, {});
        compress(writer, {});
        const auto backend = sparse::makeOmpBackend(test::onCpu(1));
        const std::vector<double> at{0, 0, 1.7, 2.5};
        const auto own = sampleScalarStudy(writer, 0, at, 0, *backend);
        QCOMPARE(own.mesh, (ImageMesh{{9, 9, 1}, {0, -1, 0}, {0.25, 0.125, 1}}));
        const auto image = sampleScalarStudy(writer, 0, at, 7, *backend);
        QCOMPARE(image.mesh.points, (std::array<std::size_t, 3>{7, 4, 1}));
        const ScalarSurrogate surrogate(writer, 0, *backend);
        bool hasIndicator = false;
        for (std::size_t node = 0; node < 28; ++node) {
            float value = 0, indicator = 0;
            const double u = static_cast<double>(node % 7) / 3;
            const auto row = node / 7;
            const double y = -1 + static_cast<double>(row) / 3;
            surrogate.evaluate({{u}, {std::min(y, 0.0)}, {1.7}, {2.5}},
                               {{&value, 1}, {&indicator, 1}});
            QVERIFY(std::abs(image.values[node] - value) < 1e-6F);
            QVERIFY(std::abs(image.indicator[node] - indicator) < 1e-6F);
            QVERIFY(std::abs(value - madeUp(u, y, 1.7, 2.5)) < 0.1);
            hasIndicator = hasIndicator || indicator > 1e-3F;
        }
        QVERIFY(hasIndicator);
        QVERIFY(refusalOf([&] { sampleScalarStudy(writer, 0, at, 1, *backend); }).find("resolution")
                != std::string::npos);
    }

    void whatCannotBeSampledFailsItsJob_data()
    {
        QTest::addColumn<QString>("high");
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("part");
        QTest::newRow("outside") << "high = 2.5\n"
                                 << "image"
                                 << "correct the [[space]]";
        QTest::newRow("other mesh") << "high = 2\n"
                                    << "unstructured"
                                    << "image";
    }
    void whatCannotBeSampledFailsItsJob()
    {
        QFETCH(QString, high);
        QFETCH(QString, kind);
        QFETCH(QString, part);
        const test::Folder folder;
        auto toml = QString::fromStdString(commandPlan).replace("high = 2\n", high);
        auto writer = studyOf(folder / "s.gridhelm", toml.toStdString());
        CampaignOptions options;
        options.keepGoing = true;
        MadeUpRunner runner(kind.toStdString());
        const auto report = runCampaign(writer, runner, options);
        QCOMPARE(report.done, std::size_t(0));
        QCOMPARE(report.failed, std::size_t(7));
        const auto failure = QString::fromStdString(report.firstFailure);
        QVERIFY2(failure.contains(part), qPrintable(failure));
        QVERIFY(writer.fields().empty());
    }
};

GRIDHELM_TEST(TestScalarCampaign)
#include "tst_scalar_campaign.moc"
