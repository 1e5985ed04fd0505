// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewer/places.h"

#include "ui/scene/geometry/warp.h"

#include <vtkCellPicker.h>
#include <vtkNew.h>

#include <numeric>

namespace gridhelm::ui {

QRectF fieldAreaOf(const Drawing &drawing)
{
    const double ratio = drawing.image.devicePixelRatio();
    return {drawing.field.topLeft() / ratio, drawing.field.size() / ratio};
}

std::optional<std::array<double, 3>> pickInMesh(Scene &scene, double x, double y)
{
    vtkNew<vtkCellPicker> picker;
    picker->SetTolerance(1e-4); // of the picture: 0 misses all cells on the edge between two
    if (picker->Pick(x, y, 0, scene.fieldRenderer()) == 0)
        return std::nullopt;
    std::array<double, 3> at{};
    picker->GetPickPosition(at.data());
    std::array<double, 3> local{};
    picker->GetPCoords(local.data());
    auto *drawn = picker->GetDataSet();
    return drawn ? unwarped(*drawn, picker->GetCellId(), picker->GetSubId(), local, at) : at;
}

std::optional<QPointF> placeOf(const std::array<double, 3> &inMesh, const Drawing &drawing)
{
    const std::array<double, 4> point{inMesh[0], inMesh[1], inMesh[2], 1};
    const auto times = [&point](const double *row) {
        return std::inner_product(point.begin(), point.end(), row, 0.0);
    };
    if (times(drawing.behind.data()) >= 0)
        return std::nullopt;
    const auto *toField = drawing.toField.data();
    const double x = times(toField), y = times(toField + 4), w = times(toField + 12);
    const auto area = fieldAreaOf(drawing);
    return QPointF(area.left() + 0.5 * (1 + x / w) * area.width(),
                   area.bottom() - 0.5 * (1 + y / w) * area.height()
                       - 1 / drawing.image.devicePixelRatio());
}

} // namespace gridhelm::ui
