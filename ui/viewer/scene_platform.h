// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace gridhelm::ui {

/// To be called before the QApplication is made, by whoever will show scenes: chooses, where the
/// user has not, the platform and the kind of OpenGL that Debian's VTK can draw with (X11 and GLX);
/// and how memory is kept.
void prepareForScenes();

/// Whether this program's Qt platform can show a SceneWidget at all ("offscreen" cannot).
bool canShowScenes();

/// Who draws, as OpenGL calls it: "llvmpipe (LLVM 15.0.6, 256 bits)"; empty without OpenGL. Of the
/// GUI's thread.
QString openGlRenderer();

} // namespace gridhelm::ui
