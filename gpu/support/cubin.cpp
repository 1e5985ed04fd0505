// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/support/cubin.h"

#include "gpu/support/cuda_error.h"

namespace gridhelm::gpu {

void Cubin::load(const void *kernel)
{
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, kernel), "load code that is made while it runs");
}

#if CUDART_VERSION >= 12080 // loadsSince

Cubin::Cubin(const std::string &bytes)
{
    cudaLibrary_t library = nullptr;
    check(cudaLibraryLoadData(&library, bytes.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
          "load code that is made while it runs");
    m_library = library;
}

Cubin::~Cubin()
{
    cudaLibraryUnload(static_cast<cudaLibrary_t>(m_library));
}

const void *Cubin::kernel(const char *name) const
{
    cudaKernel_t found = nullptr;
    check(cudaLibraryGetKernel(&found, static_cast<cudaLibrary_t>(m_library), name),
          "find a kernel of code that is made while it runs");
    return found;
}

const void *Cubin::soleKernel() const
{
    const auto library = static_cast<cudaLibrary_t>(m_library);
    unsigned count = 0;
    check(cudaLibraryGetKernelCount(&count, library),
          "count the kernels of code that is made while it runs");
    if (count != 1)
        throw BackendError("code that is made while it runs has not one kernel");
    cudaKernel_t found = nullptr;
    check(cudaLibraryEnumerateKernels(&found, 1, library),
          "find the kernel of code that is made while it runs");
    return found;
}

#else

Cubin::Cubin(const std::string &)
{
    throw BackendError("this program was built with a CUDA before 12.8, which cannot load code "
                       "that is made while it runs; build it with a newer one");
}

Cubin::~Cubin() = default;

const void *Cubin::kernel(const char *) const
{
    return m_library;
}

const void *Cubin::soleKernel() const
{
    return m_library;
}

#endif

void launch(const void *kernel, dim3 blocks, dim3 block, void **arguments, const Stream &stream)
{
    check(cudaLaunchKernel(kernel, blocks, block, arguments, 0, stream),
          "run code that is made while it runs");
}

} // namespace gridhelm::gpu
