// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/answer_maps.h"

#include "app/cli/answer_study.h"
#include "app/cli/next_step.h"
#include "app/cli/output.h"
#include "app/cli/study_console.h"
#include "core/support/error.h"
#include "core/support/output_file.h"
#include "data/evaluate/error_bands.h"
#include "data/mesh/mesh_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace gridhelm::cli {

std::string addErrorMap(const data::Study &study, const data::FieldRows &rows,
                        const ExecutionContext &context, std::vector<NamedMap> &maps,
                        nlohmann::json &document)
{
    const auto &field = rows.field();
    const auto error = data::errorMapOf(study, rows, context);
    document["error"] = nullptr;
    if (!error)
        return "how far the surrogate may be off there was not measured; to know: "
               + howToMeasure(study) + "\n";
    auto sorted = error->atMost;
    std::erase_if(sorted, [](float offset) { return std::isnan(offset); }); // no body is there
    std::ranges::sort(sorted);
    const auto median = field.scale * static_cast<double>(sorted[sorted.size() / 2]);
    const auto worst = field.scale * static_cast<double>(sorted.back());
    maps.push_back({field.name + "_at_most_off", error->atMost, NamedMap::Of::differences});
    document["error"] = {{"map", maps.back().name},
                         {"coverage", error->coverage},
                         {"hold_outs", error->holdOuts},
                         {"median", median},
                         {"worst", worst},
                         {"values_of_fewer", error->ofFewer}};
    const auto fewer =
        error->ofFewer == 0
            ? std::string()
            : fmt::format("; at {} of the {}, where fewer of them have a body, the largest error",
                          error->ofFewer, countText(sorted.size(), "value"));
    return fmt::format("the surrogate: {} error bound {} at half of the values, {} at all (each "
                       "calibrated at {}{}; as the map {})\n",
                       data::coverageText({0, 0, error->coverage, error->holdOuts}),
                       withUnit(median, field.unit), withUnit(worst, field.unit),
                       countText(error->holdOuts, "validation point"), fewer, maps.back().name);
}

std::string addPresence(const data::Study &study, const data::Field &field,
                        std::span<const double> places, const CpuDevice &cpu,
                        std::vector<NamedMap> &maps)
{
    auto shares = data::bodySharesOf(study, field, places, cpu);
    if (!shares)
        return {};
    for (auto &map : maps)
        data::leaveOutWithoutBody(*shares, map.values);
    maps.push_back({field.name + "_body", std::move(*shares)});
    return fmt::format(
        "the body's shape depends on the parameters: where it is in some cases only, "
        "values are over all cases, continued beyond its surface in the others (the "
        "map {} is the share with a body), and nothing where it never is\n",
        maps.back().name);
}

void writeMaps(const data::Study &study, const data::Field &field,
               const std::vector<NamedMap> &maps, const std::string &path)
{
    const auto mesh = study.mesh();
    if (!mesh)
        throw Error("the study has no mesh yet: run its first job");
    const auto extension = data::extensionFor(*mesh);
    if (!path.ends_with(extension))
        throw Error(
            fmt::format("{} cannot hold this mesh: give a name that ends in {}", path, extension));
    std::vector<data::Field> fields;
    std::vector<std::vector<float>> values;
    for (const auto &map : maps) {
        auto named = field;
        if (map.of != NamedMap::Of::values)
            named.offset = 0;
        if (map.of == NamedMap::Of::shares)
            named.scale = 1;
        named.name = map.name;
        named.unit.clear();
        fields.push_back(named);
        values.push_back(map.values);
    }
    OutputFile file(path);
    data::writeDataSet(file.temporaryPath(), *data::dataSetOf(*mesh, fields, values), path);
    file.commit();
}

} // namespace gridhelm::cli
