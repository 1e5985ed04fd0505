// SPDX-License-Identifier: GPL-3.0-or-later
//
// Campaigns that are run in the campaign panel, worked by keys and clicks: how they begin, fail,
// are paused and end; the study is the one that the library makes.
#include "data/campaign/campaign.h"
#include "data/campaign/run_token.h"
#include "data/campaign/runner_registry.h"
#include "data/campaign/study_plan.h"
#include "data/evaluate/hold_out.h"
#include "data/evaluate/hold_out_places.h"
#include "tests/core/on_cpu.h"
#include "tests/data/study_contents.h"
#include "tests/data/text_files.h"
#include "tests/ui/campaign_case.h"
#include "tests/ui/widget_test.h"
#include "ui/campaign/grid_picture.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QElapsedTimer>
#include <QProgressBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

#include <map>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

/// What the library makes of the same plan.
std::map<std::string, std::string> madeByLibrary(const std::filesystem::path &path,
                                                 const QString &plan, std::size_t holdOuts)
{
    makeStudy(path, plan);
    auto writer = StudyWriter::open(path);
    const auto runner = makeJobRunner(planOf(writer), {workFolderOf(path)});
    runCampaign(writer, *runner, {});
    runHoldOuts(writer, *runner, holdOutParameters(writer, holdOuts, 1), {});
    data::compress(writer, {});
    storeErrors(writer, test::onCpu());
    return test::contentsOf(writer);
}

std::map<JobState, int> statesOf(const std::filesystem::path &path)
{
    std::map<JobState, int> states;
    const auto study = Study::open(path);
    for (const auto &job : study.jobs())
        ++states[job.state];
    return states;
}

} // namespace

class TestCampaignRuns : public QObject
{
    Q_OBJECT

private slots:
    void runPauseResumeCompressMakeTheStudyThatTheLibraryMakes()
    {
        // Long enough that there is something left to pause.
        const auto plan = QString(smallPlate).replace("resolution = 33", "resolution = 101");
        const test::Folder folder;
        const auto path = folder / "plate.gridhelm";
        UsersPanel panel;
        QSignalSpy created(&panel, &CampaignPanel::studyCreated);
        QSignalSpy changed(&panel, &CampaignPanel::studyChanged);
        QSignalSpy news(&panel, &CampaignPanel::news);
        QSignalSpy failed(&panel, &CampaignPanel::failed);
        panel.writePlan(plan);
        UsersPanel::type(panel.path("planStudy"), QString::fromStdString(path.string()));
        panel.press("createStudy");
        QTRY_COMPARE_WITH_TIMEOUT(created.size(), 1, campaignPatience);
        QCOMPARE(created[0][0].toString(), QString::fromStdString(path.string()));
        QTRY_COMPARE_WITH_TIMEOUT(panel.jobs()->model()->rowCount(), 83, campaignPatience);
        QCOMPARE(panel.find<GridPicture>("studyPicture")->dots()->projection().places.size(),
                 std::size_t{49});
        QVERIFY(!panel.canPress("compress"));

        panel.find<QSpinBox>("atATime")->setValue(1);
        panel.press("run");
        QVERIFY(panel.isRunning());
        QVERIFY(!panel.canPress("run") && !panel.canPress("grow"));
        QTRY_VERIFY_WITH_TIMEOUT(panel.jobsIn("done") > 0, campaignPatience);
        QVERIFY(panel.find<QProgressBar>("progress")->isVisible());
        QVERIFY(panel.text("status").contains("jobs"));
        panel.press("pause");
        QVERIFY(panel.waitForEnd());
        auto states = statesOf(path);
        QVERIFY(states[JobState::done] > 0 && states[JobState::waiting] > 0);
        QCOMPARE(states[JobState::running], 0);
        QVERIFY(news.last()[0].toString().startsWith("Paused: "));
        StudyWriter::open(path).close(); // others may write meanwhile
        QTRY_VERIFY_WITH_TIMEOUT(changed.size() > 0, campaignPatience);

        QTRY_COMPARE_WITH_TIMEOUT(panel.jobsIn("done"), states[JobState::done], campaignPatience);
        panel.press("run");
        QVERIFY(panel.waitForEnd());
        QTRY_COMPARE_WITH_TIMEOUT(panel.jobsIn("done"), 83, campaignPatience);
        QVERIFY(!panel.canPress("run"));

        auto *holdOuts = panel.find<QSpinBox>("holdOuts");
        holdOuts->setFocus();
        holdOuts->selectAll();
        QTest::keyClicks(holdOuts, "4");
        QTest::keyClick(holdOuts, Qt::Key_Return);
        panel.press("compress");
        QVERIFY(panel.waitForEnd());
        QVERIFY2(news.last()[0].toString().contains("accuracy: temperature: "),
                 qPrintable(news.last()[0].toString()));
        const auto &dots = *panel.find<GridPicture>("studyPicture")->dots();
        QTRY_VERIFY_WITH_TIMEOUT(dots.projection().places.front().coefficients > 0, campaignPatience);
        for (const auto &place : dots.projection().places)
            QCOMPARE(place.coefficients, place.points);
        QTRY_VERIFY_WITH_TIMEOUT(panel.errors().contains("validation")
                                     && !panel.errors().contains("No errors measured yet"),
                                 campaignPatience);
        QCOMPARE(failed.size(), 0);

        QCOMPARE(test::problemsOf(path), std::string());
        QCOMPARE(test::differenceOf(madeByLibrary(folder / "direct.gridhelm", plan, 4),
                                    test::contentsOf(Study::open(path))),
                 std::string());
    }

