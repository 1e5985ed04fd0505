// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is read while somebody writes: of one moment, never taken for damage, and damage never taken
// for a change.
#include "data/answers/field_rows.h"
#include "data/campaign/campaign_steps.h"
#include "data/compress/quantise_modes.h"
#include "data/study/consistent_read.h"
#include "data/study/info.h"
#include "data/study/undo_growth.h"
#include "tests/core/expect_error.h"
#include "tests/core/sanitized.h"
#include "tests/data/modes_cases.h"
#include "tests/data/response_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <SQLiteCpp/SQLiteCpp.h>

#include <atomic>
#include <set>
#include <thread>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

/// What it throws.
template <typename Read>
void note(std::set<std::string> &problems, Read read)
{
    try {
        read();
    } catch (const std::exception &problem) {
        problems.insert(problem.what());
    }
}

} // namespace

class ConsistentReadTest : public QObject
{
    Q_OBJECT

private slots:
    void writersComeAndGoWhileOthersOpen();
    void whatHasGrownIsNotDamaged();
    void readsAreOfOneMomentWhileAGridGrows();
    void whatHasOtherModesIsNotDamaged();
    void answersAreOfOneMomentWhileModesAreReplaced();
    void damageIsNamedWhileSomebodyWrites();
    void aStudyThatIsWrittenIsChecked();
};

/// As a window does, which opens a study again whenever it has changed.
void ConsistentReadTest::writersComeAndGoWhileOthersOpen()
{
    const Folder folder;
    const auto path = folder / "s";
    makeStudy(path, 2, 10);
    constexpr int writers = 300;
    std::atomic<int> gone = 0;
    std::jthread writing([&] {
        for (; gone < writers; ++gone) {
            auto writer = StudyWriter::open(path);
            writer.setTitle("of " + std::to_string(gone));
            writer.close();
        }
    });
    std::set<std::string> problems;
    int opened = 0;
    while (gone < writers) {
        note(problems, [&] {
            const auto study = Study::open(path);
            static_cast<void>(study.dataVersion());
            ++opened;
            QVERIFY(!study.jobs().empty());
        });
    }
    QVERIFY2(problems.empty(), problems.empty() ? "" : problems.begin()->c_str());
    QVERIFY(opened > 0);
}

void ConsistentReadTest::whatHasGrownIsNotDamaged()
{
    const Folder folder;
    const auto path = folder / "s";
    makeStudy(path, 2, 10);
    auto study = Study::open(path);
    const auto before = study.grid()->points();
    auto writer = StudyWriter::open(path);
    writer.growGrid(3, levelCapsOf(writer.description().space));
    QVERIFY(isRefused([&] { static_cast<void>(study.coefficientStates(0)); }, "read it again"));
    const ConsistentRead together(study);
    QVERIFY(study.grid()->points() > before);
    QCOMPARE(study.coefficientStates(0).size(), study.grid()->points());
    undoGrowth(writer); // goes on, and is not seen
    QCOMPARE(study.coefficientStates(0).size(), study.grid()->points());
    QVERIFY(study.grid()->points() > before);
}

void ConsistentReadTest::readsAreOfOneMomentWhileAGridGrows()
{
    const Folder folder;
    const auto path = folder / "s";
    makeStudy(path, 2, 10);
    constexpr int changes = 200;
    std::atomic<int> made = 0;
    std::jthread writing([&] {
        auto writer = StudyWriter::open(path);
        for (; made < changes; ++made)
            if (made % 2 == 0)
                writer.growGrid(3, levelCapsOf(writer.description().space));
            else
                undoGrowth(writer);
    });
    std::set<std::string> problems;
    std::set<std::uint64_t> sizes;
    auto open = Study::open(path);
    const auto read = [&](Study &study) {
        const ConsistentRead together(study);
        const auto points = study.grid()->points();
        sizes.insert(points);
        std::size_t pointsOfJobs = 0;
        for (const auto &job : study.jobs())
            pointsOfJobs += job.points.size();
        if (study.coefficientStates(0).size() != points || pointsOfJobs != points)
            problems.insert("jobs and points of two moments");
        static_cast<void>(info(study));
    };
    while (made < changes) {
        note(problems, [&] {
            auto fresh = Study::open(path);
            read(fresh);
            read(open);
        });
    }
    writing.join();
    QVERIFY2(problems.empty(), problems.empty() ? "" : problems.begin()->c_str());
    QVERIFY(!sizes.empty());
}

