// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/steering/steering_model.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>

#include <functional>

namespace gridhelm::ui {

/// A dynamic property of actions: what is missing while they are disabled, for the command palette
/// to say.
inline constexpr auto needsProperty = "needs";

/// Makes entries of a menu that change what is steered, each one step that can be undone.
class SteeringActions
{
public:
    SteeringActions(QMenu &menu, SteeringModel &model);

    /// Of all of them: without a study they are of no use.
    QActionGroup &group() { return *m_group; }

    /// The step has the name of the text.
    QAction *add(const QString &text, const QString &key, const QString &tip,
                 const std::function<void(Steering &)> &how);
    /// Called now and whenever the model changes, as long as the menu is there.
    void follow(const std::function<void(const Steering &)> &show);

private:
    QMenu &m_menu;
    SteeringModel &m_model;
    QActionGroup *m_group;
};

} // namespace gridhelm::ui
