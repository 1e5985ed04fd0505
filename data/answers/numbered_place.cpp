// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/answers/numbered_place.h"

#include "core/support/error.h"
#include "core/support/nearest_name.h"
#include "data/evaluate/field_surrogate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

namespace gridhelm::data {

namespace {

constexpr double wholeTo = 0.01; ///< modes and quantised rows are a little off

FieldIndex numberingOf(const Study &study, const std::string &name)
{
    std::vector<std::string> names;
    std::string list;
    for (const auto &field : study.fields())
        if (field.components == 1) {
            names.push_back(field.name);
            list += (list.empty() ? "" : ", ") + field.name;
        }
    for (FieldIndex field = 0; field < study.fields().size(); ++field)
        if (study.fields()[field].name == name && study.fields()[field].components == 1)
            return field;
    const auto near = nearestName(name, names);
    throw Error(
        fmt::format("there is no field {} that could number points or cells{}: choose from "
                    "{}",
                    name, near.empty() ? "" : " (did you mean " + near + "?)",
                    list.empty() ? "fields with one component, of which there are none" : list));
}

/// First, middle and last.
template <typename T>
std::vector<T> fewOf(const std::vector<T> &all)
{
    if (all.size() <= 3)
        return all;
    return {all.front(), all[all.size() / 2], all.back()};
}

/// The field in a few states that have run.
std::vector<std::vector<double>> fewStates(const Study &study, FieldIndex field)
{
    std::vector<std::vector<double>> states;
    const auto add = [&, of = study.fields()[field]](auto read) {
        std::vector<float> stored(of.values());
        if (!read(std::span(stored)))
            return;
        auto &values = states.emplace_back();
        for (const float number : stored)
            values.push_back(of.valueOf(number));
    };
    std::vector<std::int64_t> runs;
    for (const auto &run : study.trainingRuns())
        runs.push_back(run.id);
    for (const auto id : fewOf(runs))
        add([&](std::span<float> out) { return study.readHoldOut(id, field, out); });
    if (study.description().design == StudyDesign::scattered)
        return states;
    std::vector<std::uint64_t> points;
    const auto there = study.pointsWithSnapshots(field);
    for (std::uint64_t point = 0; point < there.size(); ++point)
        if (there[point])
            points.push_back(point);
    for (const auto point : fewOf(points))
        add([&](std::span<float> out) {
            if (study.readSnapshot(point, field, out))
                return true;
            std::vector<double> x(study.description().space.parameters().size());
            study.grid()->coordinates(point, x);
            evaluateFromFile(study, field, x, {out}, CpuDevice{1}); // it has been dropped
            return true;
        });
    return states;
}

/// Of each entity.
std::vector<double> numbersOf(const Study &study, FieldIndex field)
{
    const auto &name = study.fields()[field].name;
    const auto states = fewStates(study, field);
    if (states.empty())
        throw Error(fmt::format("no run has told the values of {} yet, which say where this region "
                                "is: run the first job",
                                name));
    std::vector<double> numbers;
    numbers.reserve(states.front().size());
    for (const double value : states.front()) {
        const double number = std::round(value);
        if (!(std::abs(value - number) <= wholeTo))
            throw Error(
                fmt::format("{} does not number points or cells, for it has the value {:.7g}: "
                            "name a field of whole numbers",
                            name, value));
        numbers.push_back(number);
    }
    for (const auto &state : states)
        for (std::size_t i = 0; i < numbers.size(); ++i)
            if (!(std::abs(state[i] - numbers[i]) <= wholeTo))
                throw Error(fmt::format("{} is not the same in all runs, and a region has to stay: "
                                        "name a field that depends on no parameter",
                                        name));
    return numbers;
}

std::string listOf(const std::set<double> &numbers)
{
    constexpr std::size_t most = 12;
    std::string list;
    std::size_t count = 0;
    for (const double number : numbers) {
        if (count++ == most)
            return list + ", ...";
        list += fmt::format("{}{}", list.empty() ? "" : ", ", number);
    }
    return list;
}

} // namespace

MeshPlace placeOnMesh(const Study &study, const answers::ResponsePlace &place)
{
    MeshPlace onMesh(place);
    if (place.kind != answers::PlaceKind::numbered)
        return onMesh;
    const auto field = numberingOf(study, place.field);
    onMesh.numbered = study.fields()[field].association;
    const auto numbers = numbersOf(study, field);
    const std::set<double> there(numbers.begin(), numbers.end());
    for (const double wanted : place.numbers)
        if (!there.contains(wanted))
            throw Error(fmt::format("no {} has the number {} in {}: choose from {}",
                                    toString(onMesh.numbered), wanted, place.field, listOf(there)));
    for (std::size_t i = 0; i < numbers.size(); ++i)
        if (std::ranges::find(place.numbers, numbers[i]) != place.numbers.end())
            onMesh.entities.push_back(i);
    return onMesh;
}

} // namespace gridhelm::data
