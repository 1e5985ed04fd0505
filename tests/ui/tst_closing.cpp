// SPDX-License-Identifier: GPL-3.0-or-later
//
// The window is closed while a campaign runs: it asks first, and nothing that is finished is lost.
#include "data/campaign/study_plan.h"
#include "tests/data/hostile_files.h"
#include "tests/data/study_contents.h"
#include "tests/ui/window_case.h"
#include "ui/campaign/campaign_panel.h"

#include <QAbstractButton>
#include <QLabel>
#include <QMessageBox>
#include <QTimer>

#include <algorithm>
#include <map>

using namespace gridhelm;
using namespace gridhelm::test;
using namespace gridhelm::ui;

namespace {

/// Three jobs of a command: the first one ends at once, the others never.
std::filesystem::path makeEndlessStudy(const Folder &folder)
{
    const std::string result =
        "<VTKFile type=\"ImageData\"><ImageData WholeExtent=\"0 1 0 1 0 0\">"
        "<Piece Extent=\"0 1 0 1 0 0\"><PointData><DataArray type=\"Float32\" Name=\"u\" "
        "format=\"ascii\">1 2 3 4</DataArray></PointData></Piece></ImageData></VTKFile>\n";
    writeBytes(folder / "result.vti", std::vector<char>(result.begin(), result.end()));
    const auto plan = "[study]\ntitle = \"Endless\"\n[[parameter]]\nname = \"a\"\nlow = 0\n"
                      "high = 4\n[grid]\nlevel = 2\n[simulation]\ncommand = '''"
                      "test {a} = 2 || sleep 600; cp "
                      + (folder / "result.vti").string() + " r.vti'''\nresult = \"r.vti\"\n";
    const auto path = folder / "endless <b>.gridhelm";
    std::string note;
    data::createStudy(path, data::parsePlan(plan, "plan", path.parent_path()), note).close();
    return path;
}

std::map<data::JobState, int> statesOf(const std::filesystem::path &path)
{
    std::map<data::JobState, int> states;
    const auto study = data::Study::open(path);
    for (const auto &job : study.jobs())
        ++states[job.state];
    return states;
}

QMessageBox *question()
{
    return qobject_cast<QMessageBox *>(QApplication::activeModalWidget());
}

/// Whose campaign runs, and has one job that is over.
class RunningWindow
{
public:
    explicit RunningWindow(const std::filesystem::path &study)
        : window(std::make_unique<MainWindow>(onCpu()))
    {
        window->show();
        auto &panel = window->campaignPanel();
        window->showPanel(panel);
        panel.setStudy(QString::fromStdString(study.string()));
        auto *run = panel.findChild<QAbstractButton *>("run");
        if (!QTest::qWaitFor([&] { return run->isEnabled(); }, waitMilliseconds))
            qFatal("the study cannot be run");
        run->click();
        const auto *status = panel.findChild<QLabel *>("status");
        if (!QTest::qWaitFor([&] { return status->text().contains("jobs 1 of 3"); },
                             waitMilliseconds))
            qFatal("no job has ended: %s", qPrintable(status->text()));
    }

    bool isRunning() const { return window->campaignPanel().isRunning(); }

    std::unique_ptr<MainWindow> window;
};

} // namespace

class ClosingTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void aWindowWithoutWorkClosesAtOnce()
    {
        MainWindow window(onCpu());
        window.show();
        QVERIFY(window.close());
        QVERIFY(!question());
    }

    void enterAndEscapeKeepItRunning()
    {
        const Folder folder;
        RunningWindow open(makeEndlessStudy(folder));
        for (const auto key : {Qt::Key_Return, Qt::Key_Escape}) {
            QVERIFY(!open.window->close());
            QVERIFY(question());
            QVERIFY(!open.window->close()); // asked once
            QCOMPARE(QApplication::topLevelWidgets().count(question()), 1);
            const auto said = question()->text() + question()->informativeText();
            for (const auto *part : {"Jobs are running", "endless &lt;b&gt;", "jobs 1 of 3",
                                     "Finished results are kept", "start over"})
                QVERIFY2(said.contains(part), qPrintable(said));
            QTest::keyClick(question(), key);
            QTRY_VERIFY_WITH_TIMEOUT(!question(), waitMilliseconds);
            QVERIFY(open.window->isVisible());
            QVERIFY(open.isRunning());
        }
    }

    void stoppingKeepsWhatIsFinished()
    {
        const Folder folder;
        const auto path = makeEndlessStudy(folder);
        {
            RunningWindow open(path);
            QTimer::singleShot(50, [] {
                QVERIFY(question());
                for (auto *button : question()->buttons()) {
                    if (button->text() == "Stop the jobs and close")
                        button->click();
                }
            });
            action(*open.window, QKeySequence::Quit)->trigger();
            QTRY_VERIFY_WITH_TIMEOUT(!open.window->isVisible(), waitMilliseconds);
        }
        auto states = statesOf(path);
        QCOMPARE(states[data::JobState::done], 1);
        QCOMPARE(states[data::JobState::waiting], 2);
        QCOMPARE(problemsOf(path), std::string());
    }

    void whoEndsTheProgramIsNotAsked_data()
    {
        QTest::addColumn<bool>("isBeingAsked");
        QTest::newRow("at once") << false;
        QTest::newRow("while the user is asked") << true;
    }
    void whoEndsTheProgramIsNotAsked()
    {
        QFETCH(bool, isBeingAsked);
        const Folder folder;
        RunningWindow open(makeEndlessStudy(folder));
        if (isBeingAsked)
            open.window->close();
        QCOMPARE(question() != nullptr, isBeingAsked);
        open.window->closeAtOnce();
        QVERIFY(!open.window->isVisible());
        QVERIFY(!question());
    }
};

GRIDHELM_SCREEN_TEST(ClosingTest)

#include "tst_closing.moc"
