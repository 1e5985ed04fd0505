// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>

#include <string>

namespace gridhelm::ui {

/// Writes a picture as TIFF, with its opacity if it has one: Debian's Qt cannot. False if it could
/// not be written.
bool writeTiff(const QImage &picture, const std::string &path);

} // namespace gridhelm::ui
