// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ranks/rank_run.h"

#include "app/ranks/mpi_ranks.h"
#include "app/ranks/rank_watch.h"
#include "app/ranks/started_ranks.h"
#include "core/support/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <thread>
#include <vector>

#include <mpi.h>

namespace gridhelm::app {

struct RankRun::Parts
{
    std::shared_ptr<Ranks> ranks;
    MPI_Comm failures = MPI_COMM_NULL; ///< for notes of those that have failed
    std::optional<RankWatch> watch;
};

namespace {

void blockSignals()
{
    sigset_t signals;
    sigemptyset(&signals);
    for (int signal : {SIGINT, SIGTERM, SIGHUP})
        sigaddset(&signals, signal);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

void initialize()
{
    int given = MPI_THREAD_SINGLE;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &given);
    int count = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    if (count == startedRanks().count && given >= MPI_THREAD_SERIALIZED)
        return;
    MPI_Finalize();
    if (given < MPI_THREAD_SERIALIZED)
        throw Error(
            "the MPI library here is not for programs with threads; start the program without "
            "mpirun, or with another MPI");
    throw Error(
        fmt::format("mpirun has started {} processes, but they do not find each other: it belongs "
                    "to another MPI than this program was built with; use the mpirun of that one",
                    startedRanks().count));
}

} // namespace

RankRun::RankRun(Say say)
    : m_parts(std::make_unique<Parts>())
{
    blockSignals();
    initialize();
    m_parts->ranks = std::make_shared<MpiRanks>();
    MPI_Comm_dup(MPI_COMM_WORLD, &m_parts->failures);
    m_parts->watch.emplace(*m_parts->ranks, std::move(say));
}

RankRun::~RankRun()
{
    MPI_Barrier(m_parts->failures); // no longer: from here on they may end
    m_parts->watch.reset();
    m_parts->ranks.reset();
    MPI_Comm_free(&m_parts->failures);
    MPI_Finalize();
}

const std::shared_ptr<Ranks> &RankRun::ranks() const
{
    return m_parts->ranks;
}

RankRun::Failure RankRun::fail()
{
    using Clock = std::chrono::steady_clock;
    const auto patience = Clock::now() + std::chrono::seconds(1);
    const auto others = static_cast<std::size_t>(m_parts->ranks->count()) - 1;
    const int mine = m_parts->ranks->number();
    for (int rank = 0; rank < m_parts->ranks->count(); ++rank) {
        MPI_Request request = MPI_REQUEST_NULL;
        if (rank != mine) { // nothing, which is on its way at once
            MPI_Isend(nullptr, 0, MPI_BYTE, rank, 0, m_parts->failures, &request);
            MPI_Request_free(&request);
        }
    }
    std::vector<int> failed;
    while (failed.size() < others && Clock::now() < patience) {
        int isThere = 0;
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, 0, m_parts->failures, &isThere, &status);
        if (isThere == 0) {
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
            continue;
        }
        MPI_Recv(nullptr, 0, MPI_BYTE, status.MPI_SOURCE, 0, m_parts->failures, MPI_STATUS_IGNORE);
        failed.push_back(status.MPI_SOURCE);
    }
    const bool isFirst = std::ranges::none_of(failed, [&](int rank) { return rank < mine; });
    return {isFirst, failed.size() == others};
}

void RankRun::abandon(int exitCode)
{
    m_parts->watch->takeLeave();
    MPI_Abort(MPI_COMM_WORLD, exitCode);
    std::_Exit(exitCode);
}

} // namespace gridhelm::app
