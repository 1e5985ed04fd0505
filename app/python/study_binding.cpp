// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/study_binding.h"

#include "app/python/arrays.h"
#include "app/python/errors.h"
#include "app/python/gpu_array.h"
#include "app/python/signals.h"
#include "app/python/study.h"
#include "app/python/tuples.h"
#include "app/python/watched_work.h"
#include "data/evaluate/accuracy.h"
#include "gpu/device_info.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace gridhelm::python {
namespace {

namespace nb = nanobind;

/// name, unit, low, high, is logarithmic, kind.
using ParameterTuple = std::tuple<std::string, std::string, double, double, bool, std::string>;
/// relative error, coverage, hold-outs, sentence.
using BandTuple = std::tuple<double, double, std::size_t, std::string>;
/// relative L2 error, largest error, places, kind, sentence.
using AccuracyTuple = std::tuple<double, double, std::size_t, std::string, std::string>;

std::vector<ParameterTuple> parametersOf(OpenStudy &study)
{
    return study.with([](data::StudyFields &fields) {
        std::vector<ParameterTuple> all;
        for (const auto &p : fields.parameters().parameters())
            all.emplace_back(p.name, p.unit, p.low, p.high, p.scale == ParameterScale::logarithmic,
                             std::string(toString(p.kind)));
        return all;
    });
}

std::vector<FieldTuple> fieldsOf(OpenStudy &study)
{
    return study.with([](data::StudyFields &fields) { return tuplesOf(fields.fields()); });
}

/// What the numbers of each field stand for: offset and scale.
std::vector<std::pair<double, double>> storedOf(OpenStudy &study)
{
    return study.with([](data::StudyFields &fields) {
        std::vector<std::pair<double, double>> all;
        for (const auto &field : fields.fields())
            all.emplace_back(field.offset, field.scale);
        return all;
    });
}

MeshTuple meshOf(OpenStudy &study)
{
    std::shared_ptr<const data::Mesh> mesh;
    {
        const nb::gil_scoped_release unlocked;
        mesh = study.with([](data::StudyFields &fields) { return fields.mesh(); });
    }
    return tupleOf(*mesh);
}

struct Shape
{
    std::size_t values = 0; ///< of one state
    std::vector<std::size_t> sizes;
};
Shape shapeOf(const data::Field &field, std::size_t states, std::size_t entities)
{
    Shape shape{entities * static_cast<std::size_t>(field.components), {states, entities}};
    if (field.components > 1)
        shape.sizes.push_back(static_cast<std::size_t>(field.components));
    return shape;
}

void requireNodes(std::span<const std::uint32_t> nodes, const data::Field &field)
{
    for (const auto node : nodes)
        if (node >= field.entities)
            throw ArgumentError(fmt::format("node {} is none: {} has {}, numbered from 0", node,
                                            field.name, field.entities));
}

/// OpenStudy::prepare(), with the interpreter's lock. What is to be loaded is loaded by another
/// thread: a signal's handler, which this one may run meanwhile, can ask the study as well.
data::Field prepared(OpenStudy &study, std::size_t index, std::size_t evaluations,
                     std::size_t parameters, int groups)
{
    bool isToLoad = false;
    data::Field field;
    {
        const nb::gil_scoped_release unlocked;
        field =
            study.prepare(index, evaluations, parameters, groups, [&] { return isToLoad = true; });
    }
    if (isToLoad)
        runWatched(
            [&](const std::stop_token &stop) {
                study.prepare(index, 0, parameters, groups, [&] { return stop.stop_requested(); });
            },
            Unstopped::waited);
    return field;
}

data::OutOfRange outOfRange(bool extrapolate)
{
    return extrapolate ? data::OutOfRange::extrapolated : data::OutOfRange::refused;
}

using OutArray = nb::ndarray<float, nb::c_contig, nb::device::cpu>;

/// Values and, if they are wanted, indicators. `out`: where the values are to be, or none.
std::pair<nb::object, nb::object> evaluate(OpenStudy &study, std::size_t index,
                                           const Points &points, std::optional<Nodes> nodes,
                                           int groups, bool extrapolate, bool withIndicator,
                                           std::optional<OutArray> out)
{
    Signals signals;
    const auto states = points.shape(0);
    std::optional<OwnedValues<float>> values, indicators;
    Shape shape;
    const auto field = prepared(study, index, states, points.shape(1), groups);
    {
        const nb::gil_scoped_release unlocked;
        Wanted wanted{.groups = groups, .outOfRange = outOfRange(extrapolate)};
        if (nodes) {
            wanted.nodes = {nodes->data(), nodes->shape(0)};
            wanted.hasNodes = true;
            requireNodes(wanted.nodes, field);
        }
        shape = shapeOf(field, states,
                        nodes ? nodes->shape(0) : static_cast<std::size_t>(field.entities));
        if (out && out->size() != states * shape.values)
            throw ArgumentError(fmt::format("out has {} values, and the result has {}: make it of "
                                            "the result's shape, float32",
                                            out->size(), states * shape.values));
        if (!out)
            values.emplace(states * shape.values);
        if (withIndicator)
            indicators.emplace(states * shape.values);
        for (std::size_t i = 0; i < states && !signals.haveCome(); ++i)
            study.evaluate(
                index, row(points, i), wanted,
                {out ? std::span(out->data() + i * shape.values, shape.values)
                     : values->part(i, shape.values),
                 withIndicator ? indicators->part(i, shape.values) : std::span<float>()});
    }
    signals.rethrow();
    return {out ? nb::none() : nb::object(values->release(shape.sizes).cast()),
            withIndicator ? nb::object(indicators->release(shape.sizes).cast()) : nb::none()};
}

void requireGpu(const OpenStudy &study)
{
    if (!study.context().gpus().empty())
        return;
    const auto there = gpu::listDevices();
    throw Error("there is no GPU to leave results on ("
                + (there.devices.empty() ? there.reason
                                         : "the study was opened without one: see devices of "
                                           "gridhelm.open()")
                + "): leave device out");
}

/// isOne: without the dimension of states.
GpuArray evaluateOnGpu(OpenStudy &study, std::size_t index, const Points &points, int groups,
                       bool extrapolate, bool isOne)
{
    Signals signals;
    const auto states = points.shape(0);
    {
        const nb::gil_scoped_release unlocked;
        requireGpu(study);
    }
    constexpr std::size_t many = 1'000'000'000; // which need all of it in memory
    const auto field = prepared(study, index, many, points.shape(1), 0);
    auto shape = shapeOf(field, states, static_cast<std::size_t>(field.entities));
    std::shared_ptr<const gpu::ValuesOnGpu> values;
    {
        const nb::gil_scoped_release unlocked;
        const Wanted wanted{.groups = groups, .outOfRange = outOfRange(extrapolate)};
        values = study.roomOnGpu(states * shape.values);
        for (std::size_t i = 0; i < states && !signals.haveCome(); ++i)
            study.evaluateOnGpu(index, row(points, i), wanted,
                                {*values, i * shape.values, shape.values});
    }
    signals.rethrow();
    if (isOne)
        shape.sizes.erase(shape.sizes.begin());
    return {std::move(values), std::move(shape.sizes)};
}

/// states x parameters x entities (x components).
nb::object gradients(OpenStudy &study, std::size_t index, const Points &points, bool extrapolate)
{
    Signals signals;
    std::optional<OwnedValues<float>> values;
    std::vector<std::size_t> sizes;
    const auto states = points.shape(0), d = points.shape(1);
    const auto field = prepared(study, index, states * d, d, 0);
    {
        const nb::gil_scoped_release unlocked;
        const auto shape = shapeOf(field, states, static_cast<std::size_t>(field.entities));
        sizes = shape.sizes;
        sizes.insert(sizes.begin() + 1, d);
        values.emplace(states * d * shape.values);
        for (std::size_t i = 0; i < states && !signals.haveCome(); ++i)
            study.gradients(index, row(points, i), outOfRange(extrapolate),
                            values->part(i, d * shape.values));
    }
    signals.rethrow();
    return values->release(sizes).cast();
}

std::optional<BandTuple> band(OpenStudy &study, std::size_t index, const Numbers &at)
{
    const auto here = study.band(index, {at.data(), at.shape(0)});
    if (!here)
        return std::nullopt;
    return BandTuple{here->relative, here->band.coverage, here->band.holdOuts,
                     data::bandText(here->band, here->relative)};
}

std::optional<AccuracyTuple> accuracy(OpenStudy &study, std::size_t index)
{
    return study.with([&](data::StudyFields &fields) -> std::optional<AccuracyTuple> {
        const auto found = data::accuracyOf(fields.study(), index);
        if (!found)
            return std::nullopt;
        return AccuracyTuple{found->relativeL2, found->maximum, found->places,
                             std::string(data::toString(found->kind)),
                             data::accuracyText(*found, fields.study().fields().at(index))};
    });
}

/// displacement (nodes x directions), distance (nodes); each None where the study has none.
std::pair<nb::object, nb::object> geometry(OpenStudy &study, const Numbers &at)
{
    data::GeometryValues values;
    std::size_t nodes = 0;
    {
        const nb::gil_scoped_release unlocked;
        values = study.geometry({at.data(), at.shape(0)});
        nodes = study.with([](data::StudyFields &fields) { return fields.mesh(); })->points;
    }
    const auto arrayOrNone = [](const std::vector<float> &numbers,
                                const std::vector<std::size_t> &shape) -> nb::object {
        if (numbers.empty())
            return nb::none();
        return arrayOf(numbers, shape).cast();
    };
    return {arrayOrNone(values.displacement,
                        {nodes, values.displacement.size() / std::max<std::size_t>(nodes, 1)}),
            arrayOrNone(values.distance, {nodes})};
}

} // namespace

