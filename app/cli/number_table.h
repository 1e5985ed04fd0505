// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace gridhelm::cli {

enum class TableHeader { required, optional };

/// A CSV of numbers ("-" reads stdin), one row a line: those of the columns `names`, row-major in
/// that order. The first line names the columns, in any order; where it is optional and missing,
/// they are in this order. Blank lines, and lines that begin with #, are passed over. At least one
/// row. Throws Error naming the line of what is wrong.
std::vector<double> readNumberTable(const std::string &path, const std::vector<std::string> &names,
                                    TableHeader header);

} // namespace gridhelm::cli
