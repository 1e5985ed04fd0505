// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/sparse/cuda_backend.h"

#include "gpu/device_info.h"
#include "gpu/sparse/cuda_evaluator.h"
#include "gpu/sparse/cuda_vector_evaluator.h"
#include "gpu/sparse/hierarchization.h"
#include "gpu/support/on_gpu.h"
#include "gpu/support/require_gpu.h"
#include "gpu/support/stream.h"

#include <utility>

namespace gridhelm::gpu {

namespace {

using sparse::Evaluator;
using sparse::MatrixView;
using sparse::SparseGrid;

class CudaBackend final : public sparse::Backend
{
public:
    explicit CudaBackend(const ExecutionContext &context)
        : m_context(context)
        , m_gpu(requireGpu(context))
    {
    }

    std::string_view name() const override { return "cuda"; }
    std::string description() const override
    {
        return listDevices().devices.at(static_cast<std::size_t>(m_gpu.index)).name;
    }

    const ExecutionContext &context() const override { return m_context; }

    ComputedOn hierarchize(const SparseGrid &grid, std::span<double> values) const override
    {
        return transform(Transform::hierarchize, grid, values);
    }
    ComputedOn hierarchize(const SparseGrid &grid, std::span<float> values) const override
    {
        return transform(Transform::hierarchize, grid, values);
    }
    ComputedOn dehierarchize(const SparseGrid &grid, std::span<double> coefficients) const override
    {
        return transform(Transform::dehierarchize, grid, coefficients);
    }
    ComputedOn dehierarchize(const SparseGrid &grid, std::span<float> coefficients) const override
    {
        return transform(Transform::dehierarchize, grid, coefficients);
    }

    std::unique_ptr<Evaluator<double>> load(std::shared_ptr<const SparseGrid> grid,
                                            std::vector<double> coefficients) const override
    {
        return loadOn(std::move(grid), std::move(coefficients));
    }
    std::unique_ptr<Evaluator<float>> load(std::shared_ptr<const SparseGrid> grid,
                                           std::vector<float> coefficients) const override
    {
        return loadOn(std::move(grid), std::move(coefficients));
    }

    std::unique_ptr<sparse::VectorEvaluator>
    loadVectors(MatrixView<const float> matrix) const override
    {
        return makeCudaVectorEvaluator(matrix, m_gpu, m_context);
    }

private:
    template <typename T>
    ComputedOn transform(Transform direction, const SparseGrid &grid, std::span<T> values) const
    {
        grid.requireOneValuePerPoint(values.size());
        const OnGpu scope(m_gpu);
        requireDeviceMemory(values.size_bytes() + HierarchizationPlan::bytesFor(grid),
                            "the coefficients");
        const HierarchizationPlan plan(grid);
        const DeviceBuffer<T> onDevice{std::span<const T>(values)};
        const Stream stream;
        plan.run(direction, onDevice.data(), stream);
        check(cudaMemcpyAsync(values.data(), onDevice.data(), values.size_bytes(),
                              cudaMemcpyDeviceToHost, stream),
              "give coefficients back");
        stream.wait("hierarchize");
        return ComputedOn::gpu(m_gpu.index);
    }

    template <typename T>
    std::unique_ptr<Evaluator<T>> loadOn(std::shared_ptr<const SparseGrid> grid,
                                         std::vector<T> coefficients) const
    {
        grid->requireOneValuePerPoint(coefficients.size());
        const OnGpu scope(m_gpu);
        requireDeviceMemory(evaluatorBytes<T>(*grid), "the coefficients");
        return makeCudaEvaluator<T>(std::move(grid), std::move(coefficients), m_gpu,
                                    m_context.cpu());
    }

    ExecutionContext m_context;
    GpuDevice m_gpu;
};

} // namespace

std::unique_ptr<sparse::Backend> makeCudaBackend(const ExecutionContext &context)
{
    return std::make_unique<CudaBackend>(context);
}

} // namespace gridhelm::gpu
