// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where hold-outs are, which of them are still to be made, and what is said of those that are
// missing; and campaigns that stop when the first runs fail alike.
#include "core/support/error.h"
#include "data/campaign/campaign_steps.h"
#include "data/campaign/campaign_text.h"
#include "data/campaign/study_plan.h"
#include "data/evaluate/hold_out.h"
#include "data/evaluate/hold_out_places.h"
#include "tests/data/number_files.h"
#include "tests/data/study_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <charconv>
#include <set>

using namespace gridhelm;
using namespace gridhelm::data;

namespace {

StudyWriter commandStudy(const std::filesystem::path &path, const std::string &command,
                         int level = 3)
{
    std::string note;
    return createStudy(path,
                       parsePlan("[[parameter]]\nname = \"a\"\nlow = 0\nhigh = 4\n[[parameter]]\n"
                                 "name = \"b\"\nlow = 0.1\nhigh = 0.7\n[grid]\nlevel = "
                                     + std::to_string(level) + "\n[simulation]\ncommand = '''"
                                     + command + "'''\nresult = \"out\"\n",
                                 "plan", path.parent_path()),
                       note);
}

/// Significant digits of the shortest text that reads back as the number.
std::ptrdiff_t digitsOf(double value)
{
    char text[40];
    const auto end =
        std::to_chars(text, text + sizeof text, value, std::chars_format::scientific).ptr;
    return std::count_if(text, std::find(text, end, 'e'),
                         [](char c) { return c >= '0' && c <= '9'; });
}

/// The same places, as versions before had them: anywhere.
std::vector<std::vector<double>> oldPlaces()
{
    return {{0, 0.1}, {1.2345678901234567, 0.23456789012345678}, {3.3333333333333335, 0.6123456}};
}

StepControl numberControl()
{
    StepControl control;
    control.files = numberFiles();
    return control;
}

CompressStep withHoldOuts(std::size_t count)
{
    CompressStep step;
    step.holdOuts = count;
    return step;
}

} // namespace

class TestHoldOuts : public QObject
{
    Q_OBJECT

private slots:
    void theyAreRoundNumbersOffTheGrid_data()
    {
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::addColumn<bool>("isLogarithmic");
        QTest::addColumn<int>("level");
        QTest::addColumn<int>("digits");
        QTest::newRow("unit") << 0.0 << 1.0 << false << 3 << 3;
        QTest::newRow("0.1 to 0.7") << 0.1 << 0.7 << false << 5 << 4;
        QTest::newRow("negative") << -3.0 << 2.0 << false << 4 << 4;
        QTest::newRow("steps as the grid's") << 0.0 << 1024.0 << false << 10 << 6;
        QTest::newRow("logarithmic") << 100.0 << 1000.0 << true << 4 << 4;
        QTest::newRow("decades") << 1e-6 << 1.0 << true << 4 << 3;
        QTest::newRow("narrow") << 1e6 << 1e6 + 1 << false << 4 << 10;
    }
    void theyAreRoundNumbersOffTheGrid()
    {
        QFETCH(double, low);
        QFETCH(double, high);
        QFETCH(bool, isLogarithmic);
        QFETCH(int, level);
        QFETCH(int, digits);
        Parameter a{"a", "", low, high}, b{"b", "", 0, 1};
        if (isLogarithmic)
            a.scale = ParameterScale::logarithmic;
        for (const auto &space : {ParameterSpace({a}), ParameterSpace({a, b})}) {
            const sparse::SparseGrid grid(space.shape(level));
            const auto places = holdOutParameters(space, level, 40, 1);
            QCOMPARE(places.size(), std::size_t(40));
            std::set<std::vector<double>> different;
            double sum = 0;
            int inside = 0;
            for (const auto &values : places) {
                QVERIFY(different.insert(values).second);
                const auto x = space.toUnit(values);
                const bool isEnd =
                    std::ranges::any_of(x, [](double c) { return c == 0 || c == 1; });
                if (isEnd)
                    continue; // a corner, or the middle of a face
                ++inside;
                sum += x[0];
                QVERIFY2(digitsOf(values[0]) <= digits, space.toText(values).c_str());
                // The nearest coordinates of the finest points, an eighth of their distance away.
                double farthest = 0;
                for (std::size_t t = 0; t < x.size(); ++t) {
                    const int finest = grid.highestLevel(static_cast<int>(t)) + 1;
                    const double last = std::ldexp(1.0, finest) - 1; // ends are no points here
                    const double scaled = std::ldexp(x[t], finest);
                    const double nearest = std::clamp(std::round(scaled), 1.0, last);
                    farthest = std::max(farthest, std::abs(scaled - nearest));
                }
                if (x.size() == 1)
                    QVERIFY2(farthest > 0.125, space.toText(values).c_str());
            }
            QVERIFY(inside >= 20);
            QVERIFY(std::abs(sum / inside - 0.5) < 6 * 0.29 / std::sqrt(inside));
        }
    }

