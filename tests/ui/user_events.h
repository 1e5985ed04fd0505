// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a user does to a widget, as events; and how tests find the widget.
#pragma once

#include "ui/controls/number_field.h"
#include "ui/controls/value_slider.h"
#include "ui/controls/value_track.h"

#include <QAction>
#include <QComboBox>
#include <QKeySequence>
#include <QWidget>
#include <QTest>

namespace gridhelm::test {

inline QAction *action(const QWidget &in, const QKeySequence &key)
{
    for (auto *candidate : in.findChildren<QAction *>()) {
        if (candidate->shortcut() == key)
            return candidate;
    }
    return nullptr;
}

/// As screen readers name it; none: there is none.
template <typename Widget>
Widget *named(const QWidget &in, const QString &name)
{
    for (auto *candidate : in.findChildren<Widget *>()) {
        if (candidate->accessibleName() == name)
            return candidate;
    }
    return nullptr;
}

inline QComboBox *box(const QWidget &in, const QString &name)
{
    return named<QComboBox>(in, name);
}

/// By keys, as a user without a mouse.
inline void choose(QComboBox &of, int wanted)
{
    of.setFocus();
    for (int steps = 0; of.currentIndex() != wanted && steps < of.count(); ++steps)
        QTest::keyClick(&of, of.currentIndex() < wanted ? Qt::Key_Down : Qt::Key_Up);
}

inline void choose(QComboBox &of, const QString &text)
{
    choose(of, of.findText(text));
}

/// In place of what is there.
inline void typeInto(ui::NumberField &field, const QString &text)
{
    field.setFocus();
    field.selectAll();
    QTest::keyClicks(&field, text);
    QTest::keyClick(&field, Qt::Key_Return);
}

/// At a share of its length.
inline QPoint placeOnTrack(const ui::ValueTrack &track, double place)
{
    return track.handleAt(place).toPoint();
}

inline void drag(ui::ValueSlider &slider, double from, double to)
{
    auto &track = *slider.track();
    QTest::mousePress(&track, Qt::LeftButton, {}, placeOnTrack(track, from));
    for (int i = 1; i <= 4; ++i)
        QTest::mouseMove(&track, placeOnTrack(track, from + 0.25 * i * (to - from)));
    QTest::mouseRelease(&track, Qt::LeftButton, {}, placeOnTrack(track, to));
}

} // namespace gridhelm::test
