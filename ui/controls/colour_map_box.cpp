// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/colour_map_box.h"

#include <QIcon>
#include <QImage>
#include <QPixmap>

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
    for (const auto &[map, name, help] : colourMaps()) {
        addItem(stripeOf(map), text(name), static_cast<int>(map));
        setItemData(count() - 1, text(help), Qt::ToolTipRole);
    }
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
