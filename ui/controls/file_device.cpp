// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/file_device.h"

#include "core/support/error.h"
#include "core/support/output_file.h"

#include <QFile>
#include <QFileInfo>

namespace gridhelm::ui {

void writeThroughDevice(const QString &path, const std::function<bool(QIODevice &)> &write)
{
    OutputFile file(QFile::encodeName(path).toStdString());
    QFile device(QFile::decodeName(file.temporaryPath().c_str()));
    const bool isWritten = device.open(QIODevice::WriteOnly) && write(device);
    // The writers do not say whether the last bytes could be written.
    if (!isWritten || !device.flush() || device.error() != QFileDevice::NoError)
        throw Error((path + " cannot be written: " + device.errorString()
                     + "; free some space, or choose another folder")
                        .toStdString());
    device.close();
    file.commit();
}

QString problemOfOpening(QFile &file)
{
    const QFileInfo info(file);
    if (info.exists() && !info.isFile())
        return "it is no file";
    return file.open(QIODevice::ReadOnly) ? QString() : file.errorString();
}

} // namespace gridhelm::ui
