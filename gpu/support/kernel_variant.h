// SPDX-License-Identifier: GPL-3.0-or-later
//
// Kernels of this program with other constants than those that are compiled in, for what tuning has
// found: made of the same headers by NVRTC, and kept in the user's cache folder
// (docs/develop/architecture.md).
#pragma once

#include "gpu/support/cubin.h"
#include "gpu/support/nvrtc.h"

#include <memory>
#include <string>
#include <utility>

namespace gridhelm::gpu {

/// An instance of a kernel template.
struct KernelSource
{
    const char *header;   ///< among kernelTexts()
    std::string instance; ///< "gridhelm::gpu::combineRowsKernel<16>"

    /// What NVRTC makes it of.
    NvrtcProgram program() const;
    /// Under which KeptCode has it: all that it depends on but the compiler, by which no bit of
    /// what it computes may change.
    std::string key(int major, int minor) const;
};

/// A kernel, or none.
class KernelVariant
{
public:
    KernelVariant() = default;
    /// Of the only kernel in this code, for the current GPU. Throws BackendError.
    explicit KernelVariant(const std::string &code)
        : m_code(std::make_shared<const Cubin>(code))
        , m_kernel(m_code->soleKernel())
    {
        Cubin::load(m_kernel);
    }

    explicit operator bool() const { return m_kernel != nullptr; }

    /// For cudaLaunchKernelEx() alone: <<<>>> would call it. `compiledIn`: of the same parameters;
    /// taken if there is no variant.
    template <typename Kernel>
    Kernel orElse(Kernel compiledIn) const
    {
        return m_kernel == nullptr ? compiledIn
                                   : reinterpret_cast<Kernel>(const_cast<void *>(m_kernel));
    }

private:
    std::shared_ptr<const Cubin> m_code;
    const void *m_kernel = nullptr;
};

/// Whether there is an NVRTC that can, and whether this program can load what it makes.
bool canCompileKernels();

/// For the GPU that is current: as it was made before, by this process or another one, or compiled
/// now, which takes 0.1 s. None if neither can be: constants change times alone, and one
/// goes on with those that are compiled in. Any thread.
KernelVariant kernelVariant(const KernelSource &source);

} // namespace gridhelm::gpu
