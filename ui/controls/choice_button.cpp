// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/choice_button.h"

#include "ui/controls/plain_text.h"
#include "ui/controls/theme.h"

#include <QFontMetrics>
#include <QStyleOptionButton>
#include <QStylePainter>

#include <algorithm>

namespace gridhelm::ui {
namespace {

constexpr int choiceMargin = 8, besidePicture = 10;

} // namespace

ChoiceButton::ChoiceButton(const QString &title, const QString &about, const QPixmap &picture,
                           QWidget *parent)
    : QPushButton(parent)
    , m_title(title)
    , m_about(about)
    , m_picture(picture)
{
    setText(plainName(title + "\n" + about)); // for readers of the screen, and its size
}

QFont ChoiceButton::titleFont() const
{
    auto bold = font();
    bold.setBold(true);
    return bold;
}

QSize ChoiceButton::pictureSize() const
{
    return m_picture.isNull() ? QSize(0, 0) : m_picture.deviceIndependentSize().toSize();
}

QSize ChoiceButton::sizeHint() const
{
    const auto picture = pictureSize();
    const auto about = fontMetrics().size(0, m_about);
    const int text = std::max(QFontMetrics(titleFont()).horizontalAdvance(m_title), about.width());
    const int height = fontMetrics().lineSpacing() + about.height();
    return {text + 2 * choiceMargin + (picture.isEmpty() ? 0 : picture.width() + besidePicture),
            std::max(height, picture.height()) + 2 * choiceMargin};
}

QSize ChoiceButton::minimumSizeHint() const
{
    // A path may be long; what is said beside a picture is not.
    return {m_picture.isNull() ? std::min(sizeHint().width(), 200) : sizeHint().width(),
            sizeHint().height()};
}

void ChoiceButton::paintEvent(QPaintEvent *)
{
    QStylePainter painter(this);
    QStyleOptionButton option;
    initStyleOption(&option);
    painter.drawControl(QStyle::CE_PushButtonBevel, option);
    if (option.state.testFlag(QStyle::State_HasFocus)) {
        painter.setPen(QPen(accentColour(palette()), 2));
        painter.drawRect(rect().adjusted(3, 3, -3, -3));
    }
    auto place = rect().adjusted(choiceMargin, choiceMargin, -choiceMargin, -choiceMargin);
    if (const auto picture = pictureSize(); !picture.isEmpty()) {
        painter.drawPixmap(place.left(), place.center().y() - picture.height() / 2, m_picture);
        place.setLeft(place.left() + picture.width() + besidePicture);
    }
    const auto lines = m_about.split('\n');
    const int line = fontMetrics().lineSpacing();
    int y = place.center().y() - line * static_cast<int>(lines.size() + 1) / 2;
    const auto write = [&](const QString &text) {
        painter.drawText(QRect(place.left(), y, place.width(), line),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(text, Qt::ElideMiddle, place.width()));
        y += line;
    };
    painter.setPen(palette().color(QPalette::ButtonText));
    painter.setFont(titleFont());
    write(m_title);
    painter.setFont(font());
    painter.setPen(quietTextColour(palette()));
    for (const auto &text : lines)
        write(text);
}

} // namespace gridhelm::ui