void ConsistentReadTest::whatHasOtherModesIsNotDamaged()
{
    const Folder folder;
    const auto path = folder / "s";
    makeStudy(path);
    addModes(path, {.cut = 1e-12});
    auto study = Study::open(path);
    const auto last = study.modeSet(0)->modes() - 1;
    std::vector<float> values(600);
    study.readMode(0, last, values);
    addModes(path, {.cut = 0.3});
    QVERIFY(isRefused([&] { study.readMode(0, last, values); }, "read it again"));
    const ConsistentRead together(study);
    QVERIFY(isRefused([&] { study.readMode(0, last, values); }, "damaged")); // nobody has it
    study.readMode(0, study.modeSet(0)->modes() - 1, values);
}

/// There are more, fewer, and such in few bits.
void ConsistentReadTest::answersAreOfOneMomentWhileModesAreReplaced()
{
    const Folder folder;
    const auto path = folder / "s";
    responseStudy(path, 0).close();
    addModes(path);
    std::atomic<bool> isOver = false;
    std::jthread writing([&] {
        auto writer = StudyWriter::open(path);
        for (int change = 0; change < repeats(60); ++change) {
            storeModes(writer, {.cut = change % 2 == 0 ? 1e-3 : 1e-12});
            for (FieldIndex field = 0; field < 2; ++field)
                quantiseModes(writer, field, {.allowed = 1e-2});
        }
        isOver = true;
    });
    std::set<std::string> problems;
    int answers = 0;
    const auto study = Study::open(path);
    const auto one = onCpu(1);
    while (!isOver) {
        note(problems, [&] {
            static_cast<void>(studyResponses(study, {mean, drift}, samplesOf, one));
            for (const auto *field : {"u", "v"})
                static_cast<void>(FieldRows(study, field));
            ++answers;
        });
    }
    QVERIFY2(problems.empty(), problems.empty() ? "" : problems.begin()->c_str());
    QVERIFY(answers > 0);
}

void ConsistentReadTest::damageIsNamedWhileSomebodyWrites()
{
    const Folder folder;
    const auto path = folder / "s";
    makeStudy(path, 2, 10);
    SQLite::Database(path.string(), SQLite::OPEN_READWRITE)
        .exec("UPDATE coefficients SET checksum = checksum + 1");
    auto study = Study::open(path);
    auto writer = StudyWriter::open(path);
    const auto before = study.dataVersion();
    writer.putErrorFigures({}); // changes no grid
    QVERIFY(study.dataVersion() != before);
    std::vector<float> values(10);
    QVERIFY(isRefused([&] { study.readCoefficients(0, 0, values); }, "is damaged"));
}

void ConsistentReadTest::aStudyThatIsWrittenIsChecked()
{
    const Folder folder;
    const auto path = folder / "s";
    makeStudy(path, 2, 10);
    std::atomic<bool> isOver = false;
    std::jthread writing([&] {
        auto writer = StudyWriter::open(path);
        for (int change = 0; change < 100; ++change) {
            writer.growGrid(3, levelCapsOf(writer.description().space));
            undoGrowth(writer);
        }
        isOver = true;
    });
    std::set<std::string> problems;
    while (!isOver)
        for (const auto &problem : check(path).problems)
            problems.insert(problem);
    QVERIFY2(problems.empty(), problems.empty() ? "" : problems.begin()->c_str());
    QCOMPARE(problemsOf(path), std::string());
}

GRIDHELM_TEST(ConsistentReadTest)
#include "tst_consistent_read.moc"