    void failedJobsShowTheirLogAndAreRerun()
    {
        const test::Folder folder;
        const auto path = folder / "command.gridhelm";
        const auto flag = (folder / "flag").string();
        makeStudy(path,
                  commandPlanText(QString("echo computing {a}; test {a} = 2 -o -e '%1' || { echo no "
                                      "flag; exit 3; }; echo {a} > r")
                                  .arg(QString::fromStdString(flag))));
        UsersPanel panel;
        QSignalSpy failed(&panel, &CampaignPanel::failed);
        panel.open(path);
        panel.press("run");
        QVERIFY(panel.waitForEnd());
        QCOMPARE(failed.size(), 1);
        QVERIFY2(failed[0][0].toString().contains("2 jobs failed, the first is job"),
                 qPrintable(failed[0][0].toString()));
        auto *log = panel.find<QPlainTextEdit>("log");
        QTRY_VERIFY_WITH_TIMEOUT(log->toPlainText().contains("no flag"), campaignPatience); // by itself
        QVERIFY(log->toPlainText().contains("exit code 3"));
        QTRY_COMPARE_WITH_TIMEOUT(panel.jobsIn("failed"), 2, campaignPatience);
        panel.press("show-done");
        QCOMPARE(panel.jobs()->model()->rowCount(), 1);
        QTest::keyClick(panel.find<QToolButton>("show-done"), Qt::Key_Right);
        QCOMPARE(panel.jobs()->model()->rowCount(), 2); // the failed ones

        writeText(flag, "");
        QTest::keyClick(panel.jobs(), Qt::Key_Down);
        QTRY_VERIFY_WITH_TIMEOUT(panel.canPress("rerunOne"), campaignPatience);
        panel.press("rerunOne");
        QVERIFY(panel.waitForEnd());
        QTRY_COMPARE_WITH_TIMEOUT(panel.jobsIn("done"), 2, campaignPatience);
        QCOMPARE(panel.jobsIn("failed"), 1);
        panel.press("rerunFailed");
        QVERIFY(panel.waitForEnd());
        QTRY_COMPARE_WITH_TIMEOUT(panel.jobsIn("done"), 3, campaignPatience);
        QCOMPARE(panel.jobs()->model()->rowCount(), 0); // of failed ones
        panel.press("show-all");
        const auto study = Study::open(path);
        for (const auto &job : study.jobs()) {
            QCOMPARE(job.attempts, study.jobLog(job.id).find("no flag") == std::string::npos
                                           && job.points.front() == 0
                                       ? 1
                                       : 2);
        }
    }

