// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/bench/machine/machine_report.h"
#include "app/bench/machine/machine_score.h"

#include <string>
#include <string_view>

namespace gridhelm::bench {

/// "1.23e+08 points/s".
std::string rateText(double perSecond, std::string_view unit);

/// "cpu (AMD EPYC 7B13, 2 threads): reads 20.1 GB/s, ...; joules: not told by this machine".
std::string deviceText(const MeasuredDevice &device);

/// What makes a report less than it could be: that it is quick, was interrupted, or has cases left
/// out; with a line end, or empty.
std::string remarkText(const MachineReport &report);

/// Devices and their limits, a line for each operation, the score of each device and of the
/// machine, and what failed. Lines.
std::string reportText(const MachineReport &report, const MachineReport &reference);

/// Two machines side by side: devices, how many times as fast the first is at each operation, the
/// scores. Lines.
std::string comparisonText(const MachineReport &first, const MachineReport &second,
                           const MachineReport &reference);

} // namespace gridhelm::bench
