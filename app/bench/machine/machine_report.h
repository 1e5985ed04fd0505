// SPDX-License-Identifier: GPL-3.0-or-later
//
// What was measured of a machine, as it is written, read, compared and drawn.
#pragma once

#include "app/bench/machine/operation_class.h"

#include <optional>
#include <string>
#include <vector>

namespace gridhelm::bench {

/// A case on a device.
struct MeasuredCase
{
    OperationClass operation;
    int dimension = 0;
    int size = 0;
    std::string work; ///< its text; tells cases of an operation apart
    std::string device;
    bool isTuned = false;
    double perSecond = 0; ///< in units of the operation, by the median
    double seconds = 0;   ///< of a run, the median
    double spread = 0;    ///< (third quartile - first quartile) / median
    int repeats = 0;
    std::string limit{};           ///< that binds: "copying"
    double share = 0;              ///< of it that was reached
    double gigabytesPerSecond = 0; ///< what was counted; 0 if nothing was
    double gigaflopsPerSecond = 0;
    double error = 0; ///< beside the largest value, against the reference back end; may be infinite
    std::optional<double> joules{}; ///< a run, if the machine tells
};

/// Larger errors are no round-off: the case counts nowhere. Random coefficients in single precision
/// reach 1e-5.
inline constexpr double errorOfWrongResults = 1e-3;

struct MeasuredDevice
{
    std::string name;     ///< "cpu", "gpu:0", "gpu:0 + gpu:1 + cpu"
    std::string hardware; ///< for people
    double readBytesPerSecond = 0, writeBytesPerSecond = 0, copyBytesPerSecond = 0;
    double flopsPerSecond = 0;
    double linkBytesPerSecond = 0; ///< to the CPU's memory; 0 if it is its own
    std::string whyNoJoules{};     ///< empty: the hardware tells them
};

struct MachineReport
{
    std::string machine; ///< its name, for people
    std::string commit;
    std::string version;
    int threads = 1;
    bool isQuick = false;
    bool isInterrupted = false;
    int leftOut = 0; ///< cases for which there was no time or no memory
    double seconds = 0;
    bool isTuned = false; ///< whether there are cases with the machine's tuning table
    std::vector<MeasuredDevice> devices;
    std::vector<MeasuredCase> cases;
    std::vector<std::string> failures; ///< sentences: what could not be measured, and why
};

} // namespace gridhelm::bench
