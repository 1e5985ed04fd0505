// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a study is made of, as plain values.
#pragma once

#include "core/parameters/parameter_space.h"
#include "core/surrogate/error_band.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gridhelm::data {

enum class StudyKind : std::uint8_t {
    vector, ///< every grid point stores a snapshot: all values of its fields on one mesh
    scalar, ///< space and parameters are one grid: every grid point stores one value a field
};
std::string_view toString(StudyKind kind);

/// Where a study's runs are.
enum class StudyDesign : std::uint8_t {
    grid,     ///< at the points of its sparse grid
    scattered ///< anywhere: training runs (Study::trainingRuns()); of vector studies only. Its grid
              ///< is one point that nobody runs, and counts as if it were done
};
std::string_view toString(StudyDesign design);

struct StudyDescription
{
    std::string title;
    StudyKind kind = StudyKind::vector;
    ParameterSpace space;
    int level = 1;          ///< refinement level n of the grid space.shape(level)
    std::string simulation; ///< opaque: how to run jobs (the plan's TOML, say)
    StudyDesign design = StudyDesign::grid;
};

/// A mesh as its codec (data/mesh) wrote it. The study keeps the bytes, compressed and checksummed.
struct Mesh
{
    std::string kind;    ///< of the codec: "image", "rectilinear", "structured", "unstructured" ...
    std::string encoded; ///< opaque bytes
    std::uint64_t points = 0;
    std::uint64_t cells = 0;

    bool operator==(const Mesh &) const = default;
};

enum class Association : std::uint8_t { point, cell };
std::string_view toString(Association association);

struct Field
{
    std::string name; ///< unique in the study
    std::string unit;
    int components = 1; ///< 3 for vectors; values of one entity are adjacent
    Association association = Association::point;
    std::uint64_t entities = 0; ///< points or cells that carry a value; 1 if scalar
    /// A stored number, which is of single precision, stands for offset + scale * number, so that
    /// what varies keeps its digits (data/study/stored_values.h). Rows of all kinds (snapshots,
    /// coefficients, modes) and what is made of them are numbers as they are stored.
    double offset = 0;
    double scale = 1;

    double valueOf(float stored) const { return offset + scale * static_cast<double>(stored); }
    float stored(double value) const { return static_cast<float>((value - offset) / scale); }
    /// Whether numbers are stored as they are.
    bool isPlain() const { return offset == 0 && scale == 1; }
    /// Values of one snapshot: entities * components. Below 2^40 (checked when added and opened).
    std::uint64_t values() const { return entities * static_cast<std::uint64_t>(components); }
    bool operator==(const Field &) const = default;
};

/// The field of a field's indicator: "velocity_indicator".
Field indicatorOf(Field field);

/// So that all that is stored stands for finite numbers.
inline constexpr double mostOffset = 1e300, mostScale = 1e250;

/// Position of a field in Study::fields(); never changes.
using FieldIndex = std::size_t;
using JobId = std::int64_t;

enum class JobState : std::uint8_t { waiting, running, done, failed };
std::string_view toString(JobState state);

/// One run of the simulation. `points` are indices in Study::grid() as it is now, ascending; they
/// agree in every ordinary parameter.
struct Job
{
    JobId id = 0;
    JobState state = JobState::waiting;
    int attempts = 0;
    double started = 0;  ///< seconds since 1970 (UTC); 0: not yet
    double finished = 0; ///< done or failed; 0: not yet
    std::string log;     ///< empty in lists; see Study::jobLog
    std::vector<std::uint64_t> points;
};

/// A job that was handed over to who runs it elsewhere: it goes on when this program has ended.
struct Submission
{
    JobId job = 0;
    std::string runner;   ///< who knows it
    std::string id;       ///< under which it is known there
    double submitted = 0; ///< seconds since 1970 (UTC)
};

/// Whether nobody has begun it yet; `job` is the submission's.
bool isQueued(const Job &job, const Submission &submission);

/// That a field's modes are stored in as few bits as an error allows that was named, and what they
/// add, with the modes that were left out for it. Errors are relative to the set's norm.
struct QuantisedModes
{
    double allowed = 0;     ///< at any snapshot and hold-out
    double atSnapshots = 0; ///< the largest that was measured, after they were written
    double atHoldOuts = 0;
    std::uint64_t snapshots = 0;  ///< at which it was
    std::uint64_t holdOuts = 0;   ///< the same
    std::uint64_t frameBytes = 0; ///< of all modes: what a picture reads

    bool operator==(const QuantisedModes &) const = default;
};

/// Modes that a study keeps for a field, as rows in place of its coefficients (core/modes). Norms
/// are weighted, by weights whose mean is 1.
struct ModeSet
{
    std::uint64_t snapshots = 0; ///< that they are modes of
    bool byVolumes = false;      ///< the weights; else all nodes count the same
    double cut = 0;              ///< share of the energy that was allowed to be cut
    double cutEnergy = 0;        ///< share that was
    double norm = 0;             ///< of the snapshots, root mean square
    /// What the snapshots have changed by, relative to the norm: root mean square, and the largest.
    double meanError = 0;
    double largestError = 0;
    /// The largest of single values, whatever their weights, relative to their root mean square.
    double largestDifference = 0;
    std::vector<double> singularValues; ///< one for each mode, the largest first
    std::optional<QuantisedModes> quantised = std::nullopt;

    std::uint64_t modes() const { return singularValues.size(); }
    bool operator==(const ModeSet &) const = default;
};

