// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/maps.h"

#include "app/machine/map_devices.h"
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

#include <initializer_list>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

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

/// The share of cases with a body, if its shape depends on the parameters.
using BodyShares = std::optional<std::vector<float>>;

/// Leaves out of all maps where there never is a body.
void leaveOut(const BodyShares &shares, std::initializer_list<std::vector<float> *> maps,
              std::initializer_list<std::vector<std::vector<float>> *> lists)
{
    if (!shares)
        return;
    for (auto *map : maps)
        data::leaveOutWithoutBody(*shares, *map);
    for (auto *list : lists)
        for (auto &map : *list)
            data::leaveOutWithoutBody(*shares, map);
}

nb::object arrayOfShares(const BodyShares &shares)
{
    return shares ? arrayOfMap(*shares) : nb::none();
}

nb::dict sobolMaps(const FieldOfStudy &of, const InputList &list, std::size_t samples,
                   std::uint64_t seed, bool isGpuAskedFor)
{
    const auto [maps, isExact, body] = watched(
        [=](const std::stop_token &) {
            const auto study = data::Study::open(of.path);
            const auto inputs = inputsOf(study.description().space, list);
            const data::FieldRows rows(study, of.field);
            const auto cpu = of.machine.context.cpu();
            const auto count = samples != 0 ? samples : answers::usualSobolSamples(false);
            const auto covariances =
                answers::weightCovariances(rows.surrogate(), inputs, count, seed, cpu);
            auto maps = answers::sobolMaps(covariances, rows.matrix(),
                                           app::squareSummer(of.machine.context, isGpuAskedFor));
            auto body = data::bodySharesOf(
                study, rows.field(), answers::samplePlaces(inputs, data::usualBodySamples, 1), cpu);
            leaveOut(body, {&maps.mean, &maps.variance}, {&maps.first, &maps.total});
            return std::tuple(std::move(maps), covariances.isExact, std::move(body));
        },
        Unstopped::left);
    nb::dict out;
    out["mean"] = arrayOfMap(maps.mean);
    out["variance"] = arrayOfMap(maps.variance);
    out["first"] = arraysOfMaps(maps.first);
    out["total"] = arraysOfMaps(maps.total);
    out["is_exact"] = isExact;
    out["body"] = arrayOfShares(body);
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
    const auto [maps, body] = watched(
        [=](const std::stop_token &) {
            const auto study = data::Study::open(of.path);
            const auto inputs = inputsOf(study.description().space, question.inputs,
                                         question.correlations, question.joint);
            const data::FieldRows rows(study, of.field);
            const auto places = answers::samplePlaces(inputs, question.samples, question.seed);
            const auto cpu = of.machine.context.cpu();
            auto maps = answers::uncertaintyMaps(rows.surrogate(), rows.matrix(), places,
                                                 question.shares, question.threshold, cpu);
            auto body = data::bodySharesOf(study, rows.field(), places, cpu);
            leaveOut(body, {&maps.mean, &maps.deviation, &maps.above}, {&maps.percentiles});
            return std::pair(std::move(maps), std::move(body));
        },
        Unstopped::left);
    nb::dict out;
    out["mean"] = arrayOfMap(maps.mean);
    out["deviation"] = arrayOfMap(maps.deviation);
    out["percentiles"] = arraysOfMaps(maps.percentiles);
    out["above"] = question.threshold ? arrayOfMap(maps.above) : nb::none();
    out["body"] = arrayOfShares(body);
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
        return sobolMaps({path, field, machineWith(devices, threads)}, inputs, samples, seed,
                         devices.starts_with("gpu"));
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
