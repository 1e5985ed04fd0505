// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/local_messages.h"

#include "core/solvers/arrivals.h"
#include "core/support/error.h"

#include <atomic>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace gridhelm::solvers {

/// One direction.
struct LocalMessages::State
{
    struct Lane
    {
        std::array<std::vector<std::byte>, 4> slots; ///< taken in turn
        Arrivals sent, taken;                        ///< how many messages
    };

    std::array<Lane, 2> from; ///< by the party that sends
    std::atomic<bool> isAbandoned{false};

    void await(const Arrivals &arrivals, std::uint64_t count) const
    {
        constexpr int glances = 20'000; // some 20 us, what the other one is late at most
        arrivals.await(count, glances);
        if (isAbandoned)
            throw Error("the other device that shares the grid has failed; compute on one of them");
    }
};

class LocalMessages::Party final : public Messages
{
public:
    Party(std::shared_ptr<State> state, std::size_t number)
        : m_state(std::move(state))
        , m_out(m_state->from[number])
        , m_in(m_state->from[1 - number])
    {
    }

    void send(int /*to*/, std::span<const std::byte> bytes) override
    {
        if (m_sent >= m_out.slots.size())
            m_state->await(m_out.taken, m_sent + 1 - m_out.slots.size());
        m_out.slots[m_sent % m_out.slots.size()].assign(bytes.begin(), bytes.end());
        m_out.sent.announce(++m_sent);
    }

    void receive(int /*from*/, std::span<std::byte> bytes) override { m_wanted.push_back(bytes); }

    void await(int /*other*/) override
    {
        for (const auto &wanted : m_wanted) {
            m_state->await(m_in.sent, m_taken + 1);
            const auto &message = m_in.slots[m_taken % m_in.slots.size()];
            if (message.size() != wanted.size())
                throw Error("a message between two devices has another size than is expected");
            std::memcpy(wanted.data(), message.data(), message.size());
            m_in.taken.announce(++m_taken);
        }
        m_wanted.clear();
    }

private:
    std::shared_ptr<State> m_state;
    State::Lane &m_out, &m_in;
    std::uint64_t m_sent = 0, m_taken = 0;
    std::vector<std::span<std::byte>> m_wanted;
};

LocalMessages::LocalMessages()
    : m_state(std::make_shared<State>())
    , m_parties{std::make_shared<Party>(m_state, 0), std::make_shared<Party>(m_state, 1)}
{
}

void LocalMessages::abandon()
{
    m_state->isAbandoned = true;
    for (auto &lane : m_state->from) {
        lane.sent.announce(std::numeric_limits<std::uint64_t>::max());
        lane.taken.announce(std::numeric_limits<std::uint64_t>::max());
    }
}

} // namespace gridhelm::solvers
