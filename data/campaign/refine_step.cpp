// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/refine_step.h"

#include "core/support/error.h"
#include "data/campaign/campaign_text.h"
#include "data/campaign/fill_step.h"
#include "data/campaign/refinement.h"
#include "data/campaign/surrogate_step.h"
#include "data/compress/compress.h"
#include "data/evaluate/hold_out.h"
#include "data/evaluate/hold_out_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace gridhelm::data {

namespace {

using Clock = std::chrono::steady_clock;

/// Relative to what float32 snapshots can show.
constexpr double leastError = 1e-6;
/// So many runs, and a quarter of them, have to differ in the estimate, or the rest is noise.
constexpr std::uint64_t runsToJudgeNoise = 100;
constexpr double fallOfSignal = 0.7;

std::string waitText(std::uint64_t runs)
{
    return runs == 1 ? "1 run waits" : fmt::format("{} runs wait", runs);
}

/// What does not matter, NaN, at the low end of its range.
std::vector<double> withLowestElsewhere(const ParameterSpace &space, std::vector<double> values)
{
    if (values.size() != space.parameters().size())
        throw Error("the place that matters needs a value for each parameter");
    for (std::size_t t = 0; t < values.size(); ++t)
        if (std::isnan(values[t]))
            values[t] = space[t].low;
    return values;
}

std::vector<FieldIndex> fieldsOf(const Study &study, const std::string &name)
{
    if (!name.empty())
        return {study.fieldIndex(name)};
    std::vector<FieldIndex> all(study.fields().size());
    std::iota(all.begin(), all.end(), FieldIndex{0});
    return all;
}

/// Whether it is the error everywhere that counts, which hold-outs can confirm.
bool countsEverywhere(const RefineStep &step)
{
    return step.at.empty() && !step.region;
}

/// In the unit cube, NaN where any place matters; empty if all do.
std::vector<double> placeOf(const ParameterSpace &space, const std::vector<double> &at)
{
    if (at.empty())
        return {};
    auto place = space.toUnit(withLowestElsewhere(space, at));
    for (std::size_t t = 0; t < place.size(); ++t)
        if (std::isnan(at[t]))
            place[t] = at[t];
    return place;
}

/// Of each field.
std::vector<ErrorThatCounts> countsOf(const Study &study, const std::vector<FieldIndex> &fields,
                                      const RefineStep &step)
{
    std::vector<ErrorThatCounts> counts;
    for (const auto field : fields) {
        auto &of =
            counts.emplace_back(ErrorThatCounts{placeOf(study.description().space, step.at), {}});
        if (!step.region)
            continue;
        const bool isAtPoints = study.fields()[field].association == Association::point;
        of.entities = isAtPoints ? step.region->points : step.region->cells;
        if (of.entities.empty())
            throw Error("the region holds no value of field " + study.fields()[field].name
                        + ", which has them at the mesh's "
                        + (isAtPoints ? "points" : "cells (their middles)")
                        + ": choose a larger one");
    }
    return counts;
}

void requireSensible(const StudyWriter &writer, const RefineStep &step)
{
    requireRefinable(writer);
    if (!step.runs && !step.until && !step.hours)
        throw Error("refining needs an end: say how many runs, until which error, or for how many "
                    "hours");
    if (step.until && !(*step.until >= leastError && *step.until < 1))
        throw Error(fmt::format("an error of {:.3g} % cannot be reached: snapshots are stored in "
                                "single precision; choose one from 0.0001 % to below 100 %",
                                100 * *step.until));
    if (step.runs && *step.runs < 1)
        throw Error("refining needs at least one run");
    if (const auto waiting = waitingJobs(writer); step.runs && waiting > *step.runs)
        throw Error(waitText(waiting) + " already: grant at least so many runs, or run them first");
    if (step.hours && !(*step.hours > 0))
        throw Error("refining needs more than 0 hours");
    if (!step.at.empty())
        writer.description().space.requireInside(
            withLowestElsewhere(writer.description().space, step.at));
    if (!writer.fields().empty()) // before a run is made in vain
        static_cast<void>(countsOf(writer, fieldsOf(writer, step.field), step));
}

/// What has come, runs that have failed left out. False if it was stopped.
bool compressWhatIsThere(StudyWriter &writer, const RefineStep &step, const StepControl &control)
{
    CompressOptions options;
    options.allowMissing = true;
    options.cpu = step.context.cpu();
    options.progress = [&](std::uint64_t, std::uint64_t) {
        return !control.stop.stop_requested() && !control.pause.stop_requested();
    };
    return !compress(writer, options).cancelled;
}

/// What fields are evaluated by now, as steps that make it again: coefficients take modes and
/// kriging away.
std::vector<CompressStep> stepsToRestore(const Study &study)
{
    CompressStep modes;
    SurrogateStep kriged{SurrogateKind::kriging, {}}, chosen{SurrogateKind::chosen, {}};
    const auto means = meansOf(study);
    for (std::size_t field = 0; field < means.size(); ++field) {
        const auto &name = study.fields()[field].name;
        if (means[field].isChosen)
            chosen.fields.push_back(name);
        else if (means[field].isKriged)
            kriged.fields.push_back(name);
        else if (means[field].cut)
            modes.modes = ModesStep{means[field].cut};
    }
    std::vector<CompressStep> steps{modes};
    for (const auto &surrogate : {kriged, chosen}) {
        if (surrogate.fields.empty())
            continue;
        if (steps.back().surrogate)
            steps.emplace_back();
        steps.back().surrogate = surrogate;
    }
    return steps;
}

class Refining
{
public:
    Refining(StudyWriter &writer, const RefineStep &step, const StepControl &control)
        : m_writer(writer)
        , m_step(step)
        , m_control(control)
    {
    }

