// SPDX-License-Identifier: GPL-3.0-or-later
//
// The program of a generated folder, but for what the stencil decides (main_code.cpp).
#pragma once

#include <string_view>

namespace gridhelm::stencil {

inline constexpr std::string_view mainGrids = R"(
// ---- memory ------------------------------------------------------------------------------------

// Values of a grid, with ghosts around them.
class Grid
{
public:
    explicit Grid(const std::array<Index, 3> &points)
        : m_points(points)
    {
        rowStride = lines(stencil::lineValues + points[0] + radius) * stencil::lineValues;
        planeStride = lines(rowStride * (points[1] + 2 * radius)) * stencil::lineValues;
        const Index planes = points[2] + (stencil::dimension == 3 ? 2 * radius : 0);
        const Index values = planeStride * planes + stencil::lineValues;
        constexpr Index page = 2 << 20;
        const Index bytes = (values * static_cast<Index>(sizeof(Value)) + page - 1) / page * page;
        m_memory.reset(static_cast<Value *>(std::aligned_alloc(page, bytes)));
        if (!m_memory) {
            std::fprintf(stderr, "The grid does not fit into memory: choose fewer points.\n");
            std::exit(1);
        }
        madvise(m_memory.get(), bytes, MADV_HUGEPAGE); // a wish
#pragma omp parallel for
        for (Index plane = 0; plane < planes; ++plane)
            std::fill_n(m_memory.get() + plane * planeStride, planeStride, Value(0));
        std::fill_n(m_memory.get() + planes * planeStride, stencil::lineValues, Value(0));
        first = m_memory.get() + stencil::lineValues + radius * rowStride
                + (stencil::dimension == 3 ? radius * planeStride : 0);
    }

    Value &at(Index i, Index j, Index k)
    {
        return first[k * planeStride + j * rowStride + i];
    }
    template <typename Function>
    void set(Function valueAt)
    {
#pragma omp parallel for collapse(2)
        for (Index k = 0; k < m_points[2]; ++k) {
            for (Index j = 0; j < m_points[1]; ++j) {
                for (Index i = 0; i < m_points[0]; ++i)
                    at(i, j, k) = static_cast<Value>(valueAt(i, j, k));
            }
        }
    }

    Value *first = nullptr; // the first point
    Index rowStride = 0;
    Index planeStride = 0;

private:
    // Addresses that differ by a multiple of a page get into each other's way.
    static Index lines(Index values)
    {
        const Index count = (values + stencil::lineValues - 1) / stencil::lineValues;
        return count % 16 == 0 ? count + 3 : count;
    }

    struct Free
    {
        void operator()(Value *memory) const { std::free(memory); }
    };
    std::array<Index, 3> m_points;
    std::unique_ptr<Value, Free> m_memory;
};

// All that a run needs.
class Problem
{
public:
    Problem(const std::array<Index, 3> &points, int threads)
        : present(points)
        , next(points)
    {
        present.set(startAt);
        for (int c = 0; c < stencil::coefficientCount; ++c) {
            m_lists.push_back(std::make_unique<Grid>(points));
            m_lists.back()->set(
                [c](Index i, Index j, Index k) { return coefficientAt(c, i, j, k); });
            m_coefficients.push_back(m_lists.back()->first);
        }
        if (hasSource) {
            m_lists.push_back(std::make_unique<Grid>(points));
            m_lists.back()->set(sourceAt);
            run.source = m_lists.back()->first;
        }
        run.present = present.first;
        run.next = next.first;
        run.coefficients = m_coefficients.data();
        Index count = 1;
        for (int axis = 0; axis < 3; ++axis) {
            run.points[axis] = points[axis];
            run.spike[axis] = spike[axis];
            count *= points[axis];
        }
        run.rowStride = present.rowStride;
        run.planeStride = present.planeStride;
        run.sourceFactor = sourceFactor;
        run.threads = threads;
        const long cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
        run.cacheBytes = cache > 0 ? cache : 1 << 20;
        // More than a core's part of any shared cache is likely to hold.
        run.streams = 2 * count * static_cast<Index>(sizeof(Value)) > 48 << 20 ? 1 : 0;
    }

