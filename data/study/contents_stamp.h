// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/study/study.h"

#include <string>

namespace gridhelm::data {

/// The same as long as nothing in the file has changed but definitions of responses, and views:
/// what was computed from it is still so. Empty: it cannot be told, of a file of an old version.
/// Errors as the study's own reading.
std::string contentsStamp(const Study &study);

} // namespace gridhelm::data
