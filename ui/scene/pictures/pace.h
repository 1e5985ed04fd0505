// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gridhelm::ui {

/// How long a picture may take where drawing it well takes long: it is coarser then.
enum class Pace {
    full,    ///< as long as it takes to draw it as well as it gets; of pictures that are kept
    patient, ///< the user sees nothing else meanwhile, but waits for nothing
    brief,   ///< something moves, or the user does something
};

/// By whom OpenGL draws.
enum class OpenGl {
    software, ///< the CPU, as Mesa's llvmpipe
    hardware, ///< a GPU
};

} // namespace gridhelm::ui
