// SPDX-License-Identifier: GPL-3.0-or-later
//
// The simulation database: one SQLite file is one study (docs/develop/file-format.md).
//
// How the parts go together:
//
//     study_types.h     descriptions, fields, jobs, error figures: plain values
//     study.h           Study: opens a file for reading and changes nothing
//     study_writer.h    StudyWriter: the one writer of a file; creates, fills and grows studies
//     compress.h        snapshots -> hierarchical coefficients, as far as snapshots are there
//     hold_out_places.h where hold-outs are made, and which are there
//     hold_out.h        errors at hold-out snapshots, leave-one-out errors, stored as figures
//     field_surrogate.h coefficients of one field -> the field at any parameters (vector studies)
//     scalar_surrogate.h the same for scalar studies, through a back end
//     study_fields.h    both, with the mesh: what the command line and the window evaluate with
//     check.h, info.h   integrity as a list of sentences; statistics
//
// Behind them: study_file.h is the connection, with what is kept in memory of a study; each table
// has a file (study_jobs.cpp, study_snapshots.cpp, study_coefficients.cpp, study_modes.cpp,
// study_kriging.cpp, study_scalars.cpp, study_hold_outs.cpp, study_errors.cpp,
// study_refinements.cpp, study_submissions.cpp, study_planned_runs.cpp) that reads and writes
// it.
//
// The life of a study:
//
//     auto writer = StudyWriter::create(path, description); // grid, points and jobs are planned
//     writer.setMesh(mesh); // known after the first run
//     writer.addField(field);
//     for (auto &job : writer.jobs()) { // run what is waiting
//         writer.startJob(job.id);
//         auto transaction = writer.transaction();
//         for (auto point : job.points)
//             writer.putSnapshot(point, fieldIndex, values);
//         writer.finishJob(job.id, log);
//         transaction.commit(); // a job is all there, or not at all
//     }
//     compress(writer, {});               // again whenever there is more
//     writer.growGrid(higherLevel, caps); // adds points and jobs, keeps the rest
//     writer.close();                     // one file again
//
//     auto study = Study::open(path);
//     FieldSurrogate velocity(study, study.fieldIndex("velocity"));
//     velocity.loadAll(study);
//     const auto x = study.description().space.toUnit(parameters);
//     velocity.evaluate(x, {values, indicator}, backend);
//
// Points are named by their index in grid(). Indices change when the grid grows (in the file they
// are keyed by level vector and position in the block, which never change), so that a reader that
// sees another dataVersion() calls refresh() and forgets the indices it holds. Fields and jobs keep
// theirs. What is asked in between about a study that has grown may throw ChangedStudy; who asks
// for several things that belong together does it under one ConsistentRead.
//
// One thread at a time may use an object; open the file once for each thread. Any number of readers
// (objects or processes) and one writer may have a study open at once. Everything throws
// gridhelm::Error with one sentence; nothing else comes out, and the file is then as before.
#pragma once

#include "core/codec/quantised_row.h"
#include "core/modes/modal_surrogate.h"
#include "core/sparse/sparse_grid.h"
#include "data/study/field_kriging.h"
#include "data/study/field_means.h"
#include "data/study/response_definition.h"
#include "data/study/study_types.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::data {

class StudyFile; // the connection; stays inside data

/// What is there of a point's field, or of a scalar study's job.
enum class CoefficientState : std::uint8_t {
    none,
    provisional, ///< an ancestor is missing (--allow-missing): changes when it arrives
    final,       ///< never changes again
};

/// A study, opened for reading. Changes nothing and deletes nothing, neither the file nor what
/// stands beside it (but PATH-shm while another process writes the study). What a killed writer has
/// left is read in a private copy, which notice() says. Movable.
class Study
{
public:
    /// Throws gridhelm::Error for files that are missing, empty, damaged, no study, or of a newer
    /// version than this program can read. On a read-only medium the file is taken as immutable.
    static Study open(const std::filesystem::path &path);

    Study(Study &&) noexcept;
    Study &operator=(Study &&) noexcept;
    virtual ~Study();

    const std::filesystem::path &path() const;

    /// What somebody who reads the study should know of how it was found, as a sentence: that a
    /// killed program has left it in the middle of a write, say. Usually empty.
    std::string notice() const;

    // ---- what the study is; kept in memory, up to date after refresh() --------------------------

    const StudyDescription &description() const;
    std::shared_ptr<const sparse::SparseGrid> grid() const;
    const std::vector<Field> &fields() const;
    /// Throws gridhelm::Error with the names there are.
    FieldIndex fieldIndex(std::string_view name) const;

    /// Changes when another connection has changed the file: cheap, made to be polled.
    std::int64_t dataVersion() const;
    /// Reads again what is kept in memory. Point indices are those of the new grid() afterwards.
    void refresh();

    // ---- contents -------------------------------------------------------------------------------

    /// Empty until the writer has set it.
    std::optional<Mesh> mesh() const;
    /// The same without its bytes.
    std::optional<Mesh> meshHeader() const;

    /// In the order in which they were planned, without their logs.
    std::vector<Job> jobs() const;
    Job job(JobId id) const;
    std::string jobLog(JobId id) const;
    /// Jobs that run elsewhere, whether or not anybody here waits for them.
    std::vector<Submission> submissions() const;

    /// For every point of grid() whether the snapshot of this field is there (or, in a scalar
    /// study, its value). A dropped snapshot counts as being there as long as its coefficient is.
    std::vector<bool> pointsWithSnapshots(FieldIndex field) const;
    /// The same for all fields together; no point if there is no field yet.
    std::vector<bool> pointsWithSnapshots() const;
    std::uint64_t missingPoints(FieldIndex field) const;
    /// For every point of grid(). A vector study's point counts with the least of its parts.
    std::vector<CoefficientState> coefficientStates(FieldIndex field) const;

