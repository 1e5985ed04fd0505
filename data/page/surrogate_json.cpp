// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/page/surrogate_json.h"

#include "core/answers/grid_of_surrogate.h"
#include "core/answers/response_model.h"
#include "core/kriging/kriging_surrogate.h"
#include "core/support/error.h"
#include "data/evaluate/kriged_field.h"
#include "data/evaluate/quantised_grid.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace gridhelm::data {

namespace {

nlohmann::json gridJson(const answers::GridCoefficients &of, const GridOptions &how,
                        PackedArrays &arrays)
{
    const auto &grid = *of.grid;
    nlohmann::json treatments = nlohmann::json::array();
    for (const auto treatment : grid.treatments())
        treatments.push_back(std::string(sparse::toString(treatment)));
    const std::vector<std::int32_t> levels(grid.levelVectors().begin(), grid.levelVectors().end());
    const auto first = how.complete > 0 ? grid.groupFirstPoint(how.complete - 1) : 0;
    const auto end = how.complete > 0 ? grid.groupFirstPoint(how.complete) : 0;
    // Those of an output side by side: most of its fine ones are alike.
    const auto points = of.columns == 0 ? 0 : of.coefficients.size() / of.columns;
    std::vector<double> coefficients;
    for (std::size_t k = 0; k < of.columns; ++k)
        for (std::size_t point = 0; point < points; ++point)
            coefficients.push_back(of.coefficients[point * of.columns + k]);
    const auto packed = [&] {
        if (how.step > 0) {
            std::vector<std::int32_t> multiples;
            for (const double value : coefficients)
                multiples.push_back(static_cast<std::int32_t>(std::lround(value / how.step)));
            return arrays.add(multiples);
        }
        const std::vector<float> inSingle(coefficients.begin(), coefficients.end());
        const bool areSingle = std::ranges::equal(
            coefficients, inSingle, [](double a, float b) { return a == static_cast<double>(b); });
        return areSingle ? arrays.add(inSingle) : arrays.add(coefficients);
    }();
    nlohmann::json header{{"kind", "grid"},
                          {"treatments", treatments},
                          {"degrees", grid.degrees()},
                          {"levels", arrays.add(levels)},
                          {"outputs", of.columns},
                          {"coefficients", packed},
                          {"step", how.step},
                          {"indicator", {first, end}}};
    if (std::ranges::find(grid.treatments(), sparse::BoundaryTreatment::leja)
        != grid.treatments().end())
        header["leja"] = sparse::treatments::lejaPoints;
    return header;
}

nlohmann::json krigingJson(const kriging::Model &model, RowOutputs wanted, PackedArrays &arrays)
{
    nlohmann::json groups = nlohmann::json::array();
    for (const auto &group : model.groups) {
        // Of the outputs that are wanted, those that anything of this group goes into.
        std::vector<std::size_t> outputs;
        std::vector<double> trend, weights, variances;
        const auto terms = group.trend.size() / group.outputs;
        for (std::size_t k = 0; k < wanted.outputs; ++k) {
            std::vector<double> trendOf(terms), weightsOf(model.runs);
            double variance = 0;
            bool isAny = false;
            for (std::size_t m = 0; m < group.outputs; ++m) {
                const double share = wanted.shares[(group.first + m) * wanted.outputs + k];
                if (share == 0)
                    continue;
                isAny = true;
                for (std::size_t j = 0; j < terms; ++j)
                    trendOf[j] += share * group.trend[m * terms + j];
                for (std::size_t run = 0; run < model.runs; ++run)
                    weightsOf[run] += share * group.weights[m * model.runs + run];
                variance += share * share * group.variances[m];
            }
            if (!isAny)
                continue;
            outputs.push_back(k);
            trend.insert(trend.end(), trendOf.begin(), trendOf.end());
            weights.insert(weights.end(), weightsOf.begin(), weightsOf.end());
            variances.push_back(variance);
        }
        if (outputs.empty())
            continue;
        const auto &how = group.hyperparameters;
        groups.push_back(
            {{"smoothness", std::string(nameOf(group.form.smoothness))},
             {"linear", group.form.linear},
             {"lengths", how.lengths},
             {"nugget", how.nugget},
             {"warp", how.isWarped() ? nlohmann::json({how.warpA, how.warpB}) : nlohmann::json()},
             {"outputs", outputs},
             {"variances", variances},
             {"trend", arrays.add(trend)},
             {"weights", arrays.add(weights)}});
    }
    return {{"kind", "kriging"},
            {"runs", model.runs},
            {"outputs", wanted.outputs},
            {"places", arrays.add(model.places)},
            {"groups", groups}};
}

const kriging::Model *modelOf(const Surrogate &surrogate)
{
    if (const auto *kriged = krigedOf(surrogate))
        return &kriged->kriging().model;
    const auto *kriging = dynamic_cast<const kriging::KrigingSurrogate *>(&surrogate);
    return kriging ? &kriging->model() : nullptr;
}

} // namespace

nlohmann::json surrogateJson(const Surrogate &surrogate, RowOutputs outputs, PackedArrays &arrays,
                             GridOptions ofGrid)
{
    if (outputs.shares.size() != surrogate.rows() * outputs.outputs)
        throw Error("the outputs of a page's surrogate do not fit its rows; this is a fault of the "
                    "program");
    if (const auto *model = modelOf(surrogate))
        return krigingJson(*model, outputs, arrays);
    const auto *inFewBits = quantisedGridOf(surrogate); // its weights are the grid's
    const auto coefficients = answers::gridCoefficients(inFewBits ? inFewBits->ofRows() : surrogate,
                                                        outputs.shares, outputs.outputs);
    if (!coefficients)
        throw Error("a surrogate of this kind cannot be shown in a page; this is a fault of the "
                    "program");
    return gridJson(*coefficients, ofGrid, arrays);
}

} // namespace gridhelm::data
