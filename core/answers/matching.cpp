// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/matching.h"

#include "core/answers/sample_points.h"
#include "core/support/error.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace gridhelm::answers {

namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

bool areFinite(std::span<const double> values)
{
    return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

void requireSound(const MeasuredGroup &group)
{
    const auto count = group.values.size();
    if (!group.model || group.model->responses() != count || group.deviations.size() != count
        || (!group.modelErrors.empty() && group.modelErrors.size() != count)
        || group.known.size() != static_cast<std::size_t>(group.model->dimension()))
        throw Error("measurements do not fit what they are compared with; this is a fault of the "
                    "program");
    if (!areFinite(group.values) || !areFinite(group.deviations) || !areFinite(group.modelErrors))
        throw Error("a measurement is no finite number: leave it out, or correct it");
    if (!std::ranges::all_of(group.deviations, [](double sigma) { return sigma > 0; }))
        throw Error(
            "a measurement has a standard deviation of 0 or below, which no instrument has: "
            "give the one that it has");
}

struct Point
{
    std::vector<double> x;
    double chiSquare = 0;
    std::size_t iterations = 0;
};

using Stop = std::function<bool()>;
bool isStopped(const Stop &stop)
{
    return stop && stop();
}

/// Downhill from one start.
Point descend(const Matching &matching, const SearchBox &box, std::vector<double> start,
              const Stop &stop)
{
    const auto &unknowns = matching.unknowns();
    const auto n = static_cast<Eigen::Index>(matching.measurements());
    const auto p = static_cast<Eigen::Index>(unknowns.size());
    Point best{std::move(start), 0, 0};
    auto residuals = matching.residuals(best.x);
    const auto squares = [](const std::vector<double> &r) {
        return std::inner_product(r.begin(), r.end(), r.begin(), 0.0);
    };
    best.chiSquare = squares(residuals);
    double damping = 1e-3;
    for (int iteration = 0; iteration < 60 && !isStopped(stop); ++iteration) {
        ++best.iterations;
        const auto entries = matching.jacobian(best.x);
        const Eigen::Map<const Matrix> jacobian(entries.data(), n, p);
        const Eigen::Map<const Eigen::VectorXd> r(residuals.data(), n);
        const Eigen::VectorXd gradient = jacobian.transpose() * r;
        Eigen::MatrixXd normal = jacobian.transpose() * jacobian;
        // At a face, what would lead outside is held fast.
        std::vector<bool> isHeld(unknowns.size());
        for (Eigen::Index k = 0; k < p; ++k) {
            const auto t = unknowns[static_cast<std::size_t>(k)];
            isHeld[static_cast<std::size_t>(k)] = (best.x[t] <= box.low[t] && gradient[k] > 0)
                                                  || (best.x[t] >= box.high[t] && gradient[k] < 0);
        }
        bool isBetter = false;
        double largestStep = 0;
        for (int attempt = 0; attempt < 12 && !isBetter && !isStopped(stop); ++attempt) {
            Eigen::MatrixXd damped = normal;
            Eigen::VectorXd right = -gradient;
            const double scale = std::max(normal.diagonal().maxCoeff(), 1e-300);
            for (Eigen::Index k = 0; k < p; ++k) {
                damped(k, k) += damping * (normal(k, k) + 1e-9 * scale);
                if (!isHeld[static_cast<std::size_t>(k)])
                    continue;
                damped.row(k).setZero();
                damped.col(k).setZero();
                damped(k, k) = 1;
                right[k] = 0;
            }
            const Eigen::VectorXd step = damped.ldlt().solve(right);
            auto next = best.x;
            largestStep = 0;
            for (Eigen::Index k = 0; k < p; ++k) {
                const auto t = unknowns[static_cast<std::size_t>(k)];
                auto &coordinate = next[t];
                const double before = coordinate;
                if (std::isfinite(step[k]))
                    coordinate = std::clamp(coordinate + step[k], box.low[t], box.high[t]);
                largestStep = std::max(largestStep, std::abs(coordinate - before));
            }
            auto nextResiduals = matching.residuals(next);
            const double chiSquare = squares(nextResiduals);
            if (chiSquare < best.chiSquare) {
                isBetter = true;
                damping = std::max(damping / 9, 1e-12);
                best.x = std::move(next);
                best.chiSquare = chiSquare;
                residuals = std::move(nextResiduals);
            } else {
                damping = std::min(damping * 7, 1e12);
            }
        }
        if (!isBetter || largestStep < 1e-10)
            break;
    }
    return best;
}

std::vector<bool> determined(const Matching &matching, std::span<const double> x)
{
    const auto n = static_cast<Eigen::Index>(matching.measurements());
    const auto p = static_cast<Eigen::Index>(matching.unknowns().size());
    const auto entries = matching.jacobian(x);
    const Eigen::Map<const Matrix> jacobian(entries.data(), n, p);
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(jacobian, Eigen::ComputeFullV);
    std::vector<bool> all(static_cast<std::size_t>(p), true);
    for (Eigen::Index k = 0; k < p; ++k) {
        // Residuals that change by less than 1 all across the range tell nothing.
        const double singular = k < svd.singularValues().size() ? svd.singularValues()[k] : 0;
        if (singular >= 1)
            continue;
        for (Eigen::Index i = 0; i < p; ++i)
            if (std::abs(svd.matrixV()(i, k)) > 0.1)
                all[static_cast<std::size_t>(i)] = false;
    }
    return all;
}

} // namespace

