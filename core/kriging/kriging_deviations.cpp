// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kriging/kriging_deviations.h"

#include "core/execution/parallel_for.h"
#include "core/kriging/bordered_factor.h"
#include "core/kriging/trend.h"
#include "core/support/error.h"
#include "core/surrogate/place.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

namespace gridhelm::kriging {

struct KrigingDeviations::Parts
{
    struct Group
    {
        Form form;
        Hyperparameters hyperparameters;
        Matrix warped; ///< places, runs x dimension
        std::optional<BorderedFactor> factor;
    };
    struct Variances
    {
        std::size_t first = 0; ///< output
        std::vector<double> ofProcesses;
    };
    int dimension = 0;
    std::size_t outputs = 0;
    std::vector<Group> groups;        ///< those with a factor
    std::vector<Variances> variances; ///< of each group of the model
};

KrigingDeviations::KrigingDeviations(const Model &model, const ExecutionContext &context,
                                     std::size_t memory)
{
    requireSound(model);
    auto parts = std::make_unique<Parts>();
    parts->dimension = model.dimension;
    parts->outputs = model.outputs();
    for (const auto &group : model.groups)
        parts->variances.push_back({group.first, group.variances});
    const std::size_t bytes = model.runs * model.runs * sizeof(double);
    parts->groups.resize(std::clamp<std::size_t>(memory / bytes, 1, model.groups.size()));

    const Matrix places = rowMajorMatrix(model.places, model.runs);
    parallelFor(parts->groups.size(), context.cpu(), 1, [&](std::size_t k) {
        auto &group = parts->groups[k];
        group.form = model.groups[k].form;
        group.hyperparameters = model.groups[k].hyperparameters;
        group.warped = warpedPlaces(places, group.hyperparameters);
        Matrix correlations;
        fillCorrelations(group.warped, group.hyperparameters, group.form.smoothness, correlations);
        group.factor =
            BorderedFactor::of(std::move(correlations), trendAt(places, group.form.linear));
        if (!group.factor)
            throw Error("the correlations of a kriging surrogate are singular: fit it again");
    });
    m_parts = std::move(parts);
}

KrigingDeviations::~KrigingDeviations() = default;

std::vector<double> KrigingDeviations::variances(std::span<const double> x) const
{
    requireCoordinates(x, m_parts->dimension);
    std::vector<double> inside;
    for (const double coordinate : x)
        inside.push_back(std::clamp(coordinate, 0.0, 1.0));
    std::vector<double> result(m_parts->outputs);
    double relative = 0;
    for (std::size_t k = 0; k < m_parts->variances.size(); ++k) {
        if (k < m_parts->groups.size()) {
            const auto &group = m_parts->groups[k];
            relative = group.factor->variance(
                correlationsWith(group.warped, warpedPlace(inside, group.hyperparameters),
                                 group.hyperparameters, group.form.smoothness),
                trendAt(inside, group.form.linear));
        }
        const auto &[first, ofProcesses] = m_parts->variances[k];
        for (std::size_t m = 0; m < ofProcesses.size(); ++m)
            result[first + m] += relative * ofProcesses[m];
    }
    return result;
}

double KrigingDeviations::ofField(std::span<const double> x) const
{
    const auto all = variances(x);
    return std::sqrt(std::accumulate(all.begin(), all.end(), 0.0));
}

} // namespace gridhelm::kriging
