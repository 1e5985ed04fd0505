// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/tour.h"

#include "app/desktop/scripted_input.h"
#include "core/support/error.h"
#include "ui/answers/answers_panel.h"
#include "ui/answers/parallel_plot.h"
#include "ui/answers/state_list.h"
#include "ui/answers/states_page.h"
#include "ui/campaign/campaign_panel.h"
#include "ui/controls/message_bar.h"
#include "ui/controls/value_slider.h"
#include "ui/controls/value_track.h"
#include "ui/machine/machine_limits.h"
#include "ui/performance/performance_panel.h"
#include "ui/solve/solve_panel.h"
#include "ui/solve/solver_run.h"
#include "ui/window/steer/steer_panel.h"
#include "ui/window/views/steered_view.h"

#include <QDir>
#include <QDockWidget>
#include <QPixmap>
#include <QTabBar>
#include <QTabWidget>

#include <utility>

namespace gridhelm::desktop {
namespace {

constexpr int settledMilliseconds = 300; ///< without a new frame: the picture is finished
constexpr int maxStepMilliseconds = 60000;   ///< for one step
constexpr int dragMoves = 12;

} // namespace

Tour::Tour(ui::MainWindow &window, const QString &folder)
    : m_window(window)
    , m_folder(folder)
{
    if (!QDir().mkpath(folder))
        throw Error(("the folder " + folder + " cannot be made; choose another one").toStdString());
    m_settled.setSingleShot(true);
    m_settled.setInterval(settledMilliseconds);
    m_patience.setSingleShot(true);
    m_patience.setInterval(maxStepMilliseconds);
    connect(&m_settled, &QTimer::timeout, this, &Tour::next);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        emit ended("the tour stopped at \"" + m_steps.at(m_step).name
                   + "\": nothing was shown for a minute");
    });
    connect(&m_window, &ui::MainWindow::frameShown, this, [this] { m_settled.start(); });
    connect(&m_window, &ui::MainWindow::couldNotOpen, this, [this](const QString &why) {
        m_patience.stop();
        emit ended(why);
    });
}

void Tour::start()
{
    addSteps();
    m_patience.start(); // the study is being opened
}

void Tour::dragSteps(std::size_t slider, double from, double to)
{
    const auto track = [this, slider] {
        return m_window.steerPanel().sliders().at(slider)->track();
    };
    m_steps.push_back({"", [=] { press(*track(), track()->handleAt(from)); }});
    for (int i = 1; i <= dragMoves; ++i) {
        const double place = from + (to - from) * i / dragMoves;
        m_steps.push_back({"", [=] { moveTo(*track(), track()->handleAt(place)); }});
    }
    m_steps.push_back({"drag", [=] { release(*track(), track()->handleAt(to)); }});
}

/// In the view, at parts of its width and height.
void Tour::click(QPointF at)
{
    if (auto *view = m_window.view().sceneWidget()) {
        const QPointF place(at.x() * view->width(), at.y() * view->height());
        press(*view, place);
        release(*view, place);
    }
}

/// Lets what is going on come to something.
void Tour::waitSteps(int count)
{
    for (int i = 0; i < count; ++i)
        m_steps.push_back({"", [this] { m_settled.start(settledMilliseconds); }});
}

