// SPDX-License-Identifier: GPL-3.0-or-later
//
// A person's route through the whole window, from the start page to a study of their own, by the
// mouse and the keys alone. After each step there is what they would look for, and no error.
#include "tests/core/on_cpu.h"
#include "tests/data/study_cases.h"
#include "tests/support/paths.h"
#include "tests/ui/own_program.h"
#include "tests/ui/route_case.h"
#include "tests/ui/window_case.h"
#include "ui/campaign/campaign_panel.h"
#include "ui/controls/number_field.h"
#include "ui/plot/scatter_plot.h"
#include "ui/probe/probe_overlay.h"
#include "ui/probe/probe_panel.h"
#include "ui/probe/value_tree.h"
#include "ui/trust/error_model.h"
#include "ui/trust/trust_panel.h"
#include "ui/trust/validation_page.h"
#include "ui/window/files/start_page.h"
#include "ui/window/help/guided_tour.h"
#include "ui/window/views/compared_views.h"

#include <QDialog>
#include <QDir>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QLabel>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QSpinBox>
#include <QTableView>

#include <algorithm>
#include <cmath>
#include <memory>

using namespace gridhelm;
using namespace gridhelm::test;
using namespace gridhelm::ui;

class RouteTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void fromTheStartPageToAStudyOfOnesOwn();

private:
    void startsForTheFirstTime();
    void makesASample();
    void steers();
    void compares();
    void probes();
    void findsTheWorstPlace();
    void savesAPicture();
    void plansAStudy();
    void testsOneJob();
    void createsAndRunsIt();
    void steersTheSampleMeanwhile();
    void isAskedWhenClosing();
    void startsAgain();
    void runsToTheEnd();
    void compresses();
    void steersTheOwnStudy();

    void start();
    QString shownErrors() const;
    CampaignPanel &campaign() { return m_window->campaignPanel(); }
    SceneWidget &view() { return *m_window->view().sceneWidget(); }
    QImage picture() { return view().grab().toImage(); }
    void waitForPicture(const QImage &before, const QString &after);
    ValueSlider &slider(const QString &name);
    /// Also what stands in its field.
    void dragSlider(const QString &name, double to);
    /// That a label can be read there.
    void waitUntilSaid(const QWidget &in, const QString &label, const QString &text);
    QStringList openPanels() const;
    /// On the screen.
    void expectThatItFits() const;
    QString inFolder(const QString &name) const { return inside(m_folder, name.toStdString()); }

    const Folder m_folder;
    std::unique_ptr<MainWindow> m_window;
    std::shared_ptr<const FieldFrame> m_shown; ///< the last one
    Steering m_steering;                       ///< when the window was closed
    std::optional<CameraPlace> m_camera;
    QStringList m_panels;
};

void RouteTest::initTestCase()
{
    if (!canShowScenes())
        QSKIP("this platform cannot show scenes");
    qputenv("HOME", inFolder({}).toLocal8Bit()); // where samples are
    QDir::setCurrent(inFolder({}));              // where dialogs write
    QSettings().clear();
}

