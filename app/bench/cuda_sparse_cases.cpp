// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/cuda_sparse_cases.h"

#include "app/bench/device_measure.h"
#include "core/sparse/reference/literal.h"
#include "core/sparse/unfolded/unfold.h"
#include "gpu/sparse/cartesian.h"
#include "gpu/sparse/contraction.h"
#include "gpu/sparse/cuda_backend.h"
#include "gpu/sparse/hierarchization.h"
#include "gpu/sparse/literal_walk.h"
#include "gpu/sparse/random_points.h"
#include "gpu/sparse/row_combination.h"
#include "gpu/support/on_gpu.h"
#include "gpu/support/require_gpu.h"
#include "gpu/support/stream.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace gridhelm::bench {

using nlohmann::json;
using namespace sparse;

namespace {

/// Of work that ends on the CPU, by its clock.
Timing timeOnCpu(const std::function<void()> &work, int repeats)
{
    std::vector<double> seconds;
    for (int i = -2; i < repeats; ++i) {
        const double taken = secondsOf(work);
        if (i >= 0)
            seconds.push_back(taken);
    }
    return timingOf(seconds);
}

} // namespace

json benchCudaInterpolation(const GridCase &gridCase, const CudaSparseOptions &options)
{
    const gpu::OnGpu scope(gpu::requireGpu(options.context));
    const auto grid = std::make_shared<SparseGrid>(GridShape(gridCase.dimension, gridCase.level));
    const auto coefficients = randomNumbers<float>(grid->points(), -1, 1);
    const auto d = static_cast<std::size_t>(gridCase.dimension);
    const auto points = randomNumbers<float>(options.points * d, 0, 1);
    const auto count = static_cast<std::uint32_t>(options.points);
    const gpu::DeviceBuffer<float> devicePoints{std::span<const float>(points)};
    gpu::DeviceBuffer<float> values(count);
    const gpu::Stream stream;

    json result = {{"dim", gridCase.dimension},
                   {"level", gridCase.level},
                   {"grid_points", grid->points()},
                   {"blocks", grid->blocks()},
                   {"points", options.points}};
    Timing literal;
    {
        const gpu::DeviceBuffer<float> onDevice{std::span<const float>(coefficients)};
        const gpu::LiteralWalk walk(*grid);
        literal = timeOnDevice(
            [&] {
                walk.interpolate(onDevice.data(), devicePoints.data(), count, values.data(),
                                 stream);
            },
            stream, std::min(options.repeats, 5));
        result["literal_error"] =
            errorOfInterpolation(*grid, coefficients, points, downloaded(values));
    }
    Timing own;
    {
        const UnfoldedGrid nodes(*grid);
        const auto nodeValues = unfold<float>(*grid, nodes, coefficients);
        const gpu::DeviceBuffer<float> onDevice{
            std::span<const float>(nodeValues.get(), nodes.storage())};
        const gpu::RandomPoints plan(nodes);
        gpu::NodeValues<float> arranged;
        arranged.nodes = onDevice.data();
        plan.prepare(arranged, count, stream);
        gpu::PointScratch<float> scratch;
        own = timeOnDevice(
            [&] {
                plan.interpolate<float>(arranged, devicePoints.data(), count, values.data(),
                                        nullptr, scratch, stream);
            },
            stream, options.repeats);
        result["error"] = errorOfInterpolation(*grid, coefficients, points, downloaded(values));
        const auto sorting = timeOnDevice(
            [&] { scratch.order.compute(devicePoints.data(), gridCase.dimension, count, stream); },
            stream, options.repeats);
        result["sorting_share"] = sorting.median / own.median;
    }
    const auto evaluator = gpu::makeCudaBackend(options.context)->load(grid, coefficients);
    std::vector<float> delivered(count);
    const auto delivery = timeOnCpu(
        [&] {
            evaluator->interpolate({points, gridCase.dimension}, {delivered});
        },
        std::min(options.repeats, 5));
    result["literal"] = rate(static_cast<double>(count), literal);
    result["device"] = rate(static_cast<double>(count), own);
    result["delivered"] = rate(static_cast<double>(count), delivery);
    result["device_to_literal"] = literal.median / own.median;
    result["blocks_per_second"] =
        static_cast<double>(count) * static_cast<double>(grid->blocks()) / own.median;
    return result;
}