    void jobsThatFailAlikeStopTheCampaignUntilAskedToGoOn()
    {
        const test::Folder folder;
        const auto path = folder / "command.gridhelm";
        const auto flag = (folder / "flag").string();
        makeStudy(path, commandPlanText(QString("test -e '%1' || exit 3; case {job} in holdout*) exit "
                                            "4;; esac; echo {a} > r")
                                        .arg(QString::fromStdString(flag)),
                                    3));
        UsersPanel panel;
        QSignalSpy failed(&panel, &CampaignPanel::failed);
        panel.open(path);
        panel.find<QSpinBox>("atATime")->setValue(1);
        panel.press("run");
        QVERIFY(panel.waitForEnd());
        QCOMPARE(failed.size(), 1);
        const auto said = failed[0][0].toString();
        QVERIFY2(said.startsWith("5 jobs in a row failed alike (the command ended with exit code "
                                 "3), so 2 more were not begun")
                     && said.contains("tick Ignore errors"),
                 qPrintable(said));
        QTRY_COMPARE_WITH_TIMEOUT(panel.jobsIn("failed"), 5, campaignPatience);
        QCOMPARE(panel.jobsIn("waiting"), 2);

        panel.find<QCheckBox>("keepGoing")->click();
        panel.press("rerunFailed");
        QVERIFY(panel.waitForEnd());
        QTRY_COMPARE_WITH_TIMEOUT(panel.jobsIn("failed"), 7, campaignPatience);

        writeText(flag, "");
        panel.press("rerunFailed");
        QVERIFY(panel.waitForEnd());
        QTRY_COMPARE_WITH_TIMEOUT(panel.jobsIn("done"), 7, campaignPatience);
        panel.find<QCheckBox>("keepGoing")->click();
        panel.press("compress"); // with 12 hold-outs
        QVERIFY(panel.waitForEnd());
        QVERIFY2(failed.last()[0].toString().contains("5 validation runs in a row failed alike"),
                 qPrintable(failed.last()[0].toString()));
        QTRY_VERIFY_WITH_TIMEOUT(panel.errors().contains("12 of 12 validation points are MISSING"),
                                 campaignPatience);
    }

