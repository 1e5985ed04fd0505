// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"
#include "ui/steering/steering_model.h"
#include "ui/window/accelerators.h"

#include <QList>

#include <memory>

class QDockWidget;
class QMainWindow;
class QWidget;

namespace gridhelm::ui {

class Animation;
class AnswersPanel;
class CampaignPanel;
class PerformancePanel;
class ProbePanel;
class SolvePanel;
class SteeredView;
class SteerPanel;
class TrustPanel;
class ViewPanel;

/// Those around the views, each in a dock of the window. Those of a study are open at first.
struct Panels
{
    SteerPanel *steer = nullptr;
    ViewPanel *view = nullptr;
    ProbePanel *probe = nullptr;
    TrustPanel *trust = nullptr;
    AnswersPanel *answers = nullptr;
    SolvePanel *solve = nullptr;
    CampaignPanel *campaign = nullptr;
    PerformancePanel *performance = nullptr;
    QList<QDockWidget *> ofStudy; ///< of no use without one
    QList<QDockWidget *> tools;   ///< that the tool bar opens
};

/// All arguments must outlive them; `view` is the main one.
Panels makePanels(QMainWindow &window, SteeringModel &model, Animation &animation,
                  SteeredView &view, const ExecutionContext &context,
                  const Accelerators &accelerators,
                  const std::shared_ptr<const sparse::Backend> &backend);

/// Opens the dock with a panel, and shows it if others lie over it.
void showPanel(QMainWindow &window, const QWidget &panel);

} // namespace gridhelm::ui
