// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/colour_map_box.h"

#include <QIcon>
#include <QImage>
#include <QPixmap>

#include <optional>

namespace gridhelm::ui {
namespace {

constexpr QSize stripeSize(44, 12);

QIcon stripeOf(ColourMap map)
{
    QImage image(stripeSize, QImage::Format_RGB32);
    for (int x = 0; x < image.width(); ++x) {
        const auto colour = colourOf(map, x / static_cast<double>(image.width() - 1));
        for (int y = 0; y < image.height(); ++y)
            image.setPixel(x, y, qRgb(colour[0], colour[1], colour[2]));
    }
    return QIcon(QPixmap::fromImage(image));
}

QString text(std::string_view from)
{
    return QString::fromUtf8(from.data(), static_cast<qsizetype>(from.size()));
}

} // namespace

ColourMapBox::ColourMapBox(QWidget *parent)
    : QComboBox(parent)
{
    setAccessibleName("Colours");
    setToolTip("Colours from the low to the high end of the range");
    setIconSize(stripeSize);
    std::optional<ColourMapGroup> group;
    for (const auto &info : colourMaps()) {
        if (group && *group != info.group)
            insertSeparator(count());
        group = info.group;
        addItem(stripeOf(info.map), text(info.name), static_cast<int>(info.map));
        setItemData(count() - 1,
                    text(toString(info.group))
                        + (info.isColourBlindSafe ? ", also for the colour-blind" : ""),
                    Qt::ToolTipRole);
    }
    setMaxVisibleItems(count());
    connect(this, &QComboBox::activated, this, [this] { emit chosen(colourMap()); });
}

void ColourMapBox::setColourMap(ColourMap map)
{
    setCurrentIndex(findData(static_cast<int>(map)));
}

ColourMap ColourMapBox::colourMap() const
{
    return static_cast<ColourMap>(currentData().toInt());
}

} // namespace gridhelm::ui
