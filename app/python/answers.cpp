// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/answers.h"

#include "app/python/arrays.h"
#include "app/python/errors.h"
#include "app/python/influence.h"
#include "app/python/responses.h"
#include "app/python/watched_work.h"
#include "core/answers/posterior.h"
#include "core/parameters/unit_slope.h"
#include "data/answers/default_responses.h"
#include "data/answers/response_validation.h"
#include "data/answers/study_match.h"
#include "data/campaign/study_outlook.h"
#include "data/study/study_errors.h"
#include "data/study/study_writer.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <tuple>
#include <utility>

namespace gridhelm::python {
namespace {

namespace nb = nanobind;

std::shared_ptr<Responses> responsesOf(const std::string &path, const std::string &devices,
                                       int threads)
{
    const auto machine = machineWith(devices, threads);
    return watched(
        [=](const std::stop_token &) { return std::make_shared<Responses>(path, machine); },
        Unstopped::left);
}

std::vector<std::string> namesOf(const Responses &responses)
{
    std::vector<std::string> names;
    for (const auto &response : responses.all())
        names.push_back(response.definition.name);
    return names;
}

/// Of each: at most, coverage, hold-outs; none where it was not measured.
std::vector<std::optional<std::tuple<double, double, std::size_t>>>
errorsOf(const Responses &responses)
{
    std::vector<std::optional<std::tuple<double, double, std::size_t>>> errors;
    for (const auto &response : responses.all()) {
        auto &error = errors.emplace_back();
        if (response.band)
            error.emplace(response.band->offset, response.band->coverage, response.band->holdOuts);
    }
    return errors;
}

/// Of each: names of runs, runs x parameters, actual and predicted values, whether runs were left
/// out, root mean square error, R^2; or a sentence why there are none.
nb::list validationsOf(const std::shared_ptr<Responses> &responses, const std::string &path)
{
    const auto found = watched(
        [=](const std::stop_token &stop) {
            return data::againIfChanged([&] {
                const auto study = data::Study::open(path);
                return data::validationsOf(study, responses->all(), placesOf(study),
                                           responses->machine().context, stop);
            });
        },
        Unstopped::left);
    nb::list all;
    for (const auto &validation : found) {
        if (!validation.whyNone.empty()) {
            all.append(validation.whyNone);
            continue;
        }
        std::vector<std::string> names;
        std::vector<double> places, actual, predicted;
        for (const auto &run : validation.runs) {
            names.push_back(run.name);
            places.insert(places.end(), run.parameters.begin(), run.parameters.end());
            actual.push_back(run.actual);
            predicted.push_back(run.predicted);
        }
        const auto n = names.size();
        all.append(nb::make_tuple(nb::tuple(nb::cast(names)),
                                  arrayOf(places, {n, places.size() / n}), arrayOf(actual, {n}),
                                  arrayOf(predicted, {n}), validation.isLeftOut,
                                  validation.rootMeanSquare(), validation.r2()));
    }
    return all;
}

/// points x responses, or with `gradients` points x responses x parameters, by their units.
DoubleArray evaluate(const std::shared_ptr<Responses> &responses, const Points &points,
                     bool gradients)
{
    const auto &space = responses->space();
    const auto n = points.shape(0), d = points.shape(1), k = responses->all().size();
    if (d != static_cast<std::size_t>(space.dimension()))
        throw ArgumentError("the points need one column for each parameter");
    std::vector<std::vector<double>> places, parameters;
    for (std::size_t i = 0; i < n; ++i) {
        const auto at = row(points, i);
        parameters.emplace_back(at.begin(), at.end());
        places.push_back(responses->placeOf(at));
    }
    const auto numbers = watched(
        [=](const std::stop_token &stop) {
            const auto length = gradients ? k * d : k;
            std::vector<double> out(n * length);
            for (std::size_t i = 0; i < n && !stop.stop_requested(); ++i) {
                const auto here = std::span(out).subspan(i * length, length);
                if (!gradients) {
                    responses->model().values(places[i], here);
                    continue;
                }
                responses->model().gradients(places[i], here);
                for (std::size_t j = 0; j < length; ++j)
                    here[j] /= unitSlope(responses->space()[j % d], parameters[i][j % d]);
            }
            return out;
        },
        Unstopped::left);
    return gradients ? arrayOf(numbers, {n, k, d}) : arrayOf(numbers, {n, k});
}

void define(const std::string &path, const data::ResponseDefinition &definition,
            const std::string &devices, int threads)
{
    const auto context = machineWith(devices, threads).context;
    runWatched(
        [=](const std::stop_token &stop) {
            {
                const auto study = data::Study::open(path);
                data::studyResponses(study, {definition}, placesOf(study), context);
            }
            if (stop.stop_requested())
                return;
            auto writer = data::StudyWriter::open(path);
            writer.putResponse(definition);
            writer.close();
        },
        Unstopped::left);
}

void forget(const std::string &path, const std::string &name)
{
    auto writer = data::StudyWriter::open(path);
    data::responseIndex(writer.responses(), name);
    writer.removeResponse(name);
    writer.close();
}

struct Found
{
    ParameterSpace space;
    data::StudyMatch matched;
    answers::BestFit fit;
    std::optional<answers::Posterior> posterior;
    std::vector<std::string> doubts;
};

struct MatchOptions
{
    std::string path, table, source;
    InputList inputs;
    std::vector<std::pair<std::string, double>> fixed;
    std::size_t samples = 0; ///< 0: the best fit alone
    std::uint64_t seed = 1;
    Machine machine;
};

Found find(const MatchOptions &options, const std::stop_token &stop)
{
    const auto study = data::Study::open(options.path);
    const auto &space = study.description().space;
    auto inputs = inputsOf(space, options.inputs);
    std::vector<std::optional<double>> fixed(space.parameters().size());
    for (const auto &[name, value] : options.fixed) {
        const auto t = space.indexOf(name);
        fixed[t] = value;
        inputs.distributions[t] = answers::InputDistribution::ofSamples({value}, space[t]);
    }
    auto measurements = data::parseMeasurements(options.table, options.source, study);
    data::holdFixed(measurements, space, fixed, "fixed");
    Found found{
        space,
        data::matchOf(study, std::move(measurements), placesOf(study), options.machine.context),
        {},
        {},
        {}};
    const auto &matching = *found.matched.matching;
    const auto isStopped = [&] { return stop.stop_requested(); };
    found.fit = answers::bestFit(matching, 8, options.seed, {}, answers::boxOf(inputs), isStopped);
    if (found.fit.cancelled)
        throw Error("the question was taken back");
    if (options.samples > 0) {
        answers::PosteriorOptions how;
        how.samples = options.samples;
        how.seed = options.seed;
        how.cpu = options.machine.context.cpu();
        how.stop = isStopped;
        found.posterior = answers::samplePosterior(matching, inputs, how);
    }
    found.doubts = data::matchDoubts(found.matched, space, found.fit,
                                     found.posterior ? &*found.posterior : nullptr,
                                     data::howToMeasure(data::outlookOf(study)));
    return found;
}

nb::dict dictOf(const Found &found)
{
    const auto values = found.space.fromUnit(found.fit.x);
    const auto &unknowns = found.matched.matching->unknowns();
    nb::dict out, at, determined, posterior;
    for (std::size_t k = 0; k < unknowns.size(); ++k) {
        const auto &parameter = found.space[unknowns[k]];
        at[parameter.name.c_str()] = values[unknowns[k]];
        determined[parameter.name.c_str()] = static_cast<bool>(found.fit.isDetermined[k]);
        if (!found.posterior)
            continue;
        const auto samples = data::posteriorSamples(found.space, *found.posterior, k);
        posterior[parameter.name.c_str()] =
            nb::make_tuple(arrayOf(samples, {samples.size()}), found.posterior->rHats[k],
                           found.posterior->effective[k]);
    }
    const auto count = found.matched.measurements.size();
    std::vector<double> measured;
    for (const auto &measurement : found.matched.measurements)
        measured.push_back(measurement.value);
    out["at"] = at;
    out["determined"] = determined;
    out["chi_square"] = found.fit.chiSquare;
    out["measured"] = arrayOf(measured, {count});
    out["predicted"] = arrayOf(found.matched.matching->predicted(found.fit.x), {count});
    out["residuals"] = arrayOf(found.matched.matching->residuals(found.fit.x), {count});
    out["doubts"] = nb::cast(found.doubts);
    out["posterior"] = found.posterior ? nb::object(posterior) : nb::none();
    out["has_converged"] = found.posterior && found.posterior->hasConverged;
    return out;
}

} // namespace

void bindAnswers(nb::module_ &module)
{
    nb::class_<Responses> responses(module, "Responses");
    responses.def("names", &namesOf)
        .def("refused", &Responses::refused)
        .def("errors", &errorsOf)
        .def("validations", &validationsOf, nb::arg("path"))
        .def("evaluate", &evaluate, nb::arg("points"), nb::arg("gradients"));
    bindInfluence(responses);
    module.def("responses_of", &responsesOf);
    module.def(
        "response_definitions",
        [](const std::string &path) {
            std::vector<std::tuple<std::string, std::string, std::string, std::string, std::string>>
                all;
            for (const auto &r : data::responsesOf(data::Study::open(path)))
                all.emplace_back(r.name, r.unit, r.expression, r.reduction, r.place);
            return all;
        },
        nb::call_guard<nb::gil_scoped_release>());
    module.def("define_response",
               [](const std::string &path, const std::string &name, const std::string &unit,
                  const std::string &of, const std::string &reduce, const std::string &place,
                  const std::string &devices, int threads) {
                   define(path, {name, unit, of, reduce, place}, devices, threads);
               });
    module.def("forget_response", &forget, nb::call_guard<nb::gil_scoped_release>());
    module.def("match", [](const std::string &path, const std::string &table,
                           const std::string &source, const InputList &inputs,
                           const std::vector<std::pair<std::string, double>> &fixed,
                           std::size_t samples, std::uint64_t seed, const std::string &devices,
                           int threads) {
        const MatchOptions options{path,  table,   source, inputs,
                                   fixed, samples, seed,   machineWith(devices, threads)};
        return dictOf(watched([=](const std::stop_token &stop) { return find(options, stop); },
                              Unstopped::left));
    });
}

} // namespace gridhelm::python
