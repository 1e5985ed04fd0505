// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/support/kernel_variant.h"

#include "core/support/cache_folder.h"
#include "core/support/error.h"
#include "gpu/support/device_attribute.h"
#include "gpu/support/kept_code.h"
#include "gpu/support/kernel_texts.h"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <optional>

namespace gridhelm::gpu {
namespace {

/// None if there is none.
const std::optional<Nvrtc> &nvrtc()
{
    static const auto found = []() -> std::optional<Nvrtc> {
        try {
            return Nvrtc();
        } catch (const BackendError &) {
            return std::nullopt;
        }
    }();
    return found;
}

/// All that the code depends on, but for the compiler: of another one it computes the same.
std::string keyOf(const NvrtcProgram &program, int major, int minor)
{
    std::string key;
    for (const auto &option : Nvrtc::options(program, major, minor))
        key += option + ' ';
    for (const auto &instance : program.instances)
        key += instance;
    key += '\n' + program.text;
    for (const auto &[name, text] : program.headers)
        key += fmt::format("\n{}\n{}", name, text);
    return key;
}

/// Empty if it cannot be.
std::string codeOf(const NvrtcProgram &program, int major, int minor)
{
    const KeptCode kept(cacheFolder());
    const auto key = keyOf(program, major, minor);
    if (auto bytes = kept.read(key))
        return std::move(*bytes);
    if (!nvrtc())
        return {};
    auto bytes = nvrtc()->cubin(program, major, minor);
    kept.keep(key, bytes);
    return bytes;
}

} // namespace

NvrtcProgram KernelSource::program() const
{
    return {.text = fmt::format("#include \"{}\"\n", header),
            .name = "variant.cu",
            .headers = kernelTexts(),
            .instances = {instance},
            .options = {"--std=c++20", "--device-as-default-execution-space"}};
}

bool canCompileKernels()
{
    return nvrtc().has_value();
}

KernelVariant kernelVariant(const KernelSource &source)
{
    static std::mutex mutex;
    // Never freed: at the end of the program, CUDA may be gone before it.
    static auto &found = *new std::map<std::string, KernelVariant>();
    const int major = deviceAttribute(cudaDevAttrComputeCapabilityMajor);
    const int minor = deviceAttribute(cudaDevAttrComputeCapabilityMinor);
    const auto name = fmt::format("{}{} {}", major, minor, source.instance);
    const std::lock_guard lock(mutex);
    if (const auto known = found.find(name); known != found.end())
        return known->second;
    KernelVariant variant;
    try {
        if (const auto code = codeOf(source.program(), major, minor); !code.empty())
            variant = KernelVariant(std::make_shared<const Cubin>(code));
    } catch (const BackendError &) { // not by this NVRTC, or this CUDA cannot load it
    }
    return found[name] = variant;
}

} // namespace gridhelm::gpu
