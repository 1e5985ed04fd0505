// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/sparse_cases.h"

#include "app/bench/plain_sparse_grid.h"
#include "core/execution/memory_bandwidth.h"
#include "core/execution/parallel_for.h"
#include "core/linalg/combination.h"
#include "core/sparse/backend.h"
#include "core/support/error.h"
#include "core/support/memory_check.h"
#include "core/support/system_info.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <set>

namespace gridhelm::bench {

using nlohmann::json;
using namespace sparse;

namespace {

/// The literal hierarchization of larger grids would take minutes.
constexpr std::uint64_t maxPointsForLiteralHierarchization = 200000;

template <typename T>
std::vector<T> randomValues(std::size_t count, T low, T high)
{
    std::mt19937_64 random(20130101);
    std::uniform_real_distribution<double> uniform(low, high);
    std::vector<T> values(count);
    for (T &value : values)
        value = static_cast<T>(uniform(random));
    return values;
}

template <typename T>
PointsView<T> firstPoints(const std::vector<T> &coordinates, int dimension, std::size_t count)
{
    return {std::span(coordinates).first(count * static_cast<std::size_t>(dimension)), dimension};
}

/// As many of `most` as `evaluate(count)` manages in `seconds`.
template <typename Evaluate>
std::size_t affordable(Evaluate evaluate, double seconds, std::size_t most)
{
    for (std::size_t count = 1; count < most; count *= 4) {
        const auto start = std::chrono::steady_clock::now();
        evaluate(count);
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        if (taken.count() > seconds / 4)
            return count;
    }
    return most;
}

template <typename T>
double largestDifference(std::span<const T> a, std::span<const T> b)
{
    double largest = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        const double difference = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
        if (!(difference <= largest)) // a NaN is the largest of all
            largest = std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
    }
    return largest;
}

template <typename T>
json benchEvaluation(const std::shared_ptr<const SparseGrid> &grid,
                     const std::vector<T> &coefficients, const SparseBenchOptions &options)
{
    const int d = grid->dimension();
    const auto x = randomValues<T>(options.points * static_cast<std::size_t>(d), 0, 1);
    std::vector<T> literalValues(options.points), plainValues(options.points),
        values(options.points);

    const auto literal = makeReferenceBackend()->load(grid, coefficients);
    PlainInterpolation<T> plain(*grid, coefficients);
    const auto runLiteral = [&](std::size_t count) {
        literal->interpolate(firstPoints(x, d, count), {std::span(literalValues).first(count)});
    };
    const auto runPlain = [&](std::size_t count) {
        const auto points = firstPoints(x, d, count);
        for (std::size_t j = 0; j < count; ++j)
            plainValues[j] = plain(points.point(j));
    };
    const auto literalCount = affordable(runLiteral, options.literalSeconds, options.points);
    const auto plainCount = affordable(runPlain, 1.0, options.points);
    const auto one = makeOmpBackend(ExecutionContext(CpuDevice{}))->load(grid, coefficients);
    const auto all = makeOmpBackend(options.context)->load(grid, coefficients);
    const auto run = [&](const Evaluator<T> &evaluator) {
        evaluator.interpolate(firstPoints(x, d, options.points), {values});
    };

    const auto timings = measureInTurns(
        {[&] { runPlain(plainCount); }, [&] { run(*one); }, [&] { run(*all); }}, options.measure);
    auto once = options.measure;
    once.minRepeats = 2;
    once.seconds = options.literalSeconds;
    const auto literalTiming = measure([&] { runLiteral(literalCount); }, once);

    const auto rateOf = [&](std::size_t count, const Timing &timing) {
        auto result = rate(static_cast<double>(count), timing);
        result["points"] = count;
        return result;
    };
    const auto plainPerPoint = timings[0].median / static_cast<double>(plainCount);
    const auto onePerPoint = timings[1].median / static_cast<double>(options.points);
    const T largest =
        std::abs(*std::ranges::max_element(values, {}, [](T value) { return std::abs(value); }));
    const auto bytes = one->bytes();
    const auto valueBytes = grid->points() * sizeof(T);
    return {{"reference", rateOf(literalCount, literalTiming)},
            {"plain_depth_first", rateOf(plainCount, timings[0])},
            {"fast_one_thread", rateOf(options.points, timings[1])},
            {"fast_all_threads", rateOf(options.points, timings[2])},
            {"fast_to_plain", plainPerPoint / onePerPoint},
            {"all_threads_to_one", timings[1].median / timings[2].median},
            {"error_against_reference",
             largestDifference<T>(values, std::span(literalValues).first(literalCount)) / largest},
            {"bytes", bytes},
            {"bytes_per_point", static_cast<double>(bytes) / static_cast<double>(grid->points())},
            {"bytes_per_block_beside_values",
             static_cast<double>(bytes - valueBytes) / static_cast<double>(grid->blocks())}};
}

template <typename T>
json benchHierarchization(const SparseGrid &grid, const SparseBenchOptions &options)
{
    const auto nodal = randomValues<T>(grid.points(), -1, 1);
    std::vector<T> values, plainValues;
    const auto points = static_cast<double>(grid.points());
    // Small grids are transformed several times in a row; every transform starts from nodal values.
    const auto rounds = std::max<std::size_t>(1, 200000 / grid.points());
    const auto repeatedly = [&](auto &target, auto work) {
        return [&target, &nodal, rounds, work] {
            for (std::size_t r = 0; r < rounds; ++r) {
                target = nodal;
                work();
            }
        };
    };
    const auto one = makeOmpBackend(ExecutionContext(CpuDevice{}));
    const auto all = makeOmpBackend(options.context);
    const auto timings =
        measureInTurns({repeatedly(plainValues, [&] { plainHierarchize<T>(grid, plainValues); }),
                        repeatedly(values, [&] { one->hierarchize(grid, std::span(values)); }),
                        repeatedly(values, [&] { all->hierarchize(grid, std::span(values)); }),
                        repeatedly(values, [] {})},
                       options.measure);
    // The copy of the nodal values is taken off.
    const auto perTransform = [&](const Timing &timing) {
        auto own = timing;
        own.median = (timing.median - timings[3].median) / static_cast<double>(rounds);
        return own;
    };
    json result = {
        {"plain_block_wise", rate(points, perTransform(timings[0]))},
        {"fast_one_thread", rate(points, perTransform(timings[1]))},
        {"fast_all_threads", rate(points, perTransform(timings[2]))},
        {"fast_to_plain", perTransform(timings[0]).median / perTransform(timings[1]).median},
        {"all_threads_to_one", perTransform(timings[1]).median / perTransform(timings[2]).median}};
    values = nodal;
    all->hierarchize(grid, std::span(values));
    result["error_against_plain"] = largestDifference<T>(values, plainValues);
    if (grid.points() <= maxPointsForLiteralHierarchization) {
        auto literalValues = nodal;
        auto once = options.measure;
        once.minRepeats = 1;
        once.seconds = 0;
        const auto reference = makeReferenceBackend();
        const auto timing = measure(
            [&] {
                literalValues = nodal;
                reference->hierarchize(grid, std::span(literalValues));
            },
            once);
        result["reference"] = rate(points, timing);
        result["error_against_reference"] = largestDifference<T>(values, literalValues);
    }
    return result;
}

template <typename T>
json benchType(const std::shared_ptr<const SparseGrid> &grid, const SparseBenchOptions &options)
{
    json hierarchization = benchHierarchization<T>(*grid, options);
    return {
        {"evaluation", benchEvaluation<T>(grid, randomValues<T>(grid->points(), -1, 1), options)},
        {"hierarchization", std::move(hierarchization)}};
}

template <typename T>
json benchCartesianType(std::size_t side, const CpuDevice &cpu, const SparseBenchOptions &options)
{
    constexpr int dimension = 6, level = 7;
    const auto grid = std::make_shared<SparseGrid>(GridShape(dimension, level));
    const auto evaluator =
        makeOmpBackend(ExecutionContext(cpu))->load(grid, randomValues<T>(grid->points(), -1, 1));
    CartesianPoints<T> cube{{{T(0.3)}, {T(0.4)}, {T(0.6)}, {}, {}, {}}};
    for (std::size_t t = 3; t < 6; ++t) {
        for (std::size_t i = 0; i < side; ++i)
            cube.axes[t].push_back(
                static_cast<T>((static_cast<double>(i) + 0.5) / static_cast<double>(side)));
    }
    const auto size = cube.count();

    // Pictures in turn, so that each is written to memory and not into the cache.
    const auto cache = querySystemInfo().lastLevelCacheBytes;
    const auto pictures = 4 * cache / (size * sizeof(T)) + 2;
    requireMemory(static_cast<double>(pictures * size) * sizeof(T), "the benchmark of pictures",
                  "give a smaller --side");
    std::vector<T> memory(pictures * size);
    const auto picture = [&](std::size_t i) {
        return std::span(memory).subspan(i % pictures * size, size);
    };
    const auto fill = [&](std::span<T> target) {
        constexpr std::size_t part = 16384;
        parallelFor((size + part - 1) / part, cpu, 1, [&](std::size_t p) {
            const auto piece = target.subspan(p * part, std::min(part, size - p * part));
            std::ranges::fill(piece, T(1));
        });
    };
    std::size_t next = 0;
    const auto timings = measureInTurns(
        {[&] { fill(picture(next++)); },
         [&] { evaluator->interpolateCartesian(cube, {picture(next++)}); },
         [&] { fill(picture(0)); }, [&] { evaluator->interpolateCartesian(cube, {picture(0)}); }},
        options.measure);

    // The random path at some of the cube's points.
    evaluator->interpolateCartesian(cube, {picture(0)});
    std::vector<T> x, fromCube;
    std::mt19937_64 random(1);
    for (std::size_t j = 0; j < 20000; ++j) {
        const auto index = random() % size;
        std::size_t remaining = index;
        std::vector<T> point(dimension);
        for (std::size_t t = dimension; t-- > 0;) {
            point[t] = cube.axes[t][remaining % cube.axes[t].size()];
            remaining /= cube.axes[t].size();
        }
        x.insert(x.end(), point.begin(), point.end());
        fromCube.push_back(picture(0)[index]);
    }
    std::vector<T> values(fromCube.size());
    const auto randomTiming = measure(
        [&] {
            evaluator->interpolate({x, dimension}, {values});
        },
        options.measure);
    const double randomSeconds =
        randomTiming.median / static_cast<double>(values.size()) * static_cast<double>(size);
    const T largest =
        std::abs(*std::ranges::max_element(values, {}, [](T value) { return std::abs(value); }));
    return {{"threads", cpu.threads},
            {"values", size},
            {"car", rate(static_cast<double>(size), timings[1])},
            {"write_once", rate(static_cast<double>(size), timings[0])},
            {"car_to_write", timings[1].median / timings[0].median},
            {"car_in_cache", rate(static_cast<double>(size), timings[3])},
            {"write_once_in_cache", rate(static_cast<double>(size), timings[2])},
            {"car_to_write_in_cache", timings[3].median / timings[2].median},
            {"random_path_seconds", randomSeconds},
            {"random_path_to_car", randomSeconds / timings[1].median},
            {"error_against_random_path", largestDifference<T>(values, fromCube) / largest}};
}

int parsePart(std::string_view text, const std::string &whole)
{
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
        throw Error("\"" + whole
                    + "\" is not a list of cases: write dimension/level,..., for "
                      "example 4/8,10/5");
    return number;
}

} // namespace

