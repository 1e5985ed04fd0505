// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/maps.h"

#include "app/python/arrays.h"
#include "app/python/responses.h"
#include "app/python/watched_work.h"
#include "core/answers/sample_points.h"
#include "core/answers/sobol_indices.h"
#include "core/answers/sobol_maps.h"
#include "core/answers/uncertainty.h"
#include "data/answers/field_rows.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <utility>

namespace gridhelm::python {
namespace {

namespace nb = nanobind;

/// Where it is, and what it is asked with.
struct FieldOfStudy
{
    std::string path, field;
    Machine machine;
};

nb::object arrayOfMap(const std::vector<float> &map)
{
    return nb::cast(arrayOf(map, {map.size()}));
}

nb::list arraysOfMaps(const std::vector<std::vector<float>> &maps)
{
    nb::list out;
    for (const auto &map : maps)
        out.append(arrayOfMap(map));
    return out;
}

nb::dict sobolMaps(const FieldOfStudy &of, const InputList &list, std::size_t samples,
                   std::uint64_t seed)
{
    const auto [maps, isExact] = watched(
        [=](const std::stop_token &) {
            const auto study = data::Study::open(of.path);
            const auto inputs = inputsOf(study.description().space, list);
            const data::FieldRows rows(study, of.field);
            const auto cpu = of.machine.context.cpu();
            const auto count = samples != 0 ? samples : answers::usualSobolSamples(false);
            const auto covariances =
                answers::weightCovariances(rows.surrogate(), inputs, count, seed, cpu);
            return std::pair(answers::sobolMaps(covariances, rows.matrix(), cpu),
                             covariances.isExact);
        },
        Unstopped::left);
    nb::dict out;
    out["mean"] = arrayOfMap(maps.mean);
    out["variance"] = arrayOfMap(maps.variance);
    out["first"] = arraysOfMaps(maps.first);
    out["total"] = arraysOfMaps(maps.total);
    out["is_exact"] = isExact;
    return out;
}

struct SpreadMapQuestion
{
    InputList inputs;
    Correlations correlations;
    JointInputs joint;
    std::vector<double> shares;
    std::optional<double> threshold;
    std::size_t samples = 0;
    std::uint64_t seed = 1;
};

nb::dict spreadMaps(const FieldOfStudy &of, const SpreadMapQuestion &question)
{
    const auto maps = watched(
        [=](const std::stop_token &) {
            const auto study = data::Study::open(of.path);
            const auto inputs = inputsOf(study.description().space, question.inputs,
                                         question.correlations, question.joint);
            const data::FieldRows rows(study, of.field);
            const auto places = answers::samplePlaces(inputs, question.samples, question.seed);
            return answers::uncertaintyMaps(rows.surrogate(), rows.matrix(), places,
                                            question.shares, question.threshold,
                                            of.machine.context.cpu());
        },
        Unstopped::left);
    nb::dict out;
    out["mean"] = arrayOfMap(maps.mean);
    out["deviation"] = arrayOfMap(maps.deviation);
    out["percentiles"] = arraysOfMaps(maps.percentiles);
    out["above"] = question.threshold ? arrayOfMap(maps.above) : nb::none();
    return out;
}

/// (at most, coverage, hold-outs); None if it was not measured.
nb::object errorMap(const FieldOfStudy &of)
{
    const auto map = watched(
        [=](const std::stop_token &) {
            const auto study = data::Study::open(of.path);
            const data::FieldRows rows(study, of.field);
            return data::errorMapOf(study, rows, of.machine.context);
        },
        Unstopped::left);
    if (!map)
        return nb::none();
    return nb::make_tuple(arrayOfMap(map->atMost), map->coverage, map->holdOuts);
}

} // namespace

void bindMaps(nb::module_ &module)
{
    module.def("sobol_maps", [](const std::string &path, const std::string &field,
                                const InputList &inputs, std::size_t samples, std::uint64_t seed,
                                const std::string &devices, int threads) {
        return sobolMaps({path, field, machineWith(devices, threads)}, inputs, samples, seed);
    });
    module.def(
        "spread_maps",
        [](const std::string &path, const std::string &field, const InputList &inputs,
           const Correlations &correlations, const JointInputs &joint,
           const std::vector<double> &shares, std::optional<double> threshold, std::size_t samples,
           std::uint64_t seed, const std::string &devices, int threads) {
            return spreadMaps({path, field, machineWith(devices, threads)},
                              {inputs, correlations, joint, shares, threshold, samples, seed});
        },
        nb::arg("path"), nb::arg("field"), nb::arg("inputs"), nb::arg("correlations"),
        nb::arg("joint"), nb::arg("shares"), nb::arg("threshold").none(), nb::arg("samples"),
        nb::arg("seed"), nb::arg("devices"), nb::arg("threads"));
    module.def("error_map", [](const std::string &path, const std::string &field,
                               const std::string &devices, int threads) {
        return errorMap({path, field, machineWith(devices, threads)});
    });
}

} // namespace gridhelm::python
