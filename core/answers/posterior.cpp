// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/posterior.h"

#include "core/answers/convergence.h"
#include "core/answers/sample_points.h"
#include "core/execution/parallel_for.h"
#include "core/support/error.h"
#include "core/support/memory_check.h"
#include "core/support/uniform_random.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace gridhelm::answers {

namespace {

constexpr double convergedRHat = 1.01; // both as [Vehtari2021] advises
constexpr double enoughSamples = 400;

/// Walkers that stretch towards and away from each other.
class Ensemble
{
public:
    Ensemble(const LogLikelihood &logLikelihood, std::size_t dimension, std::size_t walkers,
             std::uint64_t seed)
        : m_logLikelihood(logLikelihood)
        , m_dimension(dimension)
        , m_engine(seed)
    {
        // Many places, of which walkers are those that are most likely, one in eight.
        const auto candidates =
            scrambledPoints(8 * walkers, static_cast<int>(dimension), 77'003 + seed);
        std::vector<Walker> all;
        for (std::size_t i = 0; i < 8 * walkers; ++i) {
            Walker walker;
            walker.u.assign(candidates.begin() + static_cast<std::ptrdiff_t>(i * dimension),
                            candidates.begin() + static_cast<std::ptrdiff_t>((i + 1) * dimension));
            walker.logLikelihood = evaluate(walker.u);
            all.push_back(std::move(walker));
        }
        std::ranges::stable_sort(all, [](const Walker &a, const Walker &b) {
            return a.logLikelihood > b.logLikelihood;
        });
        all.resize(walkers);
        m_walkers = std::move(all);
    }

    void step()
    {
        const std::size_t half = m_walkers.size() / 2;
        for (std::size_t i = 0; i < m_walkers.size(); ++i) {
            const bool isFirst = i < half;
            const std::size_t others = isFirst ? m_walkers.size() - half : half;
            const auto other = std::min(
                static_cast<std::size_t>(uniformRandom(m_engine) * static_cast<double>(others)),
                others - 1);
            move(m_walkers[i], m_walkers[isFirst ? half + other : other]);
        }
    }

    std::size_t walkers() const { return m_walkers.size(); }
    const std::vector<double> &placeOf(std::size_t walker) const { return m_walkers[walker].u; }
    std::size_t accepted() const { return m_accepted; }
    std::size_t proposed() const { return m_proposed; }
    std::size_t evaluations() const { return m_evaluations; }

private:
    struct Walker
    {
        std::vector<double> u;
        double logLikelihood = 0;
    };

    double evaluate(const std::vector<double> &u)
    {
        ++m_evaluations;
        return m_logLikelihood(u);
    }

    void move(Walker &walker, const Walker &other)
    {
        constexpr double a = 2; // as in [Goodman2010]
        const double root =
            std::sqrt(1 / a) + uniformRandom(m_engine) * (std::sqrt(a) - std::sqrt(1 / a));
        const double z = root * root;
        const double chance = uniformRandom(m_engine);
        ++m_proposed;
        auto next = other.u;
        for (std::size_t t = 0; t < m_dimension; ++t) {
            next[t] += z * (walker.u[t] - other.u[t]);
            if (!(next[t] > 0 && next[t] < 1))
                return; // the prior is 0 there
        }
        const double logLikelihood = evaluate(next);
        const double gain = static_cast<double>(m_dimension - 1) * std::log(z) + logLikelihood
                            - walker.logLikelihood;
        if (!(std::log(chance) < gain))
            return;
        ++m_accepted;
        walker.u = std::move(next);
        walker.logLikelihood = logLikelihood;
    }

    const LogLikelihood &m_logLikelihood;
    std::size_t m_dimension;
    std::mt19937_64 m_engine;
    std::vector<Walker> m_walkers;
    std::size_t m_accepted = 0, m_proposed = 0, m_evaluations = 0;
};

/// An ensemble as one chain: its walkers, step after step.
std::vector<double> inTurn(const Chains &walkers)
{
    std::vector<double> all;
    for (std::size_t step = 0; step < walkers.front().size(); ++step)
        for (const auto &walker : walkers)
            all.push_back(walker[step]);
    return all;
}

/// What one ensemble leaves: chains[t][w] are the samples of coordinate t of walker w.
struct Recorded
{
    std::vector<Chains> chains;
    std::size_t accepted = 0, proposed = 0, evaluations = 0;
    bool cancelled = false;
};

Recorded record(const LogLikelihood &logLikelihood, std::size_t dimension, std::size_t walkers,
                std::size_t kept, std::uint64_t seed, const PosteriorOptions &options)
{
    Ensemble ensemble(logLikelihood, dimension, walkers, seed);
    const auto burnIn = static_cast<std::size_t>(
        std::ceil(static_cast<double>(kept) * options.burnIn / std::max(0.05, 1 - options.burnIn)));
    Recorded recorded;
    recorded.chains.assign(dimension, Chains(walkers));
    for (std::size_t step = 0; step < burnIn + kept && !recorded.cancelled; ++step) {
        ensemble.step();
        recorded.cancelled = options.stop && options.stop();
        for (std::size_t w = 0; step >= burnIn && w < walkers; ++w)
            for (std::size_t t = 0; t < dimension; ++t)
                recorded.chains[t][w].push_back(ensemble.placeOf(w)[t]);
    }
    recorded.accepted = ensemble.accepted();
    recorded.proposed = ensemble.proposed();
    recorded.evaluations = ensemble.evaluations();
    return recorded;
}

void addMoments(Posterior &posterior)
{
    const double uniformDeviation = std::sqrt(1.0 / 12);
    for (const auto &values : posterior.values) {
        double mean = 0, square = 0;
        for (const double value : values)
            mean += value / static_cast<double>(values.size());
        for (const double value : values)
            square += (value - mean) * (value - mean);
        posterior.means.push_back(mean);
        posterior.deviations.push_back(
            std::sqrt(square / std::max(1.0, static_cast<double>(values.size()) - 1)));
        posterior.leftOver.push_back(posterior.deviations.back() / uniformDeviation);
    }
}

} // namespace

Posterior samplePosterior(const LogLikelihood &logLikelihood, std::size_t dimension,
                          const PosteriorOptions &options)
{
    if (dimension == 0)
        throw Error("all parameters are known: leave one to be found");
    const auto ensembles = std::max<std::size_t>(options.ensembles, 1);
    const auto walkers = options.walkers > 0 ? std::max(options.walkers, 2 * dimension + 2)
                                             : std::max<std::size_t>(16, 4 * dimension);
    const auto kept = std::max<std::size_t>(8, (options.samples + ensembles * walkers - 1)
                                                   / (ensembles * walkers));
    // As they are recorded, in vectors that grow to twice what they hold, as values, and as chains.
    requireMemory(
        4 * sizeof(double) * static_cast<double>(dimension)
            * static_cast<double>(ensembles * walkers) * static_cast<double>(kept),
        fmt::format("a posterior of {} samples of {} parameters", options.samples, dimension),
        "take fewer samples");
    std::vector<Recorded> all(ensembles);
    parallelFor(ensembles, options.cpu, 1, [&](std::size_t e) {
        all[e] = record(logLikelihood, dimension, walkers, kept, options.seed * 1009 + e, options);
    });
    Posterior posterior;
    std::size_t accepted = 0, proposed = 0;
    for (const auto &recorded : all) {
        accepted += recorded.accepted;
        proposed += recorded.proposed;
        posterior.evaluations += recorded.evaluations;
        posterior.cancelled = posterior.cancelled || recorded.cancelled;
    }
    posterior.acceptance = static_cast<double>(accepted) / static_cast<double>(proposed);
    posterior.hasConverged = !posterior.cancelled;
    for (std::size_t t = 0; t < dimension; ++t) {
        Chains chains, ensembleChains;
        auto &values = posterior.values.emplace_back();
        for (const auto &recorded : all)
            chains.insert(chains.end(), recorded.chains[t].begin(), recorded.chains[t].end());
        for (const auto &chain : chains)
            values.insert(values.end(), chain.begin(), chain.end());
        posterior.unknowns.push_back(t);
        if (posterior.cancelled)
            continue;
        for (const auto &recorded : all)
            ensembleChains.push_back(inTurn(recorded.chains[t]));
        posterior.rHats.push_back(rankNormalisedRHat(ensembleChains));
        posterior.effective.push_back(effectiveSamples(chains));
        posterior.hasConverged = posterior.hasConverged && posterior.rHats.back() < convergedRHat
                                 && posterior.effective.back() >= enoughSamples;
    }
    addMoments(posterior);
    return posterior;
}

Posterior samplePosterior(const Matching &matching, const Inputs &prior,
                          const PosteriorOptions &options)
{
    if (!prior.areIndependent())
        throw Error("a prior with correlations is not possible: leave them out");
    const auto &unknowns = matching.unknowns();
    const auto placeAt = [&](std::span<const double> u) {
        std::vector<double> x(static_cast<std::size_t>(matching.dimension()), 0.5);
        for (std::size_t k = 0; k < unknowns.size(); ++k)
            x[unknowns[k]] = prior.distributions[unknowns[k]].unitQuantile(u[k]);
        return x;
    };
    auto posterior = samplePosterior(
        [&](std::span<const double> u) { return matching.logLikelihood(placeAt(u)); },
        unknowns.size(), options);
    posterior.unknowns = unknowns;
    // What is left over is told of shares of the prior; all else in the unit cube.
    const auto leftOver = posterior.leftOver;
    for (std::size_t k = 0; k < unknowns.size(); ++k)
        for (auto &value : posterior.values[k])
            value = prior.distributions[unknowns[k]].unitQuantile(value);
    posterior.means.clear();
    posterior.deviations.clear();
    addMoments(posterior);
    posterior.leftOver = leftOver;
    return posterior;
}

} // namespace gridhelm::answers
