// SPDX-License-Identifier: GPL-3.0-or-later
//
// Snapshots to hierarchical coefficients.
#pragma once

#include "core/execution/device.h"
#include "core/sparse/backend.h"
#include "data/study/study_writer.h"

#include <cstdint>
#include <functional>
#include <memory>

namespace gridhelm::data {

struct CompressOptions
{
    /// Points below which a snapshot is missing are computed too, with the missing coefficient 0.
    /// They are provisional: computed again, by the next compress(), until nothing is missing
    /// below.
    bool allowMissing = false;
    BlobEncoding encoding = BlobEncoding::automatic;
    CpuDevice cpu{};
    /// That hierarchizes scalar studies; null: the CPU. Snapshots, which come from the disk and go
    /// back to it, are the CPU's.
    std::shared_ptr<const sparse::Backend> backend = nullptr;
    double memoryBytes = 0; ///< that may be used; 0: half of what is available
    /// Called after every transaction with the parts (Study::partValues) of coefficients done and
    /// to do; false stops there.
    std::function<bool(std::uint64_t done, std::uint64_t total)> progress = {};
};

/// Of all fields together: a point with two fields counts twice.
struct CompressReport
{
    std::uint64_t computed = 0;    ///< coefficients (of a point and field) that are new
    std::uint64_t recomputed = 0;  ///< that were provisional
    std::uint64_t provisional = 0; ///< of all that there are now
    std::uint64_t waiting = 0;     ///< have a snapshot, but lack one below (without allowMissing)
    std::uint64_t missing = 0;     ///< have no snapshot
    bool cancelled = false;
    ComputedOn computedOn{}; ///< coefficients, if there were any to compute
};

/// Computes every coefficient that can be computed now: all of a point's ancestors have theirs, or
/// are allowed to be missing. May be called as snapshots arrive, and again after a crash.
///
/// A coefficient is the point's snapshot minus what the coefficients below it give there, summed in
/// double, in storage order, from the stored float32 values, then rounded to float32. So it depends
/// on nothing but the snapshots of the point and its ancestors: not on the order in which jobs
/// finish, on what else is in the grid, on threads, or on interruptions. And the error of rounding
/// does not add up: at a grid point the surrogate is as near to the snapshot as one float32
/// coefficient can bring it.
///
/// Scalar studies are hierarchized in double as a whole, once all values are there (or allowed to
/// be missing).
CompressReport compress(StudyWriter &writer, const CompressOptions &options);

} // namespace gridhelm::data
