// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/steering/steering_model.h"

#include <QAction>
#include <QMenu>

#include <functional>

namespace gridhelm::ui {

/// Entries, in the order of allViewKinds, that choose what kind the main view is; they follow the
/// model. Where `unavailableReason` has a sentence, nothing changes, and `refused` gets it.
QList<QAction *> addKindActions(QMenu &menu, SteeringModel &model,
                                const std::function<QString(ViewKind)> &unavailableReason,
                                const std::function<void(const QString &)> &refused);

} // namespace gridhelm::ui
