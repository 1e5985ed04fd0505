// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/stencil/compile_cubin.h"

#include "core/stencil/generate/code.h"
#include "data/stencil/kernel_cache.h"
#include "data/support/sha256.h"

#include <chrono>
#include <optional>

namespace gridhelm::data {
namespace {

/// None where there can be none.
std::optional<KernelCache> cacheIn(const std::filesystem::path &folder)
{
    if (folder.empty())
        return std::nullopt;
    try {
        return KernelCache(folder);
    } catch (const CacheUnusable &) {
        return std::nullopt;
    }
}

} // namespace

CompiledCubin compileCubin(const stencil::Stencil &stencil, const stencil::CubinCompiler &compiler,
                           const std::filesystem::path &cache)
{
    const auto begin = std::chrono::steady_clock::now();
    const auto text = cudaDeviceCode(stencil).text;
    const auto name = Sha256().addItem(text).addItem(compiler.identity).hex() + ".cubin";
    const auto kept = cacheIn(cache);
    CompiledCubin result;
    if (auto found = kept ? kept->read(name) : std::nullopt) {
        result.bytes = std::move(*found);
        result.wasThere = true;
    } else {
        result.bytes = compiler.compile(text);
        try {
            if (kept)
                kept->keep(result.bytes, name);
        } catch (const CacheUnusable &) { // a full disk: the next time it is compiled again
        }
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    result.seconds = seconds.count();
    return result;
}

} // namespace gridhelm::data
