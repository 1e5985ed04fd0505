// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/sparse/cuda_backend.h"

#include "gpu/device_info.h"
#include "gpu/sparse/cuda_evaluator.h"
#include "gpu/sparse/cuda_vector_evaluator.h"
#include "gpu/sparse/hierarchization.h"
#include "gpu/support/require_device.h"
#include "gpu/support/stream.h"

#include <utility>

namespace gridhelm::gpu {

namespace {

using sparse::Evaluator;
using sparse::MatrixView;
using sparse::SparseGrid;
using sparse::SparseWeights;

/// What does not fit into the device's memory is done by the processor.
class CudaBackend final : public sparse::Backend
{
public:
    CudaBackend()
        : m_processor(sparse::makeOmpBackend())
    {
    }

    std::string_view name() const override { return "cuda"; }
    std::string description() const override { return listDevices().devices.at(0).name; }

    void hierarchize(const SparseGrid &grid, std::span<double> values) const override
    {
        transform(Transform::hierarchize, grid, values);
    }
    void hierarchize(const SparseGrid &grid, std::span<float> values) const override
    {
        transform(Transform::hierarchize, grid, values);
    }
    void dehierarchize(const SparseGrid &grid, std::span<double> coefficients) const override
    {
        transform(Transform::dehierarchize, grid, coefficients);
    }
    void dehierarchize(const SparseGrid &grid, std::span<float> coefficients) const override
    {
        transform(Transform::dehierarchize, grid, coefficients);
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

    void spvm(const SparseWeights &weights, MatrixView<const float> matrix, std::size_t firstColumn,
              std::span<float> y, std::span<float> indicator) const override
    {
        loadVectors(matrix)->spvm(weights, firstColumn, y, indicator);
    }
    void spvmColumns(const SparseWeights &weights, MatrixView<const float> matrix,
                     std::span<const std::uint32_t> columns, std::span<float> y,
                     std::span<float> indicator) const override
    {
        loadVectors(matrix)->spvmColumns(weights, columns, y, indicator);
    }
    std::unique_ptr<sparse::VectorEvaluator>
    loadVectors(MatrixView<const float> matrix) const override
    {
        return makeCudaVectorEvaluator(matrix);
    }

private:
    template <typename T>
    void transform(Transform direction, const SparseGrid &grid, std::span<T> values) const
    {
        grid.requireOneValuePerPoint(values.size());
        if (values.size_bytes() + HierarchizationPlan::bytesFor(grid) > freeDeviceBytes()) {
            if (direction == Transform::hierarchize)
                m_processor->hierarchize(grid, values);
            else
                m_processor->dehierarchize(grid, values);
            return;
        }
        const HierarchizationPlan plan(grid);
        const DeviceBuffer<T> onDevice{std::span<const T>(values)};
        const Stream stream;
        plan.run(direction, onDevice.data(), stream);
        check(cudaMemcpyAsync(values.data(), onDevice.data(), values.size_bytes(),
                              cudaMemcpyDeviceToHost, stream),
              "give coefficients back");
        stream.wait("hierarchize");
    }

    template <typename T>
    std::unique_ptr<Evaluator<T>> loadOn(std::shared_ptr<const SparseGrid> grid,
                                         std::vector<T> coefficients) const
    {
        grid->requireOneValuePerPoint(coefficients.size());
        if (evaluatorBytes<T>(*grid) > freeDeviceBytes())
            return m_processor->load(std::move(grid), std::move(coefficients));
        return makeCudaEvaluator<T>(std::move(grid), std::move(coefficients));
    }

    std::unique_ptr<sparse::Backend> m_processor;
};

} // namespace

std::unique_ptr<sparse::Backend> makeCudaBackend()
{
    requireDevice();
    return std::make_unique<CudaBackend>();
}

} // namespace gridhelm::gpu
