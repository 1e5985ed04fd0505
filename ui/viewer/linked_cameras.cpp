// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewer/linked_cameras.h"

#include <algorithm>

namespace gridhelm::ui {

void LinkedCameras::add(SceneWidget &widget, const std::function<bool()> &takesPart)
{
    m_members.push_back({&widget, takesPart});
    connect(&widget, &SceneWidget::cameraMoved, this, [this, &widget] { follow(widget); });
    connect(&widget, &QObject::destroyed, this, [this, gone = &widget] {
        std::erase_if(m_members, [gone](const Member &member) { return member.widget == gone; });
    });
}

void LinkedCameras::follow(SceneWidget &moved)
{
    const auto leader = std::ranges::find(m_members, &moved, &Member::widget);
    if (!leader->takesPart())
        return;
    for (const auto &member : m_members) {
        if (member.widget != &moved && member.widget->isVisible() && member.takesPart())
            member.widget->lookLike(moved);
    }
}

} // namespace gridhelm::ui
