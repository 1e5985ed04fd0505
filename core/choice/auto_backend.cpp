// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/choice/auto_backend.h"

#include "core/choice/auto_evaluator.h"
#include "core/choice/candidate_backends.h"
#include "core/support/system_info.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace gridhelm::choice {
namespace {

using sparse::Evaluator;
using sparse::MatrixView;
using sparse::SparseGrid;
using sparse::SparseWeights;

class AutoBackend final : public sparse::Backend
{
public:
    AutoBackend(std::shared_ptr<BackendChoice> choice, int threads)
        : m_backends(std::make_shared<CandidateBackends>(std::move(choice), threads))
    {
    }

    std::string_view name() const override { return "auto"; }
    std::string description() const override
    {
        const auto processor = m_backends->at(0);
        auto text = std::string(processor->name()) + " (" + processor->description() + ")";
        const auto &candidates = m_backends->choice().candidates();
        for (std::size_t i = 1; i < candidates.size(); ++i)
            text += (i + 1 < candidates.size() ? ", " : " or ") + candidates[i].name;
        if (candidates.size() > 1)
            text += ", what is faster for the operation and its size";
        return text;
    }

    void hierarchize(const SparseGrid &grid, std::span<double> values) const override
    {
        transform(grid, values, &hierarchizeBy<double>);
    }
    void hierarchize(const SparseGrid &grid, std::span<float> values) const override
    {
        transform(grid, values, &hierarchizeBy<float>);
    }
    void dehierarchize(const SparseGrid &grid, std::span<double> coefficients) const override
    {
        transform(grid, coefficients, &dehierarchizeBy<double>);
    }
    void dehierarchize(const SparseGrid &grid, std::span<float> coefficients) const override
    {
        transform(grid, coefficients, &dehierarchizeBy<float>);
    }

    std::unique_ptr<Evaluator<double>> load(std::shared_ptr<const SparseGrid> grid,
                                            std::vector<double> coefficients) const override
    {
        return loadForAll(std::move(grid), std::move(coefficients));
    }
    std::unique_ptr<Evaluator<float>> load(std::shared_ptr<const SparseGrid> grid,
                                           std::vector<float> coefficients) const override
    {
        return loadForAll(std::move(grid), std::move(coefficients));
    }

    // A matrix for one combination: to read it once takes less than to take it anywhere.
    void spvm(const SparseWeights &weights, MatrixView<const float> matrix, std::size_t firstColumn,
              std::span<float> y, std::span<float> indicator) const override
    {
        m_backends->at(0)->spvm(weights, matrix, firstColumn, y, indicator);
    }
    void spvmColumns(const SparseWeights &weights, MatrixView<const float> matrix,
                     std::span<const std::uint32_t> columns, std::span<float> y,
                     std::span<float> indicator) const override
    {
        m_backends->at(0)->spvmColumns(weights, matrix, columns, y, indicator);
    }

    std::unique_ptr<sparse::VectorEvaluator>
    loadVectors(MatrixView<const float> matrix) const override
    {
        return makeAutoVectorEvaluator(m_backends, matrix);
    }

private:
    template <typename T>
    static void hierarchizeBy(const sparse::Backend &backend, const SparseGrid &grid,
                              std::span<T> values)
    {
        backend.hierarchize(grid, values);
    }
    template <typename T>
    static void dehierarchizeBy(const sparse::Backend &backend, const SparseGrid &grid,
                                std::span<T> values)
    {
        backend.dehierarchize(grid, values);
    }

    template <typename T>
    void transform(const SparseGrid &grid, std::span<T> values,
                   void (*by)(const sparse::Backend &, const SparseGrid &, std::span<T>)) const
    {
        grid.requireOneValuePerPoint(values.size());
        const auto candidate = m_backends->fastest(Operation::transform, transformSize(grid));
        // What fails may leave anything behind.
        const std::vector<T> before(values.begin(), candidate == 0 ? values.begin() : values.end());
        m_backends->attempt(candidate, [&](std::size_t index) {
            if (index == 0)
                std::ranges::copy(before, values.begin());
            by(*m_backends->at(index), grid, values);
        });
    }

    template <typename T>
    std::unique_ptr<Evaluator<T>> loadForAll(std::shared_ptr<const SparseGrid> grid,
                                             std::vector<T> coefficients) const
    {
        // Coefficients that are kept beside what the processor makes of them: not for nothing,
        // unless they are so few that to look for devices is not worth it.
        constexpr std::size_t fewBytes = std::size_t{1} << 24;
        if (coefficients.size() * sizeof(T) > fewBytes && m_backends->choice().isProcessorAlone())
            return m_backends->at(0)->load(std::move(grid), std::move(coefficients));
        return makeAutoEvaluator<T>(m_backends, std::move(grid), std::move(coefficients));
    }

    std::shared_ptr<const CandidateBackends> m_backends;
};

} // namespace

std::unique_ptr<sparse::Backend> makeAutoBackend(std::shared_ptr<BackendChoice> choice, int threads)
{
    return std::make_unique<AutoBackend>(std::move(choice),
                                         threads == 0 ? querySystemInfo().threadCount : threads);
}

} // namespace gridhelm::choice