    void cornersAndMiddlesOfFacesStayWhatTheyAre()
    {
        const ParameterSpace space({{"a", "", 0.1, 0.7}, {"b", "", 0, 1.0 / 3}});
        const auto places = holdOutParameters(space, 3, 32, 1);
        std::size_t corners = 0, faces = 0;
        for (const auto &place : places) {
            const bool isEndOfA = place[0] == 0.1 || place[0] == 0.7;
            const bool isEndOfB = place[1] == 0 || place[1] == 1.0 / 3;
            corners += isEndOfA && isEndOfB;
            faces += (isEndOfA && place[1] == 0.166666666666667) || (isEndOfB && place[0] == 0.4);
        }
        QCOMPARE(corners, std::size_t{2});
        QCOMPARE(faces, std::size_t{2});
    }

    void countsThatNoRoundNumbersSufficeForAreReached()
    {
        for (const double high : {1.0, 1e-322, 1e308}) {
            const ParameterSpace space({{"a", "", 0, high}});
            const std::size_t count = high == 1 ? 5000 : 4;
            QCOMPARE(holdOutParameters(space, 3, count, 1).size(), count);
        }
        const ParameterSpace wide({{"a", "", 1e-150, 1e150, ParameterScale::logarithmic}});
        QCOMPARE(holdOutParameters(wide, 3, 12, 1).size(), std::size_t(12));
    }

    void thoseOfOlderVersionsCount()
    {
        const test::Folder folder;
        auto writer = commandStudy(folder / "a.gridhelm", "echo {a} > out");
        runStep(writer, {}, numberControl());
        const std::vector<float> value{1};
        for (const auto &place : oldPlaces())
            writer.putHoldOut(writer.addHoldOut(place), 0, value);
        QVERIFY(holdOutsToMake(writer, 3, holdOutSeed).empty());
        const auto more = holdOutsToMake(writer, 12, holdOutSeed);
        QCOMPARE(more.size(), std::size_t(9));
        QVERIFY(std::ranges::find(more, oldPlaces().front()) == more.end()); // a corner
        const auto report = compressStep(writer, withHoldOuts(12), numberControl());
        QCOMPARE(report.holdOuts.done, std::size_t(9));
        QCOMPARE(writer.holdOuts().size(), std::size_t(12));
        QVERIFY(holdOutsToMake(writer, 12, holdOutSeed).empty());
        for (const auto &place : oldPlaces())
            QVERIFY(std::ranges::any_of(writer.errorFigures(), [&](const auto &figure) {
                return figure.kind == ErrorKind::heldOut && figure.parameters == place;
            }));
    }

    void runsOfScalarStudiesCountOnce()
    {
        const test::Folder folder;
        std::string note;
        auto writer = createStudy(
            folder / "s.gridhelm",
            parsePlan("[study]\nkind = \"scalar\"\n[[space]]\nname = \"px\"\n[[space]]\n"
                      "name = \"py\"\n[[parameter]]\nname = \"x\"\n[grid]\nlevel = 3\n"
                      "[simulation]\nbuiltin = \"plate\"\nresolution = 17\n"
                      "fixed = {width = 0.2}\n",
                      "plan", "/"),
            note);
        runStep(writer, {}, {});
        QCOMPARE(compressStep(writer, withHoldOuts(3), {}).holdOuts.done, std::size_t(3));
        const auto coverage = holdOutCoverage(writer);
        QCOMPARE(coverage.there, std::size_t(3));
        QCOMPARE(coverage.missing, std::size_t(0));
        QVERIFY(coverage.inside > 0);
        QVERIFY(holdOutsToMake(writer, 3, holdOutSeed).empty());
        QCOMPARE(holdOutsToMake(writer, 5, holdOutSeed).size(), std::size_t(2 * 256));
        QCOMPARE(compressStep(writer, withHoldOuts(5), {}).holdOuts.done, std::size_t(2));
    }

