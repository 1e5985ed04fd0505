// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/kriged_runs.h"

namespace gridhelm::data {

std::vector<double> coefficientsOfRun(const FieldKriging &kriging, const Surrogate &surrogate,
                                      std::size_t run)
{
    const auto &model = kriging.model;
    const auto d = static_cast<std::size_t>(model.dimension);
    std::vector<double> coefficients(model.outputs());
    const auto at = surrogate.weights({model.places.data() + run * d, d}, surrogate.groups());
    for (std::size_t i = 0; i < at.rows.size(); ++i)
        coefficients[at.rows[i]] = at.weights[i];
    for (const auto &group : model.groups)
        for (std::size_t output = 0; output < group.outputs; ++output)
            coefficients[group.first + output] +=
                group.hyperparameters.nugget * group.weights[output * model.runs + run];
    return coefficients;
}

SparseWeights modesWith(const std::vector<double> &coefficients)
{
    SparseWeights all;
    for (std::size_t m = 0; m < coefficients.size(); ++m) {
        all.rows.push_back(m);
        all.weights.push_back(coefficients[m]);
    }
    all.lastGroupBegin = coefficients.size();
    return all;
}

} // namespace gridhelm::data
