// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a probe shows, as tables: every line has all parameters and the value.
#pragma once

#include "ui/probe/probe_answer.h"

#include <string>
#include <vector>

namespace gridhelm::ui {

/// "t (s)".
std::string titleOf(const Parameter &parameter);
/// "RMS of velocity magnitude (m/s)"; of an answer with a map.
std::string titleOfMap(const ProbeAnswer &answer);

/// along, all parameters, value: the curves along these parameters, one after the other.
std::string curvesCsv(const ProbeAnswer &answer, const std::vector<std::size_t> &along);
/// All parameters, value. The answer has a map.
std::string mapCsv(const ProbeAnswer &answer);
/// arc_length, x, y, z, all parameters, value (empty outside of the mesh). It has a line.
std::string lineCsv(const ProbeAnswer &answer);

} // namespace gridhelm::ui