std::vector<GridCase> parseCases(const std::string &text)
{
    std::vector<GridCase> cases;
    std::string_view remaining = text;
    while (true) {
        const auto item = remaining.substr(0, remaining.find(','));
        const auto slash = std::min(item.find('/'), item.size());
        cases.push_back({parsePart(item.substr(0, slash), text),
                         parsePart(item.substr(std::min(slash + 1, item.size())), text)});
        if (item.size() == remaining.size())
            return cases;
        remaining.remove_prefix(item.size() + 1);
    }
}

json benchGrid(const GridCase &gridCase, const SparseBenchOptions &options)
{
    const GridShape shape(gridCase.dimension, gridCase.level);
    // coefficients, two evaluators' copies, nodal values and their transforms
    requireFitsInMemory(shape, 6 * sizeof(double));
    const auto grid = std::make_shared<SparseGrid>(shape);
    json result = {{"dim", gridCase.dimension},
                   {"level", gridCase.level},
                   {"boundary", "zero"},
                   {"points", grid->points()},
                   {"blocks", grid->blocks()},
                   {"double", benchType<double>(grid, options)},
                   {"float", benchType<float>(grid, options)}};
    const auto perSecond = [&](const char *type) {
        return result[type]["evaluation"]["fast_one_thread"]["per_second"].get<double>();
    };
    result["float_to_double"] = perSecond("float") / perSecond("double");
    return result;
}

