// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/pmm/pmm_stepper.h"

#include "core/solvers/pmm/initial_guess.h"
#include "core/solvers/pmm/source_times.h"
#include "core/support/error.h"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace gridhelm::solvers {

namespace {

/// Updates of isotropic nodes that are worth a thread's share of a plane: fewer take less time than
/// the threads need to wait for each other.
constexpr std::size_t updatesPerShare = 512;
constexpr std::size_t anisotropicWeight = 3; ///< how much longer an update takes

/// Everything that a stepper holds: two layouts of the times, their coefficients if the medium
/// varies, and the values without padding; with a guess, the arrivals from it, and both without
/// padding.
template <typename T>
std::size_t bytesPerNode(const PmmProblem &problem)
{
    const auto padding = [](std::size_t nodes, double more) {
        const auto n = static_cast<double>(std::max<std::size_t>(nodes, 1));
        return (n + more) / n;
    };
    constexpr double rowPadding = 2 * static_cast<double>(PaddedGrid<T>::lineValues);
    const auto &n = problem.nodes;
    const double guess = problem.initialGuess ? 1 : 0;
    const double grids = (variesInSpace(problem) ? 3 : 1) + guess;
    const double alongX = padding(n[0], rowPadding) * padding(n[1], 2) * padding(n[2], 2);
    const double alongY = padding(n[1], rowPadding) * padding(n[0], 2) * padding(n[2], 2);
    return sizeof(T)
           * static_cast<std::size_t>(std::ceil(grids * (alongX + alongY) + 1 + 2 * guess));
}

template <typename T>
PmmProblem checked(const PmmProblem &problem)
{
    requireSoluble(problem, bytesPerNode<T>(problem));
    return problem;
}

std::array<std::size_t, 3> exchangedXY(const std::array<std::size_t, 3> &nodes)
{
    return {nodes[1], nodes[0], nodes[2]};
}

/// Ghosts included.
template <typename T>
void fillAll(PaddedGrid<T> &grid, T value, const CpuDevice &cpu)
{
    const auto &points = grid.points();
    const auto planes = static_cast<std::ptrdiff_t>(points[2]);
#pragma omp parallel for schedule(static) num_threads(cpu.threads)
    for (std::ptrdiff_t k = -1; k <= planes; ++k) {
        for (std::ptrdiff_t j = -1; j <= static_cast<std::ptrdiff_t>(points[1]); ++j) {
            T *row = grid.row(j, k) - 1;
            std::fill(row, row + grid.rowStride(), value);
        }
    }
}

/// One z plane with x and y exchanged, in blocks that stay in cache.
template <typename T>
void exchangeXY(const PaddedGrid<T> &from, PaddedGrid<T> &to, std::size_t plane)
{
    constexpr std::size_t block = PaddedGrid<T>::lineValues;
    const auto k = static_cast<std::ptrdiff_t>(plane);
    const auto width = from.points()[0];
    const auto rows = from.points()[1];
    const auto stride = from.rowStride();
    for (std::size_t i = 0; i < width; i += block) {
        const auto iEnd = std::min(i + block, width);
        for (std::size_t j = 0; j < rows; j += block) {
            const auto jEnd = std::min(j + block, rows);
            for (std::size_t x = i; x < iEnd; ++x) {
                const T *source = from.row(0, k) + x;
                T *target = to.row(static_cast<std::ptrdiff_t>(x), k);
                for (std::size_t y = j; y < jEnd; ++y)
                    target[y] = source[static_cast<std::ptrdiff_t>(y) * stride];
            }
        }
    }
}

} // namespace

template <typename T>
PmmStepper<T>::PmmStepper(const PmmProblem &problem, const PmmSettings &settings,
                          const ExecutionContext &context)
    : m_run(checked<T>(problem), sizeof(T))
    , m_settings(settings)
    , m_cpu(context.cpu())
    , m_times(makeGrids())
{
    if (variesInSpace(problem)) {
        for (int i = 0; i < 2; ++i)
            m_coefficients.push_back(makeGrids());
    }
    restart();
}

template <typename T>
typename PmmStepper<T>::Grids PmmStepper<T>::makeGrids() const
{
    const auto &nodes = m_run.problem().nodes;
    return {PaddedGrid<T>(nodes, 3, m_cpu), PaddedGrid<T>(exchangedXY(nodes), 3, m_cpu)};
}