    /// Fills `values` (fields()[field].values() of them); false if there is no such snapshot.
    /// Vector studies.
    bool readSnapshot(std::uint64_t point, FieldIndex field, std::span<float> values) const;
    /// The same for hierarchical coefficients.
    bool readCoefficients(std::uint64_t point, FieldIndex field, std::span<float> values) const;

    // Snapshots and coefficients are stored in parts of partValues() values (the last one shorter),
    // each with its checksum. A part is what is read at least.
    static constexpr std::uint64_t partValues() { return std::uint64_t{1} << 16; }
    std::uint64_t parts(FieldIndex field) const;
    std::uint64_t valuesInPart(FieldIndex field, std::uint64_t part) const;
    bool readSnapshotPart(std::uint64_t point, FieldIndex field, std::uint64_t part,
                          std::span<float> values) const;
    bool readCoefficientPart(std::uint64_t point, FieldIndex field, std::uint64_t part,
                             std::span<float> values) const;

    /// What the study has in place of a field's coefficients, if it has modes of it. Whoever reads
    /// several of these while somebody may write does it under one ConsistentRead.
    std::optional<ModeSet> modeSet(FieldIndex field) const;
    /// One part of a mode. Throws gridhelm::Error if there is none, as readModes() does.
    void readModePart(FieldIndex field, std::uint64_t mode, std::uint64_t part,
                      std::span<float> values) const;
    void readMode(FieldIndex field, std::uint64_t mode, std::span<float> values) const;
    /// The same as it is stored, of modes in few bits (ModeSet::quantised).
    codec::QuantisedRow quantisedModePart(FieldIndex field, std::uint64_t mode,
                                          std::uint64_t part) const;
    /// The coefficients of all points of grid() by modes, with what these lack of them relative to
    /// the set's norm; 0 for points that have none. Kept in memory; null without modes, and where
    /// there is kriging in their place.
    std::shared_ptr<const modes::ModalRows> modalRows(FieldIndex field) const;

    /// The field's coefficients in few bits, if these are what it is evaluated by. Kept in memory;
    /// null if not.
    std::shared_ptr<const QuantisedCoefficients> quantisedCoefficients(FieldIndex field) const;
    /// One part of one of them, of a point that has a row there (else an error: the study is
    /// damaged).
    codec::QuantisedRow quantisedCoefficientPart(std::uint64_t point, FieldIndex field,
                                                 std::uint64_t part) const;

    /// Kriging of the field's modes, if that is what the field is evaluated by. Kept in memory;
    /// null if not.
    std::shared_ptr<const FieldKriging> kriging(FieldIndex field) const;
    /// Whether there is some, without reading it.
    bool hasKriging(FieldIndex field) const;

    /// Scalar studies: values of a job's points, in their order; empty if the job is not done.
    std::vector<float> readScalarValues(JobId job, FieldIndex field) const;
    /// Scalar studies: one coefficient for each point of the first `groups` groups of grid() (all
    /// by default); 0 where there is none. Throws if memory does not suffice.
    std::vector<float> readScalarCoefficients(FieldIndex field, int groups = -1) const;

    /// When it was planned, in UTC, by which it differs from others that stood or stand at its
    /// path: "2026-11-27T05:06:01.123456Z"; of older programs without parts of a second.
    std::string created() const;

    std::vector<HoldOut> holdOuts() const;
    /// Those that were asked for and have no values, because their runs failed or were not begun.
    std::vector<HoldOut> missingHoldOuts() const;
    /// Runs at any places that surrogates are fitted to, beside those of the grid's points: stored
    /// as hold-outs are, and none of them.
    std::vector<HoldOut> trainingRuns() const;
    /// Those that have this field: of a table with gaps not all do.
    std::vector<HoldOut> trainingRuns(FieldIndex field) const;
    /// Runs at places that the program has chosen, in the order of the choice; those that are done
    /// are training runs, too.
    std::vector<PlannedRun> plannedRuns() const;
    /// Throws gridhelm::Error if there is none of that number.
    PlannedRun plannedRun(std::int64_t id) const;
    /// Of a hold-out or training run.
    bool readHoldOut(std::int64_t id, FieldIndex field, std::span<float> values) const;
    bool readHoldOutPart(std::int64_t id, FieldIndex field, std::uint64_t part,
                         std::span<float> values) const;
    /// Of what fields are evaluated by; without comparisons().
    std::vector<ErrorFigure> errorFigures() const;
    /// What the surrogate of a field was chosen by, where it was not chosen by hand; they may have
    /// been measured on an earlier grid, and stay when another surrogate is made.
    std::vector<ErrorFigure> comparisons() const;
    /// Of fields that have one, which may have been measured on an earlier grid: see bandOf().
    std::vector<FieldBand> errorBands() const;
    /// By field, kind and number of runs.
    std::vector<ErrorThen> errorHistory() const;
    /// In the order in which they were defined.
    std::vector<ResponseDefinition> responses() const;
    /// What an interrupted compress was to make of a field (compressStep()); none: all is made.
    std::optional<FieldMeans> wantedMeans(FieldIndex field) const;
    /// In the order in which the blocks were chosen.
    std::vector<Refinement> refinements() const;

    /// For check.h, info.h and compress.h.
    StudyFile &file() const { return *m_file; }
    std::shared_ptr<StudyFile> sharedFile() const { return m_file; } ///< for ConsistentRead

protected:
    explicit Study(std::unique_ptr<StudyFile> file);

    std::shared_ptr<StudyFile> m_file; ///< never null; with who reads consistently
};

} // namespace gridhelm::data
