// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a study stores of a field, as rows that are read by blocks (core/modes). Private to data.
#pragma once

#include "core/execution/device.h"
#include "core/modes/snapshot_blocks.h"
#include "core/sparse/growth.h"
#include "data/study/study.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace gridhelm::data {

/// Points of the grid that have coefficients of the field, in storage order.
std::vector<std::uint64_t> pointsWithCoefficients(const Study &study, FieldIndex field);

/// Whether all snapshots of the field at points of the grid are in the file: none has been dropped.
bool areSnapshotsStored(const Study &study, FieldIndex field);

/// Rows of a study that come in parts of Study::partValues() values.
class StoredRows : public modes::SnapshotBlocks
{
public:
    StoredRows(const Study &study, FieldIndex field);

    std::size_t values() const override;
    std::size_t columnsAtOnce() const override { return Study::partValues(); }
    void read(std::size_t first, modes::MatrixView<float> block) override;

protected:
    const Study &study() const { return m_study; }
    FieldIndex field() const { return m_field; }
    /// Of rows that were there when the work began: "coefficients", "snapshots".
    [[noreturn]] void throwGone(const std::string &what) const;

private:
    virtual void readPart(std::size_t row, std::uint64_t part, std::span<float> values) = 0;

    const Study &m_study;
    FieldIndex m_field;
    std::vector<float> m_part;
};

/// Hierarchical coefficients of these points.
class StoredCoefficients : public StoredRows
{
public:
    StoredCoefficients(const Study &study, FieldIndex field,
                       const std::vector<std::uint64_t> &points);

    std::size_t snapshots() const override { return m_points.size(); }

private:
    void readPart(std::size_t row, std::uint64_t part, std::span<float> values) override;

    const std::vector<std::uint64_t> &m_points;
};

/// Snapshots of these points, as they were delivered.
class StoredSnapshots final : public StoredRows
{
public:
    StoredSnapshots(const Study &study, FieldIndex field, const std::vector<std::uint64_t> &points);

    std::size_t snapshots() const override { return m_points.size(); }

private:
    void readPart(std::size_t row, std::uint64_t part, std::span<float> values) override;

    const std::vector<std::uint64_t> &m_points;
};

/// Those of training runs.
class StoredTrainingRuns final : public StoredRows
{
public:
    StoredTrainingRuns(const Study &study, FieldIndex field, const std::vector<std::int64_t> &runs);

    std::size_t snapshots() const override { return m_runs.size(); }

private:
    void readPart(std::size_t row, std::uint64_t part, std::span<float> values) override;

    const std::vector<std::int64_t> &m_runs;
};

/// The rows of one, then those of the other.
class JoinedRows final : public modes::SnapshotBlocks
{
public:
    JoinedRows(std::unique_ptr<modes::SnapshotBlocks> first,
               std::unique_ptr<modes::SnapshotBlocks> second);

    std::size_t snapshots() const override;
    std::size_t values() const override { return m_first->values(); }
    std::size_t columnsAtOnce() const override { return m_first->columnsAtOnce(); }
    void read(std::size_t first, modes::MatrixView<float> block) override;

private:
    std::unique_ptr<modes::SnapshotBlocks> m_first, m_second;
};

/// The snapshots of these points, from their coefficients (and so there whether or not snapshots
/// have been dropped): what the surrogate is at the points of its grid, in single precision.
class RebuiltSnapshots final : public StoredCoefficients
{
public:
    RebuiltSnapshots(const Study &study, FieldIndex field, const std::vector<std::uint64_t> &points,
                     const CpuDevice &cpu);

    void read(std::size_t first, modes::MatrixView<float> block) override;

private:
    std::vector<sparse::AncestorWeights> m_ancestors; ///< by position among the points
    CpuDevice m_cpu;
};

/// Coefficients of these points in few bits.
class StoredQuantisedRows final : public StoredRows
{
public:
    StoredQuantisedRows(const Study &study, FieldIndex field,
                        const std::vector<std::uint64_t> &points);

    std::size_t snapshots() const override { return m_points.size(); }

private:
    void readPart(std::size_t row, std::uint64_t part, std::span<float> values) override;

    const std::vector<std::uint64_t> &m_points;
};

/// The modes that are stored of a field, or some of them.
class StoredModes final : public StoredRows
{
public:
    StoredModes(const Study &study, FieldIndex field, std::size_t modes, std::size_t first = 0);

    std::size_t snapshots() const override { return m_modes; }

private:
    void readPart(std::size_t row, std::uint64_t part, std::span<float> values) override;

    std::size_t m_modes, m_first;
};

} // namespace gridhelm::data
