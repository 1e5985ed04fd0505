// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/camera/fitted_camera.h"

#include "core/support/error.h"

#include <utility>

namespace gridhelm::ui {

void FittedCamera::setDirection(const ViewDirection &direction)
{
    m_mustPlace = m_mustPlace || direction != m_direction;
    m_direction = direction;
}

void FittedCamera::fitAnew()
{
    m_mustPlace = true;
    m_wish.reset();
    m_sight.reset();
}

void FittedCamera::follow()
{
    if (!chosen())
        m_mustPlace = true;
}

void FittedCamera::wish(const std::optional<CameraPlace> &place)
{
    m_wish = place;
    m_mustPlace = true;
}

void FittedCamera::lookFrom(Sight sight)
{
    if (m_direction.straight)
        throw Error("A flat field is drawn in parallel projection from above and cannot be turned; "
                    "show it as a relief (the view surface) to look from another side");
    m_sight = sight;
    wish(std::nullopt);
}

void FittedCamera::place(const vtkBoundingBox &seen, double widthByHeight)
{
    auto &eye = camera();
    const auto sight = m_direction.straight ? std::nullopt : std::exchange(m_sight, std::nullopt);
    if (m_direction.straight)
        lookStraight(eye, m_direction.axis);
    else if (sight)
        ui::lookFrom(eye, *sight);
    else
        lookOblique(eye, m_direction.axis);
    fit(eye, seen, widthByHeight);
    m_fitted = placeOf(eye);
    if (const auto wished = std::exchange(m_wish, std::nullopt); wished && wished->isSound()) {
        moveTo(eye, *wished);
        m_fitted.reset();
    }
    if (sight) // chosen, so worth keeping
        m_fitted.reset();
    m_mustPlace = false;
}

std::optional<CameraPlace> FittedCamera::chosen() const
{
    if (m_mustPlace)
        return m_wish;
    auto now = placeOf(camera());
    return now == m_fitted ? std::nullopt : std::optional(now);
}

} // namespace gridhelm::ui
