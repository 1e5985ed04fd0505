// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/line_drawing.h"

#include <QPainter>
#include <QPen>
#include <QRegularExpression>
#include <QXmlStreamReader>

#include <algorithm>

namespace gridhelm::ui {
namespace {

constexpr double gridSide = 24, strokeWidth = 1.6;

/// The numbers that follow, as many as the command takes; none if they are not there.
class Numbers
{
public:
    explicit Numbers(const QStringList &words)
        : m_words(words)
    {
    }

    bool isAtEnd() const { return m_at >= m_words.size(); }
    QString word() { return m_words.value(m_at++); }
    double next() { return word().toDouble(); } // 0 for what is none: a drawing of ours is tested

private:
    const QStringList &m_words;
    qsizetype m_at = 0;
};

QPainterPath pathOf(const QString &data)
{
    static const QRegularExpression parts("[MLHVCZ]|-?[0-9.]+");
    QStringList words;
    for (auto found = parts.globalMatch(data); found.hasNext();)
        words << found.next().captured();
    QPainterPath path;
    Numbers numbers(words);
    const auto point = [&numbers] {
        const double x = numbers.next();
        return QPointF(x, numbers.next());
    };
    while (!numbers.isAtEnd()) {
        const auto command = numbers.word();
        const auto from = path.currentPosition();
        if (command == "M") {
            path.moveTo(point());
        } else if (command == "L") {
            path.lineTo(point());
        } else if (command == "H") {
            path.lineTo(numbers.next(), from.y());
        } else if (command == "V") {
            path.lineTo(from.x(), numbers.next());
        } else if (command == "C") {
            const auto first = point(), second = point();
            path.cubicTo(first, second, point());
        } else if (command == "Z") {
            path.closeSubpath();
        }
    }
    return path;
}

} // namespace

LineDrawing LineDrawing::fromSvg(const QByteArray &svg)
{
    LineDrawing drawing;
    QXmlStreamReader reader(svg);
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement)
            continue;
        const auto attributes = reader.attributes();
        const auto number = [&](const char *name) {
            return attributes.value(QLatin1String(name)).toDouble();
        };
        Part part;
        if (reader.name() == QLatin1String("path"))
            part.path = pathOf(attributes.value("d").toString());
        else if (reader.name() == QLatin1String("circle"))
            part.path.addEllipse(QPointF(number("cx"), number("cy")), number("r"), number("r"));
        if (part.path.isEmpty())
            continue;
        if (attributes.hasAttribute("fill"))
            part.filled = attributes.hasAttribute("fill-opacity") ? number("fill-opacity") : 1;
        part.hasLine = attributes.value("stroke") != QLatin1String("none");
        drawing.m_parts.push_back(part);
    }
    return drawing;
}

void LineDrawing::paint(QPainter &painter, const QRectF &into, const QColor &colour) const
{
    const double scale = std::min(into.width(), into.height()) / gridSide;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(into.center() - QPointF(gridSide, gridSide) * (scale / 2));
    painter.scale(scale, scale);
    const QPen line(colour, strokeWidth, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
    for (const auto &part : m_parts) {
        auto inside = colour;
        inside.setAlphaF(static_cast<float>(colour.alphaF() * part.filled));
        painter.setPen(part.hasLine ? line : QPen(Qt::NoPen));
        painter.setBrush(part.filled > 0 ? QBrush(inside) : QBrush(Qt::NoBrush));
        painter.drawPath(part.path);
    }
    painter.restore();
}

} // namespace gridhelm::ui