    Grid present;
    Grid next;
    stencil::Run run{};

private:
    std::vector<std::unique_ptr<Grid>> m_lists;
    std::vector<const Value *> m_coefficients;
};

// ---- the literal loop --------------------------------------------------------------------------

// A value that may be outside of the grid. Where sides meet, the last direction decides first.
Value literalValue(const std::vector<Value> &u, const std::array<Index, 3> &points,
                   std::array<Index, 3> at)
{
    std::array<Value, 3> rises{};
    Value value = 0;
    bool isKnown = false;
    for (int axis = 2; axis >= 0 && !isKnown; --axis) {
        const Index n = points[axis];
        if (at[axis] >= 0 && at[axis] < n)
            continue;
        const bool isLow = at[axis] < 0;
        const Side &side = sides[2 * axis + (isLow ? 0 : 1)];
        const Index g = isLow ? -1 - at[axis] : at[axis] - n;
        if (side.rule == Rule::periodic) {
            at[axis] += isLow ? n : -n;
        } else if (side.rule == Rule::slope) {
            at[axis] = isLow ? g : n - 1 - g;
            rises[axis] = side.numbers[g];
        } else {
            value = side.numbers[g];
            isKnown = true;
        }
    }
    if (!isKnown)
        value = u[(at[2] * points[1] + at[1]) * points[0] + at[0]];
    for (const Value rise : rises)
        value += rise;
    return value;
}

// The definition: neighbour by neighbour. Returns the largest sum of the weights' absolute values.
double literalIteration(const std::array<Index, 3> &points, const Index *spikeHere,
                        const std::vector<Value> &from, std::vector<Value> &to)
{
    double largest = 0;
    Index point = 0;
    for (Index k = 0; k < points[2]; ++k) {
        for (Index j = 0; j < points[1]; ++j) {
            for (Index i = 0; i < points[0]; ++i, ++point) {
                Value weights[neighbourCount];
                weightsAt(i, j, k, weights);
                Value sum = 0;
                double sumOfWeights = 0;
                for (int n = 0; n < neighbourCount; ++n) {
                    const int *d = neighbours[n];
                    sum += weights[n] * literalValue(from, points, {i + d[0], j + d[1], k + d[2]});
                    sumOfWeights += std::abs(static_cast<double>(weights[n]));
                }
                if (hasSource)
                    sum += sourceFactor * static_cast<Value>(sourceAt(i, j, k));
                if (i == spikeHere[0] && j == spikeHere[1] && k == spikeHere[2])
                    sum += sourceFactor;
                to[point] = sum;
                largest = std::max(largest, sumOfWeights);
            }
        }
    }
    return largest;
}

struct Check
{
    double difference = 0; // the largest one
    double tolerance = 0;  // what rounding alone may do
    bool hasPassed() const { return std::isfinite(tolerance) && difference <= tolerance; }
};

// Values from 0 to 1 without any pattern that a mistake could hide behind.
Value testValue(Index i, Index j, Index k)
{
    return static_cast<Value>((i * 37 + j * 57 + k * 73 + i * j % 11) % 101) / Value(101);
}

// The fast code beside the literal loop, on a smaller grid.
Check check(int threads)
{
    std::array<Index, 3> points = gridPoints;
    for (int axis = 0; axis < stencil::dimension; ++axis)
        points[axis] =
            std::min<Index>(points[axis], stencil::dimension == 3 ? 37 - axis : 131 - axis);
    const Index iterations = 2 * stencil::iterationsPerPass + 1;
    Problem problem(points, threads);
    for (int axis = 0; axis < 3; ++axis)
        problem.run.spike[axis] = std::min<Index>(spike[axis], points[axis] - 1);
    problem.present.set(testValue);
    std::vector<Value> present, next(points[0] * points[1] * points[2]);
    for (Index k = 0; k < points[2]; ++k) {
        for (Index j = 0; j < points[1]; ++j) {
            for (Index i = 0; i < points[0]; ++i)
                present.push_back(testValue(i, j, k));
        }
    }
    gridhelm_stencil_advance_1(&problem.run, iterations);
    double growth = 1, largest = std::abs(static_cast<double>(sourceFactor));
    for (const Side &side : sides)
        largest = std::max(largest, std::abs(static_cast<double>(side.numbers[radius - 1])));
    for (Index iteration = 0; iteration < iterations; ++iteration) {
        for (const Value value : present)
            largest = std::max(largest, std::abs(static_cast<double>(value)));
        growth *= std::max(1.0, literalIteration(points, problem.run.spike, present, next));
        std::swap(present, next);
    }
    Check result;
    const double epsilon = std::numeric_limits<Value>::epsilon();
    result.tolerance = 2 * (neighbourCount + 2) * epsilon * iterations * growth * largest;
    Index point = 0;
    for (Index k = 0; k < points[2]; ++k) {
        for (Index j = 0; j < points[1]; ++j) {
            for (Index i = 0; i < points[0]; ++i) {
                const Index at =
                    k * problem.present.planeStride + j * problem.present.rowStride + i;
                const double fast = problem.run.present[at];
                const double difference = std::abs(fast - present[point++]);
                if (!std::isfinite(difference))
                    result.difference = std::numeric_limits<double>::infinity();
                result.difference = std::max(result.difference, difference);
            }
        }
    }
    return result;
}
)";

