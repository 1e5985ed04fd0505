// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is said about a study, by info, compress and sample alike.
#pragma once

#include "data/study/study.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace gridhelm::cli {

/// Missing points are named beside every error.
std::string errorsText(const data::Study &study);

std::string infoText(const data::Study &study);
nlohmann::json infoJson(const data::Study &study);

} // namespace gridhelm::cli
