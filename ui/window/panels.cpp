// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/panels.h"

#include "data/mesh/campaign_files.h"
#include "ui/answers/answers_panel.h"
#include "ui/campaign/campaign_panel.h"
#include "ui/performance/performance_panel.h"
#include "ui/probe/probe_panel.h"
#include "ui/solve/solve_panel.h"
#include "ui/trust/trust_panel.h"
#include "ui/window/look/view_panel.h"
#include "ui/window/steer/steer_panel.h"
#include "ui/window/views/field_in_view.h"
#include "ui/window/views/steered_view.h"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>
#include <QScrollArea>

namespace gridhelm::ui {
namespace {

constexpr int panelWidth = 250;

/// `name` is the one that saved layouts and icons have.
QDockWidget *addDock(QMainWindow &window, const QString &title, QWidget *panel,
                     Qt::DockWidgetArea area, const QString &key = {}, const QString &name = {})
{
    auto *holder = new QDockWidget(title, &window);
    holder->setObjectName(name.isEmpty() ? title : name);
    panel->setMinimumWidth(panelWidth);
    holder->setWidget(panel);
    window.addDockWidget(area, holder);
    if (!key.isEmpty())
        holder->toggleViewAction()->setShortcut(QKeySequence(key));
    return holder;
}

QScrollArea *scrollable(QWidget *panel)
{
    auto *scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus); // what is in it scrolls when it has the focus
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(panel);
    return scroll;
}

} // namespace

Panels makePanels(QMainWindow &window, SteeringModel &model, Animation &animation,
                  SteeredView &view, const ExecutionContext &context,
                  const Accelerators &accelerators,
                  const std::shared_ptr<const sparse::Backend> &backend)
{
    Panels panels;
    panels.steer = new SteerPanel(model, animation);
    panels.view = new ViewPanel(model);
    panels.trust = new TrustPanel(model, context);
    panels.answers = new AnswersPanel(model, context);
    panels.solve = new SolvePanel(context, accelerators.solving, accelerators.solverDevices);
    panels.solve->setShownField([&view] { return fieldInView(view); });
    panels.campaign = new CampaignPanel(data::meshFilesThroughVtk());
    panels.performance = new PerformancePanel(panels.solve->limits(), context);
    QObject::connect(panels.solve, &SolvePanel::sharesChanged, panels.performance,
                     &PerformancePanel::showShares);
    auto &backends = panels.performance->backends();
    backends.setDevices(accelerators.devices);
    panels.performance->setTuning(accelerators.devices.tuning);
    for (const auto &offer : accelerators.evaluating)
        backends.add(offer);
    panels.probe = new ProbePanel(model, backend, view.sceneWidget());

    auto *steer = addDock(window, "Steer", panels.steer, Qt::LeftDockWidgetArea);
    auto *look = addDock(window, "View", scrollable(panels.view), Qt::RightDockWidgetArea);
    auto *trust = addDock(window, "Accuracy", panels.trust, Qt::RightDockWidgetArea, "T", "Trust");
    auto *solve = addDock(window, "Solve", panels.solve, Qt::BottomDockWidgetArea);
    auto *campaign =
        addDock(window, "Runs", panels.campaign, Qt::BottomDockWidgetArea, {}, "Campaign");
    window.tabifyDockWidget(solve, campaign);
    auto *performance =
        addDock(window, "Performance", panels.performance, Qt::BottomDockWidgetArea, "Ctrl+P");
    window.tabifyDockWidget(campaign, performance);
    auto *probe = addDock(window, "Probe", scrollable(panels.probe), Qt::RightDockWidgetArea, "P");
    window.tabifyDockWidget(look, probe);
    QObject::connect(probe, &QDockWidget::visibilityChanged, panels.probe, &ProbePanel::setActive);
    window.tabifyDockWidget(probe, trust);
    auto *answers = addDock(window, "Analysis", scrollable(panels.answers), Qt::RightDockWidgetArea,
                            "Ctrl+R", "Answers");
    QObject::connect(answers, &QDockWidget::visibilityChanged, panels.answers,
                     &AnswersPanel::setActive);
    window.tabifyDockWidget(trust, answers);
    panels.probe->setTaker(
        {[panel = panels.answers](const MeshPlace &place) { return panel->takePoint(place); },
         [panel = panels.answers](const ProbeLine &line) {
             return panel->takeLine(line.from, line.to);
         }});
    panels.ofStudy = {steer, look, trust};
    panels.tools = {probe, trust, answers, solve, campaign, performance};
    for (auto *holder : panels.tools) // closed until wanted
        holder->hide();
    return panels;
}

void showPanel(QMainWindow &window, const QWidget &panel)
{
    for (auto *holder : window.findChildren<QDockWidget *>()) {
        if (holder->isAncestorOf(&panel)) {
            holder->show();
            holder->raise();
        }
    }
}

} // namespace gridhelm::ui
