// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stencil/stencil.h"

namespace gridhelm::stencil {

/// Throws gridhelm::Error for what folderCode() cannot write: what the code of the target's device
/// cannot do, or needs to know.
void requireFolderCode(const Stencil &stencil);

} // namespace gridhelm::stencil
