// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/record/orbit_motion.h"

#include "core/support/error.h"
#include "ui/scene/camera/camera_path.h"
#include "ui/window/views/compared_views.h"

#include <QDoubleSpinBox>
#include <QFormLayout>

#include <cmath>

namespace gridhelm::ui {

std::optional<CameraPlace> OrbitMotion::camera(const MotionStep &step) const
{
    const bool isWhole = std::fmod(m_degrees, 360) == 0;
    const double share = isWhole ? static_cast<double>(step.picture) / step.of : step.share();
    return turned(m_from, share * m_degrees);
}

OrbitForm::OrbitForm(ComparedViews &views, QWidget *parent)
    : MotionForm(parent)
    , m_views(views)
    , m_degrees(new QDoubleSpinBox(this))
{
    m_degrees->setRange(-3600, 3600);
    m_degrees->setDecimals(1);
    m_degrees->setSingleStep(45);
    m_degrees->setValue(360);
    m_degrees->setSuffix("°");
    m_degrees->setAccessibleName("Angle of the orbit");
    m_degrees->setToolTip("From where the camera is, round the upright axis through the middle of "
                          "the view, counterclockwise; below 0 clockwise");
    auto *form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->addRow("&Angle", m_degrees);
}

std::shared_ptr<const Motion> OrbitForm::motion() const
{
    auto &view = m_views.steered();
    if (!view.sceneWidget() || !view.frame())
        throw Error("there is nothing to record; open a study first");
    if (view.scene().isSeenStraight())
        throw Error("a flat field is drawn in parallel projection from above and cannot be turned; "
                    "show it as a relief (the view surface) first, or record another motion");
    if (m_degrees->value() == 0)
        throw Error("an orbit of 0° moves nothing; give an angle");
    return std::make_shared<OrbitMotion>(view.sceneWidget()->seenFrom(), m_degrees->value());
}

} // namespace gridhelm::ui
