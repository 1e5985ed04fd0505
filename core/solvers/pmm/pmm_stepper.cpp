// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/pmm/pmm_stepper.h"

#include "core/solvers/pmm/initial_guess.h"
#include "core/solvers/pmm/source_times.h"
#include "core/support/error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace gridhelm::solvers {

namespace {

/// Everything that a stepper holds: two layouts of the times, their coefficients if the medium
/// varies, and the values without padding; with a guess, the arrivals from it, and both without
/// padding.
template <typename T>
std::size_t bytesPerNode(const PmmProblem &problem)
{
    const double guess = problem.initialGuess ? 1 : 0;
    const double grids = (variesInSpace(problem) ? 3 : 1) + guess;
    return sizeof(T)
           * static_cast<std::size_t>(
               std::ceil(grids * gridValuesPerNode<T>(problem.nodes) + 1 + 2 * guess));
}

template <typename T>
PmmProblem checked(const PmmProblem &problem)
{
    requireSoluble(problem, bytesPerNode<T>(problem));
    return problem;
}

} // namespace

template <typename T>
PmmStepper<T>::PmmStepper(const PmmProblem &problem, const PmmSettings &settings,
                          const ExecutionContext &context)
    : m_run(checked<T>(problem), sizeof(T))
    , m_settings(settings)
    , m_cpu(context.cpu())
    , m_updatesPerThread(updatesPerThread(context.tuning(), sizeof(T), problem.count()))
    , m_times(makeGrids())
{
    if (variesInSpace(problem)) {
        for (int i = 0; i < 2; ++i)
            m_coefficients.push_back(makeGrids());
    }
    restart();
}

template <typename T>
PmmGrids<T> PmmStepper<T>::makeGrids() const
{
    return makePmmGrids<T>(m_run.problem().nodes, m_cpu);
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
    takeTimes<T>(guess, m_times.alongX);
}

/// The earliest arrival at each node from its neighbours in all six directions. Changes m_times,
/// but not its ghosts.
template <typename T>
std::vector<T> PmmStepper<T>::arrivalsFrom(const std::vector<T> &times)
{
    takeTimes<T>(times, m_times.alongX);
    for (std::size_t k = 0; k < m_run.problem().nodes[2]; ++k)
        exchangeXY(m_times.alongX, m_times.alongY, k);
    auto arrivals = makeGrids();
    fillAll(arrivals.alongX, unreachedTime<T>, m_cpu);
    fillAll(arrivals.alongY, unreachedTime<T>, m_cpu);
    sweep(m_times, arrivals);
    return unpadded(arrivals.alongX);
}

template <typename T>
void PmmStepper<T>::setMedium()
{
    if (m_coefficients.empty())
        return;
    setCoefficients<T>(m_run, {0, 0, 0}, {&m_coefficients[0].alongX, &m_coefficients[1].alongX},
                       m_cpu);
    const auto planes = m_run.problem().nodes[2];
#pragma omp parallel for schedule(static) num_threads(m_cpu.threads)
    for (std::size_t k = 0; k < planes; ++k) {
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

/// Lowers the times `to` to what arrives from the times `from`, which may be the same grids;
/// otherwise both layouts of `from` have been set.
template <typename T>
T PmmStepper<T>::sweep(const PmmGrids<T> &from, PmmGrids<T> &to) const
{
    const auto &a = m_run.problem().direction;
    const T ax = static_cast<T>(a[0]), ay = static_cast<T>(a[1]), az = static_cast<T>(a[2]);
    const auto &n = m_run.problem().nodes;
    const auto planeNodes =
        3 * m_run.problem().count() / (n[0] + n[1] + n[2]); // mean over all planes
    const int threads =
        marchingThreads(planeNodes, m_run.isAnisotropic(), m_cpu, m_updatesPerThread);
    T largest = 0;
#pragma omp parallel num_threads(threads) reduction(max : largest)
    {
        const auto march = [&](PaddedGrid<T> PmmGrids<T>::*layout, std::size_t normalAxis,
                               std::size_t rowAxis, const std::array<T, 3> &direction) {
            for (int sense : {1, -1})
                largest = std::max(
                    largest, subSweep(layout, from, to, {normalAxis, rowAxis, sense, direction}));
        };
        const auto slabs = rowsOfThread(static_cast<std::ptrdiff_t>(n[2]));
        march(&PmmGrids<T>::alongX, 2, 1, {ax, ay, az});
        march(&PmmGrids<T>::alongX, 1, 2, {ax, az, ay});
        for (auto k = slabs.first; k < slabs.end; ++k)
            exchangeXY(to.alongX, to.alongY, static_cast<std::size_t>(k));
#pragma omp barrier
        march(&PmmGrids<T>::alongY, 1, 2, {ay, az, ax});
        for (auto k = slabs.first; k < slabs.end; ++k)
            exchangeXY(to.alongY, to.alongX, static_cast<std::size_t>(k));
    }
    return largest;
}

/// Called by all threads of a region; each updates its rows of every plane, then waits for the
/// others.
template <typename T>
T PmmStepper<T>::subSweep(PaddedGrid<T> PmmGrids<T>::*layout, const PmmGrids<T> &from,
                          PmmGrids<T> &to, const MarchDirection<T> &direction) const
{
    const auto constant = m_run.coefficientsAt(0);
    MarchedMedium<T> medium{
        m_run.isAnisotropic(), {static_cast<T>(constant[0]), static_cast<T>(constant[1])}, {}};
    for (std::size_t c = 0; c < m_coefficients.size(); ++c)
        medium.coefficients[c] = &(m_coefficients[c].*layout);
    const PlaneMarch<T> march(from.*layout, to.*layout, medium, direction);
    const auto rows = rowsOfThread(march.rows());
    T largest = 0;
    for (std::ptrdiff_t plane = 1; plane < march.planes(); ++plane) {
        largest = std::max(largest, march.update(plane, rows));
#pragma omp barrier
    }
    return largest;
}

/// Infinite where not reached.
template <typename T>
std::vector<T> PmmStepper<T>::unpadded(const PaddedGrid<T> &grid) const
{
    std::vector<T> times(m_run.problem().count());
    giveTimes(grid, std::span(times));
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
