// SPDX-License-Identifier: GPL-3.0-or-later
//
// The campaign panel, worked by keys and clicks; what it makes is compared with what the library
// makes.
#include "core/support/bytes_text.h"
#include "core/support/error.h"
#include "data/campaign/campaign.h"
#include "data/campaign/campaign_text.h"
#include "data/campaign/plan_cost.h"
#include "data/campaign/runner_registry.h"
#include "data/campaign/study_plan.h"
#include "data/evaluate/hold_out.h"
#include "data/evaluate/hold_out_places.h"
#include "tests/core/on_cpu.h"
#include "tests/data/number_files.h"
#include "tests/data/study_cases.h"
#include "tests/data/study_contents.h"
#include "ui/campaign/campaign_panel.h"
#include "ui/campaign/grid_picture.h"
#include "ui/controls/message_bar.h"

#include <QAbstractButton>
#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTextBrowser>
#include <QToolButton>
#include <QtTest>

#include <cerrno>
#include <csignal>
#include <set>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::ui;

namespace {

constexpr int patience = 150'000; // milliseconds; instrumented builds on busy machines are slow

const QString smallPlate = "[study]\ntitle = \"Small plate\"\n[[parameter]]\nname = \"x\"\n"
                           "[[parameter]]\nname = \"y\"\n[[parameter]]\nname = \"strength\"\n"
                           "cap = 2\n[grid]\nlevel = 4\n[simulation]\nbuiltin = \"plate\"\n"
                           "resolution = 33\n";

QString commandPlan(const QString &command, int level = 2)
{
    return QString("[study]\ntitle = \"Command\"\n[[parameter]]\nname = \"a\"\nlow = 0\nhigh = 4\n"
                   "[grid]\nlevel = %1\n[simulation]\ncommand = '''%2'''\nresult = \"r\"\n")
        .arg(level)
        .arg(command);
}

void writeText(const std::filesystem::path &path, const std::string &text)
{
    std::ofstream(path) << text;
}

void makeStudy(const std::filesystem::path &path, const QString &plan)
{
    std::string note;
    createStudy(path, parsePlan(plan.toStdString(), "plan", path.parent_path()), note);
}

/// The panel as a user has it.
class Panel : public CampaignPanel
{
public:
    Panel()
        : CampaignPanel(numberFiles())
    {
        resize(1280, 700);
        show();
    }

    template <typename Type>
    Type *find(const char *name) const
    {
        auto *found = findChild<Type *>(name);
        if (!found)
            qFatal("there is no %s", name);
        return found;
    }

    void press(const char *button) const
    {
        auto *found = find<QAbstractButton>(button);
        if (!found->isEnabled())
            qFatal("%s cannot be pressed", button);
        QTest::mouseClick(found, Qt::LeftButton);
    }

    bool canPress(const char *button) const { return find<QAbstractButton>(button)->isEnabled(); }

    QLineEdit *path(const char *name) const
    {
        return find<QWidget>(name)->findChild<QLineEdit *>();
    }

    static void type(QLineEdit *field, const QString &text)
    {
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, text);
    }

    void writePlan(const QString &text) const
    {
        auto *tabs = find<QTabWidget>("planTabs");
        tabs->setCurrentIndex(1);
        auto *editor = find<QPlainTextEdit>("planText");
        QTest::keyClick(editor, Qt::Key_A, Qt::ControlModifier);
        const auto lines = text.split('\n');
        for (qsizetype i = 0; i < lines.size(); ++i) {
            if (i > 0)
                QTest::keyClick(editor, Qt::Key_Return);
            QTest::keyClicks(editor, lines[i]);
        }
        tabs->setCurrentIndex(0);
    }

    /// Types into a cell of the parameters' table.
    void typeCell(int row, int column, const QString &text) const
    {
        auto *table = find<QTableView>("parameterTable");
        table->setCurrentIndex(table->model()->index(row, column));
        QTest::keyClick(table, Qt::Key_F2);
        auto *editor = table->findChild<QLineEdit *>();
        if (!editor)
            qFatal("the cell cannot be edited");
        editor->selectAll();
        QTest::keyClicks(editor, text);
        QTest::keyClick(editor, Qt::Key_Return);
        QCoreApplication::processEvents(); // what was typed is taken after the key
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }

