// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/refining.h"

#include "core/support/error.h"
#include "data/campaign/campaign_runs.h"
#include "data/campaign/filling_chooser.h"
#include "data/campaign/grid_chooser.h"
#include "data/campaign/refine_goal.h"
#include "data/evaluate/hold_out.h"
#include "data/evaluate/hold_out_places.h"
#include "data/study/storage_error.h"

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
    if (m_writer.description().design == StudyDesign::scattered)
        m_report.offGrid += planFirst(m_writer, left(), m_control);
    // The first results tell which fields there are.
    if (!runJobs())
        return m_report;
    if (m_writer.fields().empty())
        throw Error("none of the study's runs has brought a result yet: correct what is wrong, "
                    "then repeat the command");
    if (!m_chooser)
        begin();
    while (decide() && runJobs()) {
    }
    return finish();
}

/// What is added is soon thought of again: where runs are quick, a disk is not waited for.
bool Refining::decide()
{
    const NoHasteAfterwards afterwards{m_writer};
    m_writer.setHasty(m_areQuick);
    return judge() && grow();
}

void Refining::begin()
{
    if (m_writer.description().design == StudyDesign::scattered)
        m_chooser = std::make_unique<FillingChooser>(m_writer, m_step, m_control);
    else
        m_chooser = std::make_unique<GridChooser>(m_writer, m_step, m_control);
    recallEstimates();
}

std::uint64_t Refining::left() const
{
    if (!m_step.runs)
        return std::numeric_limits<std::uint64_t>::max();
    const auto spent = m_report.runs + m_report.failed + m_ended + pending() + holdOutsToCome();
    return *m_step.runs - std::min<std::uint64_t>(spent, *m_step.runs);
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
    const auto running = std::ranges::count(m_writer.jobs(), JobState::running, &Job::state);
    return waitingJobs(m_writer) + static_cast<std::uint64_t>(running);
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
    run.waitingAlone = true;
    run.retryFailed = m_step.retryFailed && !m_hasRetried;
    m_hasRetried = true;
    if (!m_step.isDeterministic)
        run.more = [this](const CampaignReport &soFar) { return growMeanwhile(soFar); };
    m_lastSuccess = {};
    m_isEnough = false;
    const auto done = runStep(m_writer, run, m_control);
    m_report.on = done.on;
    m_areQuick = done.areQuick;
    m_ended = 0;
    if (m_problem)
        std::rethrow_exception(std::exchange(m_problem, nullptr));
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
    // Looking costs a fit: not for what is decided already.
    const bool isDecided = m_isEnough || isFailing(soFar) || isOver() || left() == 0;
    if (isDecided || m_writer.fields().empty())
        return false;
    try {
        if (!m_chooser)
            begin();
        m_isEnough = !look() || seemsReached() || isNoise() || !add();
    } catch (const StorageError &) {
        throw;
    } catch (const Error &) {
        // What goes on is worth more than the sentence, which comes when it has ended.
        m_problem = std::current_exception();
        m_isEnough = true;
    }
    return !m_isEnough;
}

/// Whether so many have failed since the last one went well that something is wrong with all.
bool Refining::isFailing(const CampaignReport &soFar)
{
    if (soFar.done > m_lastSuccess.done)
        m_lastSuccess = soFar;
    return !m_step.keepGoing && soFar.failed - m_lastSuccess.failed >= 2 * failuresToStop;
}

/// Brings everything up to date with what has come. False if it was stopped.
bool Refining::look()
{
    if (!m_chooser->update())
        return false;
    remember();
    return true;
}

