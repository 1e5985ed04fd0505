// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/sparse/cuda_evaluator.h"

#include "core/sparse/slices.h"
#include "core/sparse/unfolded/node_weights.h"
#include "core/sparse/unfolded/unfold.h"
#include "gpu/sparse/cartesian.h"
#include "gpu/sparse/contraction.h"
#include "gpu/sparse/node_walk.h"
#include "gpu/sparse/point_stream.h"
#include "gpu/sparse/value_combination.h"
#include "gpu/support/on_gpu.h"
#include "gpu/support/readback.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>

namespace gridhelm::gpu {

namespace {

using sparse::CartesianPart;
using sparse::CartesianPoints;
using sparse::EvaluationOutput;
using sparse::PointsView;
using sparse::UnfoldedGrid;

/// What one set of fixed dimensions needs, kept while the user moves sliders.
template <typename T>
struct SlicePlan
{
    SlicePlan(const UnfoldedGrid &nodes, const std::vector<bool> &isFixed,
              const TuningTable &tuning)
        : contraction(nodes, isFixed)
        , randomPoints(contraction.freeNodes(),
                       PointLaunch(tuning, sizeof(T), contraction.freeNodes()))
        , freeValues(contraction.freeNodes().storage())
    {
        if (contraction.freeNodes().dimension() <= 3)
            picture.emplace(contraction.freeNodes());
        values.nodes = freeValues.data();
    }

    Contraction<T> contraction;
    RandomPoints randomPoints;
    std::optional<CartesianPicture<T>> picture;
    DeviceBuffer<T> freeValues;
    NodeValues<T> values;
};

template <typename T>
class CudaEvaluator final : public sparse::Evaluator<T>
{
public:
    /// Made while the GPU is current.
    CudaEvaluator(std::shared_ptr<const sparse::SparseGrid> grid, std::vector<T> coefficients,
                  const GpuDevice &gpu, const ExecutionContext &context)
        : m_gpu(gpu)
        , m_context(context)
        , m_grid(std::move(grid))
        , m_nodes(*m_grid)
        , m_randomPoints(m_nodes, PointLaunch(context.tuning(), sizeof(T), m_nodes))
        , m_points(context.cpu())
        , m_route{context.cpu()}
    {
        const auto values = sparse::unfold<T>(*m_grid, m_nodes, coefficients);
        m_nodeValues = DeviceBuffer<T>(std::span<const T>(values.get(), m_nodes.storage()));
        m_values.nodes = m_nodeValues.data();
    }

    const sparse::SparseGrid &grid() const override { return *m_grid; }

    ComputedOn doInterpolate(PointsView<T> points, EvaluationOutput<T> out) const override
    {
        const std::lock_guard lock(m_mutex);
        const OnGpu scope(m_gpu);
        m_points.interpolate(m_randomPoints, m_values, points, out);
        return where();
    }

    ComputedOn doInterpolatePortions(PointsView<T> points, sparse::PortionSource &source,
                                     EvaluationOutput<T> out) const override
    {
        const std::lock_guard lock(m_mutex);
        const OnGpu scope(m_gpu);
        m_points.interpolate(m_randomPoints, m_values, points, source, out);
        return where();
    }

    ComputedOn doInterpolateShared(PointsView<T> points, const std::vector<bool> &isFixed,
                                   EvaluationOutput<T> out) const override
    {
        const auto coordinates = sparse::freeCoordinates(points, isFixed);
        const std::lock_guard lock(m_mutex);
        const OnGpu scope(m_gpu);
        auto &plan = slicePlan(isFixed);
        evaluateParts(plan, points.point(0), coordinates, out);
        return where();
    }

