// SPDX-License-Identifier: GPL-3.0-or-later
//
// Kernels of this program with other constants than those that are compiled in, for what tuning has
// found: made of the same headers by NVRTC, and kept in the user's cache folder (ARCHITECTURE.md,
// "Tuning").
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
};

/// A kernel, or none.
class KernelVariant
{
public:
    KernelVariant() = default;
    explicit KernelVariant(std::shared_ptr<const Cubin> code)
        : m_code(std::move(code))
        , m_kernel(m_code->soleKernel())
    {
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

/// Whether there is an NVRTC that can.
bool canCompileKernels();

/// For the GPU that is current: as it was made before, by this process or another one, or compiled
/// now, which takes about a second. None if neither can be: constants change times alone, and one
/// goes on with those that are compiled in. Any thread.
KernelVariant kernelVariant(const KernelSource &source);

} // namespace gridhelm::gpu
