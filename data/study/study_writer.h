// SPDX-License-Identifier: GPL-3.0-or-later
//
// The one writer of a study. See study.h for how the parts go together.
#pragma once

#include "data/study/blob_codec.h"
#include "data/study/study.h"
#include "data/study/transaction.h"
#include "data/study/writer_lock.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace gridhelm::data {

/// Throws gridhelm::Error, saying why, unless single blocks can be added to the grid: of scalar
/// studies and scattered runs they cannot, nor where a time-like parameter is not dense.
void requireRefinable(const Study &study);

/// Throws gridhelm::Error, saying why, unless runs at any places can be planned (planRun()): such a
/// run is stored as one snapshot, so that scalar studies and grids with times cannot have them.
void requireRunsAtAnyPlace(const Study &study);
bool mayRunAtAnyPlace(const Study &study); ///< whether it does not throw

class StudyWriter : public Study
{
public:
    /// Makes a new file, with the grid description.space.shape(level), all jobs waiting. Throws
    /// gridhelm::Error if there is a file of that name already, or the folder cannot be written.
    /// There is no file either if a stop was requested before it was whole: an error, too.
    static StudyWriter create(const std::filesystem::path &path,
                              const StudyDescription &description,
                              const std::stop_token &stop = {});

    /// Opens a study for writing; a file of an older version is migrated. Throws gridhelm::Error
    /// for what Study::open does not take, read-only files, and if somebody else is writing (who
    /// was killed does not count).
    static StudyWriter open(const std::filesystem::path &path);

    StudyWriter(StudyWriter &&) noexcept;
    StudyWriter &operator=(StudyWriter &&) noexcept;
    /// close(), but what goes wrong is lost.
    ~StudyWriter() override;

    /// Brings everything into the one file, so that a copy of it is a copy of the study. While a
    /// reader is in the middle of a read, that is waited for a moment, then left to the next
    /// writer, and the sentence that is returned says so. The object must not be used afterwards.
    std::string close();
    /// For who is idle after a commit, now and then: what is in the write-ahead log alone is
    /// brought into the one file, once a second at most.
    void settle();
    /// For many small transactions: a commit does not wait for the disk, but whatever comes next to
    /// be waited for (settle(), which every commit calls, close(), setHasty(false)) waits for all
    /// of them. If that fails, the next call of these or the next transaction throws.
    /// If the power fails, the last ones may be missing, each as a whole; if the program is killed,
    /// none. Without effect where there is no write-ahead log.
    void setHasty(bool isHasty);

    /// Every function below is a transaction of its own unless one is open.
    Transaction transaction() { return Transaction(file()); }

    // ---- what is known after the first run
    // -------------------------------------------------------

    /// Throws gridhelm::Error if there is another one already: all snapshots share one mesh.
    void setMesh(const Mesh &mesh);
    /// A field of that name that is equal in everything is returned; one that differs is an error,
    /// as is a new one once snapshots have been stored.
    FieldIndex addField(const Field &field);
    /// Of new ones, in this order: many at once take no longer than one.
    void addFields(std::span<const Field> added);
    void setSimulation(const std::string &simulation);
    void setTitle(const std::string &title);

    // ---- jobs
    // ------------------------------------------------------------------------------------

    /// Running, one attempt more. A job that is done is never run again: an error, as it is for one
    /// that runs elsewhere.
    void startJob(JobId id);
    /// The running job is known to `runner` under this id. To be committed before it is handed over
    /// (with a token of ours, which leads to it there), so that nothing is run twice whoever is
    /// killed when; and again with the id that it was given. Its end takes it back.
    void putSubmission(JobId id, std::string_view runner, std::string_view externalId);
    /// A job that was submitted, and has been queued since, has begun there now: from now on it has
    /// been started after it was submitted (isQueued()). Nothing if it is not submitted.
    void noteBegunElsewhere(JobId id);
    /// Done. Throws gridhelm::Error unless all of its points have all fields.
    void finishJob(JobId id, const std::string &log);
    void failJob(JobId id, const std::string &log);
    /// Failed, or running (whoever ran it is gone): waiting again.
    void resetJob(JobId id);
    /// Jobs that a killed campaign left running are waiting again, but for those that run
    /// elsewhere; how many.
    std::size_t resetRunningJobs();