    ComputedOn doInterpolateCartesian(const CartesianPoints<T> &points, CartesianPart part,
                                      EvaluationOutput<T> out) const override
    {
        const sparse::Slice<T> slice(points);
        if (slice.freeDimensions.size() > 3) {
            sparse::evaluateSliceBySlice(points, slice.freeDimensions, part, out,
                                         [&](const CartesianPoints<T> &product,
                                             CartesianPart ofProduct, EvaluationOutput<T> output) {
                                             doInterpolateCartesian(product, ofProduct, output);
                                         });
            return where();
        }
        const std::lock_guard lock(m_mutex);
        const OnGpu scope(m_gpu);
        auto &plan = slicePlan(slice.isFixed);
        const bool fits = m_picture.size() >= points.count()
                          || points.count() * sizeof(T) <= freeDeviceBytes() / 2;
        const auto axes = slice.axesOf(part);
        if (!fits || !plan.picture->isPossible(slice.freeAxes)) {
            evaluateParts(plan, slice.x, sparse::allCombinations(axes), out);
            return where();
        }
        draw(plan, slice.x, axes, Part::all, out.values);
        if (!out.indicator.empty())
            draw(plan, slice.x, axes, Part::lastGroup, out.indicator);
        return where();
    }

    ComputedOn doGradient(PointsView<T> points, std::span<T> values,
                          std::span<T> gradients) const override
    {
        const std::lock_guard lock(m_mutex);
        const OnGpu scope(m_gpu);
        m_points.gradients(m_randomPoints, m_values, points, values, gradients);
        return where();
    }

    sparse::Combination doCombine(const sparse::SparseWeights &weights) const override
    {
        const auto ofNodes = sparse::nodeWeights(*m_grid, m_nodes, weights);
        const auto count = ofNodes.terms.size();
        if (count == 0)
            return {0, 0, where()};
        const std::lock_guard lock(m_mutex);
        const OnGpu scope(m_gpu);
        m_stagedTerms.reserve(count);
        m_terms.reserve(count);
        m_stagedSums.reserve(2);
        m_sums.reserve(2);
        std::ranges::copy(ofNodes.terms, m_stagedTerms.data());
        check(cudaMemcpyAsync(m_terms.data(), m_stagedTerms.data(),
                              count * sizeof(sparse::WeightedValue), cudaMemcpyHostToDevice,
                              m_stream),
              "take weights");
        combineValues<T>(m_nodeValues.data(), m_terms.data(), count, ofNodes.lastGroupBegin,
                         m_sums.data(), m_stream);
        check(cudaMemcpyAsync(m_stagedSums.data(), m_sums.data(), 2 * sizeof(double),
                              cudaMemcpyDeviceToHost, m_stream),
              "return the values");
        m_stream.wait("combine coefficients");
        return {m_stagedSums.data()[0], std::abs(m_stagedSums.data()[1]), where()};
    }

    std::size_t bytes() const override
    {
        const std::lock_guard lock(m_mutex);
        return m_nodeValues.bytes() + m_values.clusters.bytes() + m_grid->tableBytes()
               + m_nodes.bytes() + m_randomPoints.bytes();
    }

private:
    using Part = typename Contraction<T>::Part;

    ComputedOn where() const { return ComputedOn::gpu(m_gpu.index); }

    /// Scattered points of the free dimensions.
    void evaluateParts(SlicePlan<T> &plan, std::span<const T> x, const std::vector<T> &coordinates,
                       EvaluationOutput<T> out) const
    {
        const PointsView<T> points{coordinates, plan.contraction.freeNodes().dimension()};
        const auto run = [&](Part part, std::span<T> target) {
            contract(plan, x, part);
            m_stream.wait("contract a grid");
            m_points.interpolate(plan.randomPoints, plan.values, points, {target});
        };
        run(Part::all, out.values);
        if (out.indicator.empty())
            return;
        run(Part::lastGroup, out.indicator);
        for (T &value : out.indicator)
            value = std::abs(value);
    }

    void contract(SlicePlan<T> &plan, std::span<const T> x, Part part) const
    {
        plan.contraction.apply(m_values.nodes, x, part, plan.freeValues.data(), m_stream);
        plan.values.hasClusters = false;
    }