    void closingWhileJobsRunIsImmediate_data()
    {
        QTest::addColumn<QString>("plan");
        QTest::newRow("command") << commandPlanText("sleep 600; echo 1 > r");
        QTest::newRow("stubborn command")
            << commandPlanText("trap \"\" TERM; sleep 600 & wait; sleep 600; echo 1 > r");
        QTest::newRow("built in")
            << "[[parameter]]\nname = \"Re\"\n[[parameter]]\nname = \"t\"\n[grid]\nlevel = 3\n"
               "[simulation]\nbuiltin = \"cavity\"\nresolution = 129\n";
    }
    void closingWhileJobsRunIsImmediate()
    {
        QFETCH(QString, plan);
        const test::Folder folder;
        const auto path = folder / "study.gridhelm";
        makeStudy(path, plan);
        auto panel = std::make_unique<UsersPanel>();
        panel->open(path);
        panel->find<QSpinBox>("atATime")->setValue(2);
        panel->press("run");
        QTRY_COMPARE_WITH_TIMEOUT(panel->jobsIn("running"), 2, campaignPatience);
        QElapsedTimer taken;
        taken.start();
        panel.reset();
        // A tenth of a second, but many of them where sanitizers and other programs take the cores;
        // who waited for a command would wait ten minutes.
        const auto milliseconds = taken.elapsed();
        QVERIFY2(milliseconds < 20'000, qPrintable(QString("%1 ms").arg(milliseconds)));
        auto states = statesOf(path);
        QCOMPARE(states[JobState::done], 0);
        QCOMPARE(states[JobState::running], 0);
        QCOMPARE(states[JobState::failed], 0);
        QVERIFY(states[JobState::waiting] > 0);
        QCOMPARE(test::problemsOf(path), std::string());
        for (const auto *beside : {"-wal", "-writer"})
            QVERIFY(!std::filesystem::exists(path.string() + beside));
        QVERIFY(!std::filesystem::exists(workFolderOf(path)));
    }

    void cancellingEndsJobsInFlight()
    {
        const test::Folder folder;
        const auto path = folder / "study.gridhelm";
        makeStudy(path, commandPlanText("test {a} = 2 || sleep 600; echo 1 > r"));
        UsersPanel panel;
        QSignalSpy news(&panel, &CampaignPanel::news);
        panel.open(path);
        panel.find<QSpinBox>("atATime")->setValue(2);
        panel.press("run");
        QTRY_COMPARE_WITH_TIMEOUT(panel.jobsIn("done"), 1, campaignPatience);
        panel.press("cancel");
        QVERIFY(panel.waitForEnd());
        QVERIFY(news.last()[0].toString().startsWith("Cancelled: 1 job done, 2 waiting"));
        QTRY_COMPARE_WITH_TIMEOUT(panel.jobsIn("waiting"), 2, campaignPatience);
        QVERIFY(panel.canPress("run"));
    }

    void runsGoWhereTheUserSays()
    {
        const test::Folder folder;
        const auto path = folder / "s.gridhelm";
        makeStudy(path, commandPlanText("echo 1 > r")
                            + "[run]\non = \"slurm\"\nhost = \"me@nowhere.invalid\"\n");
        UsersPanel panel;
        panel.open(path);
        auto *places = panel.find<QComboBox>("runPlace");
        QVERIFY(places->isVisible());
        QCOMPARE(places->count(), 3);
        QCOMPARE(places->currentText(), QString("on cluster me@nowhere.invalid"));
        QVERIFY(!panel.find<QLineEdit>("runHost")->isVisible());
        QTest::keyClick(places, Qt::Key_Down); // another cluster
        UsersPanel::type(panel.find<QLineEdit>("runHost"), "-oProxyCommand=id");
        panel.press("run");
        QVERIFY(panel.waitForEnd());
        QCOMPARE(statesOf(path)[JobState::waiting], 3);
        QVERIFY2(panel.messages().last().contains("no name of a host"),
                 qPrintable(panel.messages().last()));
        places->setFocus();
        QTest::keyClick(places, Qt::Key_Home); // this computer
        QVERIFY(!panel.find<QLineEdit>("runHost")->isVisible());
        panel.press("run");
        QVERIFY(panel.waitForEnd());
        QCOMPARE(statesOf(path)[JobState::done], 3);
    }

    void copiesAskBeforeTheyTakeUpWhatTheOtherHas()
    {
        const test::Folder folder;
        const auto path = folder / "s.gridhelm";
        makeStudy(path, commandPlanText("echo 1 > r")
                            + "[run]\non = \"slurm\"\nhost = \"me@nowhere.invalid\"\n");
        {
            auto writer = StudyWriter::open(path);
            const auto job = writer.jobs().front().id;
            writer.startJob(job);
            writer.putSubmission(job, "slurm:me@nowhere.invalid",
                                 newToken("job-1", {}, "0123456789abcdef01234567"));
        }
        UsersPanel panel;
        panel.open(path);
        const auto answer = [&](const char *button) {
            panel.press("run");
            QDialog *question = nullptr;
            const bool isAsked = QTest::qWaitFor(
                [&] {
                    question = panel.findChild<QDialog *>("copyQuestion");
                    return question && question->isVisible();
                },
                campaignPatience);
            if (!isAsked)
                qFatal("nobody asks");
            QTest::mouseClick(question->findChild<QAbstractButton *>(button), Qt::LeftButton);
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        };
        answer("runNothing");
        QVERIFY(!panel.isRunning());
        QVERIFY2(panel.messages().last().contains("by another copy of it"),
                 qPrintable(panel.messages().last()));
        answer("takeUp");
        QVERIFY(panel.waitForEnd()); // the cluster is asked
        QTRY_VERIFY_WITH_TIMEOUT(panel.messages().last().contains("cannot be reached"), campaignPatience);
        QCOMPARE(Study::open(path).submissions().size(), std::size_t{1});
    }

    void builtInSimulationsHaveNoPlaceToChoose()
    {
        const test::Folder folder;
        const auto path = folder / "s.gridhelm";
        makeStudy(path, QString(smallPlate).replace("level = 4", "level = 2"));
        UsersPanel panel;
        panel.open(path);
        QVERIFY(!panel.find<QComboBox>("runPlace")->isVisible());
    }

    void aStudyThatSomebodyElseWritesIsLeftAlone()
    {
        const test::Folder folder;
        const auto path = folder / "plate.gridhelm";
        makeStudy(path, QString(smallPlate).replace("level = 4", "level = 2"));
        UsersPanel panel;
        QSignalSpy failed(&panel, &CampaignPanel::failed);
        QSignalSpy changed(&panel, &CampaignPanel::studyChanged);
        panel.open(path);
        auto other = std::make_optional(StudyWriter::open(path));
        panel.press("run");
        QVERIFY(panel.waitForEnd());
        QCOMPARE(failed.size(), 1);
        QVERIFY2(failed[0][0].toString().contains("is being written by process"),
                 qPrintable(failed[0][0].toString()));

        // What the other one does is followed.
        const auto runner = makeJobRunner(planOf(*other), {workFolderOf(path)});
        CampaignOptions one;
        one.only = other->jobs().front().id;
        runCampaign(*other, *runner, one);
        QTRY_COMPARE_WITH_TIMEOUT(panel.jobsIn("done"), 1, campaignPatience);
        QVERIFY(changed.size() > 0);
        other.reset();
        panel.press("run");
        QVERIFY(panel.waitForEnd());
        QTRY_COMPARE_WITH_TIMEOUT(panel.jobsIn("waiting"), 0, campaignPatience);
    }
};

GRIDHELM_WIDGET_TEST(TestCampaignRuns)
#include "tst_campaign_runs.moc"
