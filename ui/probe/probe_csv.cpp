// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/probe/probe_csv.h"

#include "core/support/csv_line.h"
#include "ui/scene/colour/shown_values.h"

#include <fmt/format.h>

#include <cmath>

namespace gridhelm::ui {
namespace {

std::string parameterNames(const StudyFacts &study)
{
    std::string names;
    for (const auto &parameter : study.parameters.parameters())
        names += csvCell(titleOf(parameter)) + ",";
    return names;
}

std::string numbers(const std::vector<double> &values)
{
    std::string text;
    for (const double value : values)
        text += fmt::format("{},", value);
    return text;
}

std::string valueName(const ProbeAnswer &answer)
{
    const auto &question = answer.question;
    return csvCell(titleOf(question.study->fields.at(question.field), question.component)) + "\n";
}

} // namespace

std::string titleOf(const Parameter &parameter)
{
    return parameter.unit.empty() ? parameter.name
                                  : fmt::format("{} ({})", parameter.name, parameter.unit);
}

std::string titleOfMap(const ProbeAnswer &answer)
{
    const auto &question = answer.question;
    const auto title = titleOf(question.study->fields.at(question.field), question.component);
    return answer.map->of == MapOf::norm ? "RMS of " + title : title;
}

std::string curvesCsv(const ProbeAnswer &answer, const std::vector<std::size_t> &along)
{
    const auto &study = *answer.question.study;
    std::string text = "along," + parameterNames(study) + valueName(answer);
    for (const auto t : along) {
        auto parameters = answer.question.parameters;
        const auto &curve = answer.curves.at(t);
        for (std::size_t i = 0; i < curve.at.size(); ++i) {
            parameters.at(t) = curve.at[i];
            text += fmt::format("{},{}{}\n", csvCell(study.parameters[t].name), numbers(parameters),
                                curve.values[i]);
        }
    }
    return text;
}

std::string mapCsv(const ProbeAnswer &answer)
{
    const auto &map = *answer.map;
    std::string text = parameterNames(*answer.question.study) + csvCell(titleOfMap(answer)) + "\n";
    auto parameters = answer.question.parameters;
    std::size_t next = 0;
    for (const double first : map.at[0]) {
        for (const double second : map.at[1]) {
            parameters.at(map.parameters[0]) = first;
            parameters.at(map.parameters[1]) = second;
            text += fmt::format("{}{}\n", numbers(parameters), map.values[next++]);
        }
    }
    return text;
}

std::string lineCsv(const ProbeAnswer &answer)
{
    const auto &line = *answer.line;
    std::string text =
        "arc_length,x,y,z," + parameterNames(*answer.question.study) + valueName(answer);
    const auto parameters = numbers(answer.question.frame->request.parameters);
    for (std::size_t i = 0; i < line.lengths.size(); ++i) {
        const auto &[x, y, z] = line.places[i];
        text += fmt::format("{},{},{},{},{}{}\n", line.lengths[i], x, y, z, parameters,
                            std::isnan(line.values[i]) ? "" : fmt::format("{}", line.values[i]));
    }
    return text;
}

} // namespace gridhelm::ui
