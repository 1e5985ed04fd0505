// SPDX-License-Identifier: GPL-3.0-or-later
//
// What several devices are expected to take for a grid that they share, from what one device and
// the link between two take (eq:subdomain-time, eq:subsweep-time and eq:sweep-time), in seconds.
#pragma once

#include "core/execution/seconds_line.h"
#include "core/solvers/pmm/pmm_partition.h"

#include <array>
#include <cstddef>

namespace gridhelm::solvers {

struct MeasuredCost
{
    double amount = 0;
    double seconds = 0;
};

/// Through both measurements; with a part of 0 where that would be negative, and then through the
/// larger amount's. Throws gridhelm::Error unless 0 < less.amount < more.amount and both times are
/// positive.
SecondsLine fitted(const MeasuredCost &less, const MeasuredCost &more);

/// Of the largest of `devices` slabs of `layers` rows or planes.
std::size_t layersOfLargest(std::size_t layers, std::size_t devices);
/// Of the slab that has most: those of the first and last device have one, others two.
std::size_t bordersOfBusiest(std::size_t layers, std::size_t devices);

/// An update of a grid in slabs (Share): one iteration of Jacobi's, or a half sweep of red-black
/// SOR.
struct SlabUpdate
{
    std::size_t layers = 1;        ///< rows (2D) or planes (3D) of the whole grid
    double shareSeconds = 0;       ///< for the largest slab, measured on one device
    double bytesOfEdge = 0;        ///< that a layer sends to one neighbour
    bool computesMeanwhile = true; ///< edges travel while the interior is computed (GPUs), or the
                                   ///< device itself copies them (CPUs)
};

/// poisson.md, eq:subdomain-time. With fewer layers than devices only as many of them compute.
/// Throws gridhelm::Error for no device or no layer.
double secondsOfUpdate(const SlabUpdate &update, std::size_t devices, const SecondsLine &message);

/// A grid of the parallel marching method on several devices.
struct PmmGrid
{
    std::array<std::size_t, 3> nodes{1, 1, 1};
    double bytesPerNode = 8;
    PmmPartition partition = PmmPartition::pipelined;
    std::size_t bands = 8; ///< of a plane (`pipelined`)
};

/// All six sub-sweeps (fronts.md, eq:sweep-time). `plane`: for the nodes of a device's part of a
/// plane. Throws gridhelm::Error for no device or no nodes.
double secondsOfSweep(const PmmGrid &grid, std::size_t devices, const SecondsLine &plane,
                      const SecondsLine &message);

/// How much faster than one device, and the part of `devices` times as fast. Weak scaling: each
/// device has as much to do as the one.
struct Scaling
{
    double speedUp = 1;
    double efficiency = 1;
};
Scaling strongScaling(double secondsOfOne, double seconds, std::size_t devices);
Scaling weakScaling(double secondsOfOne, double seconds, std::size_t devices);

} // namespace gridhelm::solvers
