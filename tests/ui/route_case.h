// SPDX-License-Identifier: GPL-3.0-or-later
//
// A person at the program, who finds things by what stands on them and reaches them with the mouse
// and the keys alone: what is hidden, covered, behind a dialog or cannot be typed into is a
// problem.
#pragma once

#include "core/support/error.h"
#include "tests/ui/user_events.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QApplication>
#include <QComboBox>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QTabBar>
#include <QWheelEvent>
#include <QTest>

#include <functional>

namespace gridhelm::test {

/// Milliseconds; instrumented builds on busy machines are slow.
constexpr int longestWait = 150'000;

inline void expect(bool condition, const QString &otherwise)
{
    if (!condition)
        throw Error(otherwise.toStdString());
}

inline void waitUntil(const std::function<bool()> &condition, const QString &otherwise)
{
    expect(QTest::qWaitFor(condition, longestWait), "waited in vain: " + otherwise);
}

/// What is in front: of a dialog that waits for an answer the window behind cannot be reached.
inline QWidget &inFront()
{
    if (auto *popup = QApplication::activePopupWidget())
        return *popup;
    QWidget *front = QApplication::activeModalWidget();
    for (auto *window : QApplication::topLevelWidgets()) {
        if (!front && window->isVisible() && qobject_cast<QMainWindow *>(window))
            front = window;
    }
    expect(front, "no window is in front");
    if (QApplication::activeWindow() != front) { // a window manager does it, if there is one
        front->activateWindow();
        waitUntil([front] { return QApplication::activeWindow() == front; },
                  "no window has the keys");
    }
    return *front;
}

/// Whom the keys reach.
inline QWidget &focused()
{
    auto &front = inFront();
    if (QApplication::activePopupWidget())
        return front.focusWidget() ? *front.focusWidget() : front;
    auto *focus = QApplication::focusWidget();
    return focus ? *focus : front;
}

inline QString nameOf(const QWidget &widget)
{
    return widget.accessibleName().isEmpty() ? widget.objectName() : widget.accessibleName();
}

inline bool isCalled(const QWidget &widget, const QString &name)
{
    const auto *button = qobject_cast<const QAbstractButton *>(&widget);
    return widget.accessibleName() == name || widget.objectName() == name
           || (button && button->text().remove('&') == name);
}

/// Waits until there is one, and it can be used.
template <typename Widget>
Widget &find(const QString &name)
{
    Widget *found = nullptr;
    waitUntil(
        [&] {
            for (auto *one : inFront().findChildren<Widget *>()) {
                if (one->isVisible() && one->isEnabled() && isCalled(*one, name))
                    found = one;
            }
            return found != nullptr;
        },
        "\"" + name + "\" is not there, or cannot be used");
    return *found;
}

inline bool isInView(const QWidget &widget, QPoint at)
{
    return widget.visibleRegion().contains(at);
}

/// Turns the wheel over what scrolls around the widget, until that place of it is seen.
inline void scrollTo(const QWidget &widget, QPoint at)
{
    for (auto *around = widget.parentWidget(); around; around = around->parentWidget()) {
        auto *scroll = qobject_cast<QAbstractScrollArea *>(around);
        auto *page = scroll ? scroll->viewport() : nullptr;
        for (int turns = 0; page && !isInView(widget, at) && turns < 100; ++turns) {
            const QPointF middle(page->rect().center());
            const bool isBelow = widget.mapTo(page, at).y() > middle.y();
            QWheelEvent wheel(middle, page->mapToGlobal(middle), {}, {0, isBelow ? -120 : 120},
                              Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(page, &wheel);
            QCoreApplication::processEvents();
        }
    }
}

/// Brings the place into view; a person could press there.
inline void reach(const QWidget &widget, QPoint at)
{
    const auto name = "\"" + nameOf(widget) + "\"";
    scrollTo(widget, at);
    const auto isOnTop = [&] {
        const auto *hit = widget.window()->childAt(widget.mapTo(widget.window(), at));
        return hit == &widget || widget.isAncestorOf(hit) || &widget == widget.window();
    };
    waitUntil([&] { return isInView(widget, at) && isOnTop(); },
              name + " is out of sight, or covered");
    expect(widget.isEnabled(), name + " is grey");
    expect(widget.window() == &inFront(), name + " is behind another window");
}

inline void clickOn(QWidget &widget, QPoint at)
{
    reach(widget, at);
    auto *hit = widget.childAt(at);
    QTest::mouseClick(hit ? hit : &widget, Qt::LeftButton, {},
                      hit ? hit->mapFrom(&widget, at) : at);
}

inline void click(const QString &button)
{
    auto &found = find<QAbstractButton>(button);
    clickOn(found, found.rect().center());
}

inline void press(const QKeySequence &keys)
{
    QTest::keySequence(&focused(), keys);
}

inline void type(const QString &text)
{
    auto &field = focused();
    expect(field.testAttribute(Qt::WA_InputMethodEnabled),
           QString("what has the keys cannot be typed into: %1 \"%2\"")
               .arg(field.metaObject()->className(), nameOf(field)));
    QTest::keyClicks(&field, text);
}

/// In place of what is there.
template <typename Field>
void fill(const QString &name, const QString &text)
{
    auto &field = find<Field>(name);
    QWidget *page = &field;
    if (auto *scroll = qobject_cast<QAbstractScrollArea *>(page))
        page = scroll->viewport();
    clickOn(*page, page->rect().center());
    press(QKeySequence::SelectAll);
    type(text);
}

inline void clickTab(const QString &text)
{
    for (auto *bar : inFront().findChildren<QTabBar *>()) {
        for (int i = 0; bar->isVisible() && i < bar->count(); ++i) {
            if (bar->tabText(i).remove('&') == text) {
                clickOn(*bar, bar->tabRect(i).center());
                return;
            }
        }
    }
    throw Error("there is no tab \"" + text.toStdString() + "\"");
}

inline void clickCell(QAbstractItemView &view, const QModelIndex &cell)
{
    clickOn(*view.viewport(), view.visualRect(cell).center());
}

/// Opens the list of choices, and takes one by the arrow keys.
inline void chooseFrom(const QString &name, const QString &text)
{
    auto &box = find<QComboBox>(name);
    const int wanted = box.findText(text);
    expect(wanted >= 0, "\"" + name + "\" has no \"" + text + "\"");
    clickOn(box, box.rect().center());
    waitUntil([&] { return box.view()->isVisible(); }, "the list of \"" + name + "\"");
    for (int steps = 0; box.view()->currentIndex().row() != wanted && steps < box.count(); ++steps)
        press(box.view()->currentIndex().row() < wanted ? Qt::Key_Down : Qt::Key_Up);
    press(Qt::Key_Return);
    waitUntil([&] { return box.currentIndex() == wanted; }, "\"" + text + "\" is not chosen");
}

inline QAction &entryOf(QMenu &menu, const QString &text)
{
    for (auto *action : menu.actions()) {
        if (action->text().remove('&') == text && action->isEnabled())
            return *action;
    }
    throw Error("there is no \"" + text.toStdString() + "\" in the menu");
}

/// "File", "Open recent", "...": by the mouse.
inline void chooseFromMenu(QMenuBar &bar, const QStringList &path)
{
    QMenu *menu = nullptr;
    for (auto *action : bar.actions()) {
        if (action->text().remove('&') != path.first())
            continue;
        menu = action->menu();
        clickOn(bar, bar.actionGeometry(action).center());
    }
    for (const auto &text : path.mid(1)) {
        expect(menu, "there is no such menu");
        waitUntil([&] { return menu->isVisible(); }, "the menu with \"" + text + "\"");
        auto &entry = entryOf(*menu, text);
        const auto at = menu->actionGeometry(&entry).center();
        QTest::mouseMove(menu, at);
        QTest::mouseClick(menu, Qt::LeftButton, {}, at);
        menu = entry.menu();
    }
}

} // namespace gridhelm::test
