// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/filling_chooser.h"

#include "data/campaign/fill_step.h"
#include "data/campaign/refine_goal.h"
#include "data/campaign/run_mixture.h"
#include "data/compress/compress_kriging.h"
#include "data/evaluate/hold_out.h"
#include "data/study/field_kriging.h"

#include <fmt/format.h>

#include <algorithm>

namespace gridhelm::data {

namespace {

/// Of the runs that there are, what makes another fit worth its time.
constexpr std::uint64_t part = 8;

/// Runs that kriging can take beside those that there are, and those that wait.
std::uint64_t room(const Study &study)
{
    const auto there = runsByPlace(study).all();
    return FieldKriging::mostRuns - std::min<std::uint64_t>(there, FieldKriging::mostRuns);
}

} // namespace

FillingChooser::FillingChooser(StudyWriter &writer, const RefineStep &step,
                               const StepControl &control)
    : m_writer(writer)
    , m_step(step)
    , m_control(control)
    , m_fields(fieldsOf(writer, step.field))
    , m_means(meansFor(writer, step))
{
}

bool FillingChooser::update()
{
    if (!m_step.until)
        return goesOn(m_control);
    for (const auto field : m_fields)
        if (!hasEnoughRunsForKriging(m_writer, field))
            return goesOn(m_control); // nothing is known yet
    return compressAgain(m_writer, m_means, m_step, m_control) && goesOn(m_control);
}

std::vector<std::optional<double>> FillingChooser::estimates() const
{
    const auto measured = historyOf(m_writer, m_writer.errorFigures());
    std::vector<std::optional<double>> errors;
    for (const auto field : m_fields) {
        auto &error = errors.emplace_back();
        const auto kriging = m_writer.kriging(field);
        if (!kriging || kriging->model.runs != runsForKriging(m_writer, field))
            continue; // what is stored is of fewer runs
        const auto found = std::ranges::find_if(measured, [&](const ErrorThen &then) {
            return then.kind == HistoryKind::leaveOneOut && then.field == field;
        });
        if (found != measured.end())
            error = found->error;
    }
    return errors;
}

AddedRuns FillingChooser::add(std::uint64_t wanted, std::uint64_t most)
{
    if (m_step.until)
        wanted = std::max(wanted, runsByPlace(m_writer).all() / part);
    else if (m_step.runs)
        wanted = most; // nothing is looked at before all are there
    const auto runs = std::min({wanted, most, room(m_writer)});
    planPlaces(m_writer, static_cast<std::size_t>(runs));
    return {0, runs};
}

std::string FillingChooser::exhaustion() const
{
    return room(m_writer) == 0
               ? fmt::format("kriging takes {} runs at most", FieldKriging::mostRuns)
               : "";
}

std::uint64_t planFirst(StudyWriter &writer, std::uint64_t most, const StepControl &control)
{
    const auto state = fillStateOf(writer, control.stop);
    const auto first = std::min<std::size_t>({state.lacking() - state.waiting, most, room(writer)});
    planPlaces(writer, first);
    return first;
}

} // namespace gridhelm::data