void RouteTest::fromTheStartPageToAStudyOfOnesOwn()
{
    struct Step
    {
        const char *what;
        void (RouteTest::*take)();
    };
    constexpr std::array steps{
        Step{"starts for the first time", &RouteTest::startsForTheFirstTime},
        Step{"makes a sample", &RouteTest::makesASample},
        Step{"steers", &RouteTest::steers},
        Step{"compares", &RouteTest::compares},
        Step{"probes", &RouteTest::probes},
        Step{"finds the worst place", &RouteTest::findsTheWorstPlace},
        Step{"saves a picture", &RouteTest::savesAPicture},
        Step{"plans a study", &RouteTest::plansAStudy},
        Step{"tests one job", &RouteTest::testsOneJob},
        Step{"creates and runs it", &RouteTest::createsAndRunsIt},
        Step{"steers the sample meanwhile", &RouteTest::steersTheSampleMeanwhile},
        Step{"is asked when closing", &RouteTest::isAskedWhenClosing},
        Step{"starts again", &RouteTest::startsAgain},
        Step{"runs to the end", &RouteTest::runsToTheEnd},
        Step{"compresses", &RouteTest::compresses},
        Step{"steers the own study", &RouteTest::steersTheOwnStudy},
    };
    for (const auto &[what, take] : steps) {
        QElapsedTimer clock;
        clock.start();
        QString problem;
        try {
            (this->*take)();
            problem = shownErrors();
        } catch (const Error &error) {
            problem = QString::fromStdString(error.what()) + ' ' + shownErrors();
        }
        if (!problem.isEmpty() && m_window) {
            const auto seen = QDir::temp().filePath("gridhelm-route.png");
            m_window->screen()->grabWindow(0).save(seen);
            problem += " (the screen is in " + seen + ")";
        }
        QVERIFY2(problem.isEmpty(), qPrintable(QString("The person %1: %2").arg(what, problem)));
        qInfo("%s: %lld ms", what, clock.elapsed());
    }
}

/// As the program does.
void RouteTest::start()
{
    m_window = std::make_unique<MainWindow>(onCpu(2));
    m_window->findChild<StartPage *>()->setProgram(paths::cli); // which is installed beside it
    connect(m_window.get(), &MainWindow::frameShown, this,
            [this](std::shared_ptr<const FieldFrame> frame) { m_shown = std::move(frame); });
    m_window->offerTour();
    m_window->show();
    m_window->openLast();
    inFront();
}

QString RouteTest::shownErrors() const
{
    QString errors;
    for (const auto &entry : m_window ? m_window->messages().history().entries()
                                      : std::deque<MessageHistory::Entry>()) {
        if (entry.kind == MessageKind::error)
            errors += "the window says: " + entry.sentence + ". ";
    }
    return errors;
}

/// Until it is another one, of what the sliders say.
void RouteTest::waitForPicture(const QImage &before, const QString &after)
{
    const auto isNew = [&] {
        const auto &frame = m_window->view().frame();
        return frame && frame == m_shown && frame->study == m_window->model().study()
               && frame->isExact && !view().isDrawing() && !m_window->isRangeMoving()
               && frame->request.parameters == m_window->model().now().parameters
               && picture() != before;
    };
    waitUntil(isNew, "the picture is as before " + after);
}

ValueSlider &RouteTest::slider(const QString &name)
{
    for (auto *slider : m_window->steerPanel().sliders()) {
        if (slider->name() == name)
            return *slider;
    }
    throw Error("there is no slider " + name.toStdString());
}

void RouteTest::dragSlider(const QString &name, double to)
{
    auto &of = slider(name);
    const auto before = of.field()->text();
    const double from = static_cast<double>(of.track()->value()) / ValueTrack::steps;
    reach(*of.track(), placeOnTrack(*of.track(), from));
    drag(of, from, to);
    expect(of.field()->text() != before, "the number of " + name + " is as before the drag");
}

void RouteTest::waitUntilSaid(const QWidget &in, const QString &label, const QString &text)
{
    const auto said = [&] {
        const auto *found = in.findChild<QLabel *>(label);
        return found && found->isVisible() ? found->text() : QString();
    };
    const bool isSaid = QTest::qWaitFor([&] { return said().contains(text); }, longestWait);
    expect(isSaid, label + " says \"" + said() + "\", not \"" + text + "\"");
}

QStringList RouteTest::openPanels() const
{
    QStringList names;
    for (const auto *dock : m_window->findChildren<QDockWidget *>()) {
        if (!dock->isHidden())
            names << dock->windowTitle();
    }
    names.sort();
    return names;
}

void RouteTest::expectThatItFits() const
{
    const auto screen = m_window->screen()->availableSize(), size = m_window->size();
    expect(size.boundedTo(screen) == size, QString("the window has %1 x %2 on a screen of %3 x %4")
                                               .arg(size.width())
                                               .arg(size.height())
                                               .arg(screen.width())
                                               .arg(screen.height()));
}

