// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stencil/stencil.h"

#include <string>

namespace gridhelm::stencil {

/// main.cpp of a generated folder: the literal loop beside the kernel, on a small grid, and how
/// fast the kernel is beside a copy. Lists are read from NAME.f64 in the folder LISTS, a macro.
std::string mainCode(const Stencil &stencil);

} // namespace gridhelm::stencil