void bindStudy(nb::module_ &module)
{
    using Unlocked = nb::call_guard<nb::gil_scoped_release>;
    nb::class_<OpenStudy>(module, "Study")
        .def(
            "__init__",
            [](OpenStudy *self, const std::string &path, const std::string &devices, int threads,
               std::size_t resolution) {
                new (self) OpenStudy(path, machineWith(devices, threads), resolution);
            },
            nb::arg("path"), nb::arg("devices"), nb::arg("threads"), nb::arg("resolution"),
            Unlocked())
        .def(
            "title",
            [](OpenStudy &study) {
                return study.with(
                    [](data::StudyFields &f) { return f.study().description().title; });
            },
            Unlocked())
        .def(
            "levels",
            [](OpenStudy &study) {
                return study.with([](data::StudyFields &f) { return f.groups(); });
            },
            Unlocked())
        .def("revision", &OpenStudy::revision, Unlocked())
        .def("parameters", &parametersOf, Unlocked())
        .def("fields", &fieldsOf, Unlocked())
        .def("stored", &storedOf, Unlocked())
        .def("mesh", &meshOf)
        .def("evaluate", &evaluate, nb::arg("field"), nb::arg("points"), nb::arg("nodes").none(),
             nb::arg("level"), nb::arg("extrapolate"), nb::arg("indicator"),
             nb::arg("out").noconvert().none())
        .def("evaluate_on_gpu", &evaluateOnGpu, nb::arg("field"), nb::arg("points"),
             nb::arg("level"), nb::arg("extrapolate"), nb::arg("one"))
        .def("gradients", &gradients, nb::arg("field"), nb::arg("points"), nb::arg("extrapolate"))
        .def("band", &band, nb::arg("field"), nb::arg("at"), Unlocked())
        .def("accuracy", &accuracy, nb::arg("field"), Unlocked())
        .def("geometry", &geometry, nb::arg("at"));
}

} // namespace gridhelm::python