void RouteTest::startsForTheFirstTime()
{
    start();
    expect(m_window->windowTitle() == "Gridhelm", "the title is " + m_window->windowTitle());
    find<QAbstractButton>("I have a program");
    find<QAbstractButton>("Sample study plate");
}

void RouteTest::makesASample()
{
    click("Sample study plate");
    find<QAbstractButton>("Stop");
    waitUntil([&] { return m_window->windowTitle().startsWith("Heated plate"); }, "the sample");
    waitForPicture({}, "it was opened");
    expect(QFile::exists(inFolder("Documents/Gridhelm/plate.gridhelm")), "there is no file");
    waitUntil([&] { return m_window->tour().isShown(); }, "the tour that new users are offered");
    click("Skip");
    expect(!m_window->tour().isShown(), "the tour stays");
}

void RouteTest::steers()
{
    auto before = picture();
    dragSlider("x", 0.3);
    waitForPicture(before, "a slider was dragged");

    before = picture();
    const double dragged = slider("x").value();
    press(Qt::Key_Right);
    expect(slider("x").value() > dragged, "the arrow keys move nothing");
    waitForPicture(before, "an arrow key was pressed");

    before = picture();
    fill<NumberField>("strength", "130");
    press(Qt::Key_Return);
    expect(slider("strength").value() == 130, "the number that was typed is not taken");
    waitForPicture(before, "a number was typed");
}

void RouteTest::compares()
{
    click("Pin as A");
    auto before = picture();
    dragSlider("y", 0.8);
    waitForPicture(before, "a slider was dragged");
    auto &views = m_window->views();
    waitUntil([&] { return views.pinned() && views.pinned()->isVisible(); }, "A beside B");
    waitUntil([&] { return views.pinned()->caption().startsWith("A: "); }, "A has its name");
    expect(m_window->view().caption().startsWith("B: "), "B has no name");
    const auto pictureOfA = [&] { return views.pinned()->sceneWidget()->grab().toImage(); };
    waitUntil([&] { return picture() != pictureOfA(); }, "A and B look different");

    before = picture();
    press(Qt::Key_D);
    waitForPicture(before, "the difference was wanted");
    expect(m_window->view().caption().startsWith("B - A: "), "the difference has no name");
    expect(!views.pinned()->isVisible(), "A is still beside it");
    before = picture();
    press(Qt::Key_D);
    waitForPicture(before, "the difference was not wanted any more");
}

void RouteTest::probes()
{
    auto &probe = m_window->probePanel();
    clickOn(view(), view().fieldArea().center().toPoint());
    waitUntil([&] { return probe.isVisible() && probe.isSettled(); }, "values in the panel Probe");
    bool isNumber = false;
    const auto *row = probe.values()->topLevelItem(0);
    const double value = row->text(ValueTree::valueColumn).toDouble(&isNumber);
    const auto range = m_window->view().scene().range();
    expect(isNumber && range.low <= value && value <= range.high,
           "the value is " + row->text(ValueTree::valueColumn));
    waitUntil([&] { return probe.overlay()->markAt().has_value(); }, "the cross in the picture");
}

void RouteTest::findsTheWorstPlace()
{
    const auto before = picture();
    press(Qt::Key_T);
    const auto &plots = *m_window->trustPanel().validation();
    waitUntil([&] { return !plots.isComputing() && !plots.plot()->dots().empty(); },
              "predicted over actual values in the panel Accuracy");
    clickTab("Table");
    auto &table = find<QTableView>("Sample points and their errors");
    const auto &rows = *table.model();
    expect(rows.rowCount() > 12, "there are no measured errors");
    clickCell(table, rows.index(0, 0));
    press(Qt::Key_Return);
    const auto &sliders = m_window->steerPanel().sliders();
    for (int t = 0; t < static_cast<int>(sliders.size()); ++t) {
        const auto wanted = rows.index(0, ErrorModel::firstParameter + t).data().toString();
        const double is = sliders[static_cast<std::size_t>(t)]->value();
        expect(QString::number(is, 'g', 4) == wanted,
               QString("a slider is at %1, not at %2").arg(is).arg(wanted));
    }
    waitForPicture(before, "the sliders went to the worst place");
}

