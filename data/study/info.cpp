// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/info.h"

#include "data/study/beside_study.h"
#include "data/study/stored_bytes.h"
#include "data/study/study_file.h"

#include <algorithm>
#include <cmath>

namespace gridhelm::data {

namespace {

double fullGridPoints(const sparse::SparseGrid &grid)
{
    double points = 1;
    for (int t = 0; t < grid.dimension(); ++t) {
        const auto treatment = grid.treatment(t);
        double coordinates = 0;
        for (int level = sparse::lowestLevel(treatment); level <= grid.highestLevel(t); ++level)
            coordinates += static_cast<double>(
                sparse::pointsOfLevel(treatment, static_cast<sparse::Level>(level)));
        points *= coordinates;
    }
    return points;
}

std::uint64_t bytesBy(const StudyFile &file, const char *sql, FieldIndex field)
{
    auto row = file.query(sql);
    row.bind(static_cast<std::int64_t>(field)).step();
    return static_cast<std::uint64_t>(std::max<std::int64_t>(row.integer(0), 0));
}

StudyInfo::OfField infoOfField(const Study &study, FieldIndex field, double fullPoints)
{
    const auto &file = study.file();
    const bool isVector = study.description().kind == StudyKind::vector;
    StudyInfo::OfField result;
    result.missingPoints = study.missingPoints(field);
    const auto states = study.coefficientStates(field);
    const auto count = [&](CoefficientState state) {
        return static_cast<std::uint64_t>(std::ranges::count(states, state));
    };
    result.finalCoefficients = count(CoefficientState::final);
    result.provisionalCoefficients = count(CoefficientState::provisional);
    const auto ofParts = [&](PartsTable table, bool &isEstimated) {
        const auto stored = storedBytes(file, table, field);
        isEstimated = stored.isEstimated;
        return stored.bytes;
    };
    auto &estimated = result.areEstimated;
    result.storedSnapshotBytes =
        isVector
            ? ofParts(PartsTable::snapshots, estimated.snapshots)
            : bytesBy(file, "SELECT sum(length(bytes)) FROM scalar_values WHERE field = ?", field);
    result.storedCoefficientBytes =
        isVector
            ? ofParts(PartsTable::coefficients, estimated.coefficients)
            : bytesBy(file, "SELECT sum(length(bytes)) FROM scalar_coefficients WHERE field = ?",
                      field);
    result.modes = study.modeSet(field);
    if (result.modes)
        result.storedModeBytes =
            ofParts(PartsTable::modes, estimated.modes)
            + bytesBy(file, "SELECT sum(length(bytes)) FROM modal_coefficients WHERE field = ?",
                      field);
    result.quantisedRows = study.quantisedCoefficients(field);
    if (result.quantisedRows)
        result.storedQuantisedRowBytes =
            ofParts(PartsTable::quantisedCoefficients, estimated.quantisedRows);
    const auto snapshotBytes = static_cast<double>(study.fields()[field].values()) * sizeof(float);
    result.rawSnapshotBytes = static_cast<double>(study.grid()->points()) * snapshotBytes;
    result.fullGridBytes = fullPoints * snapshotBytes;
    return result;
}

} // namespace

StudyInfo info(const Study &study)
{
    const auto &file = study.file();
    return file.guarded([&] {
        StudyInfo info;
        const auto grid = study.grid();
        info.gridPoints = grid->points();
        info.gridBlocks = grid->blocks();
        info.groups = grid->groups();
        info.fullGridPoints = fullGridPoints(*grid);

        for (auto row =
                 file.query("SELECT state, count(*) FROM jobs GROUP BY state ORDER BY state");
             row.step();) {
            const auto state = row.text(0);
            const auto count = static_cast<std::uint64_t>(row.integer(1));
            if (state == toString(JobState::waiting))
                info.jobsWaiting = count;
            else if (state == toString(JobState::running))
                info.jobsRunning = count;
            else if (state == toString(JobState::done))
                info.jobsDone = count;
            else
                info.jobsFailed = count;
        }
        info.holdOuts = study.holdOuts().size();

        double full = 0, snapshots = 0, coefficients = 0;
        bool isComplete = true;
        for (FieldIndex field = 0; field < study.fields().size(); ++field) {
            info.fields.push_back(infoOfField(study, field, info.fullGridPoints));
            const auto &ofField = info.fields.back();
            const auto compressed =
                static_cast<double>(ofField.finalCoefficients + ofField.provisionalCoefficients);
            isComplete = isComplete && compressed == static_cast<double>(info.gridPoints);
            full += ofField.fullGridBytes;
            snapshots +=
                compressed * static_cast<double>(study.fields()[field].values()) * sizeof(float);
            coefficients += static_cast<double>(ofField.storedCoefficientBytes);
        }
        std::error_code ignored;
        const auto bytes = std::filesystem::file_size(study.path(), ignored);
        info.fileBytes = ignored ? 0 : bytes;
        const auto beside = lookBeside(resolvedPath(study.path()));
        info.logBytes = beside.logBytes;
        info.isBeingWritten = beside.hasWriter;
        info.jobsElsewhere = study.submissions().size();
        if (!beside.hasWriter && info.jobsRunning > info.jobsElsewhere) {
            // Nobody is there to run the others: the next campaign does.
            const auto here = info.jobsRunning - info.jobsElsewhere;
            info.jobsWaiting += here;
            info.jobsRunning -= here;
        }
        if (coefficients > 0 && isComplete) {
            info.compressionToFullGrid = full / coefficients;
            info.compressionToSnapshots = snapshots / coefficients;
        }
        return info;
    });
}

} // namespace gridhelm::data
