// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/window_files.h"

#include "core/support/error.h"
#include "core/support/output_file.h"
#include "data/evaluate/error_bands.h"
#include "data/evaluate/indicator_share.h"
#include "data/mesh/mesh_writer.h"
#include "ui/controls/file_device.h"
#include "ui/steering/camera_state.h"
#include "ui/viewer/tiff_file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QImageWriter>
#include <QJsonDocument>

namespace gridhelm::ui {
namespace {

constexpr auto stateKind = "gridhelm view";
constexpr int jpegQuality = 95; // of 100: nobody sees what is lost

/// How far off the frame's values may be, if that was measured.
std::optional<data::BandHere> bandOfFrame(const FieldFrame &frame)
{
    const auto *field = bandOf(frame);
    if (!field)
        return std::nullopt;
    return data::bandHere(*field, data::rootMeanSquare(frame.indicator),
                          data::rootMeanSquare(frame.values));
}

} // namespace

void savePicture(const QImage &picture, const QString &path)
{
    const auto ending = QFileInfo(path).suffix().toLower();
    const bool isTiff = ending == "tif" || ending == "tiff";
    const bool isJpeg = ending == "jpg" || ending == "jpeg";
    if (!isTiff && !isJpeg && ending != "png")
        throw Error(
            (path + " says no format by its ending; give .png, .jpg or .tif").toStdString());
    if (isJpeg && picture.hasAlphaChannel())
        throw Error("a .jpg always has a background; choose .png or .tif for a transparent one");
    OutputFile file(path.toStdString());
    if (isTiff) {
        if (!writeTiff(picture, file.temporaryPath().string()))
            throw Error((path + " cannot be written; free some space, or choose another folder")
                            .toStdString());
        file.commit();
        return;
    }
    QFile device(QString::fromStdString(file.temporaryPath().string()));
    QImageWriter writer(&device, isJpeg ? "jpeg" : "png");
    if (isJpeg)
        writer.setQuality(jpegQuality);
    // The writer does not say whether the last bytes could be written.
    const bool isWritten = device.open(QIODevice::WriteOnly) && writer.write(picture);
    if (!isWritten || !device.flush())
        throw Error((path + " cannot be written: "
                     + (device.error() != QFileDevice::NoError ? device.errorString()
                                                               : writer.errorString())
                     + "; free some space, or choose another folder")
                        .toStdString());
    device.close();
    file.commit();
}

QString fieldExtension(const FieldFrame &frame)
{
    return QString::fromStdString(data::extensionFor(*frame.study->mesh));
}

void saveField(const FieldFrame &frame, const QString &path)
{
    const auto extension = fieldExtension(frame);
    if (!path.endsWith(extension))
        throw Error((path + " should end in " + extension + ", the format of this field's mesh")
                        .toStdString());
    const auto &study = *frame.study;
    const auto &field = study.fields.at(frame.request.field);
    const auto data = data::dataSetOf(*study.mesh, {field, data::indicatorOf(field)},
                                      {frame.values, frame.indicator});
    for (std::size_t t = 0; t < frame.request.parameters.size(); ++t)
        data::setNumber(*data, study.parameters[t].name, frame.request.parameters[t]);
    for (const auto &[name, value] : data::bandNumbers(field, bandOfFrame(frame)))
        data::setNumber(*data, name, value);
    OutputFile file(path.toStdString());
    data::writeDataSet(file.temporaryPath(), *data, file.path());
    file.commit();
}

QJsonObject stateOf(const SteeringModel &model, const std::optional<CameraPlace> &camera)
{
    auto json = toJson(model.now(), *model.study());
    if (camera)
        json[cameraKey] = toJson(*camera);
    return json;
}

void saveView(const SteeringModel &model, const QString &path, const QJsonObject &steering)
{
    const auto &study = *model.study();
    const QJsonObject json{{"kind", stateKind},
                           {"study", QString::fromStdString(study.path.string())},
                           {"steering", steering}};
    writeTextFile(path.toStdString(), QJsonDocument(json).toJson().toStdString());
}

SavedView readView(const QString &path)
{
    QFile file(path);
    constexpr qint64 most = 1 << 20;
    if (const auto problem = problemOfOpening(file); !problem.isEmpty())
        throw Error((path + " cannot be read: " + problem + "; choose another file").toStdString());
    const auto json = QJsonDocument::fromJson(file.read(most)).object();
    if (json["kind"].toString() != stateKind)
        throw Error(
            (path + " is no view that Gridhelm has saved; choose another file").toStdString());
    const auto study = json["study"].toString();
    const auto beside = QFileInfo(path).dir().filePath(QFileInfo(study).fileName());
    return {QFileInfo::exists(study) ? study : beside, json["steering"].toObject()};
}

} // namespace gridhelm::ui
