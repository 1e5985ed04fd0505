// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/support/text_table.h"

#include <string>
#include <vector>

namespace gridhelm::cli {

/// The numbers of a table ("-" reads stdin) with the columns `names` and no others, row-major in
/// that order. Where a header is optional and missing, the columns are in this order. Throws
/// gridhelm::Error naming the line of what is wrong.
std::vector<double> readNumberTable(const std::string &path, const std::vector<std::string> &names,
                                    TableHeader header);

} // namespace gridhelm::cli
