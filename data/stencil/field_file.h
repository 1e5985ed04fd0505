// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stencil/stencil.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gridhelm::data {

/// The values of a file beside a stencil file, one for each of its points, x fastest: raw
/// little-endian float64 (.f64), or the first array of a .vti file of the same size. `name` is a
/// file name alone, and no link. Throws gridhelm::Error, a sentence that goes on behind the place.
std::vector<double> readBesideStencil(const stencil::Stencil &stencil,
                                      const std::filesystem::path &folder, const std::string &name);

} // namespace gridhelm::data
