// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/steering/steering_model.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>

namespace gridhelm::ui {

struct CompareActions
{
    QActionGroup *all;          ///< to be disabled while there is no study
    QList<QAction *> ofToolBar; ///< those that are worth a place there
};

/// Fills a menu with what can be done with two states: pin one (A), see both, exchange them. They
/// follow the model.
CompareActions addCompareActions(QMenu &menu, SteeringModel &model);

} // namespace gridhelm::ui
