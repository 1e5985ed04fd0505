// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/bench/machine/machine_report.h"
#include "app/bench/machine/machine_score.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace gridhelm::bench {

/// Of the documents below. Whoever changes what a key means, or a case, counts it up.
inline constexpr int machineFormat = 1;

/// {"benchmark": "machine", "format", "machine", "commit", "version", "threads", "quick",
/// "interrupted", "left_out", "seconds", "warm_ups", "tuning", "devices": [...], "cases": [...],
/// "failures": [...], "reference_machine", "summary": [one for each operation], "by_device": [...],
/// "score": of the fastest devices, reference machine = 100, or null, "untuned_score": the same}.
/// Errors that are no finite numbers are null.
nlohmann::json jsonOf(const MachineReport &report, const MachineReport &reference);

/// What jsonOf() has written. Summary and scores are not read: they follow from the cases. Whoever
/// has written it, nothing but a report comes back: throws gridhelm::Error, with one sentence about
/// `name`, for anything else, and for figures that cannot be.
MachineReport machineReportOf(std::string_view document, const std::string &name);

/// The same of a file of at most 16 MiB.
MachineReport readMachineReport(const std::string &path);

nlohmann::json jsonOf(const ClassRatio &ratio);

} // namespace gridhelm::bench