    // ---- snapshots
    // -------------------------------------------------------------------------------

    /// How new snapshots are stored (coefficients: see CompressOptions). `automatic` by default.
    void setSnapshotEncoding(BlobEncoding encoding);
    /// Values as they will be stored, made beforehand, so that this, which takes most of the time
    /// of putting them, is done side by side: by any thread, whatever another one does with the
    /// writer (but setSnapshotEncoding()). Without it, putting does it.
    PackedParts packed(std::span<const float> values) const;

    /// fields()[field].values() finite values; replaces an earlier one only while the point has no
    /// coefficient of this field (else an error: coefficients do not change). Vector studies.
    void putSnapshot(std::uint64_t point, FieldIndex field, std::span<const float> values,
                     const PackedParts &packed = {});
    /// Scalar studies: one value for each of the job's points, in their order.
    void putScalarValues(JobId job, FieldIndex field, std::span<const float> values);

    /// Points that were delivered without a job (files that existed already): their jobs count as
    /// done when all of their points have all fields. Returns how many became done.
    std::size_t finishDeliveredJobs(const std::string &log);

    /// Deletes snapshots whose coefficients are final. The coefficients stay, and the grid can
    /// still grow, for a coefficient needs its own snapshot and coefficients below it; but the
    /// snapshots themselves come back only as surrogate values, rounded. Returns the bytes set free
    /// (they are used for what is written next; compact() gives them back to the disk).
    std::uint64_t dropSnapshots();
    /// Rewrites the file without unused space, modes one after the other. Readers go on; while one
    /// reads, the file stays as long as it was. `progress` is told the share that is done and
    /// returns false to stop: then false is returned, and the study is as before. Throws
    /// StorageError unless its disk has room for twice as much as is in use.
    bool compact(const std::function<bool(double)> &progress = {});
    /// The same after work that is finished whatever comes of it, where this share of the file or
    /// more is unused. Returns a sentence for the user if something was in the way (too little
    /// room, or somebody who reads).
    std::string compactIfWorthwhile(double unused = 0.1);

    /// Other degrees of the parameters' functions (ParameterSpace::withDegrees()), on the same
    /// points: all coefficients and error figures go, and compress() makes the coefficients again
    /// from the snapshots. Nothing happens if they are what they were. Throws gridhelm::Error for
    /// degrees that treatments lack, and if a point has coefficients whose snapshots are gone
    /// (dropSnapshots()). Whether anything has changed.
    bool setDegrees(std::span<const int> degrees);

    // ---- modes
    // ------------------------------------------------------------------------------------

    /// Modes of a field of a vector study, in place of those that there were: first these are
    /// removed, then all parts of all modes are put, then it is said what they are; all of it in
    /// one transaction. Any coefficient that compress() adds takes the field's modes away again.
    void putModePart(FieldIndex field, std::uint64_t mode, std::uint64_t part,
                     std::span<const float> values);
    /// packedBy: see BlobEncoder::encodeQuantised().
    void putModePart(FieldIndex field, std::uint64_t mode, std::uint64_t part,
                     const codec::QuantisedRow &values,
                     const std::optional<codec::CodeNeighbours> &packedBy = {});
    /// Modes from this one on.
    void removeModesFrom(FieldIndex field, std::uint64_t mode);
    /// `rows` has one for each point of grid(); residuals are relative to the set's norm.
    void setModes(FieldIndex field, const ModeSet &set, const modes::ModalRows &rows);
    /// The same with kriging in place of modal coefficients. The field's error figures go, now and
    /// when the kriging is removed.
    void setKriging(FieldIndex field, const ModeSet &set, const FieldKriging &kriging);
    /// What is said of modes whose values have been put again, in few bits: set.quantised is
    /// there. `rows` as above, of fields that have modal coefficients, and null of others.
    void setQuantised(FieldIndex field, const ModeSet &set, const modes::ModalRows *rows);
    /// With the kriging of them, or the coefficients in few bits that are in their place. Whether
    /// there were any.
    bool removeModes(FieldIndex field);

