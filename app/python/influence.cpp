// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/influence.h"

#include "app/python/arrays.h"
#include "app/python/watched_work.h"
#include "core/answers/sample_points.h"
#include "core/answers/shapley_effects.h"
#include "core/answers/sobol_indices.h"
#include "core/answers/uncertainty.h"
#include "data/answers/stoppable_model.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <vector>

namespace gridhelm::python {
namespace {

namespace nb = nanobind;

using Shared = std::shared_ptr<Responses>;

/// Whether a field has to be evaluated for each number.
bool isSlow(const answers::ResponseModel &model)
{
    return !model.functions().empty();
}

nb::dict sobol(const Shared &responses, std::size_t which, const InputList &list,
               std::size_t samples, std::uint64_t seed)
{
    const auto inputs = inputsOf(responses->space(), list);
    const auto indices = watched(
        [=](const std::stop_token &stop) {
            const auto &model = *responses->all().at(which).model;
            const auto count = samples != 0 ? samples : answers::usualSobolSamples(isSlow(model));
            return answers::sobolIndices(model, inputs, count, seed,
                                         responses->machine().context.cpu(),
                                         [&] { return stop.stop_requested(); })
                .front();
        },
        Unstopped::left);
    const auto d = indices.first.size();
    nb::dict out;
    out["mean"] = indices.mean;
    out["variance"] = indices.variance;
    out["is_constant"] = indices.isConstant;
    out["is_exact"] = indices.isExact;
    out["first"] = arrayOf(indices.first, {d});
    out["total"] = arrayOf(indices.total, {d});
    out["pairs"] = nb::none();
    out["first_error"] = nb::none();
    out["total_error"] = nb::none();
    if (!indices.pairs.empty())
        out["pairs"] = arrayOf(indices.pairs, {d, d});
    if (!indices.isExact && !indices.firstErrors.empty()) {
        out["first_error"] = arrayOf(indices.firstErrors, {d});
        out["total_error"] = arrayOf(indices.totalErrors, {d});
    }
    return out;
}

nb::dict shapley(const Shared &responses, std::size_t which, const InputList &list,
                 const Correlations &correlations, std::size_t samples, std::uint64_t seed)
{
    const auto inputs = inputsOf(responses->space(), list, correlations);
    const auto effects = watched(
        [=](const std::stop_token &stop) {
            const auto &model = *responses->all().at(which).model;
            const auto count = samples != 0 ? samples : answers::usualShapleySamples(isSlow(model));
            return answers::shapleyEffects(model, inputs, count, seed,
                                           responses->machine().context.cpu(),
                                           [&] { return stop.stop_requested(); });
        },
        Unstopped::left);
    const auto d = effects.effects.size();
    nb::dict out;
    out["mean"] = effects.mean;
    out["variance"] = effects.variance;
    out["is_constant"] = effects.isConstant;
    out["is_exact"] = effects.isExact;
    out["evaluations"] = effects.evaluations;
    out["effects"] = arrayOf(effects.effects, {d});
    out["errors"] = nb::none();
    if (!effects.isExact && !effects.errors.empty())
        out["errors"] = arrayOf(effects.errors, {d});
    return out;
}

nb::dict dictOf(const answers::Spread &spread)
{
    nb::dict out;
    out["mean"] = spread.mean;
    out["deviation"] = spread.deviation;
    out["low"] = spread.low;
    out["high"] = spread.high;
    out["percentiles"] = nb::cast(spread.percentiles);
    out["counts"] = nb::cast(spread.histogram.counts);
    out["above"] = nb::none();
    if (spread.above)
        out["above"] = nb::make_tuple(spread.above->share, spread.above->low, spread.above->high);
    out["density"] = nb::none();
    if (spread.density)
        out["density"] =
            nb::make_tuple(arrayOf(spread.density->values, {spread.density->values.size()}),
                           spread.density->bandwidth, spread.density->mostLikely);
    return out;
}

/// Of these responses; of several by the same samples.
struct SpreadQuestion
{
    std::optional<std::size_t> which; ///< all without
    answers::Inputs inputs;
    std::vector<double> shares;
    std::optional<double> threshold;
    std::size_t bins = 0, samples = 0; ///< samples 0: as many as make sense
    std::uint64_t seed = 1;
};

std::vector<answers::Spread> answer(const Responses &responses, const SpreadQuestion &question,
                                    const std::stop_token &stop)
{
    const auto &model =
        question.which ? *responses.all().at(*question.which).model : responses.model();
    const auto count =
        question.samples != 0 ? question.samples : answers::usualSamples(isSlow(model));
    const auto places = answers::samplePlaces(question.inputs, count, question.seed);
    auto values = answers::responsesAt(data::stoppable(model, stop), places,
                                       responses.machine().context.cpu());
    std::vector<answers::Spread> spreads;
    for (auto &ofOne : values)
        spreads.push_back(answers::spreadOf(std::move(ofOne), question.shares, question.threshold,
                                            question.bins));
    return spreads;
}

nb::list spreads(const Shared &responses, std::optional<std::size_t> which, const InputList &list,
                 const Correlations &correlations, const JointInputs &joint,
                 const std::vector<double> &shares, std::optional<double> threshold,
                 std::size_t bins, std::size_t samples, std::uint64_t seed)
{
    const SpreadQuestion question{which,  inputsOf(responses->space(), list, correlations, joint),
                                  shares, threshold,
                                  bins,   samples,
                                  seed};
    const auto found =
        watched([=](const std::stop_token &stop) { return answer(*responses, question, stop); },
                Unstopped::left);
    nb::list out;
    for (const auto &spread : found)
        out.append(dictOf(spread));
    return out;
}

} // namespace

void bindInfluence(nb::class_<Responses> &responses)
{
    responses.def("sobol", &sobol, nb::arg("response"), nb::arg("inputs"), nb::arg("samples"),
                  nb::arg("seed"));
    responses.def("shapley", &shapley, nb::arg("response"), nb::arg("inputs"),
                  nb::arg("correlations"), nb::arg("samples"), nb::arg("seed"));
    responses.def("spreads", &spreads, nb::arg("response").none(), nb::arg("inputs"),
                  nb::arg("correlations"), nb::arg("joint"), nb::arg("shares"),
                  nb::arg("threshold").none(), nb::arg("bins"), nb::arg("samples"),
                  nb::arg("seed"));
}

} // namespace gridhelm::python
