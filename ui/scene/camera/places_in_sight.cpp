// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/camera/places_in_sight.h"

#include <vtkMatrix4x4.h>

#include <cmath>

namespace gridhelm::ui {

std::vector<std::uint32_t> placesInSight(vtkCamera &camera, double widthByHeight,
                                         std::span<const double> places)
{
    // Of the depth nothing is asked: the planes in front and behind follow what is drawn.
    const auto *matrix = camera.GetCompositeProjectionTransformMatrix(widthByHeight, -1, 1);
    std::vector<std::uint32_t> seen;
    for (std::size_t i = 0; 3 * i + 2 < places.size(); ++i) {
        const auto row = [&](int r) {
            return matrix->GetElement(r, 0) * places[3 * i]
                   + matrix->GetElement(r, 1) * places[3 * i + 1]
                   + matrix->GetElement(r, 2) * places[3 * i + 2] + matrix->GetElement(r, 3);
        };
        const double w = row(3);
        if (w > 0 && std::abs(row(0)) <= w && std::abs(row(1)) <= w)
            seen.push_back(static_cast<std::uint32_t>(i));
    }
    return seen;
}

} // namespace gridhelm::ui