/// That a field without modes has its coefficients in few bits, too, and is evaluated by these:
/// each row within a tolerance of its own. Norms as in ModeSet.
struct QuantisedCoefficients
{
    bool byVolumes = false;     ///< the weights; else all nodes count the same
    double norm = 0;            ///< of the snapshots, root mean square
    QuantisedModes bits = {};   ///< frameBytes: of the rows that are read at a place, in the mean
    std::uint64_t rowBytes = 0; ///< of all rows
    /// One for each point of the grid: what its row is off, relative to the norm; below 0 where
    /// there is no row, since nobody computed the coefficient.
    std::vector<float> residuals = {};

    bool hasRow(std::uint64_t point) const;
    bool operator==(const QuantisedCoefficients &) const = default;
};

/// A snapshot off the grid: to measure errors with, or a training run.
struct HoldOut
{
    std::int64_t id = 0;
    std::vector<double> parameters; ///< values, not in the unit cube
};

enum class PlannedRunState : std::uint8_t { waiting, done, failed };
std::string_view toString(PlannedRunState state);

/// A run of a study of scattered runs, at a place that the program has chosen. One that is being
/// run waits: who is killed then leaves nothing to be put in order.
struct PlannedRun
{
    std::int64_t id = 0; ///< above 0, ascending in the order of the choice
    PlannedRunState state = PlannedRunState::waiting;
    int attempts = 0;             ///< that have ended
    std::int64_t trainingRun = 0; ///< that it has become; 0: not done
    std::string log;              ///< of one that has failed
    std::vector<double> parameters;
};

enum class ErrorKind : std::uint8_t {
    heldOut,     ///< at hold-out snapshots: the error to believe
    leaveOneOut, ///< at grid points whose block has none above it, without their run
    indicator,   ///< contribution of the finest group, at the hold-out parameters or its own points
    // At the finest runs, without all of these (docs/theory/surrogates.md): what the kind
    // of surrogate and the degree are chosen by, whichever the field has now.
    sparseGridCompared,
    krigingCompared,
    degree1Compared,
    degree2Compared,
    degree3Compared,
    olderHalfCompared, ///< the sparse grid of the older half of its points: how fast its error
                       ///< falls
    // Both kinds at hold-outs, which take a choice back that they contradict.
    sparseGridHeldOut,
    krigingHeldOut,
};
std::string_view toString(ErrorKind kind);
/// As it is shown: "validation" for those at validation points, else as toString() has it.
std::string_view shownName(ErrorKind kind);
/// Whether it is one of those that surrogates are compared by (Study::comparisons()).
bool isComparison(ErrorKind kind);

/// The error of one field at one place, or over several of them (see ErrorSummary).
struct ErrorFigure
{
    ErrorKind kind = ErrorKind::heldOut;
    FieldIndex field = 0;
    std::vector<double> parameters;  ///< where
    double relativeL2 = 0;           ///< eq:relative-error, over the values of the snapshot
    double maximum = 0;              ///< in the field's unit
    double relativeMaximum = 0;      ///< maximum / largest magnitude of the snapshot
    std::uint64_t gridPoints = 0;    ///< of the grid that was measured
    std::uint64_t missingPoints = 0; ///< of these had no snapshot: say so wherever it is shown
};

/// How far a field may be off, calibrated at hold-outs inside of the ranges. Norms are root mean
/// squares over the field's values; a hold-out run with several times counts once, with the time
/// at which the band is exceeded the most.
struct FieldBand
{
    FieldIndex field = 0;
    ErrorBand band;
    double typical = 0;    ///< median over the parameter space, relative to the field
    std::size_t edges = 0; ///< hold-outs in corners and faces of the ranges, which it leaves out
    double worstEdge = 0;  ///< the largest relative L2 error there
    std::uint64_t gridPoints = 0;    ///< of the grid that was measured
    std::uint64_t missingPoints = 0; ///< of these had no snapshot
    /// At single nodes (or cells): the magnitude of the error by that of the indicator; its
    /// coverage is a share of the nodes of all hold-outs (core/surrogate/node_scores.h).
    std::optional<ErrorBand> nodes = std::nullopt;
    /// Of a field that is one number a run, as its numbers are stored: how much it differs from run
    /// to run, which its errors are relative to. Not stored; bandOf() says it.
    std::optional<double> spread = std::nullopt;

    bool operator==(const FieldBand &) const = default;
};

/// A block that a grid was given because of what was expected of it
/// (core/sparse/adaptive_blocks.h).
struct Refinement
{
    std::int64_t generation = 0; ///< of the grid, that has it first; set by the study
    /// One level for each parameter; of those that are dense the lowest one, which stands for all.
    std::vector<sparse::Level> levels;
    std::uint64_t runs = 0;
    double predictedGain = 0;   ///< relative to the field
    bool isExploration = false; ///< chosen whatever is expected of it

    bool operator==(const Refinement &) const = default;
};

enum class HistoryKind : std::uint8_t {
    estimate,    ///< of the error, from coefficients
    heldOut,     ///< root mean square of the errors at hold-outs
    leaveOneOut, ///< the same of those left out one at a time
};
std::string_view toString(HistoryKind kind);

/// The error of a field when there were so many runs.
struct ErrorThen
{
    FieldIndex field = 0;
    HistoryKind kind = HistoryKind::estimate;
    std::uint64_t runs = 0;
    double error = 0; ///< relative to the field

    bool operator==(const ErrorThen &) const = default;
};

} // namespace gridhelm::data
