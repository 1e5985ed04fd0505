// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/study_evaluation.h"

#include "app/cli/execution.h"
#include "app/cli/next_step.h"
#include "app/cli/output.h"
#include "app/cli/study_console.h"
#include "core/support/clean_text.h"
#include "core/support/error.h"
#include "core/support/memory_check.h"
#include "core/support/parse_numbers.h"
#include "data/evaluate/indicator_share.h"
#include "data/mesh/mesh_codec.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace gridhelm::cli {
namespace {

int groupsFor(const std::string &level, int groups)
{
    const int wanted = parseInteger(level, "--level");
    if (wanted < 0 || wanted > groups)
        throw Error(fmt::format("--level cannot be {}: the study has levels 1 to {}, and 0 means "
                                "all",
                                wanted, groups));
    return wanted == 0 ? groups : wanted;
}

void warn(const std::string &sentence)
{
    printMessage(fmt::format("gridhelm-cli: warning: {}.\n", cleanLine(sentence)));
}

std::size_t resolutionOf(const data::Study &study, const std::string &typed)
{
    const int points = parseInteger(typed, "--resolution");
    if (points != 0 && study.description().kind != data::StudyKind::scalar)
        throw Error(fmt::format("--resolution is for scalar studies, and the fields of {} come on "
                                "its own mesh: leave it out",
                                shellText(study.path())));
    if (points < 0)
        throw Error(fmt::format("--resolution cannot be {}: give a number of points, or 0 for as "
                                "many as the simulation has",
                                typed));
    return static_cast<std::size_t>(points);
}

data::StudyFields openedFields(const GlobalOptions &global, const EvaluationOptions &options)
{
    auto study = openStudy(options.study);
    if (study.fields().empty())
        throw Error("the study has no results yet: they come with: " + nextStep(study));
    const auto resolution = resolutionOf(study, options.resolution);
    return {std::move(study), makeBackend(global), resolution};
}

} // namespace

void addEvaluationOptions(CLI::App &command, EvaluationOptions &options)
{
    command.add_option("study", options.study, "The study")->required()->type_name("STUDY");
    command
        .add_option("--field", options.fields,
                    "Only this field (may be repeated; \"info\" lists them)")
        ->type_name("NAME")
        ->expected(1)
        ->take_all();
    command
        .add_option("--level", options.level,
                    "Only the first levels: coarser, and faster; 0 means all")
        ->type_name("N")
        ->capture_default_str();
    command
        .add_option("--resolution", options.resolution,
                    "Of a scalar study: points along the longest side; 0 means as the simulation's")
        ->type_name("N")
        ->capture_default_str();
    command.add_flag("--extrapolate", options.extrapolate,
                     "Continue linearly where parameters are out of their ranges");
}

StudyEvaluation::StudyEvaluation(const GlobalOptions &global, const EvaluationOptions &options)
    : m_study(openedFields(global, options))
    , m_isScalar(m_study.study().description().kind == data::StudyKind::scalar)
    , m_groups(groupsFor(options.level, m_study.groups()))
    , m_outOfRange(options.extrapolate ? data::OutOfRange::extrapolated : data::OutOfRange::refused)
{
    if (m_isScalar && options.extrapolate)
        throw Error("--extrapolate is for studies of snapshots, and this is a scalar one: stay "
                    "within its ranges");
    chooseFields(options);
    requireLevels();
    countMissingPoints();
    m_leading.resize(m_indices.size());
    for (const auto field : m_indices)
        m_bands.push_back(m_groups == m_study.groups() ? data::bandOf(m_study.study(), field)
                                                       : std::nullopt);
}

void StudyEvaluation::chooseFields(const EvaluationOptions &options)
{
    const auto &names = options.fields;
    for (const auto &name : names)
        m_study.study().fieldIndex(name); // an unknown one is an error
    for (std::size_t f = 0; f < m_study.fields().size(); ++f) {
        const auto &field = m_study.fields()[f];
        if (!names.empty() && std::ranges::find(names, field.name) == names.end())
            continue;
        m_indices.push_back(f);
        m_fields.push_back(field);
        if (names.empty() && options.firstFieldOnly)
            break;
    }
}

