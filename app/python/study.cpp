// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/study.h"

#include "app/machine/machine_execution.h"
#include "app/machine/tuned_machine.h"
#include "core/dispatch/dispatching_backend.h"
#include "core/parameters/unit_slope.h"
#include "data/evaluate/study_surrogate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <thread>
#include <utility>

namespace gridhelm::python {
namespace {

/// For what is told of how a result came about, there is nobody to tell.
Machine newMachine(const std::string &devices, int threads)
{
    const auto context =
        app::withSavedTuning(app::machineContext(cpuWith(threads), devices, "devices ="));
    return {context,
            dispatch::makeDispatchingBackend(app::makeMachineDispatcher(context), context)};
}

void requireInside(const ParameterSpace &space, std::span<const double> values,
                   data::OutOfRange outOfRange)
{
    try {
        space.toUnit(values);
        if (outOfRange == data::OutOfRange::refused)
            space.requireInside(values);
    } catch (const Error &error) {
        throw ArgumentError(error.what());
    }
}

/// Those nodes of a whole field.
void pick(std::span<const float> whole, std::span<const std::uint32_t> nodes,
          std::size_t components, std::span<float> out)
{
    if (out.empty())
        return;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        std::copy_n(whole.begin() + static_cast<std::ptrdiff_t>(nodes[i] * components), components,
                    out.begin() + static_cast<std::ptrdiff_t>(i * components));
}

void requireCoefficients(data::StudyFields &fields, std::size_t field, int groups)
{
    const auto &study = fields.study();
    if (fields.missingPoints(field, groups) == study.grid()->groupFirstPoint(groups))
        throw Error(fmt::format("field {} has no coefficients yet: compute them with: gridhelm-cli "
                                "compress {}",
                                fields.fields()[field].name, study.path().string()));
}

std::vector<std::uint32_t> columnsOf(std::span<const std::uint32_t> nodes, std::size_t components)
{
    std::vector<std::uint32_t> columns;
    columns.reserve(nodes.size() * components);
    for (const auto node : nodes)
        for (std::size_t c = 0; c < components; ++c)
            columns.push_back(static_cast<std::uint32_t>(node * components + c));
    return columns;
}

} // namespace

Machine machineWith(const std::string &devices, int threads)
{
    static std::mutex mutex;
    static auto *const machines = new std::map<std::pair<std::string, int>, Machine>;
    const std::scoped_lock lock(mutex);
    const auto key = std::pair(devices, threads);
    auto found = machines->find(key);
    if (found == machines->end())
        found = machines->emplace(key, newMachine(devices, threads)).first;
    return found->second;
}

OpenStudy::OpenStudy(std::filesystem::path path, Machine machine, std::size_t resolution)
    : m_path(std::move(path))
    , m_machine(std::move(machine))
    , m_resolution(resolution)
{
    with([](data::StudyFields &) {});
}

bool OpenStudy::hasChanged() const
{
    // Before anything was read, what is wrong is wrong with the file.
    return m_fields && (m_isToRead || m_fields->study().dataVersion() != m_version);
}

void OpenStudy::follow()
{
    m_isToRead = m_isToRead || m_fields->study().dataVersion() != m_version;
}

std::uint64_t OpenStudy::revision()
{
    return with([this](data::StudyFields &) { return m_revision; });
}

void OpenStudy::read()
{
    auto study = data::Study::open(m_path);
    const auto version = study.dataVersion();
    study.refresh(); // so that what it has read is not older than that
    if (study.fields().empty())
        throw Error(fmt::format("{} has no results yet: run its jobs and compress them first",
                                m_path.string()));
    if (m_resolution != 0 && study.description().kind != data::StudyKind::scalar)
        throw ArgumentError("resolution is for scalar studies, and the fields of this one come on "
                            "its own mesh: leave it out");
    auto fields =
        std::make_unique<data::StudyFields>(std::move(study), m_machine.backend, m_resolution);
    m_evaluations.assign(fields->fields().size(), 0);
    m_version = version;
    m_onGpu.clear();
    m_loadedGroups.assign(m_evaluations.size(), 0);
    m_fields = std::move(fields);
    ++m_revision;
    m_isToRead = false;
}

data::Field OpenStudy::prepare(std::size_t field, std::size_t evaluations, std::size_t parameters,
                               int groups, const std::function<bool()> &stop)
{
    return with([&](data::StudyFields &fields) {
        if (field >= fields.fields().size())
            throw Error("the study has other fields than before: open it again");
        const auto d = fields.parameters().dimension();
        if (parameters != static_cast<std::size_t>(d))
            throw ArgumentError(fmt::format("the points have {} columns, and the study has {} "
                                            "parameters: give one column for each",
                                            parameters, d));
        const auto used = groups == 0 ? fields.groups() : groups;
        if (m_evaluations[field] == 0) // it takes a while to see
            requireCoefficients(fields, field, used);
        m_evaluations[field] += static_cast<double>(evaluations);
        if (m_loadedGroups[field] < used) {
            const std::vector<data::FieldIndex> alone{field};
            fields.expect(alone, m_evaluations[field], used, stop);
            if (const auto loaded = fields.surrogate(field))
                m_loadedGroups[field] = loaded->loadedGroups();
        }
        return fields.fields()[field];
    });
}

void OpenStudy::evaluate(std::size_t field, std::span<const double> parameters,
                         const Wanted &wanted, data::FieldOutput out)
{
    const std::scoped_lock lock(m_mutex);
    withThese([&](data::StudyFields &fields) { evaluate(fields, field, parameters, wanted, out); });
}

/// action(), for which there may be room when nothing is kept of other fields.
template <typename Action>
auto OpenStudy::withRoomOnGpu(Action action)
{
    try {
        try {
            return action();
        } catch (const BackendError &) {
            if (m_onGpu.empty())
                throw;
            m_onGpu.clear();
            return action();
        }
    } catch (const BackendError &problem) {
        throw Error(fmt::format("{} (in Python: ask for fewer points at once, or leave device out)",
                                problem.what()));
    }
}

void OpenStudy::evaluateOnGpu(std::size_t field, std::span<const double> parameters,
                              const Wanted &wanted, const PlaceOnGpu &to)
{
    const std::scoped_lock lock(m_mutex);
    withThese([&](data::StudyFields &fields) {
        requireInside(fields.parameters(), parameters, wanted.outOfRange);
        if (field >= fields.fields().size() || fields.fields()[field].values() != to.values)
            throw Error("the study has other fields than before: open it again");
        const auto combine = [&] {
            const auto &[loaded, rows] = onGpu(fields, field);
            const auto weights = data::weightsAt(
                loaded->surrogate(), fields.parameters().toUnit(parameters),
                wanted.groups == 0 ? fields.groups() : wanted.groups, wanted.outOfRange, 0, false);
            rows->combine(weights, to.all, to.first);
        };
        withRoomOnGpu(combine);
    });
}

std::shared_ptr<const gpu::ValuesOnGpu> OpenStudy::roomOnGpu(std::size_t values)
{
    const std::scoped_lock lock(m_mutex);
    return withRoomOnGpu(
        [&] { return std::make_shared<const gpu::ValuesOnGpu>(context(), values); });
}

/// With all of its rows.
const OpenStudy::OnGpu &OpenStudy::onGpu(data::StudyFields &fields, std::size_t field)
{
    if (const auto known = m_onGpu.find(field); known != m_onGpu.end())
        return known->second;
    const auto loaded = fields.surrogate(field);
    if (!loaded)
        throw Error(fmt::format("{} cannot be computed in a GPU's memory: {}; leave device out",
                                fields.fields().at(field).name,
                                fields.study().description().kind == data::StudyKind::scalar
                                    ? "the study is a scalar one"
                                    : "its coefficients do not fit into the memory here"));
    loaded->loadAll(fields.study());
    auto rows = loaded->isInFewBits() ? gpu::loadOnGpu(loaded->quantisedRows(), context())
                                      : gpu::loadOnGpu(loaded->matrix(), context());
    return m_onGpu.insert_or_assign(field, OnGpu{loaded, std::move(rows)}).first->second;
}

void OpenStudy::gradients(std::size_t field, std::span<const double> parameters,
                          data::OutOfRange outOfRange, std::span<float> out)
{
    const std::scoped_lock lock(m_mutex);
    withThese(
        [&](data::StudyFields &fields) { gradients(fields, field, parameters, outOfRange, out); });
}

std::optional<data::BandHere> OpenStudy::band(std::size_t field, std::span<const double> parameters)
{
    return with([&](data::StudyFields &fields) { return band(fields, field, parameters); });
}

data::GeometryValues OpenStudy::geometry(std::span<const double> parameters)
{
    return with([&](data::StudyFields &fields) {
        requireInside(fields.parameters(), parameters, data::OutOfRange::refused);
        return fields.geometry(parameters);
    });
}

void OpenStudy::evaluate(data::StudyFields &fields, std::size_t field,
                         std::span<const double> parameters, const Wanted &wanted,
                         data::FieldOutput out)
{
    requireInside(fields.parameters(), parameters, wanted.outOfRange);
    if (!wanted.hasNodes) {
        fields.evaluate(field, parameters, out, wanted.groups, wanted.outOfRange);
        return;
    }
    const auto components = static_cast<std::size_t>(fields.fields()[field].components);
    const auto groups = wanted.groups == 0 ? fields.groups() : wanted.groups;
    const auto loaded = fields.surrogate(field);
    if (loaded && loaded->loadedGroups() >= groups) {
        const auto x = fields.parameters().toUnit(parameters);
        loaded->evaluateColumns(x, columnsOf(wanted.nodes, components), out, m_machine.backend,
                                groups, wanted.outOfRange);
        if (wanted.outOfRange == data::OutOfRange::extrapolated)
            data::requireFinite(fields.fields()[field], out);
        return;
    }
    m_whole.resize(fields.fields()[field].values());
    m_wholeIndicator.resize(out.indicator.empty() ? 0 : m_whole.size());
    fields.evaluate(field, parameters, {m_whole, m_wholeIndicator}, wanted.groups,
                    wanted.outOfRange);
    pick(m_whole, wanted.nodes, components, out.values);
    pick(m_wholeIndicator, wanted.nodes, components, out.indicator);
}

void OpenStudy::gradients(data::StudyFields &fields, std::size_t field,
                          std::span<const double> parameters, data::OutOfRange outOfRange,
                          std::span<float> out)
{
    const auto &study = fields.study();
    if (study.description().kind == data::StudyKind::scalar)
        throw Error("gradients are for studies of snapshots, and this is a scalar one: take "
                    "differences of evaluate() instead");
    const auto &space = fields.parameters();
    requireInside(space, parameters, outOfRange);
    const auto x = space.toUnit(parameters);
    const auto surrogate = data::surrogateOf(study, field);
    const auto loaded = fields.surrogate(field);
    const auto length = static_cast<std::size_t>(fields.fields()[field].values());
    for (std::size_t t = 0; t < x.size(); ++t) {
        auto weights =
            surrogate->derivativeWeights(x, static_cast<int>(t), surrogate->groups(), outOfRange);
        const double range = unitSlope(space[t], parameters[t]);
        for (auto &weight : weights.weights)
            weight /= range;
        const auto values = out.subspan(t * length, length);
        const auto &cpu = m_machine.context.cpu();
        if (loaded && loaded->loadedGroups() >= surrogate->groups())
            loaded->combine(weights, values, cpu);
        else
            data::combineFromFile(study, field, std::move(weights), values, cpu);
    }
}

std::optional<data::BandHere> OpenStudy::band(data::StudyFields &fields, std::size_t field,
                                              std::span<const double> parameters)
{
    requireInside(fields.parameters(), parameters, data::OutOfRange::refused);
    const auto band = data::bandOf(fields.study(), field);
    if (!band)
        return std::nullopt;
    std::vector<float> values(fields.fields()[field].values()), indicator(values.size());
    fields.evaluate(field, parameters, {values, indicator});
    const auto geometry = fields.geometry(parameters);
    const auto &of = fields.fields()[field];
    const bool isHidden =
        of.association == data::Association::point && geometry.distance.size() == of.entities;
    return data::bandAt(band, fields.parameters(), parameters, values, indicator,
                        isHidden ? geometry.distance : std::span<const float>());
}

} // namespace gridhelm::python
