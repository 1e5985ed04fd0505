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
    , m_means(meansFor(writer, step, control.stop))
{
}

bool FillingChooser::update()
{
    if (!m_step.until)
        return goesOn(m_control);
    for (const auto field : m_fields)
        if (!hasEnoughRunsForKriging(m_writer, field))
            return goesOn(m_control); // nothing is known yet
    for (auto step : stepsThatMake(m_writer, m_means)) {
        step.context = m_step.context;
        if (compressStep(m_writer, step, m_control).cancelled)
            return false;
    }
    return goesOn(m_control);
}

std::optional<double> FillingChooser::estimate(std::size_t number) const
{
    const auto field = m_fields[number];
    const auto kriging = m_writer.kriging(field);
    if (!kriging || kriging->model.runs != runsForKriging(m_writer, field))
        return std::nullopt; // what is stored is of fewer runs
    for (const auto &error : historyOf(m_writer, m_writer.errorFigures()))
        if (error.kind == HistoryKind::leaveOneOut && error.field == field)
            return error.error;
    return std::nullopt;
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
