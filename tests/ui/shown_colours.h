// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whether a view's picture has the colours of the values that it is to show.
#pragma once

#include "core/support/colour_scheme.h"
#include "tests/ui/shown_study.h"
#include "ui/viewer/scene_widget.h"
#include "ui/window/views/steered_view.h"

#include <QColor>
#include <QImage>
#include <QString>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace gridhelm::test {

/// The sum over red, green and blue.
inline int offBy(const QColor &seen, const Colour &wanted)
{
    return std::abs(seen.red() - wanted[0]) + std::abs(seen.green() - wanted[1])
           + std::abs(seen.blue() - wanted[2]);
}

/// Where the picture of a flat view on the mesh of newStudy() has not the colours of these values
/// (one for each node); empty: nowhere.
inline QString wrongColours(ui::SteeredView &view, const std::vector<float> &values,
                            const ColourScheme &map)
{
    auto &widget = *view.sceneWidget();
    const auto picture = widget.picture();
    const auto range = view.scene().range();
    // Flat fields are seen straight: two places tell where all the others are.
    const QRectF area = widget.fieldArea();
    const double apart = 0.15 * std::min(area.width(), area.height());
    const QPointF one = area.center() - QPointF(apart, apart);
    const QPointF other = area.center() + QPointF(apart, apart);
    const auto atOne = widget.pick(one), atOther = widget.pick(other);
    if (!atOne || !atOther)
        return "there is no field in the middle of the picture";
    const auto pixelOf = [&](double x, double y) {
        const double s = (x - (*atOne)[0]) / ((*atOther)[0] - (*atOne)[0]);
        const double t = (y - (*atOne)[1]) / ((*atOther)[1] - (*atOne)[1]);
        return QPoint(static_cast<int>(one.x() + s * (other.x() - one.x())),
                      static_cast<int>(one.y() + t * (other.y() - one.y())));
    };
    for (std::size_t j = 1; j + 1 < rows; j += 3) {
        for (std::size_t i = 1; i + 1 < columns; i += 3) {
            const double value = values.at(j * columns + i);
            const auto wanted = colourOf(map, (value - range.low) / (range.high - range.low));
            const auto pixel = pixelOf(static_cast<double>(i) / 32, static_cast<double>(j) / 32);
            int difference = 1000; // of the best of its neighbours: places are rounded
            for (const QPoint by : {QPoint(0, 0), {1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
                difference = std::min(difference, offBy(picture.pixelColor(pixel + by), wanted));
            }
            if (difference >= 30)
                return QString("%1 off at node %2, %3").arg(difference).arg(i).arg(j);
        }
    }
    return {};
}

} // namespace gridhelm::test