/// What the last hold-outs have shown to be too hopeful is taken so from then on.
bool Refining::seemsReached() const
{
    return m_step.until && m_report.estimate && *m_report.estimate * m_correction <= *m_step.until;
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

/// Whether it is of that kind, and of a field that counts.
bool Refining::counts(const ErrorThen &error, HistoryKind kind) const
{
    return error.kind == kind
           && std::ranges::find(m_chooser->fields(), error.field) != m_chooser->fields().end();
}

/// Of earlier calls: the worst of the fields that count, by runs.
void Refining::recallEstimates()
{
    if (!countsEverywhere(m_step))
        return;
    for (const auto &error : m_writer.errorHistory())
        if (counts(error, m_chooser->kindOfEstimate()))
            m_estimates[error.runs] = std::max(m_estimates[error.runs], error.error);
}

/// Of each field, and the worst of them, none if none is known.
std::vector<std::optional<double>> Refining::readEstimates()
{
    auto errors = m_chooser->estimates();
    m_report.estimate.reset();
    for (const auto &error : errors)
        if (error)
            m_report.estimate = std::max(m_report.estimate.value_or(0), *error);
    return errors;
}

/// What the error is estimated to be, now and for later.
void Refining::remember()
{
    const auto estimates = readEstimates();
    if (!m_report.estimate)
        return;
    const auto runs = finishedRuns(m_writer);
    m_estimates[runs] = *m_report.estimate;
    if (!countsEverywhere(m_step)) // the history is of the error anywhere
        return;
    std::vector<ErrorThen> errors;
    for (std::size_t f = 0; f < estimates.size(); ++f)
        if (estimates[f])
            errors.push_back(
                {m_chooser->fields()[f], m_chooser->kindOfEstimate(), runs, *estimates[f]});
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
    m_correction = *m_report.measured / std::max(m_report.estimate.value_or(0), leastWishedError);
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
    rememberMeans(m_writer, chosenAgain(m_chooser->means()));
    CompressStep step;
    step.allowMissing = true;
    step.holdOuts = holdOuts;
    step.keepGoing = true;
    step.context = m_step.context;
    step.backend = m_step.backend;
    m_report.compress = compressStep(m_writer, step, m_control);
    m_report.runs += m_report.compress.holdOuts.done;
    m_report.failed += m_report.compress.holdOuts.failed;
    if (m_report.compress.cancelled) {
        endBy(RefineEnd::cancelled);
        return;
    }
    for (const auto &error : historyOf(m_writer, m_writer.errorFigures()))
        if (counts(error, HistoryKind::heldOut))
            m_report.measured = std::max(m_report.measured.value_or(0), error.error);
}

/// The estimate is what it was with a quarter of the runs. Not where runs were ordered.
bool Refining::isNoise() const
{
    const auto runs = finishedRuns(m_writer);
    if (m_step.runs || runs < runsToJudgeNoise || !m_report.estimate)
        return false;
    for (auto then = m_estimates.rbegin(); then != m_estimates.rend(); ++then) {
        if (4 * then->first <= runs)
            return *m_report.estimate > fallOfSignal * then->second;
    }
    return false;
}

/// False if nothing can be added, which ends it.
bool Refining::grow()
{
    if (add())
        return true;
    if (!goesOn(m_control)) {
        endBy(RefineEnd::cancelled);
        return false;
    }
    m_report.exhaustion = m_chooser->exhaustion();
    endBy(m_report.exhaustion.empty() ? RefineEnd::runs : RefineEnd::exhausted);
    return false;
}

/// The next batch. False if nothing can be added.
bool Refining::add()
{
    constexpr std::uint64_t batches = 16; // the more there is, the larger its steps
    auto wanted = std::max<std::uint64_t>(runsByPlace(m_writer).all() / batches, 1);
    if (!m_step.isDeterministic)
        wanted = std::max(wanted, static_cast<std::uint64_t>(m_step.jobs));
    const auto most = left();
    const auto added = m_chooser->add(std::min(wanted, most), most);
    m_report.blocks += added.blocks;
    m_report.offGrid += added.offGrid;
    m_isMeasured = m_isMeasured && !added.isAny();
    return added.isAny();
}

RefineReport Refining::finish()
{
    if (m_isMeasured || m_report.end == RefineEnd::cancelled)
        return m_report;
    const auto end = m_report.end;
    measure(end == RefineEnd::failures ? 0 : affordableHoldOuts());
    if (m_report.end != RefineEnd::cancelled)
        endBy(end);
    readEstimates(); // of scattered runs known only now
    return m_report;
}

} // namespace gridhelm::data
