// SPDX-License-Identifier: GPL-3.0-or-later
//
// What computes: the CPU with some of its threads, or a GPU; whole, or as one of several logical
// devices that share it.
#pragma once

#include "core/execution/memory_budget.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace gridhelm {

/// One of the equal parts that a device is split into.
struct LogicalPart
{
    int index = 0;
    int count = 1;

    bool operator==(const LogicalPart &) const = default;
};

struct CpuDevice
{
    int threads = 1; ///< at least 1
    LogicalPart part{};
};

/// With all threads that this process may use at once.
CpuDevice wholeCpu();
/// With `threads` of them, or all for 0. Throws gridhelm::Error for a negative number.
CpuDevice cpuWith(int threads);

struct GpuDevice
{
    int index = 0; ///< CUDA's device number
    /// Of what may be allocated there; never null.
    std::shared_ptr<MemoryBudget> memory = std::make_shared<MemoryBudget>();
    LogicalPart part{};
};

using Device = std::variant<CpuDevice, GpuDevice>;

/// How a device has spent its time, in parts of it, 0 to 1; what it sends while it computes counts
/// as well, so that the two are not what remains of computing.
struct ShareTimes
{
    double transfer = 0; ///< sending values to others
    double idle = 0;     ///< computing nothing: waiting for the others, or to be told what to do

    bool operator==(const ShareTimes &) const = default;
};

/// One device's part of a grid that several share: layers begin .. end - 1, rows or planes.
struct DeviceShare
{
    std::string device; ///< nameOf()
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t of = 1;                ///< layers of the whole grid
    std::string layers = "rows";       ///< what they are called
    std::optional<ShareTimes> times{}; ///< if they are known

    bool operator==(const DeviceShare &) const = default;
};

/// "gpu:1: 512 of 1024 rows (50.0 %), transfer 0.4 %, idle 1.2 %", the last two if they are known.
std::string describe(const DeviceShare &share);

/// "cpu", "gpu:1"; the second of four parts of it: "gpu:1.2/4".
std::string nameOf(const CpuDevice &cpu);
std::string nameOf(const GpuDevice &gpu);
std::string nameOf(const Device &device);

/// Logical devices: so many equal parts, of threads (each has at least one) or of the memory
/// budget. Throws gridhelm::Error unless parts >= 1.
std::vector<CpuDevice> split(const CpuDevice &cpu, int parts);
std::vector<GpuDevice> split(const GpuDevice &gpu, int parts);

} // namespace gridhelm