    QString text(const char *label) const { return find<QLabel>(label)->text(); }
    QString errors() const { return find<QTextBrowser>("errors")->toPlainText(); }
    QStringList messages() const { return findChild<MessageBar *>()->sentences(); }
    QTableView *jobs() const { return find<QTableView>("jobTable"); }

    int jobsIn(const QString &state) const
    {
        const auto *button = find<QToolButton>(("show-" + state).toUtf8().constData());
        return button->text().section(' ', 1).toInt();
    }

    /// Opens a study and waits until its jobs are there.
    void open(const std::filesystem::path &study)
    {
        setStudy(QString::fromStdString(study.string()));
        if (!QTest::qWaitFor([&] { return jobs()->model()->rowCount() > 0; }, patience))
            qFatal("the study is not shown");
    }

    bool waitForEnd() const
    {
        return QTest::qWaitFor([&] { return !isRunning(); }, patience);
    }
};

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

class TestCampaignPanel : public QObject
{
    Q_OBJECT

private slots:
    void countsFollowLevelAndCaps()
    {
        Panel panel;
        panel.writePlan(smallPlate);
        const auto compare = [&](int level, std::optional<int> cap) {
            auto text = smallPlate;
            text.replace("level = 4", QString("level = %1").arg(level));
            text.replace("cap = 2\n", cap ? QString("cap = %1\n").arg(*cap) : QString());
            const auto plan = parsePlan(text.toStdString(), "plan", "/");
            const auto cost = costOf(plan, plan.description.space, level);
            const auto more = costOf(plan, plan.description.space, level + 1);
            QCOMPARE(panel.text("planPoints"), QString::number(cost.points));
            QCOMPARE(panel.text("planJobs"), QString::number(cost.jobs));
            QCOMPARE(panel.text("planBytes"), QString::fromStdString(bytesText(cost.bytes)));
            QVERIFY(panel.text("planMore").contains(QString::fromStdString(costText(more))));
            QVERIFY(panel.find<QPlainTextEdit>("planText")->toPlainText() == text);
        };
        compare(4, 2);
        QTest::keyClick(panel.find<QSpinBox>("planLevel"), Qt::Key_Up);
        compare(5, 2);
        panel.typeCell(2, 7, "3");
        compare(5, 3);
        panel.typeCell(2, 7, " ");
        compare(5, std::nullopt);
        QTest::keyClick(panel.find<QSpinBox>("planLevel"), Qt::Key_Down);
        compare(4, std::nullopt);
        const auto *dots = panel.find<GridPicture>("planPicture")->dots();
        QCOMPARE(dots->projection().places.size(), std::size_t{49}); // x, y at level 4
    }

    void badValuesAreRefusedWithASentence()
    {
        Panel panel;
        panel.writePlan(smallPlate);
        QSignalSpy failed(&panel, &CampaignPanel::failed);
        panel.typeCell(0, 2, "wide");
        panel.typeCell(0, 2, "7");
        panel.typeCell(2, 7, "31");
        QCOMPARE(failed.size(), 3);
        QCOMPARE(panel.messages().size(), 3);
        QVERIFY(panel.messages()[0].contains("cannot be \"wide\": type a number"));
        QVERIFY2(panel.messages()[1].contains("lower one first"), qPrintable(panel.messages()[1]));
        QVERIFY(panel.messages()[2].contains("whole number from 1 to 30"));
        QCOMPARE(panel.find<QPlainTextEdit>("planText")->toPlainText(), smallPlate);

        panel.writePlan(QString(smallPlate).replace("resolution = 33", "resolution = 1"));
        QVERIFY(panel.text("planProblem").contains("line 13: "));
        QVERIFY(!panel.canPress("createStudy"));
        panel.writePlan(smallPlate);
        QVERIFY(panel.canPress("createStudy"));
        Panel::type(panel.path("planStudy"), "/nowhere/at/all/x.gridhelm");
        panel.press("createStudy");
        QVERIFY(panel.waitForEnd());
        QVERIFY2(failed.last()[0].toString().contains("/nowhere/at/all"),
                 qPrintable(failed.last()[0].toString()));
    }

