// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/steering/study_facts.h"

#include "core/parameters/clean_units.h"
#include "core/sparse/sparse_grid.h"
#include "core/support/clean_text.h"
#include "data/campaign/campaign_text.h"

#include <algorithm>
#include <cmath>

namespace gridhelm::ui {
namespace {

constexpr std::size_t mostShown = 65;

/// Values that one parameter takes in runs at any places: of too many some of them.
std::vector<double> runValues(const std::vector<data::HoldOut> &runs, std::size_t t)
{
    std::vector<double> all, some;
    for (const auto &run : runs)
        all.push_back(run.parameters[t]);
    std::ranges::sort(all);
    const auto step = std::max<std::size_t>((all.size() + mostShown - 1) / mostShown, 1);
    for (std::size_t i = 0; i < all.size(); i += step)
        some.push_back(all[i]);
    return some;
}

/// Values that one parameter takes on the grid. More than anybody can tell apart are left out, the
/// finest levels first.
std::vector<double> sampledValues(const ParameterSpace &space, const sparse::SparseGrid &grid,
                                  std::size_t t)
{
    const auto d = space.parameters().size();
    const auto treatment = grid.treatment(static_cast<int>(t));
    std::vector<double> x;
    for (int l = sparse::lowestLevel(treatment); l <= grid.highestLevel(static_cast<int>(t)); ++l) {
        const auto level = static_cast<sparse::Level>(l);
        const auto count = sparse::pointsOfLevel(treatment, level);
        if (x.size() + count > mostShown)
            break;
        for (std::uint32_t i = 0; i < count; ++i)
            x.push_back(sparse::pointCoordinate(treatment, level, i));
    }
    std::ranges::sort(x);
    std::vector<double> values;
    std::vector<double> place(d, 0.5);
    for (const double coordinate : x) {
        place[t] = coordinate;
        values.push_back(space.fromUnit(place)[t]);
    }
    return values;
}

std::vector<double> withoutSpace(const std::vector<double> &values, const ParameterSpace &space)
{
    std::vector<double> others;
    for (std::size_t t = 0; t < values.size(); ++t) {
        if (space[t].kind != ParameterKind::spatial)
            others.push_back(values[t]);
    }
    return others;
}

std::string surrogateOf(const data::Study &study, data::FieldIndex field)
{
    const auto why = data::choiceText(study, field);
    return data::surrogateText(study, field) + (why.empty() ? "" : ", " + why);
}

} // namespace

const data::FieldBand *StudyFacts::bandOf(data::FieldIndex field) const
{
    return field < bands.size() && bands[field] ? &*bands[field] : nullptr;
}

QString remedyText(const data::StudyOutlook &study)
{
    return QString::fromStdString(data::howToMeasure(study)) + ", in the panel Runs";
}

std::shared_ptr<const StudyFacts> factsOf(const data::StudyFields &fields)
{
    const auto &study = fields.study();
    const auto &space = study.description().space;
    StudyFacts facts{.path = study.path(),
                     .title = cleanLine(study.description().title),
                     .notice = study.notice(),
                     .kind = study.description().kind,
                     .outlook = data::outlookOf(study),
                     .parameters = withCleanUnits(fields.parameters()),
                     .marks = {},
                     .mesh = fields.mesh(),
                     .axes = axisNamesOf(space),
                     .fields = fields.fields(),
                     .missingPoints = {},
                     .groups = fields.groups(),
                     .gridPoints = study.grid()->points(),
                     .errors = study.errorFigures(),
                     .holdOuts = data::holdOutCoverage(study),
                     .modes = {},
                     .bands = {},
                     .surrogates = {},
                     .doubts = {}};
    const bool isScattered = study.description().design == data::StudyDesign::scattered;
    const auto runs = isScattered ? study.trainingRuns() : std::vector<data::HoldOut>();
    for (std::size_t t = 0; t < space.parameters().size(); ++t) {
        if (isScattered)
            facts.marks.push_back(runValues(runs, t));
        else if (space[t].kind != ParameterKind::spatial)
            facts.marks.push_back(sampledValues(space, *study.grid(), t));
    }
    for (auto &figure : facts.errors) // where in space is not what can be steered
        figure.parameters = withoutSpace(figure.parameters, space);
    for (auto &field : facts.fields) {
        field.name = cleanLine(field.name);
        field.unit = cleanLine(field.unit);
    }
    for (std::size_t f = 0; f < facts.fields.size(); ++f) {
        facts.modes.push_back(fields.modes(f));
        facts.bands.push_back(fields.geometryFields().leaveOutside(f, facts.fields[f])
                                  ? std::nullopt
                                  : data::bandOf(study, f));
    }
    for (std::size_t f = 0; f < facts.fields.size(); ++f) {
        facts.accuracies.push_back(data::accuracyOf(study, facts.errors, f));
        facts.surrogates.push_back(surrogateOf(study, f));
        facts.doubts.push_back(data::leaveOneOutDoubt(study, f));
    }
    for (std::size_t f = 0; f < facts.fields.size(); ++f)
        facts.missingPoints.push_back(fields.missingPoints(f, facts.groups));
    return std::make_shared<const StudyFacts>(std::move(facts));
}

} // namespace gridhelm::ui
