// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/message_bar.h"

#include "ui/controls/message_list.h"
#include "ui/controls/plain_text.h"
#include "ui/controls/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QStyle>
#include <QTimer>
#include <QToolButton>

namespace gridhelm::ui {
namespace {

constexpr int newsMilliseconds = 6000;

QColor edgeOf(MessageKind kind, const QPalette &palette)
{
    if (kind == MessageKind::error)
        return errorColour(palette);
    return kind == MessageKind::warning ? warningColour(palette) : accentColour(palette);
}

} // namespace

MessageBar::MessageBar(QWidget *parent)
    : QWidget(parent)
    , m_text(new PlainLabel(this))
    , m_others(new QToolButton(this))
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 4, 4, 4);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_others->setAutoRaise(true);
    m_others->setObjectName("further messages");
    m_others->setToolTip("All messages, with their times");
    connect(m_others, &QToolButton::clicked, this, &MessageBar::showHistory);
    auto *close = new QToolButton(this);
    close->setAutoRaise(true);
    close->setIcon(style()->standardIcon(QStyle::SP_TitleBarCloseButton));
    close->setAccessibleName("Close this message");
    close->setToolTip("Closes this message; the message log keeps it");
    connect(close, &QToolButton::clicked, this, &MessageBar::closeNewest);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_others);
    layout->addWidget(close);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    hide();
}

void MessageBar::say(Kind kind, const QString &said)
{
    const auto sentence = cleanLine(said);
    if (sentences().contains(sentence))
        return;
    m_history.add(kind, sentence);
    if (m_messages.size() == maxMessages)
        m_messages.removeFirst();
    m_messages.append({kind, sentence, ++m_said});
    if (kind == Kind::news)
        QTimer::singleShot(newsMilliseconds, this, [this, number = m_said] {
            m_messages.removeIf([number](const Message &one) { return one.number == number; });
            showNewest();
        });
    showNewest();
}

void MessageBar::retract(const QString &sentence)
{
    m_messages.removeIf(
        [said = cleanLine(sentence)](const Message &one) { return one.sentence == said; });
    showNewest();
}

void MessageBar::clear()
{
    m_messages.clear();
    showNewest();
}

void MessageBar::closeNewest()
{
    if (!m_messages.isEmpty())
        m_messages.removeLast();
    showNewest();
}

/// What is there now.
void MessageBar::showNewest()
{
    setVisible(!m_messages.isEmpty());
    if (m_messages.isEmpty())
        return;
    const auto &newest = m_messages.constLast();
    m_text->setText(newest.sentence);
    setAccessibleName(newest.sentence);
    const auto others = m_messages.size() - 1;
    m_others->setVisible(others > 0);
    m_others->setText(QString("and %1 more").arg(others));
    m_others->setAccessibleName(QString("%1 more messages").arg(others));
    update();
}

void MessageBar::showHistory()
{
    if (!m_list)
        m_list = new MessageList(m_history, window());
    m_list->show();
    m_list->raise();
    m_list->activateWindow();
}

QStringList MessageBar::sentences() const
{
    QStringList all;
    for (const auto &message : m_messages)
        all << message.sentence;
    return all;
}

QStringList MessageBar::errors() const
{
    QStringList errors;
    for (const auto &message : m_messages)
        if (message.kind == Kind::error)
            errors << message.sentence;
    return errors;
}

void MessageBar::paintEvent(QPaintEvent *)
{
    if (m_messages.isEmpty())
        return;
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::AlternateBase));
    painter.fillRect(QRect(0, 0, 4, height()), edgeOf(m_messages.constLast().kind, palette()));
}

} // namespace gridhelm::ui