json benchCudaHierarchization(const GridCase &gridCase, const CudaSparseOptions &options,
                              const gpu::DeviceLimits &limits)
{
    const gpu::OnGpu scope(gpu::requireGpu(options.context));
    const SparseGrid grid(GridShape(gridCase.dimension, gridCase.level));
    const auto nodal = randomNumbers<float>(grid.points(), -1, 1);
    gpu::DeviceBuffer<float> values{std::span<const float>(nodal)};
    const gpu::HierarchizationPlan plan(grid);
    const gpu::Stream stream;
    // There and back, so that the values stay what they are; each way is timed alone.
    std::vector<double> there, back;
    gpu::Event events[3];
    for (int i = -2; i < options.repeats; ++i) {
        events[0].record(stream);
        plan.run(gpu::Transform::hierarchize, values.data(), stream);
        events[1].record(stream);
        plan.run(gpu::Transform::dehierarchize, values.data(), stream);
        events[2].record(stream);
        events[2].wait();
        if (i >= 0) {
            there.push_back(gpu::Event::secondsBetween(events[0], events[1]));
            back.push_back(gpu::Event::secondsBetween(events[1], events[2]));
        }
    }
    double drift = 0;
    const auto returned = downloaded(values);
    for (std::size_t i = 0; i < nodal.size(); ++i)
        drift = std::max(drift, std::abs(static_cast<double>(returned[i] - nodal[i])));

    const auto backend = gpu::makeCudaBackend(options.context);
    std::vector<float> delivered;
    auto expected = nodal;
    makeOmpBackend(ExecutionContext())->hierarchize(grid, std::span(expected));
    const auto whole = timeOnCpu(
        [&] {
            delivered = nodal;
            backend->hierarchize(grid, std::span(delivered));
        },
        3);
    double error = 0;
    for (std::size_t i = 0; i < nodal.size(); ++i)
        error = std::max(error, std::abs(static_cast<double>(delivered[i] - expected[i])));
    const double bytes = 2.0 * sizeof(float) * static_cast<double>(grid.points())
                         * static_cast<double>(gridCase.dimension);
    const auto hierarchized = timingOf(there);
    const auto dehierarchized = timingOf(back);
    const double fastest = bytes / limits.copyBytesPerSecond;
    return {{"dim", gridCase.dimension},
            {"level", gridCase.level},
            {"grid_points", grid.points()},
            {"bytes_counted", bytes},
            {"hierarchize", rate(bytes, hierarchized)},
            {"dehierarchize", rate(bytes, dehierarchized)},
            {"hierarchize_share_of_copy", fastest / hierarchized.median},
            {"dehierarchize_share_of_copy", fastest / dehierarchized.median},
            {"delivered_seconds", whole.median},
            {"error_against_omp", error},
            {"error_there_and_back", drift}};
}

json benchCudaSpvm(const CudaSparseOptions &options, const gpu::DeviceLimits &limits)
{
    const gpu::OnGpu scope(gpu::requireGpu(options.context));
    const auto stride = (options.columns + 31) / 32 * 32;
    const auto pattern = randomNumbers<float>(stride, 0, 1);
    std::vector<float> matrix(options.rows * stride);
    for (std::size_t r = 0; r < options.rows; ++r)
        std::ranges::rotate_copy(pattern,
                                 pattern.begin() + static_cast<std::ptrdiff_t>(r * 37 % stride),
                                 matrix.begin() + static_cast<std::ptrdiff_t>(r * stride));
    SparseWeights weights;
    std::vector<gpu::WeightedRow> rows;
    const gpu::DeviceBuffer<float> onDevice{std::span<const float>(matrix)};
    for (std::size_t r = 0; r < options.rows; ++r) {
        weights.rows.push_back(r);
        weights.weights.push_back(std::cos(static_cast<double>(r)));
        rows.push_back({onDevice.data() + r * stride, static_cast<float>(weights.weights[r]), 0});
    }
    weights.lastGroupBegin = options.rows / 2;
    const gpu::DeviceBuffer<gpu::WeightedRow> deviceRows{std::span<const gpu::WeightedRow>(rows)};
    const gpu::DeviceBuffer<float> y(stride), indicator(stride);
    const gpu::Stream stream;
    const gpu::RowCombination combination{deviceRows.data(),
                                          static_cast<std::uint32_t>(options.rows),
                                          static_cast<std::uint32_t>(options.rows / 2)};
    const auto own = timeOnDevice(
        [&] {
            gpu::combineRows(combination, 0, options.columns, y.data(), indicator.data(), stream);
        },
        stream, options.repeats);

    const auto backend = gpu::makeCudaBackend(options.context);
    const auto loaded =
        backend->loadVectors({matrix.data(), options.rows, options.columns, stride});
    gpu::PinnedBuffer<float> pinned(options.columns), pinnedIndicator(options.columns);
    std::vector<float> pageable(options.columns);
    const auto intoPinned =
        timeOnCpu([&] { loaded->combine(weights, 0, pinned.values(), pinnedIndicator.values()); },
                  options.repeats);
    const auto intoPageable =
        timeOnCpu([&] { loaded->combine(weights, 0, pageable, {}); }, options.repeats);
    double error = 0;
    for (std::size_t c = 0; c < options.columns; c += options.columns / 97 + 1) {
        double exact = 0;
        for (std::size_t r = 0; r < options.rows; ++r)
            exact += weights.weights[r] * static_cast<double>(matrix[r * stride + c]);
        error = std::max({error, std::abs(exact - static_cast<double>(pinned.data()[c])),
                          std::abs(exact - static_cast<double>(pageable[c]))});
    }
    const auto bytes = static_cast<double>(options.rows * options.columns * sizeof(float));
    return {{"rows", options.rows},
            {"columns", options.columns},
            {"device", rate(bytes, own)},
            {"share_of_read", bytes / own.fastest / limits.readBytesPerSecond}, // best beside best
            {"delivered_pinned_with_indicator", rate(bytes, intoPinned)},
            {"delivered_pageable", rate(bytes, intoPageable)},
            {"error", error}};
}

