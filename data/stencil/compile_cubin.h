// SPDX-License-Identifier: GPL-3.0-or-later
//
// Generated code for a GPU: compiled in this process, and kept as that for the CPU is
// (docs/solvers/stencils.md).
#pragma once

#include "core/stencil/stencil.h"
#include "core/stencil/stencil_gpu.h"

#include <filesystem>
#include <string>

namespace gridhelm::data {

struct CompiledCubin
{
    std::string bytes;
    bool wasThere = false; ///< from an earlier time
    double seconds = 0;    ///< that it took
};

/// `cache`: cacheFolder(); what cannot be kept there is compiled all the same. Throws
/// gridhelm::Error if others could put code into the cache, and BackendError if the compiler
/// cannot.
CompiledCubin compileCubin(const stencil::Stencil &stencil, const stencil::CubinCompiler &compiler,
                           const std::filesystem::path &cache);

} // namespace gridhelm::data