void Tour::addSteps()
{
    const auto key = [this](int code, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        return [this, code, modifiers] {
            for (auto *action : m_window.findChildren<QAction *>()) {
                if (action->shortcut() == QKeySequence(code | modifiers))
                    action->trigger();
            }
        };
    };
    m_steps.push_back({"open", [] {}});
    dragSteps(0, 0.5, 0.9);
    m_steps.push_back({"contour", key(Qt::Key_2)});
    m_steps.push_back({"surface", key(Qt::Key_3)});
    m_steps.push_back({"slice", key(Qt::Key_1)});
    m_steps.push_back({"", key(Qt::Key_K)});
    m_steps.push_back({"", key(Qt::Key_3)});
    m_steps.push_back({"", key(Qt::Key_K)});
    m_steps.push_back({"views", key(Qt::Key_2)});
    m_steps.push_back({"", key(Qt::Key_K, Qt::ControlModifier)});
    m_steps.push_back({"", key(Qt::Key_1)});
    m_steps.push_back({"", key(Qt::Key_A)});
    dragSteps(0, 0.9, 0.4);
    m_steps.back().name = "compare";
    m_steps.push_back({"difference", key(Qt::Key_D)});
    m_steps.push_back({"", key(Qt::Key_A, Qt::ShiftModifier)});
    m_steps.push_back({"probe", [this] { click(QPointF(0.45, 0.4)); }});
    m_steps.push_back({"", key(Qt::Key_P)});
    m_steps.push_back({"", [this] {
                           m_window.showPanel(m_window.solvePanel());
                           m_window.solvePanel().startOrPause();
                       }});
    waitSteps(12);
    m_steps.push_back({"solve", [this] { m_window.solvePanel().startOrPause(); }});
    const auto waitFor = [this](auto isThere) {
        for (int i = 0; i < 100; ++i)
            m_steps.push_back({"", [this, isThere] {
                                   const auto *run = m_window.solvePanel().run();
                                   const bool isEnough = run && isThere(run->state().phase);
                                   m_settled.start(isEnough ? 0 : settledMilliseconds);
                               }});
    };
    m_steps.push_back({"", [this] { m_window.solvePanel().stop(); }});
    waitFor(ui::isOver);
    m_steps.push_back({"", [this] {
                           auto *solvers = m_window.solvePanel().findChild<QTabBar *>("solver");
                           solvers->setCurrentIndex(solvers->count() - 1); // stencils
                           m_window.solvePanel().startOrPause();
                       }});
    // Its code is compiled, which takes a second or two, and more on a busy machine.
    waitFor([](ui::RunPhase phase) { return phase == ui::RunPhase::running; });
    waitSteps(12);
    m_steps.push_back({"stencil", [this] { m_window.solvePanel().startOrPause(); }});
    m_steps.push_back({"campaign", [this] {
                           m_window.solvePanel().stop();
                           m_window.showPanel(m_window.campaignPanel());
                       }});
    m_steps.push_back({"error-curve", [this] {
                           for (auto *pages : m_window.campaignPanel().findChildren<QTabWidget *>())
                               for (int i = 0; i < pages->count(); ++i)
                                   if (pages->tabText(i) == "Error history")
                                       pages->setCurrentIndex(i);
                       }});
    m_steps.push_back({"", [this] {
                           auto &panel = m_window.performancePanel();
                           m_window.showPanel(panel);
                           m_window.solvePanel().limits().measure(panel.backends().context().cpu());
                       }});
    waitSteps(12);
    dragSteps(0, 0.4, 0.7);
    dragSteps(0, 0.7, 0.3);
    m_steps.back().name = "performance";
    m_steps.push_back({"", [this] {
                           for (auto *dock : m_window.findChildren<QDockWidget *>())
                               if (m_window.dockWidgetArea(dock) == Qt::BottomDockWidgetArea)
                                   dock->close(); // they leave no room for what is asked
                           m_window.showPanel(m_window.answersPanel());
                       }});
    waitSteps(8);
    dragSteps(0, 0.3, 0.45);
    waitSteps(4); // until what is asked in the background has come
    m_steps.back().name = "answers";
    m_steps.push_back({"", [this] {
                           m_window.answersPanel().pages()->setCurrentIndex(1);
                           m_settled.start(settledMilliseconds);
                       }});
    waitSteps(8);
    m_steps.back().name = "uncertainty";
    m_steps.push_back({"", [this] {
                           auto *pages = m_window.answersPanel().pages();
                           pages->setCurrentIndex(pages->count() - 1);
                           m_settled.start(settledMilliseconds);
                       }});
    waitSteps(8);
    m_steps.push_back({"states", [this] {
                           const auto &states = *m_window.answersPanel().states();
                           const auto axes = states.states()->rows().empty()
                                                 ? std::size_t{0}
                                                 : states.states()->numbers(0).size();
                           if (axes > 0) // the last one, a response
                               states.plot()->choose(axes - 1, std::pair(0.6, 1.0));
                           m_settled.start(settledMilliseconds);
                       }});
    m_steps.push_back({"dark", key(Qt::Key_T, Qt::ControlModifier)});
    m_steps.push_back({"light", key(Qt::Key_T, Qt::ControlModifier)});
}

void Tour::next()
{
    // News, as that a device was measured for the first time, are no reason to end.
    if (const auto errors = m_window.messages().errors(); !errors.isEmpty()) {
        m_patience.stop();
        emit ended(errors.first());
        return;
    }
    takePicture();
    m_step = m_step + 1;
    if (m_step >= m_steps.size()) {
        m_patience.stop();
        emit ended({});
        return;
    }
    m_patience.start();
    m_settled.setInterval(m_steps[m_step].name.isEmpty() ? 0 : settledMilliseconds);
    m_settled.start(maxStepMilliseconds / 100); // a step may need no new frame
    m_steps[m_step].act();
}

void Tour::takePicture()
{
    const auto &name = m_steps.at(m_step).name;
    if (name.isEmpty())
        return;
    const auto path = QDir(m_folder).filePath(
        QString("%1-%2.png").arg(m_pictures.size() + 1, 2, 10, QChar('0')).arg(name));
    if (m_window.grab().save(path))
        m_pictures << path;
}

} // namespace gridhelm::desktop
