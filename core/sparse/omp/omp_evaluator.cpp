// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/omp/omp_evaluator.h"

#include "core/execution/parallel_for.h"
#include "core/sparse/omp/cartesian_plan.h"
#include "core/sparse/omp/gradient.h"
#include "core/sparse/omp/random_points.h"
#include "core/sparse/slices.h"
#include "core/sparse/unfolded/contraction_plan.h"
#include "core/sparse/unfolded/node_weights.h"
#include "core/sparse/unfolded/unfold.h"
#include "core/support/memory_check.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>
#include <string>

namespace gridhelm::sparse::omp {

namespace {

/// What one set of fixed dimensions needs, kept while the user moves sliders.
struct SlicePlan
{
    SlicePlan(const UnfoldedGrid &nodes, const std::vector<bool> &isFixed,
              const TuningTable &tuning, std::size_t valueBytes)
        : contraction(nodes, isFixed)
        , randomPoints(contraction.freeNodes(), {tuning, valueBytes, contraction.freeNodes()})
    {
        const auto &freeNodes = contraction.freeNodes();
        if (freeNodes.dimension() <= 3)
            cartesian.emplace(freeNodes, cartesianTile(tuning, valueBytes, freeNodes));
    }

    ContractionPlan contraction;
    RandomPointsPlan randomPoints;
    std::optional<CartesianPlan> cartesian;
};

template <typename T>
void writeMagnitudes(std::span<T> values)
{
    for (T &value : values)
        value = std::abs(value);
}

template <typename T>
class OmpEvaluator final : public Evaluator<T>
{
public:
    OmpEvaluator(std::shared_ptr<const SparseGrid> grid, std::vector<T> coefficients,
                 const ExecutionContext &context)
        : m_grid(std::move(grid))
        , m_nodes(*m_grid)
        , m_values(unfold<T>(*m_grid, m_nodes, coefficients))
        , m_context(context)
        , m_plan(m_nodes, {context.tuning(), sizeof(T), m_nodes})
        , m_cpu(context.cpu())
    {
    }

    const SparseGrid &grid() const override { return *m_grid; }

    ComputedOn doInterpolate(PointsView<T> points, EvaluationOutput<T> out) const override
    {
        m_plan.interpolate(m_nodes, m_values.get(), points, out, m_cpu);
        return ComputedOn::cpu();
    }

    ComputedOn doInterpolateShared(PointsView<T> points, const std::vector<bool> &isFixed,
                                   EvaluationOutput<T> out) const override
    {
        const auto plan = slicePlan(isFixed);
        const auto coordinates = freeCoordinates(points, isFixed);
        const auto &freeNodes = plan->contraction.freeNodes();
        const PointsView<T> freePoints{coordinates, freeNodes.dimension()};
        const auto run = [&](ContractionPlan::Part part, std::span<T> target) {
            const auto values = contracted(*plan, points.point(0), part);
            plan->randomPoints.interpolate(freeNodes, values.get(), freePoints,
                                           EvaluationOutput<T>{target}, m_cpu);
        };
        return runParts(run, out);
    }

    ComputedOn doInterpolateCartesian(const CartesianPoints<T> &points, CartesianPart part,
                                      EvaluationOutput<T> out) const override
    {
        const Slice<T> slice(points);
        if (slice.freeDimensions.size() > 3) {
            evaluateSliceBySlice(points, slice.freeDimensions, part, out,
                                 [&](const CartesianPoints<T> &product, CartesianPart ofProduct,
                                     EvaluationOutput<T> output) {
                                     doInterpolateCartesian(product, ofProduct, output);
                                 });
            return ComputedOn::cpu();
        }
        const auto plan = slicePlan(slice.isFixed);
        const auto &freeNodes = plan->contraction.freeNodes();
        const bool isWorthwhile = CartesianPlan::isWorthwhile(freeNodes, slice.freeAxes);
        const auto axes = slice.axesOf(part);
        std::vector<T> scattered;
        if (!isWorthwhile)
            scattered = allCombinations(axes);
        const auto run = [&](ContractionPlan::Part contraction, std::span<T> target) {
            const auto values = contracted(*plan, slice.x, contraction);
            if (isWorthwhile)
                plan->cartesian->evaluate(freeNodes, values.get(), axes, target, m_cpu);
            else
                plan->randomPoints.interpolate(freeNodes, values.get(),
                                               PointsView<T>{scattered, freeNodes.dimension()},
                                               EvaluationOutput<T>{target}, m_cpu);
        };
        return runParts(run, out);
    }

