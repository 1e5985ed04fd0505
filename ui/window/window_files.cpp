// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/window_files.h"

#include "core/support/error.h"
#include "data/mesh/mesh_writer.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QImageWriter>
#include <QJsonDocument>
#include <QSaveFile>

#include <filesystem>

namespace gridhelm::ui {
namespace {

constexpr auto stateKind = "gridhelm view";

[[noreturn]] void throwUnwritten(const QString &path, const QString &why)
{
    throw Error((path + " cannot be written: " + why + "; choose another place").toStdString());
}

/// A save file that is there completely, or not at all.
void commit(QSaveFile &file, const QString &path)
{
    if (!file.commit())
        throwUnwritten(path, file.errorString());
}

} // namespace

void savePicture(const QImage &picture, const QString &path)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        throwUnwritten(path, file.errorString());
    QImageWriter writer(&file, "png");
    if (!writer.write(picture))
        throwUnwritten(path, writer.errorString());
    commit(file, path);
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
    auto indicator = field;
    indicator.name += "_indicator";
    const auto data =
        data::dataSetOf(*study.mesh, {field, indicator}, {frame.values, frame.indicator});
    for (std::size_t t = 0; t < frame.request.parameters.size(); ++t)
        data::setNumber(*data, study.parameters[t].name, frame.request.parameters[t]);
    const std::filesystem::path final(path.toStdString());
    auto temporary = final;
    temporary += ".part";
    try {
        data::writeDataSet(temporary, *data, final);
        std::filesystem::rename(temporary, final);
    } catch (const std::filesystem::filesystem_error &problem) {
        throwUnwritten(path, QString::fromStdString(problem.code().message()));
    } catch (...) {
        std::error_code ignored;
        std::filesystem::remove(temporary, ignored);
        throw;
    }
}

void saveView(const SteeringModel &model, const QString &path)
{
    const auto &study = *model.study();
    const QJsonObject json{{"kind", stateKind},
                           {"study", QString::fromStdString(study.path.string())},
                           {"steering", toJson(model.now(), study)}};
    QSaveFile file(path);
    const auto text = QJsonDocument(json).toJson();
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
        throwUnwritten(path, file.errorString());
    commit(file, path);
}

SavedView readView(const QString &path)
{
    QFile file(path);
    constexpr qint64 most = 1 << 20;
    if (!file.open(QIODevice::ReadOnly))
        throw Error((path + " cannot be read: " + file.errorString() + "; choose another file")
                        .toStdString());
    const auto json = QJsonDocument::fromJson(file.read(most)).object();
    if (json["kind"].toString() != stateKind)
        throw Error(
            (path + " is no view that Gridhelm has saved; choose another file").toStdString());
    const auto study = json["study"].toString();
    const auto beside = QFileInfo(path).dir().filePath(QFileInfo(study).fileName());
    return {QFileInfo::exists(study) ? study : beside, json["steering"].toObject()};
}

} // namespace gridhelm::ui
