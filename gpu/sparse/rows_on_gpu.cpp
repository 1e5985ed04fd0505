// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/sparse/rows_on_gpu.h"

#include "core/support/error.h"
#include "gpu/sparse/cuda_quantised_evaluator.h"
#include "gpu/sparse/cuda_vector_evaluator.h"
#include "gpu/support/buffer.h"
#include "gpu/support/on_gpu.h"
#include "gpu/support/require_gpu.h"

namespace gridhelm::gpu {

ValuesOnGpu::ValuesOnGpu(const ExecutionContext &context, std::size_t count)
    : m_size(count)
    , m_gpu(requireGpu(context))
{
    const OnGpu scope(m_gpu);
    const auto buffer = std::make_shared<DeviceBuffer<float>>(count);
    m_values = {buffer, buffer->data()};
}

void ValuesOnGpu::copyTo(std::span<float> values) const
{
    if (values.size() != m_size)
        throw Error("values of a GPU go into as many of the CPU");
    const OnGpu scope(m_gpu);
    check(cudaMemcpy(values.data(), m_values.get(), values.size_bytes(), cudaMemcpyDeviceToHost),
          "give results");
}

std::unique_ptr<RowsOnGpu> loadOnGpu(linalg::MatrixView<const float> matrix,
                                     const ExecutionContext &context)
{
    return makeCudaVectorEvaluator(matrix, requireGpu(context), context);
}

std::unique_ptr<RowsOnGpu> loadOnGpu(const codec::QuantisedRows &matrix,
                                     const ExecutionContext &context)
{
    return makeCudaQuantisedEvaluator(matrix, requireGpu(context), context.cpu());
}

} // namespace gridhelm::gpu
