// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/look/slice_rows.h"

#include "ui/scene/geometry/slice_plane.h"
#include "ui/scene/pictures/plane_options.h"
#include "ui/window/look/setting_slider.h"

#include <QComboBox>
#include <QFormLayout>
#include <QSignalBlocker>

namespace gridhelm::ui {
namespace {

constexpr int freeChoice = 3; // after the axes

} // namespace

SliceRows::SliceRows(SteeringModel &model, QFormLayout &form, QWidget &parent)
    : QObject(&parent)
    , m_model(model)
    , m_form(form)
    , m_normal(new QComboBox(&parent))
    , m_azimuth(new ValueSlider("Azimuth", "°", {-180, 180, false}, &parent))
    , m_elevation(new ValueSlider("Elevation", "°", {-90, 90, false}, &parent))
    , m_position(new ValueSlider("Position", "", {0, 1, false}, &parent))
{
    m_normal->setAccessibleName("Normal of the slice");
    m_normal->setToolTip("The slice, or the plane that clips, lies across this axis, or across any "
                         "direction");
    m_normal->addItems({"x", "y", "z", "free"});
    m_azimuth->setToolTip("Of the plane's normal, from x towards y, in degrees");
    m_elevation->setToolTip("Of the plane's normal, above the plane of x and y, in degrees");
    m_position->setToolTip("Of the plane along its normal, in the mesh's unit of length");
    m_azimuth->setDefault(Direction().azimuth);
    m_elevation->setDefault(Direction().elevation);
    m_azimuth->setMarks({-135, -90, -45, 0, 45, 90, 135});
    m_elevation->setMarks({-45, 0, 45});
    form.addRow("Across", m_normal);
    form.addRow(m_azimuth);
    form.addRow(m_elevation);
    form.addRow(m_position);
    connect(m_normal, &QComboBox::activated, this, &SliceRows::choose);
    steerWith(*m_azimuth, model, "slice", [this](Steering &steering, double value) {
        tilt(steering, &Direction::azimuth, value);
    });
    steerWith(*m_elevation, model, "slice", [this](Steering &steering, double value) {
        tilt(steering, &Direction::elevation, value);
    });
    steerWith(*m_position, model, "slice",
              [](Steering &steering, double value) { steering.view.position = value; });
    for (auto *slider : {m_azimuth, m_elevation, m_position})
        connect(slider, &ValueSlider::refused, this, &SliceRows::refused);
}

void SliceRows::choose(int index)
{
    steer(m_model, "slice", [index](Steering &steering) {
        steering.view.tilted = index == freeChoice;
        if (!steering.view.tilted)
            steering.view.normal = static_cast<Axis>(index);
        steering.view.position.reset();
    });
}

/// The plane turns about where it is between the ends of the mesh, so that it stays inside.
void SliceRows::tilt(Steering &steering, double Direction::*angle, double value) const
{
    auto &view = steering.view;
    const auto before = middleSlicePlane(m_shape, view);
    view.tilt.*angle = value;
    if (!view.position || !(before.high > before.low))
        return;
    const auto after = middleSlicePlane(m_shape, view);
    const double part = (*view.position - before.low) / (before.high - before.low);
    view.position = after.low + part * (after.high - after.low);
}

void SliceRows::show(const MeshShape &shape)
{
    m_shape = shape;
    const auto &view = m_model.now().view;
    const bool isSliced = usesPlane(view) && !shape.flat;
    const bool isFree = isSliced && view.tilted;
    {
        const QSignalBlocker quiet(m_normal);
        m_normal->setCurrentIndex(view.tilted ? freeChoice : static_cast<int>(view.normal));
    }
    const auto plane = middleSlicePlane(shape, view);
    const bool canMove = plane.low < plane.high;
    if (canMove) {
        m_position->setRange({plane.low, plane.high, false});
        m_position->setDefault(plane.middle());
        m_position->setValue(view.position.value_or(plane.middle()));
    }
    m_azimuth->setValue(view.tilt.azimuth);
    m_elevation->setValue(view.tilt.elevation);
    m_form.setRowVisible(m_normal, isSliced);
    m_form.setRowVisible(m_azimuth, isFree);
    m_form.setRowVisible(m_elevation, isFree);
    m_form.setRowVisible(m_position, isSliced && canMove);
}

} // namespace gridhelm::ui
