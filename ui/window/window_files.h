// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the window writes. Everything throws gridhelm::Error and leaves no half-written file.
#pragma once

#include "ui/scene/camera/camera_place.h"
#include "ui/steering/field_frame.h"
#include "ui/steering/steering_model.h"

#include <QImage>
#include <QString>

namespace gridhelm::ui {

/// PNG, JPEG or TIFF, as the ending of the path says.
void savePicture(const QImage &picture, const QString &path);

/// The field with its indicator and its parameters, as VTK XML that ParaView opens.
void saveField(const FieldFrame &frame, const QString &path);
/// ".vti" and the like: what saveField() writes for this frame.
QString fieldExtension(const FieldFrame &frame);

/// What is steered, and the camera, if there is one.
QJsonObject stateOf(const SteeringModel &model, const std::optional<CameraPlace> &camera);
/// The study, and what is steered, as stateOf() gives it, and more as the caller likes.
void saveView(const SteeringModel &model, const QString &path, const QJsonObject &steering);

/// As it was saved.
struct SavedView
{
    QString study;        ///< its path
    QJsonObject steering; ///< as stateOf() gave it
};
SavedView readView(const QString &path);

} // namespace gridhelm::ui
