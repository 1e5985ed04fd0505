// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/plan_beginnings.h"

#include "data/campaign/built_in_samples.h"

namespace gridhelm::ui {
namespace {

constexpr const char *anyProgram = R"([study]
title = "My simulation"

[[parameter]]
name = "speed"
unit = "m/s"
low = 1
high = 2

[[parameter]]
name = "t"
unit = "s"
low = 0
high = 10
kind = "time-like"       # one run delivers all of its values:
times = 33               # so many, evenly spread (2^k + 1)

[grid]
level = 4

[simulation]             # works in a folder of its own for each job
command = ["/home/me/solve", "--speed", "{speed}", "--times", "{times}"]
result = "out_{t}.vti"   # a file for each time, or a series (.pvd, .series)
# templates = ["case.in"]  # files or folders beside the plan, copied there, {speed} filled in
# time-limit = 600         # seconds
)";

constexpr const char *filesThatExist = R"([study]
title = "My results"

[[parameter]]
name = "speed"
unit = "m/s"
low = 1
high = 2

[[parameter]]
name = "angle"
unit = "deg"
low = 0
high = 90

[grid]
level = 4

# No [simulation]: the results are imported, with a table of their parameters.
)";

} // namespace

QString planToBeginWith(const QString &what)
{
    if (what == "program")
        return anyProgram;
    if (what == "files")
        return filesThatExist;
    return data::builtInSample(what.toStdString()).plan;
}

} // namespace gridhelm::ui
