// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is read while somebody writes: of one moment, never taken for damage, and damage never taken
// for a change.
#include "data/campaign/campaign_steps.h"
#include "data/compress/compress.h"
#include "data/study/consistent_read.h"
#include "data/study/info.h"
#include "data/study/undo_growth.h"
#include "tests/core/expect_error.h"
#include "tests/data/study_cases.h"

#include <QTest>

#include <SQLiteCpp/SQLiteCpp.h>

#include <atomic>
#include <set>
#include <thread>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

void makeStudy(const std::filesystem::path &path)
{
    auto writer = StudyWriter::create(path, smallDescription(2));
    writer.addField(smallField("u", 10));
    runAllJobs(writer);
    compress(writer, {});
    writer.close();
}

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
    void damageIsNamedWhileSomebodyWrites();
};

/// As a window does, which opens a study again whenever it has changed.
void ConsistentReadTest::writersComeAndGoWhileOthersOpen()
{
    const Folder folder;
    const auto path = folder / "s";
    makeStudy(path);
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
    makeStudy(path);
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
    makeStudy(path);
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

void ConsistentReadTest::damageIsNamedWhileSomebodyWrites()
{
    const Folder folder;
    const auto path = folder / "s";
    makeStudy(path);
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

QTEST_GUILESS_MAIN(ConsistentReadTest)
#include "tst_consistent_read.moc"
