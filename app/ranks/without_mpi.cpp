// SPDX-License-Identifier: GPL-3.0-or-later
//
// In place of rank_run.cpp where MPI was not found.
#include "app/ranks/rank_run.h"

#include "core/support/error.h"

#include <cstdlib>

namespace gridhelm::app {

struct RankRun::Parts
{
    std::shared_ptr<Ranks> ranks;
};

RankRun::RankRun(Say)
{
    throw Error("this program was built without MPI, so that its processes cannot work together; "
                "start it without mpirun, or build it where MPI is installed (libopenmpi-dev)");
}

RankRun::~RankRun() = default;

const std::shared_ptr<Ranks> &RankRun::ranks() const
{
    return m_parts->ranks;
}

RankRun::Failure RankRun::fail()
{
    return {};
}

void RankRun::abandon(int exitCode)
{
    std::exit(exitCode);
}

} // namespace gridhelm::app
