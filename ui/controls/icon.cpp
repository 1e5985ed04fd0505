// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/icon.h"

#include "ui/controls/line_drawing.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmap>

namespace gridhelm::ui {
namespace {

/// Draws anew whenever it is asked, since the theme may be another one by then.
class LineIconEngine : public QIconEngine
{
public:
    explicit LineIconEngine(LineDrawing drawing)
        : m_drawing(std::move(drawing))
    {
    }

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State) override
    {
        const auto colours = QGuiApplication::palette();
        const auto colour = mode == QIcon::Disabled
                                ? colours.color(QPalette::Disabled, QPalette::ButtonText)
                            : mode == QIcon::Selected ? colours.color(QPalette::HighlightedText)
                                                      : colours.color(QPalette::ButtonText);
        m_drawing.paint(*painter, rect, colour);
    }

    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }

    QIconEngine *clone() const override { return new LineIconEngine(*this); }

private:
    LineDrawing m_drawing;
};

} // namespace

QIcon icon(const QString &name)
{
    QFile file(":/icons/" + name + ".svg");
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QIcon(new LineIconEngine(LineDrawing::fromSvg(file.readAll())));
}

} // namespace gridhelm::ui
