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

/// None if there is none that can.
const std::optional<Nvrtc> &nvrtc()
{
    // Never freed: at the end of the program, others may be using it, and CUDA may be gone.
    static const auto &found = *new auto([]() -> std::optional<Nvrtc> {
        constexpr int withCpp20 = 12;
        try {
            Nvrtc nvrtc;
            if (CUDART_VERSION >= Cubin::loadsSince && nvrtc.major() >= withCpp20)
                return nvrtc;
        } catch (const BackendError &) {
        }
        return std::nullopt;
    }());
    return found;
}

/// Kept code, or else compiled code, that the current GPU takes; none if there is none.
KernelVariant make(const KernelSource &source, int major, int minor)
{
    const KeptCode kept(cacheFolder());
    const auto key = source.key(major, minor);
    if (const auto code = kept.read(key)) {
        try {
            return KernelVariant(*code);
        } catch (const BackendError &) { // made by a compiler that is newer than the driver
        }
    }
    if (!nvrtc())
        return {};
    const auto code = nvrtc()->cubin(source.program(), major, minor);
    KernelVariant variant(code);
    kept.keep(key, code);
    return variant;
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

std::string KernelSource::key(int major, int minor) const
{
    const auto made = program();
    std::string key = instance;
    for (const auto &option : Nvrtc::options(made, major, minor))
        key += ' ' + option;
    key += '\n' + made.text;
    for (const auto &[name, text] : made.headers)
        key += fmt::format("\n{}\n{}", name, text);
    return key;
}

bool canCompileKernels()
{
    return nvrtc().has_value();
}

KernelVariant kernelVariant(const KernelSource &source)
{
    static std::mutex mutex;
    static auto &found = *new std::map<std::string, KernelVariant>(); // never freed, as nvrtc()
    const int major = deviceAttribute(cudaDevAttrComputeCapabilityMajor);
    const int minor = deviceAttribute(cudaDevAttrComputeCapabilityMinor);
    const auto name = fmt::format("{} sm_{}{}", source.instance, major, minor);
    const std::lock_guard lock(mutex);
    if (const auto known = found.find(name); known != found.end())
        return known->second;
    KernelVariant variant;
    try {
        variant = make(source, major, minor);
    } catch (const BackendError &) { // not by this NVRTC, or this CUDA cannot load it
    }
    return found[name] = variant;
}

} // namespace gridhelm::gpu