Matching::Matching(std::vector<MeasuredGroup> groups)
    : m_groups(std::move(groups))
{
    std::erase_if(m_groups, [](const MeasuredGroup &group) { return group.values.empty(); });
    if (m_groups.empty())
        throw Error("there are no measurements: give at least one");
    for (const auto &group : m_groups) {
        requireSound(group);
        if (group.known.size() != m_groups.front().known.size())
            throw Error("measurements are of models with other parameters; this is a fault of the "
                        "program");
        for (std::size_t k = 0; k < group.values.size(); ++k)
            m_sigmas.push_back(std::hypot(group.deviations[k],
                                          group.modelErrors.empty() ? 0 : group.modelErrors[k]));
        m_measurements += group.values.size();
    }
    for (std::size_t t = 0; t < m_groups.front().known.size(); ++t)
        if (!std::ranges::all_of(m_groups,
                                 [t](const auto &group) { return group.known[t].has_value(); }))
            m_unknowns.push_back(t);
    if (m_unknowns.empty())
        throw Error("all parameters are known: leave one to be found");
}

std::vector<double> Matching::placeOf(const MeasuredGroup &group, std::span<const double> x) const
{
    std::vector<double> place(x.begin(), x.end());
    for (std::size_t t = 0; t < place.size(); ++t)
        place[t] = group.known[t].value_or(place[t]);
    return place;
}

std::vector<double> Matching::predicted(std::span<const double> x) const
{
    std::vector<double> all(m_measurements);
    std::size_t first = 0;
    for (const auto &group : m_groups) {
        const std::span<double> part(all.data() + first, group.values.size());
        group.model->values(placeOf(group, x), part);
        first += part.size();
    }
    return all;
}

std::vector<double> Matching::residuals(std::span<const double> x) const
{
    auto all = predicted(x);
    std::size_t i = 0;
    for (const auto &group : m_groups)
        for (const double value : group.values) {
            all[i] = (all[i] - value) / m_sigmas[i];
            ++i;
        }
    return all;
}

std::vector<double> Matching::jacobian(std::span<const double> x) const
{
    std::vector<double> all(m_measurements * m_unknowns.size());
    std::vector<double> gradients;
    std::size_t row = 0;
    for (const auto &group : m_groups) {
        const auto d = group.known.size();
        gradients.resize(group.values.size() * d);
        group.model->gradients(placeOf(group, x), gradients);
        for (std::size_t k = 0; k < group.values.size(); ++k, ++row)
            for (std::size_t u = 0; u < m_unknowns.size(); ++u) {
                const auto t = m_unknowns[u];
                all[row * m_unknowns.size() + u] =
                    group.known[t] ? 0 : gradients[k * d + t] / m_sigmas[row];
            }
    }
    return all;
}

double Matching::logLikelihood(std::span<const double> x) const
{
    double sum = 0;
    for (const double r : residuals(x))
        sum -= 0.5 * r * r;
    return sum;
}

SearchBox boxOf(const Inputs &prior)
{
    SearchBox box;
    for (const auto &distribution : prior.distributions) {
        box.low.push_back(distribution.unitQuantile(0));
        box.high.push_back(distribution.unitQuantile(1));
    }
    return box;
}

BestFit bestFit(const Matching &matching, std::size_t starts, std::uint64_t seed,
                std::span<const double> start, SearchBox box, const std::function<bool()> &stop)
{
    const auto &unknowns = matching.unknowns();
    if (box.low.empty()) {
        box.low.assign(static_cast<std::size_t>(matching.dimension()), 0.0);
        box.high.assign(box.low.size(), 1.0);
    }
    std::vector<Point> places;
    if (!start.empty()) {
        places.push_back({{start.begin(), start.end()}, 0, 0});
    } else {
        const std::size_t tried = 32 * std::max<std::size_t>(starts, 1);
        const auto u = scrambledPoints(tried, static_cast<int>(unknowns.size()), seed);
        for (std::size_t i = 0; i < tried && (i == 0 || !isStopped(stop)); ++i) {
            Point place{std::vector<double>(static_cast<std::size_t>(matching.dimension()), 0.5), 0,
                        0};
            for (std::size_t k = 0; k < unknowns.size(); ++k)
                place.x[unknowns[k]] = std::lerp(box.low[unknowns[k]], box.high[unknowns[k]],
                                                 u[i * unknowns.size() + k]);
            place.chiSquare = -2 * matching.logLikelihood(place.x);
            places.push_back(std::move(place));
        }
        std::ranges::stable_sort(places, {}, &Point::chiSquare);
        places.resize(std::min(places.size(), std::max<std::size_t>(starts, 1)));
    }
    BestFit fit;
    fit.starts = places.size();
    for (auto &place : places) {
        place = descend(matching, box, std::move(place.x), stop);
        fit.iterations += place.iterations;
    }
    const auto best = std::ranges::min_element(places, {}, &Point::chiSquare);
    if (!std::isfinite(best->chiSquare))
        throw Error("measurements are so many standard deviations off that it is no finite number: "
                    "look at their values, units and deviations");
    for (const auto &place : places)
        fit.startsThatAgree += place.chiSquare <= best->chiSquare + 0.01 ? 1 : 0;
    fit.x = best->x;
    fit.chiSquare = best->chiSquare;
    fit.isDetermined = determined(matching, fit.x);
    fit.cancelled = isStopped(stop);
    return fit;
}

} // namespace gridhelm::answers
