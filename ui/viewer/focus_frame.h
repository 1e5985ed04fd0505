// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QFocusEvent;
class QPainter;
class QWidget;

namespace gridhelm::ui {

/// Shows that a widget has the focus of the keys. Whoever clicks into it knows where the focus is;
/// whoever comes by keys looks for it.
class FocusFrame
{
public:
    /// The widget is to be painted anew after each.
    void enter(const QFocusEvent &event);
    void leave() { m_isShown = false; }
    void paint(QPainter &painter, const QWidget &around) const;

private:
    bool m_isShown = false;
};

} // namespace gridhelm::ui
