// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/cross_validation.h"

#include "core/kriging/fit.h"
#include "core/kriging/kriging_deviations.h"
#include "core/kriging/kriging_surrogate.h"
#include "core/support/error.h"
#include "data/evaluate/kriged_runs.h"
#include "data/evaluate/study_surrogate.h"
#include "data/study/run_space.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <random>

namespace gridhelm::data {
namespace {

constexpr std::size_t parts = 10;

/// The part of each simulation: as many in each, by a fixed shuffle.
std::vector<std::size_t> partsOf(std::size_t simulations)
{
    std::vector<std::size_t> order(simulations), part(simulations);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::mt19937_64 random(20'033);
    for (std::size_t i = simulations; i > 1; --i) // std::shuffle differs between libraries
        std::swap(order[i - 1], order[random() % i]);
    for (std::size_t i = 0; i < simulations; ++i)
        part[order[i]] = i % parts;
    return part;
}

class CrossValidation
{
public:
    CrossValidation(const Study &study, FieldIndex field, const FieldKriging &kriging,
                    const FieldAnywhere &surrogate)
        : m_surrogate(surrogate)
        , m_simulations(simulationsOf(study.description().space, kriging.model.places))
        , m_values(surrogate.values())
    {
        const auto &model = kriging.model;
        const auto modes = model.outputs();
        m_runs = {model.runs, model.dimension, modes, model.places, {}};
        const auto kriged = surrogateOf(study, field);
        for (std::size_t run = 0; run < model.runs; ++run) {
            const auto coefficients = coefficientsOfRun(kriging, *kriged, run);
            m_runs.values.insert(m_runs.values.end(), coefficients.begin(), coefficients.end());
        }
        for (std::size_t mode = 0; mode < modes; ++mode) {
            std::vector<double> alone(modes);
            alone[mode] = 1;
            m_squares.push_back(std::pow(norm(alone), 2));
        }
    }

    std::size_t simulations() const { return 1 + std::ranges::max(m_simulations); }

    /// At all runs; empty if it was stopped. Throws gridhelm::Error if a part cannot be fitted.
    std::vector<HeldOutError> atRuns(const ExecutionContext &context, const std::stop_token &stop)
    {
        const auto part = partsOf(simulations());
        kriging::FitOptions how;
        how.progress = [&](double) { return !stop.stop_requested(); };
        std::vector<HeldOutError> errors(m_runs.runs);
        for (std::size_t k = 0; k < parts; ++k) {
            std::vector<std::size_t> kept, left;
            for (std::size_t run = 0; run < m_runs.runs; ++run)
                (part[m_simulations[run]] == k ? left : kept).push_back(run);
            const auto model = kriging::fit(kriging::onlyRuns(m_runs, kept), how, context).model;
            const kriging::KrigingDeviations deviations(model, context);
            const kriging::KrigingSurrogate without(model);
            for (const auto run : left) {
                if (stop.stop_requested())
                    return {};
                errors[run] = {norm(differences(without, run)), indicator(deviations, run)};
            }
        }
        return errors;
    }

    /// The worst of each simulation.
    std::vector<HeldOutError> ofSimulations(const std::vector<HeldOutError> &errors,
                                            double floor) const
    {
        std::vector<std::optional<HeldOutError>> worst(simulations());
        for (std::size_t run = 0; run < errors.size(); ++run) {
            auto &of = worst[m_simulations[run]];
            if (!of || scoreOf(errors[run], floor) > scoreOf(*of, floor))
                of = errors[run];
        }
        std::vector<HeldOutError> all;
        for (const auto &one : worst)
            all.push_back(one.value());
        return all;
    }

private:
    std::span<const double> placeOf(std::size_t run) const
    {
        const auto d = static_cast<std::size_t>(m_runs.dimension);
        return {m_runs.places.data() + run * d, d};
    }

    /// Of the field that has these coefficients.
    double norm(const std::vector<double> &coefficients)
    {
        m_surrogate.combine(modesWith(coefficients), m_values);
        return rootMeanSquare(m_values);
    }

    /// Coefficients of a run less those predicted.
    std::vector<double> differences(const Surrogate &without, std::size_t run) const
    {
        const auto from = m_runs.values.begin() + static_cast<std::ptrdiff_t>(run * m_runs.outputs);
        std::vector<double> differences(from, from + static_cast<std::ptrdiff_t>(m_runs.outputs));
        const auto at = without.weights(placeOf(run), without.groups());
        for (std::size_t i = 0; i < at.rows.size(); ++i)
            differences[at.rows[i]] -= at.weights[i];
        return differences;
    }

    double indicator(const kriging::KrigingDeviations &deviations, std::size_t run) const
    {
        const auto variances = deviations.variances(placeOf(run));
        return std::sqrt(
            std::inner_product(variances.begin(), variances.end(), m_squares.begin(), 0.0));
    }

    const FieldAnywhere &m_surrogate;
    std::vector<std::size_t> m_simulations; ///< of the runs
    std::vector<float> m_values;
    kriging::Runs m_runs;
    std::vector<double> m_squares; ///< mean squares of the modes
};

} // namespace

std::vector<HeldOutError> crossValidate(const Study &study, FieldIndex field,
                                        const FieldKriging &kriging, const FieldAnywhere &surrogate,
                                        double floor, const ExecutionContext &context,
                                        const std::stop_token &stop)
{
    if (kriging.model.runs > mostCrossValidated)
        return {};
    CrossValidation validation(study, field, kriging, surrogate);
    if (validation.simulations() < leastCrossValidated)
        return {};
    try {
        const auto errors = validation.atRuns(context, stop);
        return errors.empty() ? errors : validation.ofSimulations(errors, floor);
    } catch (const kriging::FitStopped &) {
        return {};
    } catch (const Error &) {
        return {}; // nine tenths do not determine what all of them do
    }
}

} // namespace gridhelm::data
