// SPDX-License-Identifier: GPL-3.0-or-later
//
// stencil.toml (README, "Stencils"). A file from somebody else may be read, solved and generated
// from without any question of trust: it is data only. Its formulas are parsed by our grammar, code
// is made from their trees, and the files that it names lie beside it.
#pragma once

#include "core/stencil/stencil.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::data {

inline constexpr std::size_t largestStencilText = std::size_t{1} << 18; ///< bytes

struct StencilFile
{
    std::string title; ///< empty if it has none; for people, never for code
    stencil::Stencil stencil;
};

/// `folder`: where the files that it names are. Throws StencilFileError.
StencilFile parseStencil(std::string_view toml, std::string_view source,
                         const std::filesystem::path &folder);

/// Throws gridhelm::Error if the file cannot be read, and StencilFileError.
StencilFile readStencil(const std::filesystem::path &path);

} // namespace gridhelm::data
