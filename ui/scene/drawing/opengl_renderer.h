// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/pictures/pace.h"

#include <string>

class vtkRenderWindow;

namespace gridhelm::ui {

/// What draws: "llvmpipe (LLVM 15.0.6, 256 bits)"; empty if OpenGL does not say. The window has a
/// context, of this thread.
std::string openGlRendererOf(vtkRenderWindow &window);

/// Software where nobody says.
OpenGl openGlOf(vtkRenderWindow &window);

} // namespace gridhelm::ui
