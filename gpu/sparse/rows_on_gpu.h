// SPDX-License-Identifier: GPL-3.0-or-later
//
// Results that stay on a GPU, for programs that go on with them there.
#pragma once

#include "core/sparse/backend.h"

#include <cstddef>
#include <memory>
#include <span>

namespace gridhelm::gpu {

/// Values in the memory of a GPU. Copies are of the same values, which go with the last one.
class ValuesOnGpu
{
public:
    /// Not initialised, on the context's first GPU. Throws gridhelm::Error if it has none, or if
    /// CUDA was not built in; BackendError if they do not fit.
    ValuesOnGpu(const ExecutionContext &context, std::size_t count);

    /// Of the GPU: nothing here can read it.
    float *data() const { return m_values.get(); }
    std::size_t size() const { return m_size; }
    /// CUDA's number of the GPU.
    int gpu() const { return m_gpu.index; }

    /// Into as many values of the CPU.
    void copyTo(std::span<float> values) const;

private:
    std::shared_ptr<float> m_values;
    std::size_t m_size;
    GpuDevice m_gpu;
};

/// Rows of values at the nodes of a mesh, as a VectorEvaluator's, whose combinations stay on the
/// GPU. Thread-safe for concurrent calls. The rows must outlive it.
class RowsOnGpu
{
public:
    virtual ~RowsOnGpu() = default;

    /// All columns of VectorEvaluator::combine(), from to.data() + first on: they are there when it
    /// returns. Throws gridhelm::Error if there is no room for them, or on another GPU.
    virtual void combine(const SparseWeights &weights, const ValuesOnGpu &to,
                         std::size_t first) const = 0;
};

/// On the context's first GPU; rows go there when they are first named. Throw as ValuesOnGpu.
std::unique_ptr<RowsOnGpu> loadOnGpu(linalg::MatrixView<const float> matrix,
                                     const ExecutionContext &context);
std::unique_ptr<RowsOnGpu> loadOnGpu(const codec::QuantisedRows &matrix,
                                     const ExecutionContext &context);

} // namespace gridhelm::gpu
