// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/ranks.h"

#include <mutex>

#include <mpi.h>

namespace gridhelm::app {

/// All processes of MPI_COMM_WORLD. MPI has been initialized for threads that call it one at a time
/// (MPI_THREAD_SERIALIZED).
class MpiRanks final : public Ranks
{
public:
    MpiRanks();
    ~MpiRanks() override;

    int number() const override { return m_number; }
    int count() const override { return m_count; }
    const std::vector<std::string> &hosts() const override { return m_hosts; }

    void send(int to, std::span<const std::byte> bytes) override;
    void receive(int from, std::span<std::byte> bytes) override;
    void await(int other) override;
    void broadcast(std::span<std::byte> bytes, int from) override;
    std::vector<double> numbersOfAll(double mine) override;

private:
    MPI_Comm m_world = MPI_COMM_NULL; ///< a copy: nobody else's messages are in it
    int m_number = 0;
    int m_count = 1;
    std::vector<std::string> m_hosts;
    /// This machine has fewer cores than ranks: who waits must leave its core to the one it waits
    /// for, for which a yield is not enough.
    bool m_isCrowded = false;
    std::mutex m_mutex;                              ///< of calls to MPI
    std::vector<std::vector<MPI_Request>> m_pending; ///< by the other rank
};

} // namespace gridhelm::app
