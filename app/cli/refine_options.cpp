// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/refine_options.h"

#include "core/support/error.h"
#include "core/support/parse_numbers.h"
#include "data/campaign/study_plan.h"
#include "data/campaign/surrogate_name.h"
#ifdef GRIDHELM_HAS_VTK
#include "data/mesh/entities_inside.h"
#endif

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>
#include <vector>

namespace gridhelm::cli {
namespace {

std::vector<double> placeOf(const data::Study &study, const std::string &at)
{
    if (at.empty())
        return {};
    const auto &space = study.description().space;
    return space.parse(at, std::vector<double>(space.parameters().size(),
                                               std::numeric_limits<double>::quiet_NaN()));
}

/// "0.2:0.4,0.1:0.3": ranges along x, y and z; what is left out is no limit.
data::MeshBox boxOf(const std::string &text)
{
    constexpr double everything = std::numeric_limits<double>::infinity();
    data::MeshBox box{{-everything, -everything, -everything},
                      {everything, everything, everything}};
    std::size_t begin = 0;
    for (std::size_t axis = 0; begin <= text.size(); ++axis) {
        const auto end = std::min(text.find(',', begin), text.size());
        const auto range = axis < box.low.size()
                               ? parseRange(text.substr(begin, end - begin), "--region")
                               : std::nullopt;
        if (!range)
            throw Error("--region wants ranges along x, y and z, as in 0.2:0.4,0.1:0.3, not '"
                        + text + "'");
        std::tie(box.low[axis], box.high[axis]) = *range;
        if (!(box.low[axis] <= box.high[axis]))
            throw Error(
                fmt::format("--region goes from {:g} down to {:g}: give the lower end first",
                            box.low[axis], box.high[axis]));
        begin = end + 1;
    }
    return box;
}

data::MeshRegion regionOf([[maybe_unused]] const data::Study &study, const std::string &text)
{
    [[maybe_unused]] const auto box = boxOf(text);
#ifdef GRIDHELM_HAS_VTK
    return data::regionOf(study, box);
#else
    throw Error("--region needs VTK, without which this program was built");
#endif
}

} // namespace

void addErrorThatCounts(CLI::App &command, ErrorThatCountsOptions &options)
{
    command
        .add_option("--field", options.field, "Only the error of this field counts; else of all")
        ->type_name("NAME");
    command
        .add_option("--at", options.at,
                    "Only the error at these parameters counts; those that are not named are free")
        ->type_name("NAME=VALUE,...");
    command
        .add_option("--region", options.region,
                    "Only the error in this box of the mesh counts: ranges along x, y and z")
        ->type_name("X0:X1,Y0:Y1,...");
    command
        .add_option("--surrogate", options.surrogate,
                    "What fields are evaluated by from now on: auto (the one with the smaller "
                    "error; runs are made at points of the grid and off it, more where they help "
                    "more), sparse-grid or kriging; by default what they are, and auto for "
                    "adaptive plans")
        ->type_name("KIND");
}

void setErrorThatCounts(data::RefineStep &step, const data::Study &study,
                        const ErrorThatCountsOptions &options)
{
    step.field = options.field;
    step.at = placeOf(study, options.at);
    if (!options.surrogate.empty())
        step.surrogate = data::surrogateKindOf(options.surrogate);
    if (options.region.empty())
        return;
    data::tryPlan(study); // before the mesh
    step.region = regionOf(study, options.region);
}

} // namespace gridhelm::cli
