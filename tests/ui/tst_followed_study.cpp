// SPDX-License-Identifier: GPL-3.0-or-later
//
// What follows a study while its grid grows and shrinks again says nothing of damage, and ends with
// what the study is at last.
#include "data/campaign/campaign_steps.h"
#include "data/study/undo_growth.h"
#include "tests/core/on_cpu.h"
#include "tests/support/test_program.h"
#include "tests/ui/held_study.h"
#include "tests/ui/shown_study.h"
#include "ui/campaign/study_reader.h"
#include "ui/steering/field_service.h"

#include <QTest>

#include <atomic>
#include <thread>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

constexpr int patience = 60'000; // milliseconds; instrumented builds on busy machines
constexpr int changes = 101;     // it has grown at last

/// Grows and shrinks the study as fast as it goes, as many times.
class BusyWriter
{
public:
    explicit BusyWriter(const std::filesystem::path &path)
        : m_thread([this, path] {
            auto writer = data::StudyWriter::open(path);
            for (int i = 0; i < changes; ++i)
                if (i % 2 == 0)
                    writer.growGrid(3, data::levelCapsOf(writer.description().space));
                else
                    data::undoGrowth(writer);
            writer.close();
            m_hasEnded = true;
        })
    {
    }
    bool hasEnded() const { return m_hasEnded; }

private:
    std::atomic<bool> m_hasEnded = false;
    std::jthread m_thread;
};

} // namespace

class FollowedStudyTest : public QObject
{
    Q_OBJECT

private slots:
    void thePictureFollows();
    void whatIsHeldIsShownAsItWas();
    void theCampaignFollows();
};

void FollowedStudyTest::thePictureFollows()
{
    const Folder folder;
    const auto path = makeStudy(folder, 2);
    QStringList problems;
    std::shared_ptr<const StudyFacts> facts;
    FieldService service(sparse::makeOmpBackend(onCpu(1)));
    const auto complain = [&](const QString &sentence) { problems.append(sentence); };
    QObject::connect(&service, &FieldService::failed, complain);
    QObject::connect(&service, &FieldService::openFailed, complain);
    QObject::connect(&service, &FieldService::opened, &service, [&](auto now) {
        facts = std::move(now);
        FieldRequest request;
        request.parameters = facts->parameters.fromUnit(
            std::vector<double>(facts->parameters.parameters().size(), 0.3));
        service.request(request);
    });
    int frames = 0;
    QObject::connect(&service, &FieldService::frameReady, &service, [&] { ++frames; });
    service.open(path);
    QTRY_VERIFY2_WITH_TIMEOUT(frames > 0 || !problems.isEmpty(), "nothing comes", 10000);
    QVERIFY2(problems.isEmpty(), qPrintable(problems.join(" | ")));
    const BusyWriter writer(path);
    // Each opening, as a person who opens it again and again, and each change that it follows.
    while (!writer.hasEnded()) {
        const int before = frames;
        service.open(path);
        QTRY_VERIFY2_WITH_TIMEOUT(frames > before || !problems.isEmpty(),
                                  "neither a frame nor a reason", patience);
        if (!problems.isEmpty())
            break;
    }
    QTRY_VERIFY_WITH_TIMEOUT(writer.hasEnded(), patience);
    QVERIFY2(problems.isEmpty(), qPrintable(problems.join(" | ")));
    const auto points = data::Study::open(path).grid()->points();
    QTRY_COMPARE_WITH_TIMEOUT(facts->gridPoints, points, patience);
}

/// And followed, when it is free again.
void FollowedStudyTest::whatIsHeldIsShownAsItWas()
{
    const Folder folder;
    const auto path = makeStudy(folder, 2);
    FieldService service(sparse::makeOmpBackend(onCpu(1)));
    QSignalSpy opened(&service, &FieldService::opened),
        refused(&service, &FieldService::openFailed);
    QSignalSpy frames(&service, &FieldService::frameReady), failed(&service, &FieldService::failed);
    service.open(path);
    QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 1, patience);
    FieldRequest request;
    request.parameters =
        data::Study::open(path).description().space.fromUnit(std::vector{0.3, 0.3, 0.3});
    service.request(request);
    QTRY_COMPARE_WITH_TIMEOUT(frames.size(), 1, patience);
    auto held = std::make_unique<HeldStudy>(path);
    QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, patience);
    QVERIFY(failed[0][0].toString().contains("in use"));
    held.reset();
    QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 2, patience);
    QTRY_COMPARE_WITH_TIMEOUT(frames.size(), 2, patience); // asked again
    QCOMPARE(failed.size(), 1);                            // it is said once
    QVERIFY(refused.isEmpty());                            // or the window would close it
}

void FollowedStudyTest::theCampaignFollows()
{
    const Folder folder;
    const auto path = makeStudy(folder, 2);
    QStringList problems;
    StudyStatePtr state;
    StudyReader reader;
    QObject::connect(&reader, &StudyReader::failed,
                     [&](const QString &, const QString &sentence) { problems.append(sentence); });
    QObject::connect(&reader, &StudyReader::stateRead, &reader,
                     [&](StudyStatePtr now) { state = std::move(now); });
    reader.setStudy(inside(folder, path.filename().string()));
    QTRY_VERIFY_WITH_TIMEOUT(state, patience);
    const BusyWriter writer(path);
    for (std::size_t axis = 0; !writer.hasEnded() && problems.isEmpty(); ++axis) {
        reader.setAxes(axis % 2, 1 - axis % 2); // reads all of it again
        QTest::qWait(1);
    }
    QTRY_VERIFY_WITH_TIMEOUT(writer.hasEnded(), patience);
    QVERIFY2(problems.isEmpty(), qPrintable(problems.join(" | ")));
    const auto points = data::Study::open(path).grid()->points();
    QTRY_COMPARE_WITH_TIMEOUT(state->points, points, patience);
}

GRIDHELM_TEST(FollowedStudyTest)

#include "tst_followed_study.moc"