json benchSpvm(std::size_t rows, std::size_t columns, const SparseBenchOptions &options)
{
    const auto size = rows * columns;
    requireMemory(static_cast<double>(size) * sizeof(float), "the matrix of the spvm benchmark",
                  "give a smaller --columns");
    // Rows at cache lines, as whoever loads a study should lay them out.
    constexpr std::size_t line = 64 / sizeof(float);
    const auto memory = std::make_unique<float[]>(size + line);
    void *begin = memory.get();
    std::size_t room = (size + line) * sizeof(float);
    const std::span<float> matrix(
        static_cast<float *>(std::align(64, size * sizeof(float), begin, room)), size);
    std::uint32_t state = 1;
    for (float &value : matrix) {
        state = state * 1664525U + 1013904223U;
        value = static_cast<float>(state >> 8) * 0x1p-24F;
    }
    SparseWeights weights;
    for (std::size_t r = 0; r < rows; ++r) {
        weights.rows.push_back(r);
        weights.weights.push_back(std::cos(static_cast<double>(r)));
    }
    weights.lastGroupBegin = rows / 2;
    std::vector<float> y(columns), indicator(columns);
    const MatrixView<const float> view{matrix.data(), rows, columns, columns};
    volatile float sink = 0;

    json result = {{"rows", rows}, {"columns", columns}, {"type", "float"}};
    std::set<int> threadCounts{1, options.context.cpu().threads};
    for (int threads : threadCounts) {
        std::vector<std::function<void()>> works{
            [&, threads] { combine<float>(weights, view, 0, y, indicator, CpuDevice{threads}); }};
        for (int streams : {1, 2, 4, 8})
            works.emplace_back(
                [&, threads, streams] { sink = readOnce(matrix, streams, CpuDevice{threads}); });
        const auto timings = measureInTurns(works, options.measure);
        const auto bytes = static_cast<double>(size * sizeof(float));
        const auto bestRead =
            *std::min_element(timings.begin() + 1, timings.end(),
                              [](const Timing &a, const Timing &b) { return a.median < b.median; });
        result[threads == 1 ? "one_thread" : "all_threads"] = {
            {"threads", threads},
            {"spvm_bytes", rate(bytes, timings[0])},
            {"read_bytes", rate(bytes, bestRead)},
            {"spvm_to_read", bestRead.median / timings[0].median}};
    }
    double error = 0;
    for (std::size_t c = 0; c < columns; c += columns / 97 + 1) {
        double exact = 0;
        for (std::size_t r = 0; r < rows; ++r)
            exact += weights.weights[r] * static_cast<double>(matrix[r * columns + c]);
        error = std::max(error, std::abs(exact - static_cast<double>(y[c])));
    }
    result["error"] = error;
    return result;
}

json benchCartesian(std::size_t side, const SparseBenchOptions &options)
{
    json result = {{"dim", 6}, {"level", 7}, {"side", side}};
    for (int threads : std::set<int>{1, options.context.cpu().threads}) {
        const char *name = threads == 1 ? "one_thread" : "all_threads";
        result["double"][name] = benchCartesianType<double>(side, CpuDevice{threads}, options);
        result["float"][name] = benchCartesianType<float>(side, CpuDevice{threads}, options);
    }
    return result;
}

} // namespace gridhelm::bench
