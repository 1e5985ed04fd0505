// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/sor/sor_sweeper.h"
#include "gpu/poisson/block_reduction.h"
#include "gpu/poisson/device_values.h"
#include "gpu/poisson/jacobi/kernels.h"
#include "gpu/poisson/sor/source_in_view.h"
#include "gpu/poisson/work_queue.h"
#include "gpu/support/on_gpu.h"

#include <cmath>
#include <cstdint>
#include <span>

namespace gridhelm::gpu::sor {

/// What the methods have in common: values in plain order, the residual of them.
template <typename T>
class DeviceSweeper : public solvers::SorSweeper<T>
{
public:
    /// Made while the GPU is current.
    DeviceSweeper(const solvers::PoissonProblem &problem, const GpuDevice &gpu)
        : m_gpu(gpu)
        , m_view(gridViewOf<T>(problem))
        , m_spacing(problem.spacing)
        , m_portion(WorkQueue::portion(problem.count()))
    {
        clearSpike(m_view); // the source comes by setScaledSource()
    }

    /// DeviceValues are, and what follows is in the same stream.
    bool beginsWithZeros() const override { return true; }

    void setSides(const std::array<solvers::SideCondition, 6> &sides) override
    {
        gpu::setSides(m_view, sides, m_spacing);
    }

    /// A source of one unknown needs no array.
    void setScaledSource(std::span<const double> scaled) override
    {
        const OnGpu scope(m_gpu);
        m_view.source = takesAsSpike(m_view, scaled) ? nullptr : setSourceArray(scaled);
    }

    double scaledResidualNorm() const override
    {
        const OnGpu scope(m_gpu);
        auto view = m_view;
        view.rowStride = paddedRow(static_cast<std::size_t>(view.nx));
        view.planeStride = view.rowStride * view.ny;
        const T *values = plainValues();
        view.source = plainSource();
        const auto slots = m_reduction.begin(jacobi::tunedBlocks(view), stream());
        jacobi::iterateTuned(view, values, static_cast<T *>(nullptr), &slots, stream());
        return std::sqrt(m_reduction.read(true, stream()).squaredResidual);
    }

protected:
    virtual const T *setSourceArray(std::span<const double> scaled) = 0;
    /// In plain order, and h^2 f, if that is an array.
    virtual const T *plainValues() const = 0;
    virtual const T *plainSource() const = 0;

    const GpuDevice &gpu() const { return m_gpu; }
    GridView<T> &view() { return m_view; }
    const GridView<T> &view() const { return m_view; }
    cudaStream_t stream() const { return m_queue.stream(); }
    WorkQueue &queue() { return m_queue; }
    std::uint64_t portion() const { return m_portion; }

private:
    GpuDevice m_gpu;
    GridView<T> m_view;
    double m_spacing;
    std::uint64_t m_portion;
    WorkQueue m_queue;
    mutable BlockReduction m_reduction;
};

} // namespace gridhelm::gpu::sor
