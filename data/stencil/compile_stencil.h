// SPDX-License-Identifier: GPL-3.0-or-later
//
// Generated code for this process: compiled by the system's compiler, without a shell, with
// arguments of our own, and kept for the next time (docs/solvers/stencils.md).
#pragma once

#include "core/stencil/stencil.h"
#include "core/stencil/stencil_stepper.h"

#include <filesystem>
#include <stop_token>
#include <string>

namespace gridhelm::data {

struct CompiledStencil
{
    stencil::CompiledKernel kernel; ///< empty: there is none, and `whyNot` says why
    std::string compiler;           ///< its path
    std::string whyNot;             ///< a sentence without a full stop
    bool wasThere = false;          ///< from an earlier time
    double seconds = 0;             ///< that it took
};

/// c++, g++ or clang++ in the absolute folders of PATH; empty if there is none.
std::filesystem::path findCompiler();

/// `cache`: cacheFolder(). Throws gridhelm::Error if others could put code into the cache.
CompiledStencil compileStencil(const stencil::Stencil &stencil, const std::filesystem::path &cache,
                               const std::stop_token &stop = {});

} // namespace gridhelm::data
