// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dispatch/dispatching_backend.h"

#include "core/dispatch/candidate_backends.h"
#include "core/dispatch/dispatching_evaluator.h"
#include "core/support/enumeration.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace gridhelm::dispatch {
namespace {

using linalg::MatrixView;
using sparse::Evaluator;
using sparse::SparseGrid;
using sparse::SparseWeights;

class DispatchingBackend final : public sparse::Backend
{
public:
    explicit DispatchingBackend(std::shared_ptr<const CandidateBackends> backends)
        : m_backends(std::move(backends))
    {
    }

    std::string_view name() const override
    {
        return m_backends->isFixed() ? m_backends->at(1)->name() : "auto";
    }
    std::string description() const override
    {
        if (m_backends->isFixed())
            return m_backends->at(1)->description();
        const auto cpu = m_backends->at(0);
        std::vector<std::string> all{std::string(cpu->name()) + " (" + cpu->description() + ")"};
        std::ranges::move(m_backends->names(), std::back_inserter(all));
        const auto text = enumeration(all, "or");
        return all.size() == 1 ? text : text + ", what is faster for the operation and its size";
    }

    const ExecutionContext &context() const override { return m_backends->context(); }

    ComputedOn hierarchize(const SparseGrid &grid, std::span<double> values) const override
    {
        return transform(grid, values, &hierarchizeBy<double>);
    }
    ComputedOn hierarchize(const SparseGrid &grid, std::span<float> values) const override
    {
        return transform(grid, values, &hierarchizeBy<float>);
    }
    ComputedOn dehierarchize(const SparseGrid &grid, std::span<double> coefficients) const override
    {
        return transform(grid, coefficients, &dehierarchizeBy<double>);
    }
    ComputedOn dehierarchize(const SparseGrid &grid, std::span<float> coefficients) const override
    {
        return transform(grid, coefficients, &dehierarchizeBy<float>);
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

    std::unique_ptr<sparse::VectorEvaluator>
    loadVectors(MatrixView<const float> matrix) const override
    {
        return makeDispatchingVectorEvaluator(
            m_backends, matrix,
            [matrix](const sparse::Backend &backend) { return backend.loadVectors(matrix); });
    }
    std::unique_ptr<sparse::VectorEvaluator>
    loadQuantised(const codec::QuantisedRows &matrix) const override
    {
        return makeDispatchingVectorEvaluator(
            m_backends, matrix.shape(),
            [matrix](const sparse::Backend &backend) { return backend.loadQuantised(matrix); });
    }

private:
    template <typename T>
    static ComputedOn hierarchizeBy(const sparse::Backend &backend, const SparseGrid &grid,
                                    std::span<T> values)
    {
        return backend.hierarchize(grid, values);
    }
    template <typename T>
    static ComputedOn dehierarchizeBy(const sparse::Backend &backend, const SparseGrid &grid,
                                      std::span<T> values)
    {
        return backend.dehierarchize(grid, values);
    }

    template <typename T>
    ComputedOn transform(const SparseGrid &grid, std::span<T> values,
                         ComputedOn (*by)(const sparse::Backend &, const SparseGrid &,
                                          std::span<T>)) const
    {
        grid.requireOneValuePerPoint(values.size());
        const auto candidate = m_backends->choose(Operation::transform, transformSize(grid));
        // What fails may leave anything behind.
        const std::vector<T> before(values.begin(), candidate == 0 ? values.begin() : values.end());
        ComputedOn where;
        m_backends->attempt(candidate, [&](std::size_t index) {
            if (index == 0)
                std::ranges::copy(before, values.begin());
            where = by(*m_backends->at(index), grid, values);
        });
        return where;
    }

    template <typename T>
    std::unique_ptr<Evaluator<T>> loadForAll(std::shared_ptr<const SparseGrid> grid,
                                             std::vector<T> coefficients) const
    {
        // Coefficients that are kept beside what the CPU makes of them: not for nothing,
        // unless they are so few that to look for devices is not worth it.
        constexpr std::size_t fewBytes = std::size_t{1} << 24;
        if (coefficients.size() * sizeof(T) > fewBytes && m_backends->isCpuAlone())
            return m_backends->at(0)->load(std::move(grid), std::move(coefficients));
        return makeDispatchingEvaluator<T>(m_backends, std::move(grid), std::move(coefficients));
    }

    std::shared_ptr<const CandidateBackends> m_backends;
};

} // namespace

std::unique_ptr<sparse::Backend> makeDispatchingBackend(std::shared_ptr<Dispatcher> dispatcher,
                                                        const ExecutionContext &context)
{
    return std::make_unique<DispatchingBackend>(
        std::make_shared<CandidateBackends>(std::move(dispatcher), context));
}

std::shared_ptr<const sparse::Backend>
makeFailoverBackend(std::shared_ptr<const sparse::Backend> first, const ExecutionContext &context)
{
    if (context.fallback() == FallbackPolicy::forbidden)
        return first;
    return std::make_shared<DispatchingBackend>(
        std::make_shared<CandidateBackends>(std::move(first), context));
}

} // namespace gridhelm::dispatch
