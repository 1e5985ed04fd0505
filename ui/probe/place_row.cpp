// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/probe/place_row.h"

#include "ui/controls/number_field.h"
#include "ui/controls/number_text.h"
#include "ui/controls/plain_text.h"
#include "ui/controls/shortened_label.h"

#include <QHBoxLayout>

#include <algorithm>
#include <cmath>

namespace gridhelm::ui {
namespace {

constexpr int widestName = 60; ///< pixels; longer ones end in dots

} // namespace

PlaceRow::PlaceRow(QWidget *parent)
    : QWidget(parent)
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto name = QString("xyz").mid(static_cast<int>(axis), 1);
        auto *field = new NumberField(name, this);
        field->setAccessibleName("Probe point, " + name);
        field->setMinimumWidth(50);
        m_names[axis] = new ShortenedLabel(this);
        m_names[axis]->setBuddy(field);
        m_fields[axis] = field;
        layout->addWidget(m_names[axis]);
        layout->addWidget(field, 1);
        connect(field, &NumberField::refused, this, &PlaceRow::refused);
        connect(field, &NumberField::valueEntered, this, [this, axis](double value) {
            auto place = m_place;
            place[axis] = value;
            emit placeEntered(place);
        });
    }
    show(std::nullopt);
}

void PlaceRow::setShape(const MeshShape &shape, const AxisNames &axes)
{
    m_shape = shape;
    const auto common = QString::fromStdString(axes.unitOfLength());
    const auto unit = common.isEmpty() ? QString("the mesh's unit") : common;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto of = static_cast<Axis>(axis);
        const bool hasExtent = shape.extent(of) > 0;
        const auto title = QString::fromStdString(axes.title(axis));
        m_names[axis]->setWhole(title);
        m_names[axis]->setMinimumWidth(
            std::min(m_names[axis]->fontMetrics().horizontalAdvance(title) + 2, widestName));
        m_fields[axis]->setAccessibleName("Probe point, " + title);
        m_names[axis]->setVisible(hasExtent);
        m_fields[axis]->setVisible(hasExtent);
        m_fields[axis]->setRange(shape.low(of), shape.high(of));
        m_fields[axis]->setToolTip(
            plainTip(QString("Where the values are, in %3, %1 .. %2; type another position to "
                             "probe the nearest one")
                         .arg(numberText(shape.low(of)), numberText(shape.high(of)), unit)));
    }
    show(std::nullopt);
}

void PlaceRow::show(const std::optional<MeshPlace> &place)
{
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto of = static_cast<Axis>(axis);
        m_place[axis] = place ? (*place)[axis] : 0.5 * (m_shape.low(of) + m_shape.high(of));
        if (m_fields[axis]->hasFocus() && m_fields[axis]->isModified())
            continue; // something is being typed
        // Without a place every number is a new one.
        m_fields[axis]->setValue(place ? m_place[axis] : std::nan(""));
        if (!place)
            m_fields[axis]->clear();
    }
}

} // namespace gridhelm::ui