    RefineReport run()
    {
        // The first results tell which fields there are.
        if (!runJobs())
            return m_report;
        if (m_writer.fields().empty())
            throw Error("none of the study's runs has brought a result yet: correct what is wrong, "
                        "then repeat the command");
        m_fields = fieldsOf(m_writer, m_step.field);
        m_restoring = stepsToRestore(m_writer);
        recallEstimates();
        m_state.emplace(m_writer, m_fields, countsOf(m_writer, m_fields, m_step));
        while (judge() && grow() && runJobs()) {
        }
        return finish();
    }

private:
    std::uint64_t left() const
    {
        const auto spent = m_report.runs + m_report.failed + holdOutsToCome();
        return !m_step.runs ? std::numeric_limits<std::uint64_t>::max()
                            : *m_step.runs - std::min<std::uint64_t>(spent, *m_step.runs);
    }

    std::size_t holdOuts() const { return countsEverywhere(m_step) ? m_step.holdOuts : 0; }

    /// Runs that are kept for them: with `until` fresh ones are made each time.
    std::uint64_t holdOutsToCome() const
    {
        const auto there = m_step.until ? 0 : holdOutCoverage(m_writer).there;
        return holdOuts() - std::min(there, holdOuts());
    }

    bool isOver() const
    {
        return m_step.hours
               && std::chrono::duration<double>(Clock::now() - m_started).count()
                      >= 3600 * *m_step.hours;
    }

    void endBy(RefineEnd end) { m_report.end = end; }

    /// Those that wait. False if that ended it.
    bool runJobs()
    {
        RunStep run;
        run.jobs = m_step.jobs;
        run.keepGoing = m_step.keepGoing || m_hasRun;
        const auto done = runStep(m_writer, run, m_control);
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
        if (done.cancelled || done.paused)
            endBy(RefineEnd::cancelled);
        return !isHopeless && !done.cancelled && !done.paused;
    }

