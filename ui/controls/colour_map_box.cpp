// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/colour_map_box.h"

#include "ui/controls/plain_text.h"

#include <QIcon>
#include <QImage>
#include <QPixmap>
#include <QSignalBlocker>

#include <algorithm>
#include <optional>
#include <utility>

namespace gridhelm::ui {
namespace {

constexpr QSize stripeSize(44, 12);

QIcon stripeOf(const ColourScheme &colours)
{
    QImage image(stripeSize, QImage::Format_RGB32);
    for (int x = 0; x < image.width(); ++x) {
        const auto colour = colourOf(colours, x / static_cast<double>(image.width() - 1));
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
        addMap(info.map, text(info.name),
               text(toString(info.group))
                   + (info.isColourBlindSafe ? ", also for the colour-blind" : ""),
               static_cast<int>(info.map));
    }
    m_builtIn = count();
    setMaxVisibleItems(count());
    connect(this, &QComboBox::activated, this, &ColourMapBox::chosen);
}

void ColourMapBox::addMap(const ColourScheme &colours, const QString &name, const QString &tip,
                          int key)
{
    addItem(stripeOf(colours), name, key);
    setItemData(count() - 1, tip, Qt::ToolTipRole);
}

void ColourMapBox::setColourMap(ColourMap map)
{
    setCurrentIndex(findData(static_cast<int>(map)));
}

ColourMap ColourMapBox::colourMap() const
{
    return static_cast<ColourMap>(currentData().toInt());
}

void ColourMapBox::setCustomMaps(const std::vector<SharedColourMap> &maps)
{
    const auto before = chosenColours();
    m_customs = maps;
    m_other.reset();
    showCustomMaps();
    setColours(before);
}

/// Their data are negative: -1 is the first.
void ColourMapBox::showCustomMaps()
{
    const QSignalBlocker quiet(this);
    while (count() > m_builtIn)
        removeItem(count() - 1);
    auto all = m_customs;
    if (m_other)
        all.push_back(m_other);
    if (!all.empty())
        insertSeparator(count());
    for (std::size_t i = 0; i < all.size(); ++i)
        addMap(all[i], cleanLine(QString::fromStdString(all[i]->name)),
               i < m_customs.size() ? "one of yours" : "of the view that was opened",
               -1 - static_cast<int>(i));
}

void ColourMapBox::setColours(const ColourScheme &scheme)
{
    const auto found = std::ranges::find_if(m_customs, [&](const SharedColourMap &map) {
        return scheme.custom && *map == *scheme.custom;
    });
    const auto other = found == m_customs.end() ? scheme.custom : nullptr;
    if (std::exchange(m_other, other) != other)
        showCustomMaps();
    if (scheme.custom)
        setCurrentIndex(findData(-1 - static_cast<int>(found - m_customs.begin())));
    else
        setColourMap(scheme.map);
}

ColourScheme ColourMapBox::chosenColours() const
{
    const int key = currentData().toInt();
    if (key >= 0)
        return colourMap();
    const auto index = static_cast<std::size_t>(-1 - key);
    return index < m_customs.size() ? m_customs[index] : m_other;
}

} // namespace gridhelm::ui