    void missingOnesAreRememberedUntilTheyAreThere()
    {
        const test::Folder folder;
        const auto path = folder / "a.gridhelm";
        const auto mended = (folder / "mended").string();
        // Off the grid and inside the ranges nothing runs.
        auto writer = commandStudy(path, "case {job} in holdout*) test -e '" + mended
                                             + "' -o {a} = 0 -o {a} = 4 || exit 3;; esac; "
                                               "echo {a} > out");
        runStep(writer, {}, numberControl());
        auto step = withHoldOuts(12);
        step.keepGoing = true;
        auto report = compressStep(writer, step, numberControl());
        QVERIFY(report.compress.computed > 0);
        QVERIFY(report.holdOuts.failed > 0 && report.holdOuts.done > 0);
        auto coverage = holdOutCoverage(writer);
        QCOMPARE(coverage.there, report.holdOuts.done);
        QCOMPARE(coverage.missing, report.holdOuts.failed);
        QCOMPARE(coverage.inside, std::size_t(0));
        QCOMPARE(writer.holdOuts().size(), report.holdOuts.done);
        const auto notes = holdOutNotes(coverage);
        QCOMPARE(notes.size(), std::size_t(2));
        QVERIFY2(notes[0].find("of 12 validation points are MISSING") != notes[0].npos,
                 notes[0].c_str());
        QVERIFY2(notes[1].find("corners or faces") != notes[1].npos, notes[1].c_str());
        writer.close();
        QCOMPARE(test::problemsOf(path), std::string());

        test::writeBytes(mended, {});
        auto again = StudyWriter::open(path);
        QCOMPARE(holdOutCoverage(again).missing, coverage.missing);
        report = compressStep(again, step, numberControl());
        QCOMPARE(report.holdOuts.done, coverage.missing);
        coverage = holdOutCoverage(again);
        QCOMPARE(coverage.there, std::size_t(12));
        QCOMPARE(coverage.missing, std::size_t(0));
        QVERIFY(coverage.inside > 0);
        QVERIFY(holdOutNotes(coverage).empty());
    }

    void campaignStopsWhenTheFirstFailAlike_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<bool>("keepGoing");
        QTest::addColumn<int>("failed"); // of 17
        QTest::newRow("alike") << "echo working on {a}; exit 3" << false << 5;
        QTest::newRow("alike but for numbers and folders")
            << "echo \"in $PWD: {a} $$\" >&2; touch out" << false << 5;
        QTest::newRow("asked to go on") << "exit 3" << true << 17;
        QTest::newRow("different")
            << "test {a} = 2 && exit 3; test {a} = 1 && exit 4; exit 5" << false << -1;
        QTest::newRow("one went well")
            << "test {job} = job-3 && echo 1 > out; test {job} = job-3" << false << 16;
        QTest::newRow("the sixth would have") << "test {job} = job-6 && echo 1 > out" << false << 5;
    }
    void campaignStopsWhenTheFirstFailAlike()
    {
        QFETCH(QString, command);
        QFETCH(bool, keepGoing);
        QFETCH(int, failed);
        const test::Folder folder;
        auto writer = commandStudy(folder / "a.gridhelm", command.toStdString());
        QCOMPARE(writer.jobs().size(), std::size_t(17));
        RunStep step;
        step.keepGoing = keepGoing;
        const auto report = runStep(writer, step, numberControl());
        if (failed < 0) {
            QVERIFY(report.failed > 5);
            return;
        }
        QCOMPARE(report.failed, static_cast<std::size_t>(failed));
        QCOMPARE(report.stopped, failed == 5);
        QVERIFY(!report.paused && !report.cancelled);
        QCOMPARE(report.notBegun, failed == 5 ? std::size_t(12) : std::size_t(0));
        QCOMPARE(report.waiting, report.notBegun);
        if (report.stopped) {
            const auto text = stoppedText(report, "job");
            QVERIFY2(text.starts_with("5 jobs in a row failed alike (")
                         && text.ends_with("), so 12 more were not begun"),
                     text.c_str());
        }
    }

    void whatIsLeftMayFailAlikeToTheEnd()
    {
        const test::Folder folder;
        auto writer = commandStudy(folder / "a.gridhelm", "exit 3", 2); // 5 jobs
        const auto report = runStep(writer, {}, numberControl());
        QCOMPARE(report.failed, std::size_t(5));
        QVERIFY(!report.stopped); // nothing was left out
    }

    void holdOutsStopLikewiseAndCoefficientsStay()
    {
        const test::Folder folder;
        auto writer = commandStudy(folder / "a.gridhelm",
                                   "case {job} in holdout*) exit 3;; esac; echo {a} > out");
        runStep(writer, {}, numberControl());
        const auto report = compressStep(writer, withHoldOuts(12), numberControl());
        QVERIFY(report.holdOuts.stopped);
        QCOMPARE(report.holdOuts.failed, std::size_t(5));
        QCOMPARE(report.holdOuts.notBegun, std::size_t(7));
        QVERIFY(report.compress.computed > 0 && !report.cancelled);
        QCOMPARE(holdOutCoverage(writer).missing, std::size_t(12));
    }
};

GRIDHELM_TEST(TestHoldOuts)
#include "tst_hold_outs.moc"