    /// Compresses what has come, and says how far it is. False if that ended it.
    bool judge()
    {
        if (!compressWhatIsThere(m_writer, m_step, m_control)) {
            endBy(RefineEnd::cancelled);
            return false;
        }
        m_state->update();
        remember();
        // What the last hold-outs have shown to be too hopeful is taken so from then on.
        if (m_step.until && m_report.estimate * m_correction <= *m_step.until && confirm())
            return false;
        if (isOver())
            endBy(RefineEnd::time);
        else if (isNoise())
            endBy(RefineEnd::noise);
        else
            return true;
        return false;
    }

    /// Of earlier calls: the worst of the fields that count, by runs.
    void recallEstimates()
    {
        if (!countsEverywhere(m_step))
            return;
        for (const auto &error : m_writer.errorHistory())
            if (error.kind == HistoryKind::estimate
                && std::ranges::find(m_fields, error.field) != m_fields.end())
                m_estimates[error.runs] = std::max(m_estimates[error.runs], error.error);
    }

    /// What the error is estimated to be, now and for later.
    void remember()
    {
        const auto runs = finishedRuns(m_writer);
        std::vector<ErrorThen> errors;
        m_report.estimate = 0;
        for (std::size_t f = 0; f < m_fields.size(); ++f) {
            errors.push_back({m_fields[f], HistoryKind::estimate, runs, m_state->estimate(f)});
            m_report.estimate = std::max(m_report.estimate, errors.back().error);
        }
        m_estimates[runs] = m_report.estimate;
        if (countsEverywhere(m_step)) // the history is of the error anywhere
            m_writer.addToErrorHistory(errors);
    }

    /// At fresh hold-outs, if there are to be any: whether the error is what was wished for.
    bool confirm()
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
        m_correction = *m_report.measured / std::max(m_report.estimate, leastError);
        if (left() > 0)
            return false;
        endBy(RefineEnd::runs);
        return true;
    }

    /// As many hold-outs as there shall be, or as are granted.
    std::size_t affordableHoldOuts() const
    {
        if (!m_step.runs)
            return holdOuts();
        const auto spent = m_report.runs + m_report.failed;
        const auto granted = *m_step.runs - std::min<std::uint64_t>(spent, *m_step.runs);
        return std::min<std::size_t>(holdOuts(), holdOutCoverage(m_writer).there + granted);
    }