    void runPauseResumeCompressMakeTheStudyThatTheLibraryMakes()
    {
        // Long enough that there is something left to pause.
        const auto plan = QString(smallPlate).replace("resolution = 33", "resolution = 201");
        const test::Folder folder;
        const auto path = folder / "plate.gridhelm";
        Panel panel;
        QSignalSpy created(&panel, &CampaignPanel::studyCreated);
        QSignalSpy changed(&panel, &CampaignPanel::studyChanged);
        QSignalSpy news(&panel, &CampaignPanel::news);
        QSignalSpy failed(&panel, &CampaignPanel::failed);
        panel.writePlan(plan);
        Panel::type(panel.path("planStudy"), QString::fromStdString(path.string()));
        panel.press("createStudy");
        QTRY_COMPARE_WITH_TIMEOUT(created.size(), 1, patience);
        QCOMPARE(created[0][0].toString(), QString::fromStdString(path.string()));
        QTRY_COMPARE_WITH_TIMEOUT(panel.jobs()->model()->rowCount(), 83, patience);
        QCOMPARE(panel.find<GridPicture>("studyPicture")->dots()->projection().places.size(),
                 std::size_t{49});
        QVERIFY(!panel.canPress("compress"));

        panel.find<QSpinBox>("atATime")->setValue(1);
        panel.press("run");
        QVERIFY(panel.isRunning());
        QVERIFY(!panel.canPress("run") && !panel.canPress("grow"));
        QTRY_VERIFY_WITH_TIMEOUT(panel.jobsIn("done") > 0, patience);
        QVERIFY(panel.find<QProgressBar>("progress")->isVisible());
        QVERIFY(panel.text("status").contains("jobs"));
        panel.press("pause");
        QVERIFY(panel.waitForEnd());
        auto states = statesOf(path);
        QVERIFY(states[JobState::done] > 0 && states[JobState::waiting] > 0);
        QCOMPARE(states[JobState::running], 0);
        QVERIFY(news.last()[0].toString().startsWith("Paused: "));
        StudyWriter::open(path).close(); // others may write meanwhile
        QTRY_VERIFY_WITH_TIMEOUT(changed.size() > 0, patience);

        QTRY_COMPARE_WITH_TIMEOUT(panel.jobsIn("done"), states[JobState::done], patience);
        panel.press("run");
        QVERIFY(panel.waitForEnd());
        QTRY_COMPARE_WITH_TIMEOUT(panel.jobsIn("done"), 83, patience);
        QVERIFY(!panel.canPress("run"));

        auto *holdOuts = panel.find<QSpinBox>("holdOuts");
        holdOuts->setFocus();
        holdOuts->selectAll();
        QTest::keyClicks(holdOuts, "4");
        QTest::keyClick(holdOuts, Qt::Key_Return);
        panel.press("compress");
        QVERIFY(panel.waitForEnd());
        QVERIFY2(news.last()[0].toString().contains("held-out error of temperature"),
                 qPrintable(news.last()[0].toString()));
        const auto &dots = *panel.find<GridPicture>("studyPicture")->dots();
        QTRY_VERIFY_WITH_TIMEOUT(dots.projection().places.front().coefficients > 0, patience);
        for (const auto &place : dots.projection().places)
            QCOMPARE(place.coefficients, place.points);
        QTRY_VERIFY_WITH_TIMEOUT(panel.errors().contains("held-out"), patience);
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
                  commandPlan(QString("echo computing {a}; test {a} = 2 -o -e '%1' || { echo no "
                                      "flag; exit 3; }; echo {a} > r")
                                  .arg(QString::fromStdString(flag))));
        Panel panel;
        QSignalSpy failed(&panel, &CampaignPanel::failed);
        panel.open(path);
        panel.press("run");
        QVERIFY(panel.waitForEnd());
        QCOMPARE(failed.size(), 1);
        QVERIFY2(failed[0][0].toString().contains("2 jobs failed, the first is job"),
                 qPrintable(failed[0][0].toString()));
        auto *log = panel.find<QPlainTextEdit>("log");
        QTRY_VERIFY_WITH_TIMEOUT(log->toPlainText().contains("no flag"), patience); // by itself
        QVERIFY(log->toPlainText().contains("exit code 3"));
        QTRY_COMPARE_WITH_TIMEOUT(panel.jobsIn("failed"), 2, patience);
        panel.press("show-done");
        QCOMPARE(panel.jobs()->model()->rowCount(), 1);
        QTest::keyClick(panel.find<QToolButton>("show-done"), Qt::Key_Right);
        QCOMPARE(panel.jobs()->model()->rowCount(), 2); // the failed ones