inline constexpr std::string_view mainSpeed = R"(
// ---- speed -------------------------------------------------------------------------------------

struct Speed
{
    double updates = 0; // per second
    double bytes = 0;   // per second, if each value is read and written once
    double copied = 0;  // bytes per second of a copy
};
)";

inline constexpr std::string_view mainCpuTimes = R"(
template <typename Function>
double secondsOf(Function function)
{
    const auto begin = std::chrono::steady_clock::now();
    function();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Copies past the caches, the fastest way to write.
void copyValues(Value *to, const Value *from, Index count, int threads)
{
#if defined(__SSE2__)
    const Index lines = count / stencil::lineValues;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (Index line = 0; line < lines; ++line) {
        const Index at = line * stencil::lineValues;
        for (int quarter = 0; quarter < 4; ++quarter)
            _mm_stream_si128(
                reinterpret_cast<__m128i *>(to + at) + quarter,
                _mm_load_si128(reinterpret_cast<const __m128i *>(from + at) + quarter));
    }
#else
#pragma omp parallel for schedule(static) num_threads(threads)
    for (Index i = 0; i < count; ++i)
        to[i] = from[i];
#endif
}

// Medians of pairs, since other programs run as well.
Speed measure(int threads)
{
    Problem problem(gridPoints, threads);
    const Index planes = gridPoints[2] + (stencil::dimension == 3 ? 2 * radius : 0);
    const Index copied = problem.present.planeStride * planes;
    const Index before = stencil::lineValues + radius * problem.present.rowStride
                         + (stencil::dimension == 3 ? radius * problem.present.planeStride : 0);
    const double count = static_cast<double>(gridPoints[0]) * static_cast<double>(gridPoints[1])
                         * static_cast<double>(gridPoints[2]);
    const auto copy = [&] {
        copyValues(problem.run.next - before, problem.run.present - before, copied, threads);
    };
    Index iterations = stencil::iterationsPerPass;
    const auto advance = [&] { gridhelm_stencil_advance_1(&problem.run, iterations); };
    advance();
    const double once = secondsOf(advance);
    iterations *= static_cast<Index>(std::clamp(0.2 / std::max(once, 1e-6), 1.0, 1e6));
    const auto copies =
        static_cast<int>(std::clamp(0.2 / std::max(secondsOf(copy), 1e-6), 1.0, 1e6));
    std::vector<double> updates, copySpeeds;
    for (int repeat = 0; repeat < 7; ++repeat) {
        updates.push_back(count * static_cast<double>(iterations) / secondsOf(advance));
        const double seconds = secondsOf([&] {
            for (int c = 0; c < copies; ++c)
                copy();
        });
        copySpeeds.push_back(2.0 * sizeof(Value) * static_cast<double>(copied) * copies / seconds);
    }
    const auto median = [](std::vector<double> &values) {
        std::sort(values.begin(), values.end());
        return values[values.size() / 2];
    };
    Speed speed;
    speed.updates = median(updates);
    const int lists = 2 + stencil::coefficientCount + (hasSource ? 1 : 0);
    speed.bytes = speed.updates * lists * sizeof(Value);
    speed.copied = median(copySpeeds);
    return speed;
}
)";

