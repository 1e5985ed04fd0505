// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/study_limits.h"

#include "core/support/error.h"
#include "core/support/memory_check.h"

#include <cmath>
#include <string>

namespace gridhelm::data {

namespace {

/// Of what people are shown: longer texts come from nobody who means well.
void requireShort(const char *what, const std::string &text, std::size_t most)
{
    if (text.size() > most)
        throw Error(std::string(what) + " is longer than " + std::to_string(most)
                    + " bytes: shorten it");
}

constexpr std::size_t mostInName = 1000, mostInTitle = 10'000, mostInPlan = 16'000'000;

} // namespace

void requireSensible(const StudyDescription &description)
{
    requireShort("the title", description.title, mostInTitle);
    requireShort("the plan", description.simulation, mostInPlan);
    for (const auto &parameter : description.space.parameters()) {
        requireShort("the name of a parameter", parameter.name, mostInName);
        requireShort("the unit of a parameter", parameter.unit, mostInName);
    }
}

void requireSensible(const Field &field)
{
    requireShort("the name of a field", field.name, mostInName);
    requireShort("the unit of a field", field.unit, mostInName);
    constexpr std::uint64_t maxValues = std::uint64_t{1} << 40;
    if (field.name.empty())
        throw Error("a field needs a name");
    if (field.components < 1 || field.components > 9)
        throw Error("field " + field.name + " has " + std::to_string(field.components)
                    + " components: 1 to 9 are possible");
    if (field.entities < 1 || field.entities > maxValues / 9)
        throw Error("field " + field.name + " has values at " + std::to_string(field.entities)
                    + " points or cells: at least 1 and not more than a hundred billion are "
                      "possible");
    if (!(std::abs(field.offset) <= mostOffset && field.scale >= 1 / mostScale
          && field.scale <= mostScale))
        throw Error("field " + field.name
                    + " is stored less an offset, or in units, that are no numbers");
}

void requireSensible(const sparse::GridCount &count, StudyKind kind)
{
    constexpr std::uint64_t maxPoints = 10'000'000;
    if (kind == StudyKind::vector && count.points > maxPoints)
        throw Error("a grid of " + std::to_string(count.points)
                    + " points is too large for a study of snapshots (at most 10 million): lower "
                      "the level, or cap the levels of some parameters");
    requireMemory(16.0 * static_cast<double>(count.points),
                  "a study of " + std::to_string(count.points) + " points",
                  "lower the level, or cap the levels of some parameters");
}

} // namespace gridhelm::data
