// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/look/kind_actions.h"

#include "ui/controls/action_tip.h"
#include "ui/controls/icon.h"
#include "ui/scene/pictures/picture_kind.h"
#include "ui/window/steering_actions.h"

#include <string>

namespace gridhelm::ui {

QList<QAction *> addKindActions(QMenu &menu, SteeringModel &model,
                                const std::function<QString(ViewKind)> &unavailableReason,
                                const std::function<void(const QString &)> &refused)
{
    auto *group = new QActionGroup(&menu);
    const auto followModel = [&model, group] {
        for (auto *action : group->actions())
            action->setChecked(action->data().toInt() == static_cast<int>(model.now().view.kind));
    };
    int key = 1;
    for (const auto kind : allViewKinds) {
        auto text = QString::fromUtf8(kindOf(kind).name);
        text[0] = text[0].toUpper();
        auto *action = group->addAction(menu.addAction(text));
        action->setCheckable(true);
        if (key < 10)
            action->setShortcut(QKeySequence(QString::number(key++)));
        action->setIcon(icon(QString::fromUtf8(kindOf(kind).id)));
        explain(*action,
                text + ": " + QString::fromUtf8(kindOf(kind).summary).section(" (--", 0, 0));
        action->setData(static_cast<int>(kind));
        QObject::connect(action, &QAction::triggered, &model, [=, &model] {
            if (const auto reason = unavailableReason(kind); !reason.isEmpty()) {
                refused(reason);
                followModel(); // the check mark goes back
                return;
            }
            auto steering = model.now();
            steering.view.kind = kind;
            model.change("view", steering);
        });
    }
    QObject::connect(&model, &SteeringModel::changed, group, followModel);
    QObject::connect(&model, &SteeringModel::studyChanged, group, followModel);
    return group->actions();
}

} // namespace gridhelm::ui
