// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/execution/first_ranks.h"

#include "core/support/error.h"

#include <utility>

namespace gridhelm {

FirstRanks::FirstRanks(std::shared_ptr<Ranks> all, int count)
    : m_all(std::move(all))
{
    if (count < 1 || count > m_all->count() || m_all->number() >= count)
        throw Error("rank " + std::to_string(m_all->number()) + " is none of the first "
                    + std::to_string(count) + " of " + std::to_string(m_all->count())
                    + " ranks; start more of them");
    m_hosts.assign(m_all->hosts().begin(), m_all->hosts().begin() + count);
}

void FirstRanks::broadcast(std::span<std::byte> bytes, int from)
{
    if (number() != from) {
        receive(from, bytes);
        await(from);
        return;
    }
    for (int rank = 0; rank < count(); ++rank) {
        if (rank != from)
            send(rank, bytes);
    }
    for (int rank = 0; rank < count(); ++rank) {
        if (rank != from)
            await(rank);
    }
}

} // namespace gridhelm