inline constexpr std::string_view mainGpuTimes = R"(
// Medians of pairs, since other programs run as well.
Speed measure(int threads)
{
    Problem problem(gridPoints, threads);
    const Index planes = gridPoints[2] + (stencil::dimension == 3 ? 2 * radius : 0);
    const Index copied = problem.present.planeStride * planes;
    const double count = static_cast<double>(gridPoints[0]) * static_cast<double>(gridPoints[1])
                         * static_cast<double>(gridPoints[2]);
    constexpr Index iterations = 200;
    std::vector<double> updates, copySpeeds;
    for (int repeat = 0; repeat < 7; ++repeat) {
        double copySeconds = 0;
        const double seconds = gridhelm_stencil_seconds_1(&problem.run, iterations, &copySeconds);
        updates.push_back(count * iterations / seconds);
        copySpeeds.push_back(2.0 * sizeof(Value) * static_cast<double>(copied) * iterations
                             / copySeconds);
    }
    std::sort(updates.begin(), updates.end());
    std::sort(copySpeeds.begin(), copySpeeds.end());
    Speed speed;
    speed.updates = updates[updates.size() / 2];
    const int lists = 2 + stencil::coefficientCount + (hasSource ? 1 : 0);
    speed.bytes = speed.updates * lists * sizeof(Value);
    speed.copied = copySpeeds[copySpeeds.size() / 2];
    return speed;
}
)";

inline constexpr std::string_view mainEnd = R"(
} // namespace

int main(int argc, char **argv)
{
    bool isJson = false, isCheckOnly = false;
    int threads = defaultThreads > 0 ? defaultThreads : omp_get_max_threads();
    for (int a = 1; a < argc; ++a) {
        if (std::strcmp(argv[a], "--json") == 0) {
            isJson = true;
        } else if (std::strcmp(argv[a], "--check") == 0) {
            isCheckOnly = true;
        } else if (std::strcmp(argv[a], "--threads") == 0 && a + 1 < argc
                   && std::atoi(argv[a + 1]) > 0) {
            threads = std::atoi(argv[++a]);
@PARTS@
        } else {
            std::fprintf(stderr, "usage: %s [--check] [--json] [--threads N]@USAGE@\n", argv[0]);
            return 2;
        }
    }
    const Check checked = check(threads);
    Speed speed;
    if (checked.hasPassed() && !isCheckOnly)
        speed = measure(threads);
    if (isJson) {
        std::printf("{\"passed\": %s, \"difference\": %g, \"tolerance\": %g, \"threads\": %d, ",
                    checked.hasPassed() ? "true" : "false", checked.difference, checked.tolerance,
                    threads);
        std::printf("\"updates_per_second\": %g, \"bytes_per_second\": %g, "
                    "\"copy_bytes_per_second\": %g}\n",
                    speed.updates, speed.bytes, speed.copied);
        return checked.hasPassed() ? 0 : 1;
    }
    std::printf("check  %s: largest difference to the literal loop %.3g, rounding may do %.3g\n",
                checked.hasPassed() ? "passed" : "FAILED", checked.difference, checked.tolerance);
    if (speed.copied > 0)
        std::printf("speed  %d threads: %.4g updates/s, %.4g bytes/s, %.3f of a copy's %.4g\n",
                    threads, speed.updates, speed.bytes, speed.bytes / speed.copied, speed.copied);
    return checked.hasPassed() ? 0 : 1;
}
)";

} // namespace gridhelm::stencil
