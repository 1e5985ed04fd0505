// SPDX-License-Identifier: GPL-3.0-or-later
//
// A campaign as its user writes it down: a TOML file.
//
//     [study]
//     title = "Lid-driven cavity"
//     author = "R. Haas"       # and licence = "CC BY 4.0": who made the runs, and what others may
//                              # do with them, for those who are sent the study
//
//     [[parameter]]
//     name = "Re"              # also: unit, scale ("linear", "logarithmic"), kind ("time-like"),
//     low = 100                # treatment ("zero", "boundary", "modified"), cap (levels)
//     high = 1000
//
//     [[parameter]]
//     name = "t"
//     low = 0
//     high = 5
//     kind = "time-like"       # a run delivers all of its values: they cost nothing
//     times = 33               # how many: 2^k + 1 (2^k - 1 without the ends); or their levels, cap
//     = 5
//
//     [grid]
//     level = 5                # of all parameters but the time-like one
//     design = "regular"       # the default; "adaptive": refined block by block (refine_step.h),
//     from
//                              # level 2 on, points of "leja" unless parameters say otherwise;
//                              # or "space-filling": no grid, but runs = 51 at places
//                              # that fill the space, for kriging (instead of level)
//
//     [simulation]             # one of: builtin, command; neither if the files exist already
//     builtin = "cavity"       # also: resolution, options = {..}, fixed = {bottom = 0.5}
//     command = ["./solve", "{Re}"]     # or one text for the shell; runs in the job's folder;
//                              # an argument "{times}" becomes one argument for each time
//     result = "out_{t}.vti"   # one file for each time, or a series; may contain * and ?; numbers
//                              # may be written in any way, see resultFile()
//     templates = ["case.in"]  # files or folders, copied to the job's folder, {Re} filled in
//     time-limit = 600         # seconds; environment = {OMP_NUM_THREADS = "1"}
//     fields = ["velocity"]    # those to keep; all if left out
//
//     [run]                    # where it runs, if not where it does by itself
//     on = "local"             # see runner_registry.h; its options stand here, too
//
//     [mesh]                   # if runs have meshes of their own; otherwise that is an error
//     kind = "resampled"       # onto the first one's; "moving": the same cells, whose nodes move;
//                              # "background": the shape changes, all onto a regular grid
//     points = [65, 65]        # of the background grid; also: low = [0, 0], high = [2, 1], which
//                              # are the ends of the first run's mesh if left out
//
// A scalar study, where space is part of the grid, says so and names the directions of space that
// its simulation's mesh (an image) has, in the order x, y, z:
//
//     [study]
//     kind = "scalar"
//
//     [[space]]
//     name = "px"              # "x", "y", "z" if left out; also: unit, treatment, cap; low and
//     low = 0                  # high, which are the ends of a built-in simulation's mesh if left
//     high = 1                 # out
#pragma once

#include "data/campaign/built_in_plan.h"
#include "data/campaign/command_plan.h"
#include "data/campaign/plan_error.h"
#include "data/campaign/plan_place.h"
#include "data/campaign/run_plan.h"
#include "data/mesh/mesh_handling.h"
#include "data/study/study_types.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gridhelm::data {

struct Plan
{
    StudyDescription description; ///< its `simulation` is the text of the plan, see planOf()
    std::variant<std::monostate, BuiltInPlan, CommandPlan> simulation;
    std::vector<std::string> fields; ///< to keep; empty: all
    MeshHandling mesh = {};          ///< of results that come as files
    RunPlan run = {};
    std::size_t runs = 0; ///< that a space-filling design is to have (see fill_step.h); 0: a grid
    bool isAdaptive = false; ///< a grid, and runs off it where it is refined (see refine_step.h)
};

/// Throws PlanError naming `source`, line and key of what is wrong, and ranges that a built-in
/// simulation cannot run. `folder`: where relative paths begin.
Plan parsePlan(std::string_view toml, std::string_view source, const std::filesystem::path &folder,
               PlanPlace place = PlanPlace::file);
Plan readPlan(const std::filesystem::path &path);

} // namespace gridhelm::data
