// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QString>

#include <functional>
#include <vector>

namespace gridhelm::ui {

class ViewArea;

/// What a view shows, and a line that says what that is.
struct ViewPicture
{
    QImage image;
    QString caption;
};

/// Of all views that are on the screen: what is steered, what is pinned beside it, and companions;
/// as they are, in that order. `take` is called later, or at once; by then views may be gone, which
/// have no picture. It must not wait.
void takeViews(ViewArea &area, std::function<void(std::vector<ViewPicture>)> take);

/// A file in the format PNG, no side longer than 1600 pixels. In any thread. Throws gridhelm::Error
/// where there is no memory for it.
std::string encodedPicture(const QImage &image);

} // namespace gridhelm::ui