void RouteTest::savesAPicture()
{
    const auto path = inFolder("worst.png");
    press(QKeySequence::Save);
    fill<QLineEdit>("Picture", path);
    click("Save");
    waitUntil([&] { return !QApplication::activeModalWidget(); }, "the dialog stays");
    expect(m_window->messages().sentences().contains("The picture is in " + path),
           "nobody says where the picture is");
    expect(QImage(path).width() > 300, "there is no picture in the file");
}

void RouteTest::plansAStudy()
{
    const auto script = (m_folder / "solve.sh").string();
    writeOwnProgram(script);
    press(QKeySequence::New);
    waitUntil([] { return focused().objectName() == "planTitle"; }, "the plan's title");
    chooseFrom("What to start the plan from", "Start from any program");
    fill<QLineEdit>("Title of the study", "Waves");
    press(Qt::Key_Return);
    fill<QSpinBox>("Refinement level", "3");
    press(Qt::Key_Return);
    clickTab("Program");
    fill<QPlainTextEdit>("Command", "sh " + QString::fromStdString(script) + " {speed} {times}");
    fill<QLineEdit>("Result", "out_{t}.vti");
    fill<QLineEdit>("Study file to make", inFolder("waves.gridhelm"));
    const auto *problem = m_window->findChild<QLabel *>("planProblem");
    expect(!problem->isVisible(), "the plan is not good: " + problem->text());
    waitUntilSaid(campaign(), "planJobs", "7");
    expectThatItFits();
}

void RouteTest::testsOneJob()
{
    click("Test one job");
    find<QAbstractButton>("testJob"); // can be pressed again: the test has ended
    waitUntilSaid(campaign(), "testResult", "It works");
    waitUntilSaid(campaign(), "testResult", "u: 221 values at points");
}

void RouteTest::createsAndRunsIt()
{
    click("Create study");
    waitUntil([&] { return m_window->windowTitle().startsWith("waves.gridhelm"); }, "the study");
    waitUntilSaid(*m_window, "nextStep", "None of the 7 jobs has been run yet");
    click("Run");
    waitUntilSaid(campaign(), "status", "jobs 1 of 7");
}

void RouteTest::steersTheSampleMeanwhile()
{
    press(QKeySequence("Ctrl+Shift+P"));
    type("plate.gridhelm");
    press(Qt::Key_Return);
    waitUntil([&] { return m_window->windowTitle().startsWith("Heated plate"); }, "the sample");
    waitForPicture({}, "it was opened");
    expect(campaign().isRunning(), "the jobs do not run any more");

    auto before = picture();
    dragSlider("x", 0.7);
    waitForPicture(before, "a slider was dragged");
    click("Pin as A");
    before = picture();
    dragSlider("y", 0.2);
    waitForPicture(before, "a slider was dragged");
    waitUntil([&] { return m_window->view().caption().startsWith("B: "); }, "A beside B");
    before = picture();
    const QPointF middle = view().fieldArea().center();
    QWheelEvent wheel(middle, view().mapToGlobal(middle), {}, {0, 240}, Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&view(), &wheel);
    waitForPicture(before, "the wheel was turned");
    const auto camera = m_window->view().camera();
    expect(camera.has_value(), "the camera is where it was");
    waitUntil([&] { return m_window->views().pinned()->camera() == camera; },
              "A is seen from where B is");
    expectThatItFits();
}

