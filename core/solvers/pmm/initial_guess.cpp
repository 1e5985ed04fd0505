// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/pmm/initial_guess.h"

#include "core/solvers/pmm/plane_kernel.h"
#include "core/solvers/pmm/source_times.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gridhelm::solvers {

namespace {

/// Stretched further, a guess is hardly better than none.
constexpr double maxStretch = 10;

/// Units in the last place by which an arrival may be later than the same arrival, computed at
/// another time, from times that were rounded since.
constexpr double roundOff = 8;

template <typename T>
constexpr T infinite = std::numeric_limits<T>::infinity();

/// Lowers the values to the source's times.
template <typename T>
void takeSource(const PmmProblem &problem, std::vector<T> &times)
{
    for (const auto &source : sourceTimes(problem))
        times[source.node] = std::min(times[source.node], static_cast<T>(source.time));
}

template <typename T>
std::vector<T> sourceAlone(const PmmProblem &problem)
{
    std::vector<T> times(problem.count(), infinite<T>);
    takeSource(problem, times);
    return times;
}

/// No front needs less from one plane to the next: h / (F + |psi| |a|).
double shortestTravel(const PmmProblem &problem, double directionLength, std::size_t node)
{
    return problem.spacing
           / (problem.speedAt(node) + std::abs(problem.advectionAt(node)) * directionLength);
}

} // namespace

template <typename T>
std::vector<T> guessedTimes(const PmmProblem &problem)
{
    std::vector<T> times(problem.count());
    std::transform(
        problem.initialGuess->begin(), problem.initialGuess->end(), times.begin(), [](double time) {
            return time < static_cast<double>(unreachedTime<T>) / 2 ? static_cast<T>(time)
                                                                    : infinite<T>;
        });
    takeSource(problem, times);
    return times;
}

template <typename T>
bool restoreSource(const PmmProblem &problem, std::span<const T> arrivals, std::vector<T> &guess)
{
    const auto source = sourceAlone<T>(problem);
    bool restored = false;
    for (std::size_t node = 0; node < guess.size(); ++node) {
        if (guess[node] < source[node] && !(arrivals[node] < source[node])
            && std::isfinite(source[node])) {
            guess[node] = source[node];
            restored = true;
        }
    }
    return restored;
}

template <typename T>
double guessStretch(const PmmProblem &problem, std::span<const T> arrivals,
                    std::span<const T> guess)
{
    const auto source = sourceAlone<T>(problem);
    const T first = *std::min_element(source.begin(), source.end());
    const auto &a = problem.direction;
    const double length = std::hypot(a[0], a[1], a[2]);
    double largest = 0; // how much too early, in parts of the shortest travel
    for (std::size_t node = 0; node < guess.size(); ++node) {
        if (guess[node] < first) // perhaps so early that a travel time does not change it
            return infinite<double>;
        if (guess[node] >= arrivals[node] || guess[node] == source[node])
            continue;
        const auto time = static_cast<double>(guess[node]);
        const double tooEarly = static_cast<double>(arrivals[node]) - time;
        const double rounding = roundOff * static_cast<double>(std::numeric_limits<T>::epsilon())
                                * std::max(std::abs(time), std::abs(time + tooEarly));
        if (std::isinf(tooEarly) || tooEarly > rounding)
            largest = std::max(largest, tooEarly / shortestTravel(problem, length, node));
    }
    // Stretched by f, a time that was too early by e is by f e - (f - 1) tau, or less.
    const double factor = largest < 1 ? 1 / (1 - largest) : infinite<double>;
    return factor <= maxStretch ? factor : infinite<double>;
}

template <typename T>
void stretchGuess(const PmmProblem &problem, double factor, std::vector<T> &guess)
{
    double first = infinite<double>;
    for (const auto &source : sourceTimes(problem))
        first = std::min(first, source.time);
    for (T &time : guess)
        time = static_cast<T>(first + factor * (static_cast<double>(time) - first));
    takeSource(problem, guess);
}

template std::vector<float> guessedTimes<float>(const PmmProblem &);
template std::vector<double> guessedTimes<double>(const PmmProblem &);
template bool restoreSource<float>(const PmmProblem &, std::span<const float>,
                                   std::vector<float> &);
template bool restoreSource<double>(const PmmProblem &, std::span<const double>,
                                    std::vector<double> &);
template double guessStretch<float>(const PmmProblem &, std::span<const float>,
                                    std::span<const float>);
template double guessStretch<double>(const PmmProblem &, std::span<const double>,
                                     std::span<const double>);
template void stretchGuess<float>(const PmmProblem &, double, std::vector<float> &);
template void stretchGuess<double>(const PmmProblem &, double, std::vector<double> &);

} // namespace gridhelm::solvers