void StudyEvaluation::requireLevels() const
{
    if (m_groups == m_study.groups())
        return;
    for (std::size_t f = 0; f < m_fields.size(); ++f)
        if (m_study.isKriged(m_indices[f]))
            throw Error(fmt::format("field {} is evaluated by kriging, which has no coarser "
                                    "levels: leave --level out, or choose other fields with "
                                    "--field",
                                    m_fields[f].name));
}

void StudyEvaluation::countMissingPoints()
{
    const auto points = m_study.study().grid()->groupFirstPoint(m_groups);
    for (std::size_t f = 0; f < m_fields.size(); ++f) {
        const auto missing = m_study.missingPoints(m_indices[f], m_groups);
        if (missing == points && canCompress(m_study.study()))
            throw Error(fmt::format("field {} has no coefficients yet: compute them with: "
                                    "gridhelm-cli compress {}",
                                    m_fields[f].name, shellText(m_study.study().path())));
        if (missing == points)
            throw Error(fmt::format("field {} has no coefficients yet, and too many results are "
                                    "missing to compute any: they come with: {}",
                                    m_fields[f].name, nextStep(m_study.study())));
        m_missingPoints = std::max(m_missingPoints, missing);
    }
    if (m_missingPoints > 0)
        warn(fmt::format("{} of {} points have no coefficients yet and count as 0; the indicator "
                         "does not know of them. Go on with: {}",
                         m_missingPoints, points, nextStep(m_study.study())));
}

std::vector<double> StudyEvaluation::parse(const std::string &at, std::string_view along) const
{
    if (along.empty())
        return parameters().parse(at);
    const auto &parameter = parameters()[parameters().indexOf(along)];
    for (std::string_view rest = at; !rest.empty();) {
        const auto comma = rest.find(',');
        const auto name = rest.substr(0, std::min(comma, rest.find('=')));
        if (trimmed(name) == along)
            throw Error(fmt::format("--at gives a value for {}, which --along runs through: leave "
                                    "it out of --at",
                                    along));
        rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
    }
    return parameters().parse(
        fmt::format("{}{}{}={}", at, trimmed(at).empty() ? "" : ",", along, parameter.low));
}

void StudyEvaluation::requireRange(const std::vector<std::vector<double>> &points) const
{
    std::vector<bool> isOutside(parameters().parameters().size());
    for (const auto &values : points) {
        parameters().toUnit(values); // a logarithmic one must be positive
        if (m_outOfRange == data::OutOfRange::refused) {
            parameters().requireInside(values);
            continue;
        }
        auto inside = values;
        while (const auto t = parameters().firstOutside(inside)) {
            isOutside[*t] = true;
            inside[*t] = parameters()[*t].low;
        }
    }
    std::string names;
    for (std::size_t t = 0; t < isOutside.size(); ++t)
        if (isOutside[t])
            names += (names.empty() ? "" : ", ") + parameters()[t].name;
    if (!names.empty())
        warn(names + " out of range: the result is extrapolated, and its error unknown");
}

void StudyEvaluation::expect(std::size_t evaluations, const std::function<bool()> &stop)
{
    std::vector<data::FieldIndex> fields;
    for (std::size_t f = 0; f < m_indices.size(); ++f)
        if (m_leading[f] == 0)
            fields.push_back(m_indices[f]);
    for (const auto field : m_study.geometryFields().all())
        fields.push_back(field);
    m_study.expect(fields, static_cast<double>(evaluations), m_groups, stop);
}

