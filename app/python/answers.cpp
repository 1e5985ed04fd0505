// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/answers.h"

#include "app/python/arrays.h"
#include "app/python/errors.h"
#include "app/python/study.h"
#include "app/python/watched_work.h"
#include "core/answers/posterior.h"
#include "core/answers/sobol_indices.h"
#include "core/parameters/unit_slope.h"
#include "data/answers/study_match.h"
#include "data/answers/study_responses.h"
#include "data/study/study_writer.h"
#ifdef GRIDHELM_HAS_VTK
#include "data/mesh/place_samples.h"
#endif

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <tuple>
#include <utility>
#include <variant>

namespace gridhelm::python {
namespace {

namespace nb = nanobind;

/// Of a parameter that is named: what --input says on the command line, or samples.
using InputValue = std::variant<std::string, std::vector<double>>;
using InputList = std::vector<std::pair<std::string, InputValue>>;

data::SamplesOfMesh placesOf(const data::Study &study)
{
#ifdef GRIDHELM_HAS_VTK
    return data::samplesOf(study);
#else
    static_cast<void>(study);
    throw Error("responses need VTK to find their places on the mesh, and gridhelm was built "
                "without it: install libvtk9-dev, and gridhelm again");
#endif
}

answers::Inputs inputsOf(const ParameterSpace &space, const InputList &list)
{
    auto inputs = answers::uniformInputs(space);
    for (const auto &[name, value] : list) {
        const auto t = space.indexOf(name);
        inputs.distributions[t] =
            std::holds_alternative<std::string>(value)
                ? answers::InputDistribution::parse(std::get<std::string>(value), space[t])
                : answers::InputDistribution::ofSamples(std::get<std::vector<double>>(value),
                                                        space[t]);
    }
    return inputs;
}

/// Responses of a study, as it was when they were asked for. Immutable.
class Responses
{
public:
    Responses(const std::string &path, Machine machine)
        : m_machine(std::move(machine))
    {
        auto study = data::Study::open(path);
        m_space = data::answerSpace(study);
        m_responses =
            data::studyResponses(study, study.responses(), placesOf(study), m_machine.context);
        if (m_responses.empty())
            throw Error("the study has no responses yet: define one with study.response(\"peak\", "
                        "\"FIELD\", reduce=\"maximum\")");
        m_model = std::make_shared<answers::ResponseModel>(data::together(m_responses));
    }

    const std::vector<data::StudyResponse> &all() const { return m_responses; }
    const ParameterSpace &space() const { return *m_space; }
    const answers::ResponseModel &model() const { return *m_model; }
    const Machine &machine() const { return m_machine; }

    std::vector<double> placeOf(std::span<const double> parameters) const
    {
        try {
            space().requireInside(parameters);
            return space().toUnit(parameters);
        } catch (const Error &error) {
            throw ArgumentError(error.what());
        }
    }

private:
    Machine m_machine;
    std::optional<ParameterSpace> m_space;
    std::vector<data::StudyResponse> m_responses;
    std::shared_ptr<const answers::ResponseModel> m_model;
};

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

nb::object sobol(const std::shared_ptr<Responses> &responses, std::size_t which,
                 const InputList &list, std::size_t samples, std::uint64_t seed)
{
    const auto inputs = inputsOf(responses->space(), list);
    const auto indices = watched(
        [=](const std::stop_token &stop) {
            const auto &model = *responses->all().at(which).model;
            const auto count =
                samples != 0 ? samples : std::size_t{model.functions().empty() ? 16'384u : 2048u};
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
                                     "gridhelm-cli compress " + options.path + " --holdout 20");
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
    nb::class_<Responses>(module, "Responses")
        .def("names", &namesOf)
        .def("errors", &errorsOf)
        .def("evaluate", &evaluate, nb::arg("points"), nb::arg("gradients"))
        .def("sobol", &sobol, nb::arg("response"), nb::arg("inputs"), nb::arg("samples"),
             nb::arg("seed"));
    module.def("responses_of", &responsesOf);
    module.def(
        "response_definitions",
        [](const std::string &path) {
            std::vector<std::tuple<std::string, std::string, std::string, std::string, std::string>>
                all;
            for (const auto &r : data::Study::open(path).responses())
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
