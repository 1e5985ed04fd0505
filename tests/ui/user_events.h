// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a user does to a widget, as events; and how tests find the widget.
#pragma once

#include "ui/controls/number_field.h"
#include "ui/controls/value_slider.h"
#include "ui/controls/value_track.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDrag>
#include <QKeySequence>
#include <QRegularExpression>
#include <QTest>
#include <QWidget>

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

/// What says how the program is made, not what happened.
inline QString wrongSentence(const QStringList &sentences)
{
    static const QRegularExpression internals("std::|bad_|vtk[A-Z]|SQL|0x[0-9a-f]{4}|basic_string");
    for (const auto &sentence : sentences)
        if (sentence.isEmpty() || sentence.contains(internals))
            return "a sentence of the program: " + sentence;
    return {};
}

/// What waits for the user is closed as Escape does.
inline void closeDialogs()
{
    QDrag::cancel(); // of text, say: it would wait for a button that only the test has pressed
    if (auto *menu = QApplication::activePopupWidget())
        menu->close();
    for (auto *widget : QApplication::topLevelWidgets()) {
        if (auto *dialog = qobject_cast<QDialog *>(widget); dialog && dialog->isVisible())
            dialog->reject();
    }
}

} // namespace gridhelm::test
