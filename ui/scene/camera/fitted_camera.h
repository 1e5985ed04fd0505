// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/camera/camera_place.h"

#include <vtkBoundingBox.h>
#include <vtkRenderer.h>

#include <optional>

namespace gridhelm::ui {

/// Which way a picture is seen as long as nobody turns it.
struct ViewDirection
{
    bool straight = true;
    Axis axis = Axis::z; ///< seen along it if straight, else upwards

    bool operator==(const ViewDirection &) const = default;
};

/// The camera of a renderer: fitted to what there is to be seen, or where somebody wants it.
class FittedCamera
{
public:
    /// Keeps the renderer.
    explicit FittedCamera(vtkRenderer &renderer)
        : m_renderer(renderer)
    {
    }

    vtkCamera &camera() const { return *m_renderer.GetActiveCamera(); }
    const ViewDirection &direction() const { return m_direction; }

    /// It is fitted again if that is another one.
    void setDirection(const ViewDirection &direction);
    /// It is fitted again, unless it is known where to go; what was wanted of the mesh before is
    /// forgotten.
    void fitAnew();
    /// It is fitted again, unless somebody has moved it.
    void follow();
    /// Where the next place() takes it; none, or a place that is not sound: where all is seen.
    void wish(const std::optional<CameraPlace> &place);
    /// From that side, all of it, at the next place(). Throws gridhelm::Error while it looks
    /// straight.
    void lookFrom(Sight sight);

    /// Whether place() would leave it where it is.
    bool isPlaced() const { return !m_mustPlace; }
    /// To be called before drawing, in a picture of this shape.
    void place(const vtkBoundingBox &seen, double widthByHeight);
    /// Where it was moved to, or is wished; none while it is where it was fitted.
    std::optional<CameraPlace> chosen() const;

private:
    vtkRenderer &m_renderer;
    ViewDirection m_direction;
    bool m_mustPlace = true;
    std::optional<CameraPlace> m_wish;
    std::optional<Sight> m_sight;        ///< to look from when it is next fitted
    std::optional<CameraPlace> m_fitted; ///< where place() itself has taken it
};

} // namespace gridhelm::ui
