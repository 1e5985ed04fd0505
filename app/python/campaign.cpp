// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/campaign.h"

#include "app/python/arrays.h"
#include "app/python/errors.h"
#include "app/python/process_runner.h"
#include "app/python/python_runner.h"
#include "app/python/study.h"
#include "app/python/tuples.h"
#include "app/python/watched_work.h"
#include "core/sparse/grid_shape.h"
#include "data/campaign/campaign_text.h"
#include "data/campaign/refine_step.h"
#include "data/campaign/study_plan.h"
#include "data/campaign/surrogate_name.h"
#include "data/evaluate/hold_out_places.h"
#include "data/study/compact_study.h"
#include "data/study/image_mesh.h"
#ifdef GRIDHELM_HAS_VTK
#include "data/mesh/campaign_files.h"
#include "data/mesh/entities_inside.h"
#endif

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <span>
#include <tuple>
#include <utility>

namespace gridhelm::python {
namespace {

namespace nb = nanobind;

/// Whose error counts, and where; see RefineStep. What is empty is not asked for.
using ErrorThatCounts = std::tuple<std::string,         // field
                                   std::vector<double>, // at: NaN for what is free
                                   std::vector<double>, // region: low and high along x, y and z
                                   std::string>;        // surrogate

struct Campaign
{
    std::string path;
    std::string plan; ///< TOML; empty: the study is there
    data::RefineStep step;
    ErrorThatCounts counts;
    std::optional<std::size_t> holdOuts;
    bool isWhole = false; ///< all jobs of the plan, and no others
    bool trust = false;
    /// See makePythonRunner(), or with `processes` processRunners(); none: as the plan says.
    std::optional<Callable> call;
    std::optional<Callable> processes;
    std::optional<Callable> progress; ///< told a text now and then
};

data::MeshFiles meshFiles()
{
#ifdef GRIDHELM_HAS_VTK
    return data::meshFilesThroughVtk();
#else
    return {};
#endif
}

data::MeshRegion regionOf([[maybe_unused]] const data::Study &study,
                          [[maybe_unused]] const std::vector<double> &ends)
{
#ifdef GRIDHELM_HAS_VTK
    return data::regionOf(
        study, {{ends.at(0), ends.at(2), ends.at(4)}, {ends.at(1), ends.at(3), ends.at(5)}});
#else
    throw Error("region= needs VTK, without which this module was built");
#endif
}

void setErrorThatCounts(data::RefineStep &step, const data::Study &study,
                        const ErrorThatCounts &counts)
{
    const auto &[field, at, region, surrogate] = counts;
    step.field = field;
    step.at = at;
    if (!surrogate.empty())
        step.surrogate = data::surrogateKindOf(surrogate);
    if (region.empty())
        return;
    data::tryPlan(study); // before the mesh
    step.region = regionOf(study, region);
}

data::StepControl controlOf(const Campaign &campaign, const std::stop_token &stop)
{
    data::StepControl control;
    control.files = meshFiles();
    control.stop = stop;
    control.patience = 0.1;
    if (campaign.processes)
        control.runner = processRunners(*campaign.processes, *campaign.call);
    else if (campaign.call)
        control.runner = [call = *campaign.call] { return makePythonRunner(call); };
    if (campaign.progress)
        control.progress = [tell = *campaign.progress](const data::StepProgress &progress) {
            const nb::gil_scoped_acquire lock;
            try {
                tell.object()(data::progressText(progress));
            } catch (nb::python_error &error) { // who shows it is no reason to stop
                error.discard_as_unraisable("progress of a campaign");
            }
        };
    return control;
}

/// Whoever goes on with a study means the parameters that it has.
void requireSame(const ParameterSpace &there, const ParameterSpace &wanted, const std::string &path)
{
    const auto differ = [&](const std::string &what) {
        throw ArgumentError(fmt::format("{} is there already, and {}: name another file with out=, "
                                        "or ask for the same parameters",
                                        path, what));
    };
    if (there.dimension() != wanted.dimension())
        differ(fmt::format("has {} parameters, not {}", there.dimension(), wanted.dimension()));
    for (std::size_t t = 0; t < there.parameters().size(); ++t) {
        const auto &a = there[t], &b = wanted[t];
        if (a.name != b.name)
            differ(fmt::format("its parameter {} is {}, not {}", t + 1, a.name, b.name));
        if (a.low != b.low || a.high != b.high || a.scale != b.scale || a.kind != b.kind)
            differ(fmt::format("its {} goes from {} to {} ({}, {})", a.name, a.low, a.high,
                               toString(a.scale), toString(a.kind)));
        if (b.levelCap && a.levelCap != b.levelCap)
            differ(fmt::format("its {} has other times", a.name));
    }
}

/// All runs of a regular grid are those of this one: not of a coarser one, or one that has been
/// refined.
void requireSameGrid(const data::StudyWriter &writer, const data::StudyDescription &wanted,
                     const std::string &path)
{
    const auto &there = writer.description();
    const auto refuse = [&](const std::string &what) {
        throw ArgumentError(
            fmt::format("{} is there already, and {}: name another file with out=, or say with "
                        "until=, runs= or hours= when it is good enough",
                        path, what));
    };
    if (there.design != wanted.design)
        refuse("has its runs at no grid");
    const auto points = sparse::countGrid(wanted.space.shape(wanted.level)).points;
    const auto isOfTheSameForm = [&] {
        for (std::size_t t = 0; t < wanted.space.parameters().size(); ++t) {
            const auto &a = there.space[t], &b = wanted.space[t];
            if (a.usedTreatment() != b.usedTreatment() || a.degree != b.degree)
                return false;
        }
        return true;
    };
    if (!isOfTheSameForm())
        refuse("is refined where the error is, not the regular grid that level= asks for");
    if (there.level != wanted.level)
        refuse(fmt::format("has the grid of level {}, not {}", there.level, wanted.level));
    if (writer.grid()->points() != points)
        refuse("has been refined: it has runs that are not of the regular grid that level= asks "
               "for");
}

data::StudyWriter writerOf(const Campaign &campaign, const std::stop_token &stop)
{
    if (campaign.plan.empty())
        return data::StudyWriter::open(campaign.path);
    const auto folder = std::filesystem::absolute(campaign.path).parent_path();
    const auto plan = data::parsePlan(campaign.plan, "the parameters", folder);
    std::string note;
    if (!std::filesystem::exists(campaign.path))
        return data::createStudy(campaign.path, plan, note, stop);
    auto writer = data::StudyWriter::open(campaign.path);
    requireSame(writer.description().space, plan.description.space, campaign.path);
    if (campaign.isWhole)
        requireSameGrid(writer, plan.description, campaign.path);
    return writer;
}

struct Refined
{
    data::RefineReport report;
    std::string end;
    std::string text;
};

/// The error of a field at its hold-outs, the last time that it was measured.
std::optional<double> lastMeasured(std::span<const data::ErrorThen> history, data::FieldIndex field)
{
    std::optional<double> error;
    for (const auto &then : history)
        if (then.field == field && then.kind == data::HistoryKind::heldOut)
            error = then.error;
    return error;
}

bool hasFailed(const data::Study &study)
{
    const auto jobs = study.jobs();
    const auto runs = study.plannedRuns();
    return std::ranges::count(jobs, data::JobState::failed, &data::Job::state) > 0
           || std::ranges::count(runs, data::PlannedRunState::failed, &data::PlannedRun::state) > 0;
}

/// Whether hold-outs have confirmed the wished error already, and nothing has been left undone.
bool isReached(const data::Study &study, const data::RefineStep &step)
{
    if (!step.until || study.fields().empty() || data::waitingJobs(study) > 0
        || (step.retryFailed && hasFailed(study)))
        return false;
    const auto history = study.errorHistory();
    for (std::size_t f = 0; f < study.fields().size(); ++f) {
        if (!step.field.empty() && study.fields()[f].name != step.field)
            continue;
        const auto error = lastMeasured(history, f);
        if (!error || *error > *step.until)
            return false;
    }
    return true;
}

/// The jobs of the plan, then coefficients and errors.
Refined runAll(data::StudyWriter &writer, const Campaign &campaign,
               const data::StepControl &control)
{
    data::RunStep step;
    step.jobs = campaign.step.jobs;
    step.keepGoing = campaign.step.keepGoing;
    step.retryFailed = campaign.step.retryFailed;
    Refined refined;
    auto &report = refined.report;
    report.failures = data::runStep(writer, step, control);
    report.runs = report.failures.done;
    report.failed = report.failures.failed;
    if (control.stop.stop_requested())
        return refined;
    if (report.failures.stopped || (writer.fields().empty() && report.failed > 0)) {
        refined.end = "failures";
        return refined;
    }
    data::CompressStep compression;
    compression.allowMissing = true;
    compression.holdOuts = campaign.holdOuts.value_or(data::sensibleHoldOuts(writer.jobs().size()));
    compression.context = campaign.step.context;
    report.compress = data::compressStep(writer, compression, control);
    for (std::size_t f = 0; f < writer.fields().size(); ++f)
        if (const auto band = data::bandOf(writer, f))
            report.measured = std::max(report.measured.value_or(0), band->typical);
    refined.end = "finished";
    refined.text =
        fmt::format("{} done, {} failed", data::countText(report.runs, "run"), report.failed);
    return refined;
}

Refined refine(Campaign campaign, const std::stop_token &stop)
{
    auto writer = writerOf(campaign, stop);
    auto control = controlOf(campaign, stop);
    auto &step = campaign.step;
    setErrorThatCounts(step, writer, campaign.counts);
    if (campaign.isWhole) {
        auto whole = runAll(writer, campaign, control);
        writer.close();
        return whole;
    }
    if (!campaign.plan.empty() && isReached(writer, step)) {
        writer.close();
        Refined reached;
        reached.end = "reached";
        reached.text =
            "the error criterion has been reached before, and validation points have confirmed it";
        return reached;
    }
    if (campaign.holdOuts)
        step.holdOuts = *campaign.holdOuts;
    else if (step.until && step.at.empty() && !step.region) // which no hold-outs would confirm
        step.holdOuts = data::sensibleHoldOuts(writer.jobs().size() + writer.trainingRuns().size());
    const auto run = [&] { return data::refineStep(writer, step, control); };
    Refined refined;
    try {
        refined.report = run();
    } catch (const data::UntrustedExecution &untrusted) {
        if (!campaign.trust)
            throw Error(fmt::format("{}; if you agree to it, pass trust=True. It is:\n{}",
                                    untrusted.what(), data::executionText(*untrusted.execution())));
        control.trusted = untrusted.execution()->digest();
        refined.report = run();
    }
    refined.text = data::refineText(refined.report, step);
    refined.end = nameOf(refined.report.end);
    writer.close();
    return refined;
}

std::optional<Callable> callableOf(const nb::object &object)
{
    return object.is_none() ? std::nullopt : std::optional<Callable>(object);
}

nb::dict refineFromPython(const std::string &path, const std::string &plan, const nb::object &call,
                          const nb::object &processes, const nb::object &progress,
                          std::optional<double> until, std::optional<std::uint64_t> runs,
                          std::optional<double> hours, std::optional<std::size_t> holdOuts,
                          const ErrorThatCounts &counts, int jobs, bool keepGoing, bool retry,
                          bool trust, bool isWhole, int threads)
{
    Campaign campaign{.path = path,
                      .plan = plan,
                      .step = {},
                      .counts = counts,
                      .holdOuts = holdOuts,
                      .isWhole = isWhole,
                      .trust = trust,
                      .call = callableOf(call),
                      .processes = callableOf(processes),
                      .progress = callableOf(progress)};
    campaign.step.until = until;
    campaign.step.runs = runs;
    campaign.step.hours = hours;
    campaign.step.jobs = jobs;
    campaign.step.keepGoing = keepGoing;
    campaign.step.retryFailed = retry;
    campaign.step.context = ExecutionContext(cpuWith(threads));
    const auto refined = watched(
        [=](const std::stop_token &stop) { return refine(campaign, stop); }, Unstopped::waited);
    const auto &report = refined.report;
    nb::dict out;
    out["end"] = refined.end;
    out["runs"] = report.runs;
    out["failed"] = report.failed;
    out["blocks"] = report.blocks;
    out["off_grid"] = report.offGrid;
    out["estimate"] = nb::cast(report.estimate);
    out["measured"] = nb::cast(report.measured);
    out["first_failure"] = report.failures.firstFailure;
    out["text"] = refined.text;
    return out;
}

/// Places of the next runs, and what the error is by estimate.
nb::tuple suggest(const std::string &path, std::uint64_t runs, const ErrorThatCounts &counts,
                  int threads)
{
    const auto found = watched(
        [=](const std::stop_token &stop) {
            auto writer = data::StudyWriter::open(path);
            data::RefineStep step;
            step.runs = runs;
            setErrorThatCounts(step, writer, counts);
            step.context = ExecutionContext(cpuWith(threads));
            data::StepControl control;
            control.files = meshFiles();
            control.stop = stop;
            const auto report = data::suggestStep(writer, step, control);
            auto places = report.places;
            const auto &space = writer.description().space;
            std::vector<std::vector<double>> all;
            for (const auto point : report.points)
                all.push_back(space.valuesAt(*writer.grid(), point));
            all.insert(all.end(), places.begin(), places.end());
            writer.close();
            return std::pair(all, report.estimate);
        },
        Unstopped::waited);
    const auto d = found.first.empty() ? 0 : found.first.front().size();
    std::vector<double> numbers;
    for (const auto &place : found.first)
        numbers.insert(numbers.end(), place.begin(), place.end());
    return nb::make_tuple(arrayOf(numbers, {found.first.size(), d}), found.second);
}

/// Bytes of the file before and after, and a sentence if it stays as long as it was for a while.
nb::tuple compact(const std::string &path, const nb::object &progress)
{
    const auto tell = callableOf(progress);
    const auto report = watched(
        [=](const std::stop_token &stop) {
            constexpr std::chrono::milliseconds between{50};
            std::chrono::steady_clock::time_point last;
            return data::compactStudy(path, [&](double share) {
                const auto now = std::chrono::steady_clock::now();
                if (tell && now - last >= between) {
                    last = now;
                    const nb::gil_scoped_acquire lock;
                    try {
                        tell->object()(share);
                    } catch (nb::python_error &error) { // who shows it is no reason to stop
                        error.discard_as_unraisable("progress of compacting");
                    }
                }
                return !stop.stop_requested();
            });
        },
        Unstopped::waited);
    return nb::make_tuple(report.before, report.after, report.notice);
}

/// parameters, log, of each job (or planned run) that has failed.
std::vector<std::tuple<std::vector<double>, std::string>> failures(const std::string &path)
{
    const auto study = data::Study::open(path);
    std::vector<std::tuple<std::vector<double>, std::string>> all;
    for (const auto &job : study.jobs())
        if (job.state == data::JobState::failed && !job.points.empty())
            all.emplace_back(study.description().space.valuesAt(*study.grid(), job.points.front()),
                             study.jobLog(job.id));
    for (const auto &run : study.plannedRuns())
        if (run.state == data::PlannedRunState::failed)
            all.emplace_back(run.parameters, run.log);
    return all;
}

/// What a run has to deliver, once one has: fields, and their mesh.
std::pair<std::vector<FieldTuple>, std::optional<MeshTuple>> studyForm(const std::string &path)
{
    std::vector<FieldTuple> fields;
    std::optional<data::Mesh> mesh;
    {
        const nb::gil_scoped_release unlocked;
        const auto study = data::Study::open(path);
        fields = tuplesOf(study.fields());
        mesh = study.mesh();
    }
    if (!mesh)
        return {fields, std::nullopt};
    return {fields, tupleOf(*mesh)};
}

} // namespace

void bindCampaign(nb::module_ &module)
{
    module.def("refine", &refineFromPython, nb::arg("path"), nb::arg("plan"),
               nb::arg("call").none(), nb::arg("processes").none(), nb::arg("progress").none(),
               nb::arg("until").none(), nb::arg("runs").none(), nb::arg("hours").none(),
               nb::arg("holdouts").none(), nb::arg("counts"), nb::arg("jobs"),
               nb::arg("keep_going"), nb::arg("retry_failed"), nb::arg("trust"), nb::arg("whole"),
               nb::arg("threads"));
    module.def("suggest", &suggest, nb::arg("path"), nb::arg("runs"), nb::arg("counts"),
               nb::arg("threads"));
    module.def("compact", &compact, nb::arg("path"), nb::arg("progress").none());
    module.def("failures", &failures, nb::call_guard<nb::gil_scoped_release>());
    module.def("image_mesh",
               [](const std::vector<std::size_t> &points, const std::vector<double> &origin,
                  const std::vector<double> &spacing) {
                   data::ImageMesh image;
                   std::copy_n(points.begin(), 3, image.points.begin());
                   std::copy_n(origin.begin(), 3, image.origin.begin());
                   std::copy_n(spacing.begin(), 3, image.spacing.begin());
                   return tupleOf(data::encodeImageMesh(image));
               });
    module.def("study_form", &studyForm);
}

} // namespace gridhelm::python