template <typename T>
void PmmStepper<T>::restart()
{
    setMedium();
    fillAll(m_times.alongX, unreachedTime<T>, m_cpu);
    fillAll(m_times.alongY, unreachedTime<T>, m_cpu);
    if (m_run.problem().initialGuess)
        setGuess();
    else
        setSource();
    m_field.clear();
}

template <typename T>
void PmmStepper<T>::setSource()
{
    const auto &n = m_run.problem().nodes;
    for (const auto &source : sourceTimes(m_run.problem())) {
        const auto row = source.node / n[0];
        T &time = m_times.alongX.row(static_cast<std::ptrdiff_t>(row % n[1]),
                                     static_cast<std::ptrdiff_t>(row / n[1]))[source.node % n[0]];
        time = std::min(time, static_cast<T>(source.time));
    }
}

/// Into times that are not reached.
template <typename T>
void PmmStepper<T>::setGuess()
{
    const auto &problem = m_run.problem();
    auto guess = guessedTimes<T>(problem);
    auto arrivals = arrivalsFrom(guess);
    if (restoreSource<T>(problem, arrivals, guess))
        arrivals = arrivalsFrom(guess);
    m_guessStretch = solvers::guessStretch<T>(problem, arrivals, guess);
    if (std::isinf(m_guessStretch)) {
        fillAll(m_times.alongX, unreachedTime<T>, m_cpu);
        setSource();
        return;
    }
    if (m_guessStretch > 1)
        stretchGuess(problem, m_guessStretch, guess);
    setTimes(guess);
}

/// The earliest arrival at each node from its neighbours in all six directions. Changes m_times,
/// but not its ghosts.
template <typename T>
std::vector<T> PmmStepper<T>::arrivalsFrom(const std::vector<T> &times)
{
    setTimes(times);
    for (std::size_t k = 0; k < m_run.problem().nodes[2]; ++k)
        exchangeXY(m_times.alongX, m_times.alongY, k);
    auto arrivals = makeGrids();
    fillAll(arrivals.alongX, unreachedTime<T>, m_cpu);
    fillAll(arrivals.alongY, unreachedTime<T>, m_cpu);
    sweep(m_times, arrivals);
    return unpadded(arrivals.alongX);
}

template <typename T>
void PmmStepper<T>::setTimes(std::vector<T> times)
{
    std::replace(times.begin(), times.end(), std::numeric_limits<T>::infinity(), unreachedTime<T>);
    m_times.alongX.assign(std::span<const T>(times));
}

template <typename T>
MediumCoefficients<T> PmmStepper<T>::coefficientsAt(std::size_t node) const
{
    const auto values = m_run.coefficientsAt(node);
    return {static_cast<T>(values[0]), static_cast<T>(values[1])};
}

template <typename T>
void PmmStepper<T>::setMedium()
{
    m_constant = coefficientsAt(0);
    if (m_coefficients.empty())
        return;
    const auto &n = m_run.problem().nodes;
#pragma omp parallel for schedule(static) num_threads(m_cpu.threads)
    for (std::size_t k = 0; k < n[2]; ++k) {
        for (std::size_t j = 0; j < n[1]; ++j) {
            for (std::size_t i = 0; i < n[0]; ++i) {
                const auto values = coefficientsAt(m_run.problem().nodeIndex(i, j, k));
                for (std::size_t c = 0; c < 2; ++c)
                    m_coefficients[c].alongX.row(static_cast<std::ptrdiff_t>(j),
                                                 static_cast<std::ptrdiff_t>(k))[i] = values[c];
            }
        }
        for (auto &coefficient : m_coefficients)
            exchangeXY(coefficient.alongX, coefficient.alongY, k);
    }
}

template <typename T>
void PmmStepper<T>::advance(std::uint64_t iterations, std::stop_token stop)
{
    m_run.advance(iterations, m_settings.stopChange, stop, [this] {
        m_field.clear();
        return PmmRun::reportedChange(sweep(m_times, m_times));
    });
}

template <typename T>
typename PmmStepper<T>::Share PmmStepper<T>::shareOf(std::size_t rows)
{
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    const auto threads = static_cast<std::size_t>(omp_get_num_threads());
    return {rows * thread / threads, rows * (thread + 1) / threads};
}

