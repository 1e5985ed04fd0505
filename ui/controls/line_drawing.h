// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QColor>
#include <QPainterPath>
#include <QRectF>

#include <vector>

class QPainter;

namespace gridhelm::ui {

/// A drawing of one colour on 24 x 24 units, as the files of ui/controls/icons have it: lines of
/// one width, some of them filled.
///
/// Not Qt's own SVG, which would be one more library (Debian keeps it apart) for some lines.
class LineDrawing
{
public:
    /// Of SVG: paths of M, L, H, V, C and Z (all absolute), circles, fill-opacity, and
    /// stroke="none". What else is there is left out.
    static LineDrawing fromSvg(const QByteArray &svg);

    bool isEmpty() const { return m_parts.empty(); }
    /// As large as it fits into the middle of the rectangle.
    void paint(QPainter &painter, const QRectF &into, const QColor &colour) const;

private:
    struct Part
    {
        QPainterPath path;
        double filled = 0; ///< opacity of what is inside
        bool hasLine = true;
    };
    std::vector<Part> m_parts;
};

} // namespace gridhelm::ui