    /// A picture, copied to the CPU in pieces while further ones are drawn.
    void draw(SlicePlan<T> &plan, std::span<const T> x, const std::vector<std::vector<T>> &axes,
              Part part, std::span<T> target) const
    {
        constexpr int pieces = 8;
        m_picture.reserve(target.size());
        contract(plan, x, part);
        Readback readback(m_route);
        const auto copy = [&](std::size_t begin, std::size_t end) {
            if (part == Part::lastGroup)
                addParts<T>(m_picture.data() + begin, 1, static_cast<std::uint32_t>(end - begin),
                            true, m_picture.data() + begin, m_stream);
            readback.add(m_picture.data() + begin, target.data() + begin, (end - begin) * sizeof(T),
                         m_stream);
        };
        plan.picture->evaluate(plan.freeValues.data(), axes, m_picture.data(), pieces, copy,
                               m_stream);
        readback.finish();
    }

    SlicePlan<T> &slicePlan(const std::vector<bool> &isFixed) const
    {
        if (!m_slicePlan || m_slicePlan->contraction.isFixed() != isFixed) {
            m_slicePlan.reset(); // first, so that both need not fit
            m_slicePlan = std::make_unique<SlicePlan<T>>(m_nodes, isFixed, m_context.tuning());
        }
        return *m_slicePlan;
    }

    GpuDevice m_gpu;
    ExecutionContext m_context;
    std::shared_ptr<const sparse::SparseGrid> m_grid;
    UnfoldedGrid m_nodes;
    DeviceBuffer<T> m_nodeValues;
    RandomPoints m_randomPoints;

    mutable std::mutex m_mutex; ///< of everything below: one evaluation at a time
    mutable NodeValues<T> m_values;
    mutable PointStream<T> m_points;
    mutable std::unique_ptr<SlicePlan<T>> m_slicePlan;
    mutable DeviceBuffer<T> m_picture;
    mutable PinnedBuffer<sparse::WeightedValue> m_stagedTerms;
    mutable DeviceBuffer<sparse::WeightedValue> m_terms;
    mutable PinnedBuffer<double> m_stagedSums; ///< the whole, the last group
    mutable DeviceBuffer<double> m_sums;
    mutable Stream m_stream;
    mutable ReadbackRoute m_route;
};

} // namespace

template <typename T>
std::size_t evaluatorBytes(const sparse::SparseGrid &grid)
{
    const auto nodes = static_cast<double>(grid.activeFunctions(grid.groups()));
    const double bytes =
        static_cast<double>(grid.points()) * sizeof(T) + nodes * 2 * sizeof(NodeStep) + 1e6;
    return bytes < 1e18 ? static_cast<std::size_t>(bytes) : std::numeric_limits<std::size_t>::max();
}

template <typename T>
std::unique_ptr<sparse::Evaluator<T>>
makeCudaEvaluator(std::shared_ptr<const sparse::SparseGrid> grid, std::vector<T> coefficients,
                  const GpuDevice &gpu, const ExecutionContext &context)
{
    const OnGpu scope(gpu);
    return std::make_unique<CudaEvaluator<T>>(std::move(grid), std::move(coefficients), gpu,
                                              context);
}

template std::size_t evaluatorBytes<float>(const sparse::SparseGrid &);
template std::size_t evaluatorBytes<double>(const sparse::SparseGrid &);
template std::unique_ptr<sparse::Evaluator<float>>
makeCudaEvaluator<float>(std::shared_ptr<const sparse::SparseGrid>, std::vector<float>,
                         const GpuDevice &, const ExecutionContext &);
template std::unique_ptr<sparse::Evaluator<double>>
makeCudaEvaluator<double>(std::shared_ptr<const sparse::SparseGrid>, std::vector<double>,
                          const GpuDevice &, const ExecutionContext &);

} // namespace gridhelm::gpu