void RouteTest::isAskedWhenClosing()
{
    const auto ask = [&] {
        press(QKeySequence::Quit);
        waitUntil([] { return QApplication::activeModalWidget(); }, "the question");
        auto *question = qobject_cast<QMessageBox *>(QApplication::activeModalWidget());
        expect(question && question->text().startsWith("Jobs are running."),
               "the question is another one");
    };
    ask();
    click("Keep running");
    waitUntil([] { return !QApplication::activeModalWidget(); }, "the question goes");
    expect(m_window->isVisible() && campaign().isRunning(), "it is stopped");

    m_steering = m_window->model().now();
    m_camera = m_window->view().camera();
    m_panels = openPanels();
    ask();
    click("Stop the jobs and close");
    waitUntil([&] { return !m_window->isVisible(); }, "the window is still there");
    expect(shownErrors().isEmpty(), shownErrors());
    m_window.reset();
}

void RouteTest::startsAgain()
{
    start();
    waitUntil([&] { return m_window->windowTitle().startsWith("Heated plate"); }, "the sample");
    waitForPicture({}, "the program was started again");
    expect(!m_window->tour().isShown(), "the tour is offered again");
    expect(m_window->model().now() == m_steering, "it is not steered as before");
    const auto &sliders = m_window->steerPanel().sliders();
    for (std::size_t t = 0; t < sliders.size(); ++t)
        expect(sliders[t]->field()->value() == m_steering.parameters[t], "a slider is elsewhere");
    waitUntil([&] { return m_window->views().pinned() && m_window->views().pinned()->isVisible(); },
              "A beside B");
    waitUntil([&] { return m_window->view().camera().has_value(); }, "the camera");
    expect(m_window->view().camera() == m_camera, "it is seen from elsewhere");
    expect(openPanels() == m_panels,
           "open are " + openPanels().join(", ") + " instead of " + m_panels.join(", "));
}

void RouteTest::runsToTheEnd()
{
    const auto study = inFolder("waves.gridhelm");
    chooseFromMenu(*m_window->menuBar(), {"File", "Open recent", QDir::toNativeSeparators(study)});
    waitUntil([&] { return m_window->windowTitle().startsWith("waves.gridhelm"); }, "the study");
    waitUntilSaid(*m_window, "nextStep", "1 of 7 jobs are done");
    writeBytes(m_folder / "go", {});
    click("Run");
    waitUntilSaid(*m_window, "nextStep", "All 7 jobs are done");
}

void RouteTest::compresses()
{
    fill<QSpinBox>("Validation points", "2");
    press(Qt::Key_Return);
    click("Compress");
    waitUntil([&] { return m_window->windowTitle().startsWith("Waves (waves"); }, "the picture");
    waitForPicture({}, "it was compressed");
    waitUntil([&] { return !campaign().isRunning(); }, "the end of its errors");
}

void RouteTest::steersTheOwnStudy()
{
    auto before = picture();
    dragSlider("t", 0.9);
    waitForPicture(before, "a slider was dragged");
    for (const auto &[name, value] : {std::pair{"speed", "1.5"}, std::pair{"t", "5"}}) {
        before = picture();
        fill<NumberField>(name, value);
        press(Qt::Key_Return);
    }
    waitForPicture(before, "numbers were typed");
    const auto &frame = *m_window->view().frame(); // where the program was run
    expect(frame.values.size() == 17 * 13, "there are other numbers of points");
    for (int y = 0; y < 13; ++y) {
        for (int x = 0; x < 17; ++x) {
            const double is = frame.values[static_cast<std::size_t>(17 * y + x)];
            expect(std::abs(is - ownValue(1.5, 5, x, y)) < 1e-5,
                   QString("%1 is not what the program says").arg(is));
        }
    }
}

static int runLong(int argc, char **argv)
{
    qputenv("QTEST_FUNCTION_TIMEOUT", "1200000"); // it is one function, and slow where instrumented
    return runOnScreen<RouteTest>(argc, argv);
}

GRIDHELM_TEST_RUN_BY(runLong)

#include "tst_route.moc"
