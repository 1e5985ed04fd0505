// SPDX-License-Identifier: GPL-3.0-or-later
//
// The steps of a campaign as a person orders them, on a terminal or in a window: run, make
// hold-outs, compress, import. They can be watched, paused and stopped; however they end, the study
// is in order.
#pragma once

#include "core/execution/execution_context.h"
#include "data/campaign/campaign.h"
#include "data/campaign/execution.h"
#include "data/campaign/form_choice.h"
#include "data/campaign/import_files.h"
#include "data/compress/compress.h"
#include "data/compress/compress_kriging.h"
#include "data/compress/compress_modes.h"
#include "data/compress/quantise_modes.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gridhelm::data {

struct StepProgress
{
    enum class Phase {
        jobs,
        holdOuts,
        coefficients,
        modes,
        errors,
        files,
        compacting
    } phase = Phase::jobs;
    CampaignProgress counts; ///< of jobs, parts of coefficients, files; nothing for errors
};
/// "jobs 12 of 129, ...", "coefficients 40 %", "measuring errors".
std::string progressText(const StepProgress &progress);

struct StepControl
{
    MeshFiles files = {};
    std::stop_token stop = {};  ///< ends what is in flight
    std::stop_token pause = {}; ///< lets runs in flight end, and begins no others
    std::function<void(const StepProgress &)> progress = {}; ///< in the calling thread
    /// Gets sentences for the user while a step goes on, see CampaignOptions; likewise.
    std::function<void(const std::string &)> say = {};
    double patience = 2; ///< seconds that a command has to end when it is stopped
    /// Execution::digest of what the user has agreed to just now, beside what is remembered.
    std::string trusted = {};
    /// CopiedStudy::digest of what the user has agreed to just now.
    std::string takeOver = {};
    /// Where they run in place of what the plan says, see runOn(); empty: as the plan says.
    std::string on = {};
    /// Who runs the jobs, of a program that runs them itself, in place of what the plan names;
    /// asked for once in each step that runs any. Empty: as the plan says.
    std::function<std::unique_ptr<JobRunner>()> runner = {};
};

struct RunStep
{
    int jobs = 1; ///< at a time
    bool retryFailed = false;
    bool keepFolders = false;
    std::optional<JobId> only = std::nullopt;
    bool keepGoing = false; ///< see CampaignOptions, here and below
    std::optional<std::chrono::steady_clock::time_point> beginUntil = std::nullopt;
    std::function<bool(const CampaignReport &)> more = {};
    /// Of a study of scattered runs those that were planned, not all that its plan asks for.
    bool waitingAlone = false;
};

/// Of a study on a grid also runs at other places that wait (planPlaces()), after its jobs. Throws
/// gridhelm::Error if the study says no simulation, UntrustedExecution if the user has not agreed
/// to what would be executed, and CopiedStudy (submitted_jobs.h).
CampaignReport runStep(StudyWriter &writer, const RunStep &step, const StepControl &control);

/// As growGrid() takes them: those that the space has, the highest level for the others.
std::vector<int> levelCapsOf(const ParameterSpace &space);

/// With runs off the grid that wait.
std::uint64_t waitingJobs(const Study &study);

/// Of the places at which compressStep makes hold-outs.
inline constexpr std::uint64_t holdOutSeed = 1;

/// Runs the simulation at these places, unless there are hold-outs already, and stores what comes.
/// `jobs` and `keepGoing`: see CampaignOptions. Throws as runStep() does.
CampaignReport holdOutStep(StudyWriter &writer, const std::vector<std::vector<double>> &parameters,
                           int jobs, const StepControl &control, bool keepGoing = false);

/// Modes that are to be made of all fields, or taken away from those of a sparse grid, which are
/// then evaluated by its coefficients.
struct ModesStep
{
    std::optional<double> cut = std::nullopt; ///< see data::ModesOptions
    bool areNone = false;
};

enum class SurrogateKind : std::uint8_t {
    sparseGrid, ///< hierarchical coefficients, or modes in their place
    kriging,    ///< of the modes of all snapshots
    chosen      ///< the one with the smaller error, now and when there are new runs
};

/// What fields are to be evaluated by from now on.
struct SurrogateStep
{
    SurrogateKind kind = SurrogateKind::sparseGrid;
    std::vector<std::string> fields; ///< their names; empty: all
};

struct CompressStep
{
    bool allowMissing = false;
    bool raw = false;
    std::size_t holdOuts = 0; ///< that there shall be
    bool keepGoing = false;   ///< with hold-outs, see CampaignOptions
    /// Fields that had modes have them made again, as they were, when there are new coefficients.
    std::optional<ModesStep> modes = std::nullopt;
    /// All fields get modes, or coefficients, in as few bits as that allows, whichever a picture
    /// reads less of; those that have some stay so without it.
    std::optional<AddedErrorStep> error = std::nullopt;
    /// Fields stay what they are without it; kriging is made again when there are new runs, and
    /// what was chosen is chosen again. With SurrogateKind::chosen and no degrees below, the degree
    /// is chosen, too, from those of all fields that have a sparse grid, or may get one.
    std::optional<SurrogateStep> surrogate = std::nullopt;
    std::vector<int> degrees;              ///< StudyWriter::setDegrees() before; empty: as they are
    ExecutionContext context{CpuDevice{}}; ///< as many hold-outs at a time as its CPU has threads
    /// That measures errors, and hierarchizes scalar studies; null: the context's CPU, which does
    /// all else.
    std::shared_ptr<const sparse::Backend> backend = nullptr;
};

struct CompressStepReport
{
    CompressReport compress;
    CampaignReport holdOuts;
    ModesReport modes;             ///< that were made
    KrigingReport kriging;         ///< the same
    std::size_t chosen = 0;        ///< fields whose surrogate was chosen
    std::size_t quantised = 0;     ///< fields whose modes were stored in few bits
    std::size_t quantisedRows = 0; ///< fields whose coefficients were
    std::size_t withoutModes = 0;  ///< fields whose modes were taken away
    std::size_t exactRows = 0;     ///< fields whose coefficients were, and are exact again
    std::vector<FormChoice> forms; ///< of fields of a sparse grid in as few bits as may be
    std::string note;              ///< a sentence for people; empty if there is none
    bool cancelled = false;        ///< or paused before it was done
    ComputedOn computedOn{};       ///< all of it
};

/// Makes hold-outs, computes coefficients, modes and kriging, and measures errors, with these.
/// What is still to be made when it is stopped or killed, or while snapshots wait for others, is
/// made by the next call, unless that asks for something else. Throws gridhelm::Error if there is
/// no snapshot yet.
CompressStepReport compressStep(StudyWriter &writer, const CompressStep &step,
                                const StepControl &control);

struct ImportStep
{
    std::filesystem::path table;              ///< see importRows()
    std::vector<std::filesystem::path> files; ///< one for each row, or none
    std::vector<std::string> fields;          ///< empty: those of the plan, or all
    bool resample = false;
    std::string howToResample; ///< for the sentence that refuses another mesh
    bool allTimes = false;
    bool areTrainingRuns = false; ///< see ImportOptions
};

ImportReport importStep(StudyWriter &writer, const ImportStep &step, const StepControl &control);

} // namespace gridhelm::data