json benchCudaCartesian(const CudaSparseOptions &options, const gpu::DeviceLimits &limits)
{
    const gpu::OnGpu scope(gpu::requireGpu(options.context));
    constexpr int dimension = 6, level = 8;
    const auto grid = std::make_shared<SparseGrid>(GridShape(dimension, level));
    const auto coefficients = randomNumbers<float>(grid->points(), -1, 1);
    CartesianPoints<float> cube{{{0.3F}, {0.4F}, {0.6F}, {}, {}, {}}};
    for (std::size_t t = 3; t < 6; ++t) {
        for (std::size_t i = 0; i < options.side; ++i)
            cube.axes[t].push_back(static_cast<float>((static_cast<double>(i) + 0.5)
                                                      / static_cast<double>(options.side)));
    }
    const auto size = cube.count();

    const UnfoldedGrid nodes(*grid);
    const auto nodeValues = unfold<float>(*grid, nodes, coefficients);
    const gpu::DeviceBuffer<float> onDevice{
        std::span<const float>(nodeValues.get(), nodes.storage())};
    gpu::Contraction<float> contraction(nodes, {true, true, true, false, false, false});
    gpu::CartesianPicture<float> picture(contraction.freeNodes());
    const gpu::DeviceBuffer<float> freeValues(contraction.freeNodes().storage()), drawn(size);
    const std::vector<std::vector<float>> axes(cube.axes.begin() + 3, cube.axes.end());
    const gpu::Stream stream;
    float slider = 0.3F;
    const auto move = [&] {
        slider = slider < 0.9F ? slider + 0.01F : 0.1F;
        return std::vector<float>{slider, 0.4F, 0.6F, 0, 0, 0};
    };
    const auto contract = [&] {
        contraction.apply(onDevice.data(), move(), gpu::Contraction<float>::Part::all,
                          freeValues.data(), stream);
    };
    const auto own = timeOnDevice(
        [&] {
            contract();
            picture.evaluate(
                freeValues.data(), axes, drawn.data(), 1, [](std::size_t, std::size_t) {}, stream);
        },
        stream, options.repeats);
    const auto contractionAlone = timeOnDevice(contract, stream, options.repeats);

    const auto evaluator = gpu::makeCudaBackend(options.context)->load(grid, coefficients);
    gpu::PinnedBuffer<float> pinned(size);
    std::vector<float> pageable(size);
    const auto deliver = [&](std::span<float> target) {
        return timeOnCpu(
            [&] {
                cube.axes[0][0] = move()[0];
                evaluator->interpolateCartesian(cube, {target});
            },
            options.repeats);
    };
    const auto intoPageable = deliver(pageable);
    const auto intoPinned = deliver(pinned.values());
    const double download = static_cast<double>(drawn.bytes()) / limits.toHostBytesPerSecond;

    evaluator->interpolateCartesian(cube, {pinned.values()});
    double error = 0, largest = 0;
    std::mt19937_64 random(1);
    for (int k = 0; k < 40; ++k) {
        const auto index = random() % size;
        auto remaining = index;
        std::vector<float> x(dimension);
        for (std::size_t t = dimension; t-- > 0;) {
            x[t] = cube.axes[t][remaining % cube.axes[t].size()];
            remaining /= cube.axes[t].size();
        }
        const auto exact = reference::interpolate<float>(*grid, coefficients, x).value;
        error = std::max(error, std::abs(static_cast<double>(exact - pinned.data()[index])));
        largest = std::max(largest, std::abs(static_cast<double>(exact)));
    }
    return {{"dim", dimension},
            {"level", level},
            {"side", options.side},
            {"device", rate(static_cast<double>(size), own)},
            {"contraction_seconds", contractionAlone.median},
            {"delivered_pinned", rate(static_cast<double>(size), intoPinned)},
            {"delivered_pageable", rate(static_cast<double>(size), intoPageable)},
            {"download_seconds", download},
            {"delivered_to_download", intoPinned.median / download},
            {"error", error / largest}};
}

} // namespace gridhelm::bench