        writeText(flag, "");
        QTest::keyClick(panel.jobs(), Qt::Key_Down);
        QTRY_VERIFY_WITH_TIMEOUT(panel.canPress("rerunOne"), patience);
        panel.press("rerunOne");
        QVERIFY(panel.waitForEnd());
        QTRY_COMPARE_WITH_TIMEOUT(panel.jobsIn("done"), 2, patience);
        QCOMPARE(panel.jobsIn("failed"), 1);
        panel.press("rerunFailed");
        QVERIFY(panel.waitForEnd());
        QTRY_COMPARE_WITH_TIMEOUT(panel.jobsIn("done"), 3, patience);
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
        makeStudy(path, commandPlan(QString("test -e '%1' || exit 3; case {job} in holdout*) exit "
                                            "4;; esac; echo {a} > r")
                                        .arg(QString::fromStdString(flag)),
                                    3));
        Panel panel;
        QSignalSpy failed(&panel, &CampaignPanel::failed);
        panel.open(path);
        panel.find<QSpinBox>("atATime")->setValue(1);
        panel.press("run");
        QVERIFY(panel.waitForEnd());
        QCOMPARE(failed.size(), 1);
        const auto said = failed[0][0].toString();
        QVERIFY2(said.startsWith("5 jobs in a row failed alike (the command ended with exit code "
                                 "3), so 2 more were not begun")
                     && said.contains("tick Keep going"),
                 qPrintable(said));
        QTRY_COMPARE_WITH_TIMEOUT(panel.jobsIn("failed"), 5, patience);
        QCOMPARE(panel.jobsIn("waiting"), 2);

        panel.find<QCheckBox>("keepGoing")->click();
        panel.press("rerunFailed");
        QVERIFY(panel.waitForEnd());
        QTRY_COMPARE_WITH_TIMEOUT(panel.jobsIn("failed"), 7, patience);

