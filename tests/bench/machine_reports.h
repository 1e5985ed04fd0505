// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reports of machines that nobody has.
#pragma once

#include "app/bench/machine/machine_report.h"

#include <string>

namespace gridhelm::test {

inline bench::MeasuredCase measuredCase(bench::OperationClass operation, const std::string &work,
                                        double perSecond, const std::string &device = "cpu")
{
    bench::MeasuredCase each{operation, 4, 1, work, device};
    each.perSecond = perSecond;
    each.seconds = 0.5;
    each.spread = 0.1;
    each.repeats = 5;
    each.limit = "copying";
    each.share = 0.25;
    each.gigabytesPerSecond = 3;
    each.error = 1e-6;
    return each;
}

/// With a case of each operation, of which so many are done in a second.
inline bench::MachineReport reportOf(const std::string &machine, double perSecond)
{
    bench::MachineReport report;
    report.machine = machine;
    report.commit = "0123456789ab";
    report.version = "1.2.3";
    report.threads = 2;
    report.seconds = 12;
    report.devices.push_back({"cpu", "a CPU", 1e10, 2e10, 3e10, 4e11});
    for (const auto operation : bench::operationClasses)
        report.cases.push_back(measuredCase(operation, "some work", perSecond));
    return report;
}

} // namespace gridhelm::test
