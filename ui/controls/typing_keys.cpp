// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/typing_keys.h"

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
    m_watched = qobject_cast<QComboBox *>(focused) || qobject_cast<QAbstractItemView *>(focused)
                    ? focused
                    : nullptr;
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
    if (text.size() != 1 || !text[0].isLetterOrNumber()
        || (key->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) != Qt::NoModifier)
        return false;
    const bool goesOn =
        m_sinceTyping.isValid() && m_sinceTyping.elapsed() < QApplication::keyboardInputInterval();
    if (!goesOn && !isAnEntryOf(*m_watched, text))
        return false;
    m_sinceTyping.start();
    event->accept();
    return true;
}

} // namespace gridhelm::ui