/// Lowers the times `to` to what arrives from the times `from`, which may be the same grids;
/// otherwise both layouts of `from` have been set.
template <typename T>
T PmmStepper<T>::sweep(const Grids &from, Grids &to) const
{
    const auto &a = m_run.problem().direction;
    const T ax = static_cast<T>(a[0]), ay = static_cast<T>(a[1]), az = static_cast<T>(a[2]);
    const auto &n = m_run.problem().nodes;
    const auto planeNodes =
        3 * m_run.problem().count() / (n[0] + n[1] + n[2]); // mean over all planes
    const auto shares =
        planeNodes * (m_run.isAnisotropic() ? anisotropicWeight : 1) / updatesPerShare;
    const int threads = static_cast<int>(
        std::clamp<std::size_t>(shares, 1, static_cast<std::size_t>(m_cpu.threads)));
    T largest = 0;
#pragma omp parallel num_threads(threads) reduction(max : largest)
    {
        const auto slabs = shareOf(n[2]);
        for (int sense : {1, -1})
            largest =
                std::max(largest, subSweep(&Grids::alongX, from, to, 2, 1, sense, {ax, ay, az}));
        for (int sense : {1, -1})
            largest =
                std::max(largest, subSweep(&Grids::alongX, from, to, 1, 2, sense, {ax, az, ay}));
        for (auto k = slabs.first; k < slabs.end; ++k)
            exchangeXY(to.alongX, to.alongY, k);
#pragma omp barrier
        for (int sense : {1, -1})
            largest =
                std::max(largest, subSweep(&Grids::alongY, from, to, 1, 2, sense, {ay, az, ax}));
        for (auto k = slabs.first; k < slabs.end; ++k)
            exchangeXY(to.alongY, to.alongX, k);
    }
    return largest;
}

/// Called by all threads of a region; each updates its rows of every plane, then waits for the
/// others. `direction` is a along the layout's rows, across them, and along the sub-sweep's axis.
template <typename T>
T PmmStepper<T>::subSweep(PaddedGrid<T> Grids::*layout, const Grids &from, Grids &to,
                          std::size_t normalAxis, std::size_t rowAxis, int sense,
                          const std::array<T, 3> &direction) const
{
    auto &grid = to.*layout;
    const auto stride = [&](std::size_t axis) {
        return axis == 2 ? grid.planeStride() : grid.rowStride();
    };
    const auto planes = static_cast<std::ptrdiff_t>(grid.points()[normalAxis]);
    const auto share = shareOf(grid.points()[rowAxis]);

    PlaneRows<T> rows;
    rows.rowStride = stride(rowAxis);
    rows.rows = share.end - share.first;
    rows.width = grid.points()[0];
    rows.constant = m_constant;
    rows.direction = {direction[0], direction[1], static_cast<T>(sense) * direction[2]};
    const auto firstRow = static_cast<std::ptrdiff_t>(share.first) * rows.rowStride;
    T largest = 0;
    for (std::ptrdiff_t step = 1; step < planes; ++step) {
        const auto plane = sense > 0 ? step : planes - 1 - step;
        const auto offset = firstRow + plane * stride(normalAxis);
        rows.node = grid.row(0, 0) + offset;
        rows.previous = (from.*layout).row(0, 0) + offset - sense * stride(normalAxis);
        for (std::size_t c = 0; c < m_coefficients.size(); ++c)
            rows.coefficients[c] = (m_coefficients[c].*layout).row(0, 0) + offset;
        largest = std::max(largest,
                           m_run.isAnisotropic() ? updateAnisotropic(rows) : updateIsotropic(rows));
#pragma omp barrier
    }
    return largest;
}

/// Infinite where not reached.
template <typename T>
std::vector<T> PmmStepper<T>::unpadded(const PaddedGrid<T> &grid) const
{
    std::vector<T> times(m_run.problem().count());
    grid.copyTo(std::span(times));
    std::replace_if(
        times.begin(), times.end(), [](T time) { return time >= unreachedTime<T> / 2; },
        std::numeric_limits<T>::infinity());
    return times;
}

template <typename T>
const std::vector<T> &PmmStepper<T>::times() const
{
    if (m_field.empty())
        m_field = unpadded(m_times.alongX);
    return m_field;
}

template <typename T>
FieldView PmmStepper<T>::field() const
{
    return {m_run.problem().nodes, m_run.problem().origin, m_run.problem().spacing,
            std::span<const T>(times())};
}

template <typename T>
StepReport PmmStepper<T>::report() const
{
    auto result = m_run.report();
    if (m_run.problem().knownSolution)
        result.error = largestError(m_run.problem(), std::span<const T>(times()));
    return result;
}

template <typename T>
void PmmStepper<T>::setLiveParameter(std::string_view name, double value)
{
    if (m_run.setLiveParameter(name, value))
        restart();
}

template class PmmStepper<float>;
template class PmmStepper<double>;

} // namespace gridhelm::solvers