    /// Coefficients in few bits, of points that have exact ones: earlier ones are removed, then all
    /// parts of all points are put, then it is said what they are, in place of modes; all of it in
    /// one transaction. What takes modes away takes these away, too.
    void putQuantisedCoefficientPart(std::uint64_t point, FieldIndex field, std::uint64_t part,
                                     const codec::QuantisedRow &values);
    /// residuals: one for each point of grid().
    void setQuantisedCoefficients(FieldIndex field, const QuantisedCoefficients &set);
    bool removeQuantisedCoefficients(FieldIndex field);

    // ---- hold-outs, figures
    // ----------------------------------------------------------------------

    /// A snapshot off the grid; one value of every field. Returns its id.
    std::int64_t addHoldOut(std::span<const double> parameters);
    /// The same of a training run (Study::trainingRuns()), whose values are put as a hold-out's.
    std::int64_t addTrainingRun(std::span<const double> parameters);
    /// A place that was chosen for a run, which waits; returns its number. Throws gridhelm::Error
    /// for a study that requireRunsAtAnyPlace() refuses.
    std::int64_t planRun(std::span<const double> parameters);
    // How it has ended. Throw gridhelm::Error for one that is done: it is never run again.
    void finishPlannedRun(std::int64_t id, std::int64_t trainingRun);
    void failPlannedRun(std::int64_t id, std::string_view log);
    void resetPlannedRun(std::int64_t id); ///< waits again
    void putHoldOut(std::int64_t id, FieldIndex field, std::span<const float> values,
                    const PackedParts &packed = {});
    /// Hold-outs that have values become training runs: nothing is measured there any more.
    void takeHoldOutsAsTrainingRuns();
    /// Replaces what is remembered of hold-outs that were asked for and are not there.
    void setMissingHoldOuts(std::span<const std::vector<double>> parameters);

    /// Replaces all figures of these kinds and fields.
    void putErrorFigures(std::span<const ErrorFigure> figures);
    void removeErrorFigures(FieldIndex field, std::span<const ErrorKind> kinds);
    /// Replaces the bands of all fields.
    void putErrorBands(std::span<const FieldBand> bands);

    /// A new one, or another definition of the one of that name. Throws gridhelm::Error for a name
    /// that is none; what the texts say is not looked at.
    void putResponse(const ResponseDefinition &definition);
    /// False if there is none.
    bool removeResponse(std::string_view name);
    /// What compress has begun to make of a field; none: it is made.
    void setWantedMeans(FieldIndex field, const std::optional<FieldMeans> &means);
    /// One error for each field, kind and number of runs: the last one stays.
    void addToErrorHistory(std::span<const ErrorThen> errors);

    // ---- growing
    // ---------------------------------------------------------------------------------

    /// The grid of `level` and `caps` (one for each parameter; they replace those of the space)
    /// instead of the present one, which it must contain. Points and jobs are added, nothing is
    /// renumbered in the file, and no coefficient changes; indices of points in grid() do.
    /// Returns the number of new points. A stop that was requested meanwhile is an error.
    std::uint64_t growGrid(int level, std::span<const int> caps, const std::stop_token &stop = {});

    /// The same with single blocks, each with all levels of the dense parameters. Leaf blocks are
    /// the grid's last group from then on (sparse::Grouping); the caps stay. What was expected of
    /// the blocks is remembered. Throws gridhelm::Error for a study that requireRefinable()
    /// refuses, and unless the blocks are new and make a grid with the present one.
    std::uint64_t growBlocks(std::span<const Refinement> blocks, const std::stop_token &stop = {});

private:
    StudyWriter(std::unique_ptr<StudyFile> file, WriterLock lock);

    WriterLock m_lock;
};

} // namespace gridhelm::data
