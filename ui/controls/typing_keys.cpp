// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/typing_keys.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>

namespace gridhelm::ui {
namespace {

bool isAnEntryOf(const QWidget &widget, const QString &text)
{
    if (const auto *box = qobject_cast<const QComboBox *>(&widget))
        return !box->isEditable() && box->findText(text, Qt::MatchStartsWith) >= 0; // of any case
    const auto *view = qobject_cast<const QAbstractItemView *>(&widget);
    if (!view || !view->model())
        return false;
    const auto &current = view->currentIndex();
    const auto begin = current.isValid() ? current.siblingAtColumn(current.column())
                                         : view->model()->index(0, 0, view->rootIndex());
    return begin.isValid()
           && !view->model()
                   ->match(begin, Qt::DisplayRole, text, 1, Qt::MatchStartsWith | Qt::MatchWrap)
                   .isEmpty();
}

/// Whether the first letter begins to edit the cell that is chosen.
bool isTypedInto(const QWidget &widget)
{
    const auto *view = qobject_cast<const QAbstractItemView *>(&widget);
    return view && view->editTriggers().testFlag(QAbstractItemView::AnyKeyPressed)
           && view->currentIndex().flags().testFlags(Qt::ItemIsEditable | Qt::ItemIsEnabled);
}

} // namespace

TypingKeys::TypingKeys(QObject *parent)
    : QObject(parent)
{
    connect(qApp, &QApplication::focusChanged, this,
            [this](QWidget *, QWidget *focused) { watch(focused); });
    watch(QApplication::focusWidget());
}

void TypingKeys::watch(QWidget *focused)
{
    if (m_watched)
        m_watched->removeEventFilter(this);
    const bool usesKeys = qobject_cast<QComboBox *>(focused)
                          || qobject_cast<QAbstractItemView *>(focused)
                          || qobject_cast<QAbstractButton *>(focused);
    m_watched = usesKeys ? focused : nullptr;
    m_sinceTyping.invalidate();
    if (m_watched)
        m_watched->installEventFilter(this);
}

bool TypingKeys::eventFilter(QObject *watched, QEvent *event)
{
    // What accepts this event gets the key itself, and no shortcut does.
    if (event->type() != QEvent::ShortcutOverride || watched != m_watched)
        return false;
    auto *key = static_cast<QKeyEvent *>(event);
    const auto text = key->text();
    if (text.size() != 1 || !text[0].isPrint()
        || (key->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) != Qt::NoModifier)
        return false;
    if (key->key() == Qt::Key_Space) { // it presses, opens or chooses what has the focus
        event->accept();
        return true;
    }
    if (qobject_cast<QAbstractButton *>(m_watched))
        return false;
    const bool goesOn =
        m_sinceTyping.isValid() && m_sinceTyping.elapsed() < QApplication::keyboardInputInterval();
    if (!goesOn && !isAnEntryOf(*m_watched, text) && !isTypedInto(*m_watched))
        return false;
    m_sinceTyping.start();
    event->accept();
    return true;
}

} // namespace gridhelm::ui
