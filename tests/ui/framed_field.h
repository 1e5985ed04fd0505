// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whether a flat field in the window is where its axes are, and all of it is there.
#pragma once

#include "ui/viewer/scene_widget.h"

#include <QImage>
#include <QString>

#include <algorithm>
#include <cmath>

namespace gridhelm::test {

/// What is wrong with the picture that is in the widget now, of the mesh of newStudy() with nothing
/// else than colours on it; empty: nothing. Of a mesh that the user has made larger than its
/// part of the picture, axes are around what is seen.
inline QString comesApart(ui::SceneWidget &widget)
{
    const auto picture = widget.grab().toImage();
    const auto corner = widget.placeOf({0, 0, 0}), opposite = widget.placeOf({1, 0.75, 0});
    if (!corner || !opposite)
        return "nothing is drawn";
    QRectF wanted(QPointF(corner->x(), opposite->y()), QPointF(opposite->x(), corner->y()));
    if (!widget.showsAll())
        wanted &= widget.fieldArea();
    const auto isField = [&](int x, int y) {
        const QColor seen(picture.pixel(x, y));
        return std::max({seen.red(), seen.green(), seen.blue()})
                   - std::min({seen.red(), seen.green(), seen.blue()})
               > 40;
    };
    const auto isInk = [&](int x, int y) {
        return QColor(picture.pixel(x, y)).value() < 130 && !isField(x, y);
    };
    QRect field, frame;
    const int end = std::min(picture.width(), static_cast<int>(widget.fieldArea().right()) + 2);
    for (int x = 0; x < end; ++x) {
        int coloured = 0, dark = 0;
        for (int y = 0; y < picture.height(); ++y) {
            coloured += isField(x, y);
            dark += isInk(x, y);
        }
        const auto column = QRect(x, 0, 1, 1);
        if (2 * coloured > wanted.height())
            field |= column;
        if (2 * dark > wanted.height())
            frame |= column;
    }
    QRect fieldRows, frameRows;
    for (int y = 0; y < picture.height(); ++y) {
        int coloured = 0, dark = 0;
        for (int x = 0; x < end; ++x) {
            coloured += isField(x, y);
            dark += isInk(x, y);
        }
        const auto row = QRect(0, y, 1, 1);
        if (2 * coloured > wanted.width())
            fieldRows |= row;
        if (2 * dark > wanted.width())
            frameRows |= row;
    }
    const auto say = [](const char *what, const QRect &columns, const QRect &rows) {
        return QString("%1 from %2, %3 to %4, %5")
            .arg(what)
            .arg(columns.left())
            .arg(rows.top())
            .arg(columns.right())
            .arg(rows.bottom());
    };
    const auto isNear = [&](const QRect &columns, const QRect &rows) {
        constexpr double most = 3;
        return std::abs(columns.left() - wanted.left()) < most
               && std::abs(columns.right() - wanted.right()) < most
               && std::abs(rows.top() - wanted.top()) < most
               && std::abs(rows.bottom() - wanted.bottom()) < most;
    };
    if (isNear(field, fieldRows) && isNear(frame, frameRows))
        return {};
    return say("field", field, fieldRows) + ", " + say("axes", frame, frameRows)
           + QString(", mesh from %1, %2 to %3, %4")
                 .arg(wanted.left())
                 .arg(wanted.top())
                 .arg(wanted.right())
                 .arg(wanted.bottom());
}

} // namespace gridhelm::test
