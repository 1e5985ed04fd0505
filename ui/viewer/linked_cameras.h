// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewer/scene_widget.h"

#include <functional>
#include <vector>

namespace gridhelm::ui {

/// Widgets with scenes on the same mesh: whoever's camera the user moves takes those of the others
/// with it, where SceneWidget::lookLike() makes sense.
class LinkedCameras : public QObject
{
public:
    using QObject::QObject;

    /// Until the widget goes. While `takesPart` says no, it neither leads nor follows.
    void add(
        SceneWidget &widget, const std::function<bool()> &takesPart = [] { return true; });

private:
    struct Member
    {
        SceneWidget *widget;
        std::function<bool()> takesPart;
    };

    void follow(SceneWidget &moved);

    std::vector<Member> m_members;
};

} // namespace gridhelm::ui
