// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>
#include <memory>

namespace gridhelm::ui {

/// "9.1.0"
QString vtkVersion();

/// Calls `then` (later, or at once) with what draws, "llvmpipe (LLVM 15.0.6, 256 bits), OpenGL 4.5
/// ...", or why nothing does. What is returned has to be kept until then; without it `then` may
/// not be called.
std::shared_ptr<const void> askForRenderer(std::function<void(const QString &renderer)> then);

} // namespace gridhelm::ui