    ComputedOn doGradient(PointsView<T> points, std::span<T> values,
                          std::span<T> gradients) const override
    {
        const auto d = static_cast<std::size_t>(points.dimension);
        parallelFor(points.count(), m_cpu, 16, [&](std::size_t j) {
            values[j] = valueAndGradient<T>(m_plan.program(), m_nodes, m_values.get(),
                                            points.point(j), gradients.subspan(j * d, d));
        });
        return ComputedOn::cpu();
    }

    Combination doCombine(const SparseWeights &weights) const override
    {
        const auto ofNodes = nodeWeights(*m_grid, m_nodes, weights);
        double inner = 0, last = 0;
        for (std::size_t i = 0; i < ofNodes.terms.size(); ++i) {
            const auto &term = ofNodes.terms[i];
            (i < ofNodes.lastGroupBegin ? inner : last) +=
                term.weight * static_cast<double>(m_values[term.offset]);
        }
        return {inner + last, std::abs(last), ComputedOn::cpu()};
    }

    std::size_t bytes() const override
    {
        return m_nodes.storage() * sizeof(T) + m_grid->tableBytes() + m_nodes.bytes()
               + m_plan.bytes();
    }

private:
    template <typename Run>
    static ComputedOn runParts(Run run, EvaluationOutput<T> out)
    {
        run(ContractionPlan::Part::all, out.values);
        if (!out.indicator.empty()) {
            run(ContractionPlan::Part::lastGroup, out.indicator);
            writeMagnitudes(out.indicator);
        }
        return ComputedOn::cpu();
    }

    NodeValues<T> contracted(const SlicePlan &plan, std::span<const T> x,
                             ContractionPlan::Part part) const
    {
        auto values = allocateNodeValues<T>(plan.contraction.freeNodes());
        plan.contraction.apply<T>(m_nodes, m_values.get(), x, part, values.get(), m_cpu);
        return values;
    }

    /// The plan for these fixed dimensions; the last one is kept.
    std::shared_ptr<const SlicePlan> slicePlan(const std::vector<bool> &isFixed) const
    {
        const std::lock_guard lock(m_slicePlanMutex);
        if (!m_slicePlan || m_slicePlan->contraction.isFixed() != isFixed)
            m_slicePlan =
                std::make_shared<SlicePlan>(m_nodes, isFixed, m_context.tuning(), sizeof(T));
        return m_slicePlan;
    }

    std::shared_ptr<const SparseGrid> m_grid;
    UnfoldedGrid m_nodes;
    NodeValues<T> m_values;
    ExecutionContext m_context;
    RandomPointsPlan m_plan;
    CpuDevice m_cpu;

    mutable std::mutex m_slicePlanMutex;
    mutable std::shared_ptr<const SlicePlan> m_slicePlan;
};

/// Blocks with paired levels unfold into many nodes; each has its values, its states, a place in
/// the order and one or two words of the program.
template <typename T>
void requireMemoryFor(const SparseGrid &grid)
{
    const auto nodes = static_cast<double>(grid.activeFunctions(grid.groups()));
    requireMemory(static_cast<double>(grid.points()) * sizeof(T)
                      + nodes * (2.0 * grid.dimension() + 40.0),
                  "evaluating a grid of " + std::to_string(grid.points()) + " points",
                  "lower the level, or use the boundary basis modified instead of boundary");
}

} // namespace

template <typename T>
std::unique_ptr<Evaluator<T>> makeEvaluator(std::shared_ptr<const SparseGrid> grid,
                                            std::vector<T> coefficients,
                                            const ExecutionContext &context)
{
    grid->requireOneValuePerPoint(coefficients.size());
    requireMemoryFor<T>(*grid);
    return std::make_unique<OmpEvaluator<T>>(std::move(grid), std::move(coefficients), context);
}

template std::unique_ptr<Evaluator<float>> makeEvaluator<float>(std::shared_ptr<const SparseGrid>,
                                                                std::vector<float>,
                                                                const ExecutionContext &);
template std::unique_ptr<Evaluator<double>> makeEvaluator<double>(std::shared_ptr<const SparseGrid>,
                                                                  std::vector<double>,
                                                                  const ExecutionContext &);

} // namespace gridhelm::sparse::omp
