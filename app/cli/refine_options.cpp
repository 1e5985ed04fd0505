// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/refine_options.h"

#include <limits>

namespace gridhelm::cli {

void addErrorThatCounts(CLI::App &command, std::string &field, std::string &at)
{
    command.add_option("--field", field, "The error of this field alone counts; else of all")
        ->type_name("NAME");
    command
        .add_option("--at", at,
                    "The error at this place alone counts; parameters that are not named are free")
        ->type_name("NAME=VALUE,...");
}

std::vector<double> placeThatMatters(const data::Study &study, const std::string &at)
{
    if (at.empty())
        return {};
    const auto &space = study.description().space;
    return space.parse(at, std::vector<double>(space.parameters().size(),
                                               std::numeric_limits<double>::quiet_NaN()));
}

} // namespace gridhelm::cli
