// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/backend.h"

#include "core/sparse/omp/hierarchization.h"
#include "core/sparse/omp/omp_evaluator.h"
#include "core/sparse/omp/simd_targets.h"
#include "core/support/error.h"

#include <omp.h>

#include <utility>

namespace gridhelm::sparse {

namespace {

class OmpBackend final : public Backend
{
public:
    explicit OmpBackend(int threads)
        : m_threads(threads)
    {
    }

    std::string_view name() const override { return "omp"; }
    std::string description() const override
    {
        return std::to_string(m_threads) + (m_threads == 1 ? " thread, " : " threads, ")
               + omp::activeSimdTarget();
    }

    void hierarchize(const SparseGrid &grid, std::span<double> values) const override
    {
        omp::transformGrid(omp::Transform::hierarchize, grid, values, m_threads);
    }
    void hierarchize(const SparseGrid &grid, std::span<float> values) const override
    {
        omp::transformGrid(omp::Transform::hierarchize, grid, values, m_threads);
    }
    void dehierarchize(const SparseGrid &grid, std::span<double> coefficients) const override
    {
        omp::transformGrid(omp::Transform::dehierarchize, grid, coefficients, m_threads);
    }
    void dehierarchize(const SparseGrid &grid, std::span<float> coefficients) const override
    {
        omp::transformGrid(omp::Transform::dehierarchize, grid, coefficients, m_threads);
    }
    std::unique_ptr<Evaluator<double>> load(std::shared_ptr<const SparseGrid> grid,
                                            std::vector<double> coefficients) const override
    {
        return omp::makeEvaluator<double>(std::move(grid), std::move(coefficients), m_threads);
    }
    std::unique_ptr<Evaluator<float>> load(std::shared_ptr<const SparseGrid> grid,
                                           std::vector<float> coefficients) const override
    {
        return omp::makeEvaluator<float>(std::move(grid), std::move(coefficients), m_threads);
    }
    void spvm(const SparseWeights &weights, MatrixView<const float> matrix, std::size_t firstColumn,
              std::span<float> y, std::span<float> indicator) const override
    {
        sparse::spvm<float>(weights, matrix, firstColumn, y, indicator, m_threads);
    }
    void spvmColumns(const SparseWeights &weights, MatrixView<const float> matrix,
                     std::span<const std::uint32_t> columns, std::span<float> y,
                     std::span<float> indicator) const override
    {
        sparse::spvmColumns<float>(weights, matrix, columns, y, indicator, m_threads);
    }

private:
    int m_threads;
};

} // namespace

std::unique_ptr<Backend> makeOmpBackend(int threads)
{
    if (threads < 0)
        throw Error(std::to_string(threads)
                    + " threads are not possible: give a positive number, or 0 for all");
    return std::make_unique<OmpBackend>(threads == 0 ? omp_get_max_threads() : threads);
}

} // namespace gridhelm::sparse
