// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/steering/camera_state.h"

#include <QJsonArray>

#include <cmath>

namespace gridhelm::ui {
namespace {

QJsonArray toJson(const std::array<double, 3> &vector)
{
    return {vector[0], vector[1], vector[2]};
}

std::array<double, 3> vectorIn(const QJsonValue &json)
{
    const auto parts = json.toArray();
    std::array<double, 3> vector{};
    for (int t = 0; t < 3; ++t)
        vector[static_cast<std::size_t>(t)] = parts.at(t).toDouble(std::nan(""));
    return vector;
}

} // namespace

QJsonObject toJson(const CameraPlace &camera)
{
    return {{"position", toJson(camera.position)},
            {"focus", toJson(camera.focus)},
            {"up", toJson(camera.up)},
            {"parallel scale", camera.parallelScale}};
}

std::optional<CameraPlace> cameraFromJson(const QJsonObject &json)
{
    const CameraPlace camera{vectorIn(json["position"]), vectorIn(json["focus"]),
                             vectorIn(json["up"]), json["parallel scale"].toDouble(std::nan(""))};
    return camera.isSound() ? std::optional(camera) : std::nullopt;
}

} // namespace gridhelm::ui
