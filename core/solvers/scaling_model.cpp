// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/scaling_model.h"

#include "core/support/error.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace gridhelm::solvers {
namespace {

double number(std::size_t value)
{
    return static_cast<double>(value);
}

void requireWork(std::size_t layers, std::size_t devices)
{
    if (layers == 0 || devices == 0)
        throw Error("nothing is divided without rows or without devices; give at least one of "
                    "each");
}

/// A sub-sweep within slabs: the next plane begins when the neighbours' edge rows of the present
/// one have arrived, from both sides at once.
double besideOthers(std::size_t planes, double nodesOfPart, double bytesOfRow, bool isDivided,
                    const SecondsLine &plane, const SecondsLine &message)
{
    const double halo = isDivided ? message.of(bytesOfRow) : 0;
    return number(planes) * plane.of(nodesOfPart) + number(planes - 1) * halo;
}

/// The rows that band `band` has of plane k, skewed by a row a plane.
std::size_t rowsOfBand(std::size_t band, std::size_t bandRows, std::size_t k, std::size_t rows)
{
    const auto begin = std::max(band * bandRows, k) - k;
    const auto end = std::min(std::max((band + 1) * bandRows, k) - k, rows);
    return begin < end ? end - begin : 0;
}

/// A sub-sweep along z of slabs that stay: a device begins a band when it has finished the one
/// before, and the device before it has finished and sent this one.
double afterOthers(const PmmGrid &grid, std::size_t devices, const SecondsLine &plane,
                   const SecondsLine &message)
{
    const auto [width, rows, planes] = grid.nodes;
    const auto size = layersOfLargest(planes, devices);
    const auto bandRows = std::max<std::size_t>(rows / grid.bands, 1);
    const double sent = message.of(number(bandRows * width) * grid.bytesPerNode);
    std::vector<double> finished((rows + planes) / bandRows + 1, 0.0); // of the device before
    for (std::size_t first = 0; first < planes; first += size) {
        const auto end = std::min(first + size, planes);
        double now = 0;
        for (auto band = first / bandRows; band <= (end + rows) / bandRows; ++band) {
            double work = 0;
            for (auto k = first; k < end; ++k) {
                if (const auto mine = rowsOfBand(band, bandRows, k, rows))
                    work += plane.of(number(mine * width));
            }
            if (first > 0 && work > 0)
                now = std::max(now, finished[band] + sent);
            now += work;
            finished[band] = now;
        }
        // What the next device needs later is there by then, too.
        const auto later = std::min((end + rows) / bandRows + 1, finished.size());
        const auto next = std::min((end + size + rows) / bandRows + 1, finished.size());
        std::fill(finished.begin() + static_cast<std::ptrdiff_t>(later),
                  finished.begin() + static_cast<std::ptrdiff_t>(std::max(later, next)), now);
        if (end == planes)
            return now;
    }
    return 0;
}

/// From slabs of planes to slabs of rows: each device sends all but its own part of its slab, a
/// message to each of the others.
double secondsOfExchange(const PmmGrid &grid, std::size_t devices, const SecondsLine &message)
{
    const double all = number(grid.nodes[0]) * number(grid.nodes[1]) * number(grid.nodes[2]);
    const double p = number(devices);
    return (p - 1) * message.of(all * grid.bytesPerNode / (p * p));
}

} // namespace

SecondsLine fitted(const MeasuredCost &less, const MeasuredCost &more)
{
    if (!(0 < less.amount && less.amount < more.amount && less.seconds > 0 && more.seconds > 0))
        throw Error("a cost cannot be fitted to these two measurements: give two amounts above 0, "
                    "the larger one last, and positive times");
    const double slope = (more.seconds - less.seconds) / (more.amount - less.amount);
    const double fixed = more.seconds - slope * more.amount;
    if (slope < 0)
        return {more.seconds, 0};
    if (fixed < 0)
        return {0, more.seconds / more.amount};
    return {fixed, slope};
}

std::size_t layersOfLargest(std::size_t layers, std::size_t devices)
{
    requireWork(layers, devices);
    return (layers + devices - 1) / devices;
}

std::size_t bordersOfBusiest(std::size_t layers, std::size_t devices)
{
    requireWork(layers, devices);
    return std::min<std::size_t>(std::min(layers, devices) - 1, 2);
}

double secondsOfUpdate(const SlabUpdate &update, std::size_t devices, const SecondsLine &message)
{
    const auto size = layersOfLargest(update.layers, devices);
    const auto borders = bordersOfBusiest(update.layers, devices);
    const double travel = number(borders) * message.of(update.bytesOfEdge);
    if (!update.computesMeanwhile)
        return update.shareSeconds + travel;
    const double edges = update.shareSeconds * number(std::min(borders, size)) / number(size);
    return edges + std::max(update.shareSeconds - edges, travel);
}

double secondsOfSweep(const PmmGrid &grid, std::size_t devices, const SecondsLine &plane,
                      const SecondsLine &message)
{
    const auto [nx, ny, nz] = grid.nodes;
    requireWork(std::min({nx, ny, nz}), devices);
    const bool isDivided = devices > 1;
    const auto slab = layersOfLargest(nz, devices);
    double seconds = 0;
    for (const auto &[planes, row] : {std::pair{nx, ny}, std::pair{ny, nx}})
        seconds += 2
                   * besideOthers(planes, number(row * slab), number(row) * grid.bytesPerNode,
                                  isDivided, plane, message);
    if (!isDivided)
        return seconds + 2 * number(nz) * plane.of(number(nx * ny));
    if (grid.partition == PmmPartition::pipelined)
        return seconds + 2 * afterOthers(grid, devices, plane, message);
    const auto rows = layersOfLargest(ny, devices);
    return seconds + 2 * secondsOfExchange(grid, devices, message)
           + 2
                 * besideOthers(nz, number(nx * rows), number(nx) * grid.bytesPerNode, true, plane,
                                message);
}

Scaling strongScaling(double secondsOfOne, double seconds, std::size_t devices)
{
    const double speedUp = secondsOfOne / seconds;
    return {speedUp, speedUp / number(devices)};
}

Scaling weakScaling(double secondsOfOne, double seconds, std::size_t devices)
{
    const double efficiency = secondsOfOne / seconds;
    return {efficiency * number(devices), efficiency};
}

} // namespace gridhelm::solvers
