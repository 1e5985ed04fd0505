// SPDX-License-Identifier: GPL-3.0-or-later
//
// Options of kinds of pictures that have no place of their own in ViewSettings, in saved views.
#pragma once

#include "ui/scene/pictures/picture_option.h"
#include "ui/scene/view_settings.h"

#include <QJsonObject>

#include <span>

namespace gridhelm::ui {

/// ViewSettings::further, by PictureOption::key.
QJsonObject furtherToJson(const ViewSettings &view);
/// Of these options; what is unknown, missing or not possible is usual.
void readFurther(const QJsonObject &json, std::span<const PictureOption *const> options,
                 ViewSettings &view);

} // namespace gridhelm::ui