    /// With hold-outs, and the modes and kriging that there were.
    void measure(std::size_t holdOuts)
    {
        m_isMeasured = true;
        m_report.measured.reset();
        for (auto step : m_restoring) {
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
    bool isNoise() const
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

    /// False if nothing can be added.
    bool grow()
    {
        constexpr std::uint64_t batches = 16; // the more there is, the larger its steps
        auto wanted = std::max<std::uint64_t>(m_state->runs() / batches, 1);
        if (!m_step.isDeterministic)
            wanted = std::max(wanted, static_cast<std::uint64_t>(m_step.jobs));
        const auto blocks = m_state->choose(std::min(wanted, left()), left());
        if (blocks.empty()) {
            constexpr auto any = std::numeric_limits<std::uint64_t>::max();
            endBy(m_state->choose(1, any).empty() ? RefineEnd::exhausted : RefineEnd::runs);
            return false;
        }
        m_isMeasured = false;
        m_writer.growBlocks(blocks, m_control.stop);
        m_report.blocks += blocks.size();
        return true;
    }

    RefineReport finish()
    {
        if (m_isMeasured || m_report.end == RefineEnd::cancelled)
            return m_report;
        const auto end = m_report.end;
        measure(end == RefineEnd::failures ? 0 : affordableHoldOuts());
        if (m_report.end != RefineEnd::cancelled)
            endBy(end);
        return m_report;
    }

    StudyWriter &m_writer;
    const RefineStep &m_step;
    const StepControl &m_control;
    std::vector<FieldIndex> m_fields;
    std::optional<RefinementState> m_state;
    std::vector<CompressStep> m_restoring;
    std::map<std::uint64_t, double> m_estimates; ///< by runs
    double m_correction = 1;                     ///< of estimates: what hold-outs have shown
    std::optional<double> m_missed;              ///< what they have shown the last time
    bool m_isMeasured = false;                   ///< what is there now
    std::size_t m_failedInARow = 0;
    bool m_hasRun = false;
    Clock::time_point m_started = Clock::now();
    RefineReport m_report;
};

/// More places that fill the space; kriging of all.
RefineReport fillMore(StudyWriter &writer, const RefineStep &step, const StepControl &control)
{
    if (!step.runs || *step.runs < 1 || step.until || step.hours || !countsEverywhere(step))
        throw Error(
            writer.path().string()
            + " is a study of scattered runs, at places that fill the space: say how many "
              "more there shall be, and nothing else; an error, a time, a place or a region to "
              "refine at are for grids");
    RefineReport report;
    const auto heldOut = std::min<std::uint64_t>(step.holdOuts, *step.runs - 1);
    FillStep fill;
    fill.runs = static_cast<std::size_t>(*step.runs - heldOut);
    fill.jobs = step.jobs;
    fill.keepGoing = step.keepGoing;
    const auto filled = fillStep(writer, fill, control);
    report.runs = filled.done;
    report.failed = filled.failed;
    report.failures = filled;
    report.end = filled.cancelled || filled.paused ? RefineEnd::cancelled
                 : filled.stopped                  ? RefineEnd::failures
                                                   : RefineEnd::runs;
    if (report.end == RefineEnd::cancelled)
        return report;
    CompressStep compression;
    compression.holdOuts = static_cast<std::size_t>(heldOut);
    compression.context = step.context;
    report.compress = compressStep(writer, compression, control);
    report.runs += report.compress.holdOuts.done;
    report.failed += report.compress.holdOuts.failed;
    if (report.compress.cancelled)
        report.end = RefineEnd::cancelled;
    for (const auto &summary : summarize(writer.errorFigures())) {
        if (summary.kind == ErrorKind::leaveOneOut)
            report.estimate = std::max(report.estimate, summary.meanRelativeL2);
        if (summary.kind == ErrorKind::heldOut)
            report.measured = std::max(report.measured.value_or(0), summary.meanRelativeL2);
    }
    return report;
}

} // namespace

RefineReport refineStep(StudyWriter &writer, const RefineStep &step, const StepControl &control)
{
    if (writer.description().design == StudyDesign::scattered)
        return fillMore(writer, step, control);
    requireSensible(writer, step);
    return Refining(writer, step, control).run();
}

SuggestReport suggestStep(StudyWriter &writer, const RefineStep &step, const StepControl &control)
{
    requireSensible(writer, step);
    if (!step.runs)
        throw Error("say how many runs are to be suggested");
    if (writer.fields().empty())
        throw Error("the study has no results yet that more runs could be suggested by: import "
                    "those of its first points");
    if (const auto waiting = waitingJobs(writer); waiting > 0)
        throw Error(waitText(waiting) + " for results already: import them first");
    SuggestReport report;
    for (auto again : stepsToRestore(writer)) {
        again.allowMissing = true;
        again.context = step.context;
        report.cancelled = report.cancelled || compressStep(writer, again, control).cancelled;
    }
    if (report.cancelled)
        return report;
    const auto fields = fieldsOf(writer, step.field);
    RefinementState state(writer, fields, countsOf(writer, fields, step));
    state.update();
    report.estimate = state.worstEstimate();
    const auto blocks = state.choose(*step.runs, *step.runs);
    if (blocks.empty())
        throw Error("no block of points is left that takes so few runs, or that the level caps "
                    "allow: ask for more runs, or raise the caps");
    for (const auto &block : blocks)
        report.runs += block.runs;
    writer.growBlocks(blocks, control.stop);
    const auto jobs = writer.jobs();
    for (const auto &job : jobs)
        if (job.state == JobState::waiting)
            report.points.insert(report.points.end(), job.points.begin(), job.points.end());
    return report;
}

} // namespace gridhelm::data
