// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/evaluate/error_norms.h"
#include "data/study/study.h"

#include <optional>

namespace gridhelm::data {

/// Of a field that is one number (or vector) a run, the spread of its values over the study's
/// snapshots and training runs: their standard deviation, which its errors are relative to. How far
/// a number is from zero says nothing of how well it is known. Nothing for other fields, where fewer
/// than two values are kept, and where all are the same.
std::optional<Norms> scalarSpread(const Study &study, FieldIndex field);

} // namespace gridhelm::data
