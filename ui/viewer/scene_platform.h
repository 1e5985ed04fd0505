// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gridhelm::ui {

/// To be called before the QApplication is made, by whoever will show scenes: chooses, where the
/// user has not, the platform and the kind of OpenGL that Debian's VTK can draw with (X11 and GLX);
/// and how memory is kept.
void prepareForScenes();

/// Whether this program's Qt platform can show a SceneWidget at all ("offscreen" cannot).
bool canShowScenes();

} // namespace gridhelm::ui
