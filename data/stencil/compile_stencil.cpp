// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/stencil/compile_stencil.h"

#include "core/stencil/generate/code.h"
#include "core/stencil/kernel_run.h"
#include "core/support/clean_text.h"
#include "core/support/compiler_log.h"
#include "core/support/error.h"
#include "core/support/system_info.h"
#include "data/campaign/child_process.h"
#include "data/stencil/kernel_cache.h"
#include "data/support/sha256.h"

#include <fmt/format.h>

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <vector>

namespace gridhelm::data {
namespace {

constexpr double longestCompilation = 120; // seconds

/// Nothing in them is from a stencil file.
const std::vector<std::string> flags{"-std=c++17", "-O3",     "-march=native", "-ffp-contract=off",
                                     "-fopenmp",   "-shared", "-fPIC",         "-w"};

/// What this CPU can do, as the system tells it: its name is often that of a whole family.
std::string abilitiesOfCpu()
{
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("flags") || line.starts_with("Features"))
            return line;
    }
    return {};
}

/// What the library depends on: another compiler, or another CPU, makes another one.
std::string keyOf(const std::string &code, const std::filesystem::path &compiler)
{
    struct stat status
    {};
    ::stat(compiler.c_str(), &status);
    Sha256 hash;
    hash.addItem(code).addItem(compiler.string()).addItem(querySystemInfo().cpuName);
    hash.addItem(abilitiesOfCpu());
    hash.addNumber(static_cast<std::uint64_t>(status.st_size));
    hash.addNumber(static_cast<std::uint64_t>(status.st_mtime));
    for (const auto &flag : flags)
        hash.addItem(flag);
    return hash.hex();
}

/// What the loader says, without the path that it begins with.
std::string reasonOfLoader(const std::filesystem::path &path)
{
    const char *text = ::dlerror();
    std::string reason = text != nullptr ? text : "its loader does not say why";
    if (const auto prefix = path.string() + ": "; reason.starts_with(prefix))
        reason.erase(0, prefix.size());
    return cleanLine(reason);
}

/// If it cannot be, `whyNot` says why.
bool load(const std::filesystem::path &path, CompiledStencil &result)
{
    void *library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        result.whyNot =
            fmt::format("what the compiler has made cannot be loaded ({}); if nothing may be "
                        "executed in {}, set XDG_CACHE_HOME to another folder",
                        reasonOfLoader(path), path.parent_path().string());
        return false;
    }
    result.kernel.library = {library, [](void *loaded) { ::dlclose(loaded); }};
    result.kernel.function = ::dlsym(library, stencil::kernelSymbol);
    if (result.kernel.function == nullptr)
        result.whyNot = "what the compiler has made is not the generated code";
    return result.kernel.function != nullptr;
}

/// Files that go away, however the compilation ends.
struct Temporary
{
    const KernelCache &cache;
    std::filesystem::path path;
    ~Temporary() { cache.remove(path); }
};

/// The new library; empty, and `whyNot` says why.
std::filesystem::path compile(const std::string &code, const std::string &key,
                              const KernelCache &cache, CompiledStencil &result,
                              const std::stop_token &stop)
{
    const Temporary source{cache, cache.temporary(key, ".cpp")};
    const Temporary log{cache, cache.temporary(key, ".log")};
    const Temporary made{cache, cache.temporary(key, ".part")};
    cache.write(source.path, code);
    ChildRequest request;
    request.arguments = {result.compiler};
    request.arguments.insert(request.arguments.end(), flags.begin(), flags.end());
    request.arguments.insert(request.arguments.end(),
                             {"-o", made.path.string(), source.path.string()});
    request.folder = cache.path();
    request.environment = {{"LC_ALL", "C"}};
    request.log = log.path;
    request.timeLimit = longestCompilation;
    const auto outcome = runChild(request, stop);
    if (outcome.end == ChildOutcome::End::exited && outcome.code == 0)
        return cache.store(made.path, key + ".so");
    switch (outcome.end) {
    case ChildOutcome::End::stopped:
        result.whyNot = "compiling was stopped";
        break;
    case ChildOutcome::End::timedOut:
        result.whyNot = fmt::format("{} needed more than {} s for the generated code",
                                    result.compiler, longestCompilation);
        break;
    case ChildOutcome::End::outOfMemory: // it has no limit
    case ChildOutcome::End::killed:
        result.whyNot = fmt::format("{} was killed by signal {}, perhaps for its memory",
                                    result.compiler, outcome.code);
        break;
    case ChildOutcome::End::exited:
        result.whyNot = fmt::format("{} cannot compile the generated code ({})", result.compiler,
                                    complaintOf(outcome.log));
        break;
    }
    return {};
}

/// Throws as KernelCache does.
void findOrCompile(const stencil::Stencil &stencil, const std::filesystem::path &cache,
                   const std::stop_token &stop, CompiledStencil &result)
{
    const KernelCache folder(cache);
    const auto code = kernelCode(stencil, stencil::CodeForm::single);
    const auto key = keyOf(code, result.compiler);
    if (const auto found = folder.find(key + ".so"))
        result.wasThere = load(*found, result);
    // Another process may remove what has just been made, to keep the cache within its bounds. What
    // is there and cannot be loaded would be the same the next time.
    constexpr int attempts = 2;
    bool isGone = true;
    for (int attempt = 0; result.kernel.function == nullptr && isGone && attempt < attempts;
         ++attempt) {
        result.kernel = {};
        result.whyNot = "what the compiler has made was removed at once";
        const auto made = compile(code, key, folder, result, stop);
        if (made.empty())
            return;
        isGone = !folder.find(key + ".so");
        if (!isGone)
            load(made, result);
    }
    if (result.kernel.function != nullptr)
        result.whyNot.clear();
    else
        result.kernel = {};
}

} // namespace

std::filesystem::path findCompiler()
{
    const char *path = std::getenv("PATH");
    for (const char *name : {"c++", "g++", "clang++"}) {
        std::string_view rest = path != nullptr ? path : "";
        while (!rest.empty()) {
            const auto folder = rest.substr(0, rest.find(':'));
            rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
            if (folder.empty() || folder.front() != '/') // the present folder may be anybody's
                continue;
            const auto candidate = std::filesystem::path(folder) / name;
            std::error_code failed;
            if (std::filesystem::is_regular_file(candidate, failed)
                && ::access(candidate.c_str(), X_OK) == 0)
                return candidate;
        }
    }
    return {};
}

CompiledStencil compileStencil(const stencil::Stencil &stencil, const std::filesystem::path &cache,
                               const std::stop_token &stop)
{
    const auto begin = std::chrono::steady_clock::now();
    CompiledStencil result;
    result.compiler = findCompiler().string();
    if (result.compiler.empty()) {
        result.whyNot = "there is no C++ compiler (c++, g++ or clang++) in PATH; install one, such "
                        "as g++";
        return result;
    }
    if (cache.empty()) {
        result.whyNot = "there is no folder for a cache; set HOME or XDG_CACHE_HOME";
        return result;
    }
    try {
        findOrCompile(stencil, cache, stop, result);
    } catch (const CacheUnusable &problem) {
        result.kernel = {};
        result.whyNot = problem.what();
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    result.seconds = seconds.count();
    return result;
}

} // namespace gridhelm::data
