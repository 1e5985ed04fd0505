// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/message_bar.h"

#include "ui/controls/plain_text.h"
#include "ui/controls/theme.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QStyle>
#include <QTimer>
#include <QToolButton>

namespace gridhelm::ui {
namespace {

constexpr int newsMilliseconds = 6000;

/// One sentence, with a coloured edge and a button that closes it.
class Message : public QFrame
{
public:
    Message(MessageBar::Kind kind, const QString &sentence, QWidget *parent)
        : QFrame(parent)
        , m_kind(kind)
        , m_sentence(sentence)
    {
        auto *layout = new QHBoxLayout(this);
        layout->setContentsMargins(12, 4, 4, 4);
        auto *text = new PlainLabel(sentence, this);
        text->setWordWrap(true);
        text->setTextInteractionFlags(Qt::TextSelectableByMouse);
        auto *close = new QToolButton(this);
        close->setAutoRaise(true);
        close->setIcon(style()->standardIcon(QStyle::SP_TitleBarCloseButton));
        close->setAccessibleName("Close this message");
        layout->addWidget(text, 1);
        layout->addWidget(close);
        connect(close, &QToolButton::clicked, this, &Message::deleteLater);
        setAccessibleName(sentence);
    }

    const QString &sentence() const { return m_sentence; }
    MessageBar::Kind kind() const { return m_kind; }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        const auto edge = m_kind == MessageBar::Kind::error     ? errorColour(palette())
                          : m_kind == MessageBar::Kind::warning ? warningColour(palette())
                                                                : accentColour(palette());
        painter.fillRect(rect(), palette().color(QPalette::AlternateBase));
        painter.fillRect(QRect(0, 0, 4, height()), edge);
    }

private:
    MessageBar::Kind m_kind;
    QString m_sentence;
};

} // namespace

MessageBar::MessageBar(QWidget *parent)
    : QWidget(parent)
    , m_layout(new QVBoxLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(1);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
}

void MessageBar::say(Kind kind, const QString &said)
{
    const auto sentence = cleanLine(said);
    if (sentences().contains(sentence))
        return;
    while (m_layout->count() >= maxMessages)
        delete m_layout->itemAt(0)->widget();
    auto *message = new Message(kind, sentence, this);
    m_layout->addWidget(message);
    if (kind == Kind::news)
        QTimer::singleShot(newsMilliseconds, message, &QObject::deleteLater);
}

void MessageBar::retract(const QString &sentence)
{
    const auto at = sentences().indexOf(cleanLine(sentence));
    if (at >= 0)
        delete m_layout->itemAt(static_cast<int>(at))->widget();
}

void MessageBar::clear()
{
    while (m_layout->count() > 0)
        delete m_layout->itemAt(0)->widget();
}

QStringList MessageBar::sentences() const
{
    QStringList all;
    for (int i = 0; i < m_layout->count(); ++i)
        all << static_cast<Message *>(m_layout->itemAt(i)->widget())->sentence();
    return all;
}

QStringList MessageBar::errors() const
{
    QStringList errors;
    for (int i = 0; i < m_layout->count(); ++i)
        if (const auto *message = static_cast<Message *>(m_layout->itemAt(i)->widget());
            message->kind() == Kind::error)
            errors << message->sentence();
    return errors;
}

} // namespace gridhelm::ui
