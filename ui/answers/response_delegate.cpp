// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/response_delegate.h"

#include "ui/answers/response_list_model.h"
#include "ui/controls/theme.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>

namespace gridhelm::ui {
namespace {

constexpr int margin = 5;
constexpr int curveWidth = 84;

void drawCurve(QPainter &painter, const QRect &area, const LiveAnswer &live,
               const LiveAnswer::Response &response, const QPalette &palette, bool isSelected)
{
    if (response.curve.empty() || !response.value)
        return;
    const auto &space = live.question.set->space;
    const auto moved = live.question.moved;
    const double present = space.toUnit(live.question.parameters)[moved];
    const auto [least, most] = std::ranges::minmax(response.curve);
    const double low = std::min(least, *response.value), high = std::max(most, *response.value);
    const auto place = [&](double at, double value) {
        const double share = high > low ? (value - low) / (high - low) : 0.5;
        return QPointF(area.left() + at * area.width(), area.bottom() - share * area.height());
    };
    QPolygonF line;
    for (std::size_t i = 0; i < response.curve.size(); ++i)
        line << place(live.curveAt[i], response.curve[i]);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto onSelection = palette.color(QPalette::HighlightedText);
    painter.setPen(QPen(isSelected ? onSelection : curveColours(palette).front(), 1.4));
    painter.drawPolyline(line);
    painter.setPen(Qt::NoPen);
    painter.setBrush(isSelected ? onSelection : accentColour(palette));
    constexpr double dot = 3;
    painter.drawEllipse(place(present, *response.value), dot, dot);
}

} // namespace

void ResponseDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                             const QModelIndex &index) const
{
    auto own = option;
    initStyleOption(&own, index);
    own.text.clear();
    const auto *style = own.widget ? own.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &own, painter, own.widget);

    painter->save();
    auto area = own.rect.adjusted(margin, margin - 1, -margin, -margin + 1);
    const bool hasRoom = area.width() > 2 * curveWidth;
    auto text = area;
    if (hasRoom)
        text.setRight(area.right() - curveWidth - margin);
    const bool isSelected = own.state.testFlag(QStyle::State_Selected);
    const auto ink = own.palette.color(isSelected ? QPalette::HighlightedText : QPalette::Text);
    const int line = own.fontMetrics.height();
    const auto value = index.data(ResponseListModel::valueRole).toString();
    auto bold = own.font;
    bold.setBold(true);
    const int valueWidth = QFontMetrics(bold).horizontalAdvance(value) + margin;
    painter->setPen(ink);
    painter->drawText(text.left(), text.top(), std::max(0, text.width() - valueWidth), line,
                      Qt::AlignLeft | Qt::AlignVCenter,
                      own.fontMetrics.elidedText(index.data(ResponseListModel::nameRole).toString(),
                                                 Qt::ElideRight,
                                                 std::max(0, text.width() - valueWidth)));
    painter->setFont(bold);
    painter->drawText(text.left(), text.top(), text.width(), line,
                      Qt::AlignRight | Qt::AlignVCenter, value);
    painter->setFont(own.font);
    const bool isProblem = index.data(ResponseListModel::isProblemRole).toBool();
    painter->setPen(isSelected  ? ink
                    : isProblem ? errorColour(own.palette)
                                : quietTextColour(own.palette));
    painter->drawText(
        text.left(), text.top() + line, text.width(), line, Qt::AlignLeft | Qt::AlignVCenter,
        own.fontMetrics.elidedText(index.data(ResponseListModel::errorRole).toString(),
                                   Qt::ElideRight, text.width()));
    const auto *model = qobject_cast<const ResponseListModel *>(index.model());
    if (hasRoom && model && model->live())
        drawCurve(*painter, QRect(area.right() - curveWidth, area.top(), curveWidth, area.height()),
                  *model->live(), model->live()->responses[static_cast<std::size_t>(index.row())],
                  own.palette, isSelected);
    painter->restore();
}

QSize ResponseDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &) const
{
    return {160, 2 * option.fontMetrics.height() + 2 * margin};
}

} // namespace gridhelm::ui
