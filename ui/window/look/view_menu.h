// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/steering/steering_model.h"

#include <QAction>
#include <QMenu>

#include <functional>

class QActionGroup;

namespace gridhelm::ui {

class Animation;
class SteeredView;

struct ViewActions
{
    QList<QAction *> kinds;             ///< in the order of allViewKinds
    QAction *fit = nullptr;             ///< all of the mesh again
    QList<QAction *> ofStudy;           ///< all that are of no use without one, but for
    QActionGroup *companions = nullptr; ///< those
};

/// Fills a menu with what changes how a study is looked at: kinds of pictures, cameras, movement,
/// more views. `refused` gets a sentence where something cannot be shown like that.
ViewActions addViewActions(QMenu &menu, SteeringModel &model, SteeredView &view,
                           Animation &animation,
                           const std::function<void(const QString &sentence)> &refused);

} // namespace gridhelm::ui
