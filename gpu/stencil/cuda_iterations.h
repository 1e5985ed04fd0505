// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/device.h"
#include "core/stencil/generate/code.h"
#include "core/stencil/padded_values.h"
#include "core/stencil/stencil_iterations.h"
#include "gpu/stencil/change.h"
#include "gpu/stencil/cubin.h"
#include "gpu/support/buffer.h"

#include <optional>
#include <string>
#include <vector>

namespace gridhelm::gpu {

/// Generated code on one GPU; grids are there from the beginning on.
template <typename T>
class CudaIterations final : public stencil::StencilIterations<T>
{
public:
    /// `cubin`: cudaDeviceCode() of the stencil, which outlives this. Throws BackendError for grids
    /// that are too large for this GPU or for its code.
    CudaIterations(const stencil::Stencil &stencil, const std::string &cubin, const GpuDevice &gpu,
                   const CpuDevice &cpu);
    ~CudaIterations() override;

    std::string_view method() const override { return "generated"; }
    ComputedOn computedOn() const override { return ComputedOn::gpu(m_gpu.index); }
    double advance(std::uint64_t iterations, T factor) override;
    double residual(T factor) override;
    void copyTo(std::vector<T> &values) const override;

private:
    /// All that is of the GPU, so that it is made and goes while the GPU is current.
    struct OnDevice
    {
        explicit OnDevice(const std::string &bytes)
            : code(bytes)
            , iterate(code.kernel("iterate"))
            , setGhosts(code.kernel("setGhostsAlong"))
            , followValues(code.kernel("followValues"))
        {
        }

        Stream stream;
        Cubin code;
        const void *iterate, *setGhosts, *followValues;
        BlockReduction reduction;
        std::vector<DeviceBuffer<T>> lists; ///< u twice, coefficients, f
    };

    void requireFitting() const;
    T *added(); ///< another list, of zeros; its first point
    void set(T *list, const stencil::ScalarField &field, const CpuDevice &cpu);
    void setAllGhosts(T *list);
    void iterate(const T *from, T *to, T factor);
    void followGhosts(T *list);

    const stencil::Stencil &m_stencil;
    GpuDevice m_gpu;
    stencil::CudaDeviceCode m_code;
    stencil::PaddedLayout m_layout;
    StencilGrid m_grid;
    std::vector<unsigned long long> m_lists; ///< the kernels' struct Lists, word by word
    dim3 m_blocks{};
    std::optional<OnDevice> m_device;
    T *m_present = nullptr;
    T *m_next = nullptr;
};

} // namespace gridhelm::gpu