        writeText(flag, "");
        panel.press("rerunFailed");
        QVERIFY(panel.waitForEnd());
        QTRY_COMPARE_WITH_TIMEOUT(panel.jobsIn("done"), 7, patience);
        panel.find<QCheckBox>("keepGoing")->click();
        panel.press("compress"); // with 12 hold-outs
        QVERIFY(panel.waitForEnd());
        QVERIFY2(failed.last()[0].toString().contains("5 hold-out runs in a row failed alike"),
                 qPrintable(failed.last()[0].toString()));
        QTRY_VERIFY_WITH_TIMEOUT(panel.errors().contains("12 of 12 hold-outs are MISSING"),
                                 patience);
    }

    void closingWhileJobsRunIsImmediate_data()
    {
        QTest::addColumn<QString>("plan");
        QTest::newRow("command") << commandPlan("sleep 600; echo 1 > r");
        QTest::newRow("stubborn command")
            << commandPlan("trap \"\" TERM; sleep 600 & wait; sleep 600; echo 1 > r");
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
        auto panel = std::make_unique<Panel>();
        panel->open(path);
        panel->find<QSpinBox>("atATime")->setValue(2);
        panel->press("run");
        QTRY_COMPARE_WITH_TIMEOUT(panel->jobsIn("running"), 2, patience);
        QElapsedTimer taken;
        taken.start();
        panel.reset();
        const auto milliseconds = taken.elapsed();
        QVERIFY2(milliseconds < 2000, qPrintable(QString("%1 ms").arg(milliseconds)));
        auto states = statesOf(path);
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
        makeStudy(path, commandPlan("test {a} = 2 || sleep 600; echo 1 > r"));
        Panel panel;
        QSignalSpy news(&panel, &CampaignPanel::news);
        panel.open(path);
        panel.find<QSpinBox>("atATime")->setValue(2);
        panel.press("run");
        QTRY_COMPARE_WITH_TIMEOUT(panel.jobsIn("done"), 1, patience);
        panel.press("cancel");
        QVERIFY(panel.waitForEnd());
        QVERIFY(news.last()[0].toString().startsWith("Cancelled: 1 job went well, 2 waiting"));
        QTRY_COMPARE_WITH_TIMEOUT(panel.jobsIn("waiting"), 2, patience);
        QVERIFY(panel.canPress("run"));
    }

    void aStudyThatSomebodyElseWritesIsLeftAlone()
    {
        const test::Folder folder;
        const auto path = folder / "plate.gridhelm";
        makeStudy(path, QString(smallPlate).replace("level = 4", "level = 2"));
        Panel panel;
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
        QTRY_COMPARE_WITH_TIMEOUT(panel.jobsIn("done"), 1, patience);
        QVERIFY(changed.size() > 0);
        other.reset();
        panel.press("run");
        QVERIFY(panel.waitForEnd());
        QTRY_COMPARE_WITH_TIMEOUT(panel.jobsIn("waiting"), 0, patience);
    }

    void growingAddsPoints()
    {
        const test::Folder folder;
        const auto path = folder / "plate.gridhelm";
        makeStudy(path, QString(smallPlate).replace("level = 4", "level = 2"));
        Panel panel;
        panel.open(path);
        QCOMPARE(panel.jobs()->model()->rowCount(), 7);
        auto *level = panel.find<QSpinBox>("growLevel");
        QTest::keyClick(level, Qt::Key_Up);
        QCOMPARE(level->value(), 4);
        QVERIFY2(panel.text("growth").contains("76 points, 76 jobs"),
                 qPrintable(panel.text("growth")));
        panel.press("grow");
        QVERIFY(panel.waitForEnd());
        QTRY_COMPARE_WITH_TIMEOUT(panel.jobs()->model()->rowCount(), 83, patience);
        QCOMPARE(Study::open(path).description().level, 4);
        QTRY_COMPARE_WITH_TIMEOUT(level->value(), 5, patience);
    }

    void importsSayWhatIsMissing()
    {
        const test::Folder folder;
        const auto path = folder / "files.gridhelm";
        makeStudy(path, "[[parameter]]\nname = \"a\"\nlow = 0\nhigh = 4\n[grid]\nlevel = 2\n");
        writeText(folder / "2.txt", "2.5");
        writeText(folder / "off.txt", "7");
        writeText(folder / "table.csv", "a,file\n2,2.txt\n1.5,off.txt\n");
        writeText(folder / "bad.csv", "a,file\n2,2.txt\n1.5,gone.txt\n");
        Panel panel;
        QSignalSpy failed(&panel, &CampaignPanel::failed);
        panel.open(path);
        QVERIFY(!panel.canPress("run"));
        panel.find<QTabWidget>("details")->setCurrentIndex(3);
        panel.press("importFiles");
        QCOMPARE(failed.size(), 1); // no table yet
        auto *table = panel.path("importTable");
        Panel::type(table, QString::fromStdString((folder / "bad.csv").string()));
        QTest::keyClick(table, Qt::Key_Return);
        QVERIFY(panel.waitForEnd());
        QCOMPARE(failed.size(), 2);
        QVERIFY2(failed[1][0].toString().contains("line 3: there is no file"),
                 qPrintable(failed[1][0].toString()));
        Panel::type(table, QString::fromStdString((folder / "table.csv").string()));
        QTest::keyClick(table, Qt::Key_Return);
        QVERIFY(panel.waitForEnd());
        QCOMPARE(panel.find<QPlainTextEdit>("importMissing")->toPlainText(), QString("a\n1\n3\n"));
        QVERIFY2(panel.text("importResult").contains("Still missing: 2 grid points"),
                 qPrintable(panel.text("importResult")));
        const auto study = Study::open(path);
        QCOMPARE(study.missingPoints(0), std::uint64_t{2});
        QCOMPARE(study.holdOuts().size(), std::size_t{1});
        QTRY_COMPARE_WITH_TIMEOUT(panel.jobsIn("done"), 1, patience);

        panel.find<QCheckBox>("allowMissing")->click();
        panel.press("compress");
        QVERIFY(panel.waitForEnd());
        QTRY_VERIFY_WITH_TIMEOUT(panel.errors().contains("MISSING"), patience);
    }

    void damagedAndMissingStudiesAreSaid()
    {
        const test::Folder folder;
        writeText(folder / "text.gridhelm", std::string(5000, 'x'));
        Panel panel;
        QSignalSpy failed(&panel, &CampaignPanel::failed);
        panel.setStudy(QString::fromStdString((folder / "text.gridhelm").string()));
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, patience);
        QVERIFY(failed[0][0].toString().contains("is no study"));
        panel.setStudy(QString::fromStdString((folder / "none.gridhelm").string()));
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 2, patience);
        QVERIFY(failed[1][0].toString().contains("there is no file"));
        panel.clearStudy();
        QVERIFY(!panel.canPress("run"));
    }

    void stateIsKept()
    {
        const test::Folder folder;
        QSettings settings(QString::fromStdString((folder / "state.ini").string()),
                           QSettings::IniFormat);
        const auto changed = QString(smallPlate).replace("level = 4", "level = 3 # mine");
        {
            Panel panel;
            panel.writePlan(changed);
            panel.find<QSpinBox>("holdOuts")->setValue(33);
            panel.find<GridPicture>("planPicture")->choose("strength", "x");
            panel.find<QTabWidget>("pages")->setCurrentIndex(1);
            panel.saveState(settings);
        }
        Panel panel;
        panel.restoreState(settings);
        QCOMPARE(panel.find<QPlainTextEdit>("planText")->toPlainText(), changed);
        QCOMPARE(panel.find<QSpinBox>("holdOuts")->value(), 33);
        QCOMPARE(panel.find<GridPicture>("planPicture")->acrossName(), QString("strength"));
        QCOMPARE(panel.find<GridPicture>("planPicture")->upName(), QString("x"));
        QCOMPARE(panel.find<QTabWidget>("pages")->currentIndex(), 1);
    }

    void everyControlIsReachedByTheTabKeyAndHasAName()
    {
        const test::Folder folder;
        const auto path = folder / "command.gridhelm";
        makeStudy(path, commandPlan("exit 1"));
        Panel panel;
        panel.open(path);
        panel.press("run");
        QVERIFY(panel.waitForEnd());
        QTRY_COMPARE_WITH_TIMEOUT(panel.jobsIn("failed"), 3, patience);
        auto *pages = panel.find<QTabWidget>("pages");
        auto *details = panel.find<QTabWidget>("details");
        auto *planTabs = panel.find<QTabWidget>("planTabs");
        const auto walk = [&](const QString &where) {
            panel.activateWindow();
            pages->tabBar()->setFocus();
            QSet<const QWidget *> reached{pages->tabBar()};
            for (int i = 0; i < 200; ++i) {
                QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
                reached << QApplication::focusWidget();
            }
            for (const auto *widget : panel.findChildren<QWidget *>()) {
                const bool isControl = qobject_cast<const QAbstractButton *>(widget)
                                       || qobject_cast<const QLineEdit *>(widget)
                                       || qobject_cast<const QAbstractSpinBox *>(widget)
                                       || qobject_cast<const QComboBox *>(widget)
                                       || qobject_cast<const QAbstractItemView *>(widget)
                                       || qobject_cast<const QPlainTextEdit *>(widget)
                                       || qobject_cast<const QTabBar *>(widget);
                const bool isPart = widget->objectName().startsWith("qt_")
                                    || qobject_cast<const QAbstractSpinBox *>(widget->parent())
                                    || qobject_cast<const QTabBar *>(widget->parent())
                                    || qobject_cast<const QAbstractItemView *>(widget->parent())
                                    || qobject_cast<const MessageBar *>(widget->parent()->parent());
                if (!isControl || isPart || !widget->isVisible() || !widget->isEnabled())
                    continue;
                const auto name = where + ": " + widget->metaObject()->className() + " "
                                  + widget->objectName() + " " + widget->accessibleName();
                const auto *button = qobject_cast<const QAbstractButton *>(widget);
                if (button && button->group() && !button->isChecked())
                    continue; // by the arrow keys, from the one that is pressed
                QVERIFY2(reached.contains(widget), qPrintable(name));
                if (!qobject_cast<const QTabBar *>(widget))
                    QVERIFY2(!widget->accessibleName().isEmpty()
                                 || (button && button->text().size() > 2),
                             qPrintable(name));
                if (!qobject_cast<const QTabBar *>(widget)
                    && !qobject_cast<const QAbstractItemView *>(widget)
                    && widget->objectName() != "log" && widget->objectName() != "importMissing")
                    QVERIFY2(!widget->toolTip().isEmpty(), qPrintable("no tip: " + name));
            }
        };
        pages->setCurrentIndex(0);
        for (int tab = 0; tab < 2; ++tab) {
            planTabs->setCurrentIndex(tab);
            walk(QString("plan, %1").arg(planTabs->tabText(tab)));
        }
        pages->setCurrentIndex(1);
        for (int tab = 0; tab < details->count(); ++tab) {
            details->setCurrentIndex(tab);
            walk(details->tabText(tab));
        }
    }
};

QTEST_MAIN(TestCampaignPanel)
#include "tst_campaign_panel.moc"
