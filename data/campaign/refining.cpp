// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/refining.h"

#include "core/support/error.h"
#include "data/campaign/fill_step.h"
#include "data/campaign/planned_runs.h"
#include "data/campaign/refine_goal.h"
#include "data/compress/compress.h"
#include "data/evaluate/hold_out.h"
#include "data/evaluate/hold_out_places.h"

#include <algorithm>
#include <limits>
#include <ratio>
#include <utility>

namespace gridhelm::data {

namespace {

/// So many runs, and a quarter of them, have to differ in the estimate, or the rest is noise.
constexpr std::uint64_t runsToJudgeNoise = 100;
constexpr double fallOfSignal = 0.7;
constexpr double mostHours = 1e6; ///< what clocks can count

bool goesOn(const StepControl &control)
{
    return !control.stop.stop_requested() && !control.pause.stop_requested();
}

/// What has come, runs that have failed left out. False if it was stopped.
bool compressWhatIsThere(StudyWriter &writer, const RefineStep &step, const StepControl &control)
{
    CompressOptions options;
    options.allowMissing = true;
    options.cpu = step.context.cpu();
    options.progress = [&](std::uint64_t, std::uint64_t) { return goesOn(control); };
    return !compress(writer, options).cancelled;
}

} // namespace

Refining::Refining(StudyWriter &writer, const RefineStep &step, const StepControl &control)
    : m_writer(writer)
    , m_step(step)
    , m_control(control)
{
    if (step.hours)
        m_over =
            Clock::now()
            + std::chrono::duration_cast<Clock::duration>(
                std::chrono::duration<double, std::ratio<3600>>(std::min(*step.hours, mostHours)));
}

RefineReport Refining::run()
{
    // The first results tell which fields there are.
    if (!runJobs())
        return m_report;
    if (m_writer.fields().empty())
        throw Error("none of the study's runs has brought a result yet: correct what is wrong, "
                    "then repeat the command");
    if (!m_state)
        begin();
    while (judge() && grow() && runJobs()) {
    }
    return finish();
}

void Refining::begin()
{
    m_fields = fieldsOf(m_writer, m_step.field);
    m_means = meansFor(m_writer, m_step, m_control.stop);
    recallEstimates();
    m_state.emplace(m_writer, m_fields, countsOf(m_writer, m_fields, m_step));
    m_mixture.emplace(m_writer, fieldsToChooseBy(m_fields, m_means, m_step));
}

std::uint64_t Refining::left() const
{
    const auto spent = m_report.runs + m_report.failed + m_ended + pending() + holdOutsToCome();
    return !m_step.runs ? std::numeric_limits<std::uint64_t>::max()
                        : *m_step.runs - std::min<std::uint64_t>(spent, *m_step.runs);
}

std::size_t Refining::holdOuts() const
{
    return countsEverywhere(m_step) ? m_step.holdOuts : 0;
}

/// Runs that are kept for them: with `until` fresh ones are made each time.
std::uint64_t Refining::holdOutsToCome() const
{
    const auto there = m_step.until ? 0 : holdOutCoverage(m_writer).there;
    return holdOuts() - std::min(there, holdOuts());
}

/// Runs that were chosen, and have not ended.
std::uint64_t Refining::pending() const
{
    const auto jobs = m_writer.jobs();
    return static_cast<std::uint64_t>(std::ranges::count_if(
               jobs,
               [](const Job &job) {
                   return job.state == JobState::waiting || job.state == JobState::running;
               }))
           + plannedIn(m_writer, PlannedRunState::waiting).size();
}

bool Refining::isOver() const
{
    return m_over && Clock::now() >= *m_over;
}

/// Those that wait. False if that ended it.
bool Refining::runJobs()
{
    RunStep run;
    run.jobs = m_step.jobs;
    run.keepGoing = m_step.keepGoing || m_hasRun;
    run.beginUntil = m_over;
    if (!m_step.isDeterministic)
        run.more = [this](const CampaignReport &soFar) { return growMeanwhile(soFar); };
    m_lastSuccess = {};
    const auto done = runStep(m_writer, run, m_control);
    m_ended = 0;
    m_hasRun = m_hasRun || done.done > 0;
    m_report.runs += done.done;
    m_report.failed += done.failed;
    m_failedInARow = done.done > 0 ? 0 : m_failedInARow + done.failed;
    const bool isHopeless =
        done.stopped || (!m_step.keepGoing && m_failedInARow >= 2 * failuresToStop);
    if (isHopeless) {
        m_report.failures = done;
        endBy(RefineEnd::failures);
    }
    // What is paused because the time is over is still judged, and measured.
    const bool isStopped = done.cancelled || (done.paused && !isOver());
    if (isStopped)
        endBy(RefineEnd::cancelled);
    return !isHopeless && !isStopped;
}

/// While the last runs go on: the next ones, by what has come. False if there are to be none before
/// those have ended.
bool Refining::growMeanwhile(const CampaignReport &soFar)
{
    m_ended = soFar.done + soFar.failed;
    if (isFailing(soFar) || m_writer.fields().empty())
        return false;
    if (!m_state)
        begin();
    return look() && !seemsReached() && !isOver() && !isNoise() && add();
}

/// Whether so many have failed since the last one went well that something is wrong with all.
bool Refining::isFailing(const CampaignReport &soFar)
{
    if (soFar.done > m_lastSuccess.done)
        m_lastSuccess = soFar;
    return !m_step.keepGoing && soFar.failed - m_lastSuccess.failed >= 2 * failuresToStop;
}

/// Compresses what has come, and says how far it is. False if it was stopped.
bool Refining::look()
{
    if (!compressWhatIsThere(m_writer, m_step, m_control) || !chooseSurrogates()
        || !goesOn(m_control)) // nothing asks where there is nothing to compress
        return false;
    m_state->update();
    remember();
    return true;
}

/// What the last hold-outs have shown to be too hopeful is taken so from then on.
bool Refining::seemsReached() const
{
    return m_step.until && m_report.estimate * m_correction <= *m_step.until;
}

/// Looks at what is there when all runs have ended. False if that ended it.
bool Refining::judge()
{
    if (!look()) {
        endBy(RefineEnd::cancelled);
        return false;
    }
    if (seemsReached() && confirm())
        return false;
    if (isOver())
        endBy(RefineEnd::time);
    else if (isNoise())
        endBy(RefineEnd::noise);
    else
        return true;
    return false;
}

/// Where runs may be off the grid, which they are depends on what is better. False if it was
/// stopped.
bool Refining::chooseSurrogates()
{
    auto means = std::vector<FieldMeans>(m_means.size()); // the others' come last
    for (const auto field : m_mixture->fieldsToChoose())
        means[field] = m_means[field];
    CompressStep compression;
    compression.context = m_step.context;
    CompressStepReport made;
    return makeMeans(
        m_writer, means, compression, false, m_control, [&](double) { return goesOn(m_control); },
        made);
}

/// Of earlier calls: the worst of the fields that count, by runs.
void Refining::recallEstimates()
{
    if (!countsEverywhere(m_step))
        return;
    for (const auto &error : m_writer.errorHistory())
        if (error.kind == HistoryKind::estimate
            && std::ranges::find(m_fields, error.field) != m_fields.end())
            m_estimates[error.runs] = std::max(m_estimates[error.runs], error.error);
}

/// What the error is estimated to be, now and for later.
void Refining::remember()
{
    const auto runs = finishedRuns(m_writer);
    std::vector<ErrorThen> errors;
    m_report.estimate = 0;
    for (std::size_t f = 0; f < m_fields.size(); ++f) {
        const auto offGrid = m_mixture->errorOffGrid(m_fields[f]);
        errors.push_back(
            {m_fields[f], HistoryKind::estimate, runs, offGrid.value_or(m_state->estimate(f))});
        m_report.estimate = std::max(m_report.estimate, errors.back().error);
    }
    m_estimates[runs] = m_report.estimate;
    if (countsEverywhere(m_step)) // the history is of the error anywhere
        m_writer.addToErrorHistory(errors);
}

/// At fresh hold-outs, if there are to be any: whether the error is what was wished for.
bool Refining::confirm()
{
    endBy(RefineEnd::reached);
    if (holdOuts() == 0)
        return true;
    m_writer.takeHoldOutsAsTrainingRuns();
    measure(affordableHoldOuts());
    if (m_report.end == RefineEnd::cancelled)
        return true;
    if (!m_report.measured) {
        m_report.failures = m_report.compress.holdOuts;
        endBy(RefineEnd::failures);
        return true;
    }
    if (*m_report.measured <= *m_step.until)
        return true;
    if (m_missed && *m_report.measured > fallOfSignal * *m_missed) {
        endBy(RefineEnd::noise); // more runs do not lower it
        return true;
    }
    m_missed = m_report.measured;
    m_correction = *m_report.measured / std::max(m_report.estimate, leastWishedError);
    if (left() > 0)
        return false;
    endBy(RefineEnd::runs);
    return true;
}

/// As many hold-outs as there shall be, or as are granted.
std::size_t Refining::affordableHoldOuts() const
{
    if (!m_step.runs)
        return holdOuts();
    const auto spent = m_report.runs + m_report.failed;
    const auto granted = *m_step.runs - std::min<std::uint64_t>(spent, *m_step.runs);
    return std::min<std::size_t>(holdOuts(), holdOutCoverage(m_writer).there + granted);
}

/// With hold-outs, and the modes and kriging that there were.
void Refining::measure(std::size_t holdOuts)
{
    m_isMeasured = true;
    m_report.measured.reset();
    for (auto step : stepsThatMake(m_writer, m_means)) {
        step.allowMissing = true;
        step.holdOuts = holdOuts;
        step.keepGoing = true;
        step.context = m_step.context;
        m_report.compress = compressStep(m_writer, step, m_control);
        m_report.runs += m_report.compress.holdOuts.done;
        m_report.failed += m_report.compress.holdOuts.failed;
        if (m_report.compress.cancelled) {
            endBy(RefineEnd::cancelled);
            return;
        }
        holdOuts = 0; // they are there, or have failed
    }
    for (const auto &error : historyOf(m_writer, m_writer.errorFigures()))
        if (error.kind == HistoryKind::heldOut
            && std::ranges::find(m_fields, error.field) != m_fields.end())
            m_report.measured = std::max(m_report.measured.value_or(0), error.error);
}

/// The estimate is what it was with a quarter of the runs. Not where runs were ordered.
bool Refining::isNoise() const
{
    const auto runs = finishedRuns(m_writer);
    if (m_step.runs || runs < runsToJudgeNoise)
        return false;
    for (auto then = m_estimates.rbegin(); then != m_estimates.rend(); ++then) {
        if (4 * then->first <= runs)
            return m_report.estimate > fallOfSignal * then->second;
    }
    return false;
}

/// False if nothing can be added, which ends it.
bool Refining::grow()
{
    if (add())
        return true;
    constexpr auto any = std::numeric_limits<std::uint64_t>::max();
    const bool isExhausted = !m_mixture->mayLeaveGrid() && m_state->choose(1, any).empty();
    endBy(isExhausted ? RefineEnd::exhausted : RefineEnd::runs);
    return false;
}

/// The next batch, on the grid or off it, whichever is more in arrears. False if nothing can be
/// added.
bool Refining::add()
{
    constexpr std::uint64_t batches = 16; // the more there is, the larger its steps
    auto wanted = std::max<std::uint64_t>(runsByPlace(m_writer).all() / batches, 1);
    if (!m_step.isDeterministic)
        wanted = std::max(wanted, static_cast<std::uint64_t>(m_step.jobs));
    wanted = std::min(wanted, left());
    const bool isOffGrid = wanted > 0 && 2 * m_mixture->offGridOf(wanted) >= wanted;
    const bool isAdded =
        isOffGrid ? leaveGrid(wanted) || growGrid(wanted) : growGrid(wanted) || leaveGrid(wanted);
    m_isMeasured = m_isMeasured && !isAdded;
    return isAdded;
}

bool Refining::growGrid(std::uint64_t wanted)
{
    const auto blocks = m_state->choose(wanted, left());
    if (blocks.empty())
        return false;
    m_writer.growBlocks(blocks, m_control.stop);
    m_report.blocks += blocks.size();
    return true;
}

bool Refining::leaveGrid(std::uint64_t wanted)
{
    if (wanted == 0 || !m_mixture->mayLeaveGrid())
        return false;
    planPlaces(m_writer, static_cast<std::size_t>(wanted));
    m_report.offGrid += wanted;
    return true;
}

RefineReport Refining::finish()
{
    if (m_isMeasured || m_report.end == RefineEnd::cancelled)
        return m_report;
    const auto end = m_report.end;
    measure(end == RefineEnd::failures ? 0 : affordableHoldOuts());
    if (m_report.end != RefineEnd::cancelled)
        endBy(end);
    return m_report;
}

} // namespace gridhelm::data
