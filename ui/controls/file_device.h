// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>

class QFile;
class QIODevice;

namespace gridhelm::ui {

/// A file that Qt writes: complete, or as it was before. `write` gets a device that is open, and
/// returns false if it could not. Throws gridhelm::Error then, or if the disk cannot. In any
/// thread.
void writeThroughDevice(const QString &path, const std::function<bool(QIODevice &)> &write);

/// Opens it for reading. Why that cannot be; empty if it is open. A pipe, a device or a folder is
/// no file: it would be waited for, or read for ever.
QString problemOfOpening(QFile &file);

} // namespace gridhelm::ui
