// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/steering_actions.h"

namespace gridhelm::ui {

SteeringActions::SteeringActions(QMenu &menu, SteeringModel &model)
    : m_menu(menu)
    , m_model(model)
    , m_group(new QActionGroup(&menu))
{
    m_group->setExclusionPolicy(QActionGroup::ExclusionPolicy::None);
}

QAction *SteeringActions::add(const QString &text, const QString &key, const QString &tip,
                              const std::function<void(Steering &)> &how)
{
    auto *action = m_group->addAction(m_menu.addAction(text));
    action->setShortcut(QKeySequence(key));
    action->setToolTip(tip + " (" + key + ")");
    QObject::connect(action, &QAction::triggered, &m_model,
                     [&model = m_model, how, what = QString(text).remove('&')] {
                         auto steering = model.now();
                         how(steering);
                         model.change(what, steering);
                     });
    return action;
}

void SteeringActions::follow(const std::function<void(const Steering &)> &show)
{
    const auto again = [&model = m_model, show] { show(model.now()); };
    QObject::connect(&m_model, &SteeringModel::changed, &m_menu, again);
    QObject::connect(&m_model, &SteeringModel::studyChanged, &m_menu, again);
    again();
}

} // namespace gridhelm::ui
