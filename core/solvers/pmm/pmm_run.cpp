// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/pmm/pmm_run.h"

#include "core/support/error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace gridhelm::solvers {

namespace {

constexpr double flopsIsotropic = 130;
constexpr double flopsAnisotropic = 430;

/// Parts of F that |psi| |a| may have after a live change.
constexpr double safety = 0.99;

double largestAdvectionRatio(const PmmProblem &problem)
{
    const bool samePsi = std::holds_alternative<double>(problem.advection);
    const std::size_t distinct = variesInSpace(problem) ? problem.count() : 1;
    double largest = 0;
    for (std::size_t node = 0; node < distinct; ++node) {
        const double psi = samePsi ? 1 : std::abs(PmmProblem::valueAt(problem.advection, node));
        largest = std::max(largest, psi / PmmProblem::valueAt(problem.speed, node));
    }
    return largest;
}

} // namespace

PmmRun::PmmRun(const PmmProblem &problem, std::size_t valueBytes)
    : m_problem(problem)
    , m_valueBytes(static_cast<double>(valueBytes))
    , m_largestRatio(largestAdvectionRatio(problem))
{
    begin();
}

void PmmRun::begin()
{
    m_anisotropic = solvers::isAnisotropic(m_problem);
    m_largestChange = StepReport::none;
}

std::string_view PmmRun::method() const
{
    return m_anisotropic ? "pmm anisotropic" : "pmm isotropic";
}

MediumCoefficients<double> PmmRun::coefficientsAt(std::size_t node) const
{
    const double h = m_problem.spacing;
    const double speed = m_problem.speedAt(node);
    if (!m_anisotropic)
        return isotropicCoefficients(h, speed);
    const auto &a = m_problem.direction;
    return anisotropicCoefficients(h, speed, m_problem.advectionAt(node),
                                   a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

void PmmRun::countSweep()
{
    const auto nodes = static_cast<double>(m_problem.count());
    ++m_sweeps;
    m_flops += 6 * nodes * (m_anisotropic ? flopsAnisotropic : flopsIsotropic);
    const double coefficients = !variesInSpace(m_problem) ? 0 : m_anisotropic ? 2 : 1;
    m_bytes += nodes * m_valueBytes * (6 * (2 + coefficients) + 4);
}

StepReport PmmRun::report() const
{
    StepReport result;
    result.iterations = m_sweeps;
    result.largestChange = m_largestChange;
    result.seconds = m_seconds;
    result.flops = m_flops;
    result.bytes = m_bytes;
    return result;
}

/// The largest |psi| |a| / F.
double PmmRun::advectionPerSpeed() const
{
    const auto &a = m_problem.direction;
    const double *psi = std::get_if<double>(&m_problem.advection);
    return m_largestRatio * std::abs(m_problem.advectionScale * (psi ? *psi : 1))
           * std::hypot(a[0], a[1], a[2]) / m_problem.speedScale;
}

/// The ranges are those in which the front can spread while the other parameters stay.
std::vector<LiveParameter> PmmRun::liveParameters() const
{
    const double ratio = advectionPerSpeed();
    const double scale = m_problem.speedScale;
    std::vector<LiveParameter> result;
    result.push_back({"F scale", "", scale,
                      std::min(scale, std::max(scale * ratio / safety, std::min(0.1, scale))),
                      std::max(10.0, 10 * scale)});

    const auto &a = m_problem.direction;
    const double length = std::hypot(a[0], a[1], a[2]);
    const bool samePsi = std::holds_alternative<double>(m_problem.advection);
    const double psi = samePsi ? std::get<double>(m_problem.advection) : m_problem.advectionScale;
    const double other = samePsi ? std::abs(m_problem.advectionScale) : 1;
    const double perPsi = m_largestRatio * other * length / scale;
    const double maxPsi = std::max(std::abs(psi), perPsi > 0 ? safety / perPsi : 10.0);
    result.push_back({samePsi ? "psi" : "psi scale", "", psi, -maxPsi, maxPsi});

    const double perLength = m_largestRatio * other * std::abs(psi) / scale;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        double most = 10;
        if (perLength > 0) {
            const double rest = length * length - a[axis] * a[axis];
            most = std::sqrt(std::max(0.0, std::pow(safety / perLength, 2) - rest));
        }
        most = std::max(most, std::abs(a[axis]));
        result.push_back({std::string("a ") + "xyz"[axis], "", a[axis], -most, most});
    }
    return result;
}

double &PmmRun::liveValue(std::string_view name)
{
    double *psi = std::get_if<double>(&m_problem.advection);
    const std::string_view psiName = psi ? "psi" : "psi scale";
    if (name == "F scale")
        return m_problem.speedScale;
    if (name == psiName)
        return psi ? *psi : m_problem.advectionScale;
    constexpr std::array<std::string_view, 3> components{"a x", "a y", "a z"};
    const auto found = std::find(components.begin(), components.end(), name);
    if (found == components.end())
        throw Error("there is no live parameter \"" + std::string(name)
                    + "\"; choose \"F scale\", \"" + std::string(psiName)
                    + "\", \"a x\", \"a y\" or \"a z\"");
    return m_problem.direction[static_cast<std::size_t>(found - components.begin())];
}

bool PmmRun::setLiveParameter(std::string_view name, double value)
{
    double &parameter = liveValue(name);
    if (!std::isfinite(value))
        throw Error("\"" + std::string(name) + "\" is not a finite number; choose another value");
    if (parameter == value)
        return false;
    const double previous = std::exchange(parameter, value);
    try {
        requireSpreading(m_problem);
    } catch (...) {
        parameter = previous;
        throw;
    }
    begin();
    return true;
}

template <typename T>
double largestError(const PmmProblem &problem, std::span<const T> times, std::size_t firstPlane)
{
    double error = 0;
    for (std::size_t k = firstPlane, node = 0; node < times.size(); ++k) {
        for (std::size_t j = 0; j < problem.nodes[1]; ++j) {
            for (std::size_t i = 0; i < problem.nodes[0]; ++i, ++node) {
                const double known = problem.knownSolution(problem.position(i, j, k));
                error = std::max(error, std::abs(static_cast<double>(times[node]) - known));
            }
        }
    }
    return error;
}

/// A sweep rounds each arrival anew from neighbours that were rounded, so that the earliest of them
/// goes on falling by units in the last place. Measured at 128^3 nodes with advection: once the
/// front's own changes have ceased, those of a sweep are 0.2 to 4 units of the latest time, and
/// take up to ten sweeps to cease.
template <typename T>
double roundOffOf(std::span<const T> times)
{
    constexpr T units = 4;
    T latest = 0;
    for (const T time : times)
        if (std::isfinite(time))
            latest = std::max(latest, std::abs(time));
    return static_cast<double>(units * std::numeric_limits<T>::epsilon() * latest);
}

template double roundOffOf<float>(std::span<const float>);
template double roundOffOf<double>(std::span<const double>);
template double largestError<float>(const PmmProblem &, std::span<const float>, std::size_t);
template double largestError<double>(const PmmProblem &, std::span<const double>, std::size_t);

} // namespace gridhelm::solvers
