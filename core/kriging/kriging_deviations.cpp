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
        Hyperparameters hyperparameters;
        Matrix warped; ///< places, runs x dimension
        std::optional<BorderedFactor> factor;
    };
    Form form;
    int dimension = 0;
    std::vector<Group> groups;                  ///< those with a factor
    std::vector<std::vector<double>> variances; ///< the processes', of each group of the model
};

KrigingDeviations::KrigingDeviations(const Model &model, const ExecutionContext &context,
                                     std::size_t memory)
{
    requireSound(model);
    auto parts = std::make_unique<Parts>();
    parts->form = model.form;
    parts->dimension = model.dimension;
    for (const auto &group : model.groups)
        parts->variances.push_back(group.variances);
    const std::size_t bytes = model.runs * model.runs * sizeof(double);
    parts->groups.resize(std::clamp<std::size_t>(memory / bytes, 1, model.groups.size()));

    const Matrix places = rowMajorMatrix(model.places, model.runs);
    const Matrix trend = trendAt(places, model.form.linear);
    parallelFor(parts->groups.size(), context.cpu(), 1, [&](std::size_t k) {
        auto &group = parts->groups[k];
        group.hyperparameters = model.groups[k].hyperparameters;
        group.warped = warpedPlaces(places, group.hyperparameters);
        Matrix correlations;
        fillCorrelations(group.warped, group.hyperparameters, model.form.smoothness, correlations);
        group.factor = BorderedFactor::of(std::move(correlations), trend);
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
    const Vector trend = trendAt(inside, m_parts->form.linear);
    std::vector<double> result;
    double relative = 0;
    for (std::size_t k = 0; k < m_parts->variances.size(); ++k) {
        if (k < m_parts->groups.size()) {
            const auto &group = m_parts->groups[k];
            relative = group.factor->variance(
                correlationsWith(group.warped, warpedPlace(inside, group.hyperparameters),
                                 group.hyperparameters, m_parts->form.smoothness),
                trend);
        }
        for (const double variance : m_parts->variances[k])
            result.push_back(relative * variance);
    }
    return result;
}

double KrigingDeviations::ofField(std::span<const double> x) const
{
    const auto all = variances(x);
    return std::sqrt(std::accumulate(all.begin(), all.end(), 0.0));
}

} // namespace gridhelm::kriging
