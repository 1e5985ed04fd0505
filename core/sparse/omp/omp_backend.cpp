// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/backend.h"

#include "core/sparse/omp/hierarchization.h"
#include "core/sparse/omp/omp_evaluator.h"
#include "core/sparse/omp/omp_vector_evaluator.h"
#include "core/sparse/omp/simd_targets.h"

#include <string>
#include <utility>

namespace gridhelm::sparse {

namespace {

class OmpBackend final : public Backend
{
public:
    explicit OmpBackend(const ExecutionContext &context)
        : m_context(context)
    {
    }

    std::string_view name() const override { return "omp"; }
    std::string description() const override
    {
        const int threads = cpu().threads;
        return std::to_string(threads) + (threads == 1 ? " thread, " : " threads, ")
               + omp::activeSimdTarget();
    }
    const ExecutionContext &context() const override { return m_context; }

    ComputedOn hierarchize(const SparseGrid &grid, std::span<double> values) const override
    {
        return transform(omp::Transform::hierarchize, grid, values);
    }
    ComputedOn hierarchize(const SparseGrid &grid, std::span<float> values) const override
    {
        return transform(omp::Transform::hierarchize, grid, values);
    }
    ComputedOn dehierarchize(const SparseGrid &grid, std::span<double> coefficients) const override
    {
        return transform(omp::Transform::dehierarchize, grid, coefficients);
    }
    ComputedOn dehierarchize(const SparseGrid &grid, std::span<float> coefficients) const override
    {
        return transform(omp::Transform::dehierarchize, grid, coefficients);
    }
    std::unique_ptr<Evaluator<double>> load(std::shared_ptr<const SparseGrid> grid,
                                            std::vector<double> coefficients) const override
    {
        return omp::makeEvaluator<double>(std::move(grid), std::move(coefficients), m_context);
    }
    std::unique_ptr<Evaluator<float>> load(std::shared_ptr<const SparseGrid> grid,
                                           std::vector<float> coefficients) const override
    {
        return omp::makeEvaluator<float>(std::move(grid), std::move(coefficients), m_context);
    }
    std::unique_ptr<VectorEvaluator> loadVectors(MatrixView<const float> matrix) const override
    {
        return omp::makeVectorEvaluator(matrix, m_context);
    }

private:
    const CpuDevice &cpu() const { return m_context.cpu(); }

    template <typename T>
    ComputedOn transform(omp::Transform transform, const SparseGrid &grid,
                         std::span<T> values) const
    {
        omp::transformGrid(transform, grid, values, cpu(), {m_context.tuning(), sizeof(T), grid});
        return ComputedOn::cpu();
    }

    ExecutionContext m_context;
};

} // namespace

std::unique_ptr<Backend> makeOmpBackend(const ExecutionContext &context)
{
    return std::make_unique<OmpBackend>(context);
}

} // namespace gridhelm::sparse
