// SPDX-License-Identifier: GPL-3.0-or-later
//
// Code that was compiled while the program runs, on the GPU that is current.
#pragma once

#include "gpu/support/stream.h"

#include <cuda_runtime.h>

#include <string>

namespace gridhelm::gpu {

class Cubin
{
public:
    static constexpr int loadsSince = 12080; ///< of CUDART_VERSION

    /// Throws BackendError for what is no code of the current GPU, or if this program was built
    /// with a CUDA before 12.8, whose runtime cannot load any.
    explicit Cubin(const std::string &bytes);
    ~Cubin();
    Cubin(const Cubin &) = delete;
    Cubin &operator=(const Cubin &) = delete;

    /// What launch() takes. Throws BackendError if there is no such kernel.
    const void *kernel(const char *name) const;
    /// The only one. Throws BackendError if there are none or more.
    const void *soleKernel() const;

    /// Loads it for the current GPU, which otherwise happens when it is launched first. Throws
    /// BackendError if the driver refuses it.
    static void load(const void *kernel);

private:
    void *m_library = nullptr;
};

/// `arguments`: as of cudaLaunchKernel().
void launch(const void *kernel, dim3 blocks, dim3 block, void **arguments, const Stream &stream);

} // namespace gridhelm::gpu