void StudyEvaluation::readWithin(double seconds)
{
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    for (std::size_t f = 0; f < m_indices.size(); ++f) {
        const auto &modes = m_study.modes(m_indices[f]);
        if (!modes)
            throw Error(fmt::format(
                "field {} has no POD modes, of which --within could read the leading ones: leave "
                "it out, or make some with: gridhelm-cli compress {} --modes",
                m_fields[f].name, shellText(m_study.study().path())));
        const auto loaded = m_study.surrogate(m_indices[f]);
        if (!loaded)
            throw Error(fmt::format("field {} does not fit into memory, which --within reads it "
                                    "into: leave that out, and it is read from the file",
                                    m_fields[f].name));
        const double share = static_cast<double>(f + 1) / static_cast<double>(m_indices.size());
        loaded->loadRows(m_study.study(), 1);
        loaded->loadRows(m_study.study(), modes->modes(), [&] {
            return std::chrono::duration<double>(Clock::now() - begin).count() >= share * seconds;
        });
        if (loaded->loadedRows() < modes->modes())
            m_leading[f] = loaded->loadedRows();
    }
}

std::span<const float> EvaluatedFields::distanceOf(std::size_t f) const
{
    if (fields[f].association != data::Association::point
        || geometry.distance.size() != fields[f].entities)
        return {};
    return geometry.distance;
}

void StudyEvaluation::addBands(EvaluatedFields &result, std::span<const double> values) const
{
    for (std::size_t f = 0; f < m_fields.size(); ++f)
        result.bands.push_back(data::bandAt(m_leading[f] > 0 ? std::nullopt : m_bands[f],
                                            parameters(), values, result.values[f],
                                            result.indicators[f], result.distanceOf(f)));
}

bool StudyEvaluation::evaluateColumns(std::span<const double> values,
                                      const std::vector<std::vector<std::uint32_t>> &columns,
                                      EvaluatedFields &result)
{
    if (!geometryFields().isFixed())
        return false;
    std::vector<float> some, indicators;
    for (std::size_t f = 0; f < m_fields.size(); ++f) {
        some.resize(columns[f].size());
        indicators.resize(columns[f].size());
        if (!m_study.evaluateColumns(m_indices[f], values, columns[f], {some, indicators},
                                     data::FieldPrefix(m_groups, m_leading[f]), m_outOfRange))
            return false;
        for (std::size_t k = 0; k < columns[f].size(); ++k) {
            result.values[f][columns[f][k]] = some[k];
            result.indicators[f][columns[f][k]] = indicators[k];
        }
    }
    return true;
}

EvaluatedFields StudyEvaluation::evaluate(std::span<const double> values)
{
    const auto begin = std::chrono::steady_clock::now();
    double bytes = 0;
    for (const auto &field : m_fields)
        bytes += 2.0 * sizeof(float) * static_cast<double>(field.values());
    requireMemory(bytes, "the result", "choose one --field");
    EvaluatedFields result{mesh(), m_fields, {}, {}, {}, {}, {}, 0, 0, {}};
    for (std::size_t f = 0; f < m_fields.size(); ++f) {
        auto &of = result.values.emplace_back(m_fields[f].values());
        auto &indicator = result.indicators.emplace_back(m_fields[f].values());
        const auto work = m_study.evaluate(m_indices[f], values, {of, indicator},
                                           data::FieldPrefix(m_groups, m_leading[f]), m_outOfRange);
        result.computedOn |= work.computedOn;
        const auto &modes = m_study.modes(m_indices[f]);
        const auto all = modes ? modes->modes() : 0;
        const double lacking = modes ? work.lacking / modes->norm : 0;
        result.modes.push_back(
            {work.leadingModes > 0 ? work.leadingModes : all, all, work.energyShare,
             m_study.modesErrorBound(m_indices[f], values, m_outOfRange) + lacking,
             m_study.isInFewBits(m_indices[f]), m_study.isKriged(m_indices[f])});
    }
    result.geometry = m_study.geometry(values, m_groups, m_outOfRange);
    addBands(result, values);
    if (const auto &displacement = result.geometry.displacement; !displacement.empty()) {
        if (!m_cells)
            m_cells = std::make_unique<const data::InvertedCells>(*data::decodeMesh(*mesh()));
        result.invertedCells = m_cells->count(displacement);
    }
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return result;
}

} // namespace gridhelm::cli
