// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/messages.h"

#include <array>
#include <cstddef>
#include <memory>

namespace gridhelm::solvers {

/// Two threads of one process, parties 0 and 1, that send each other bytes. Messages are kept until
/// they are received, so that a few may be sent before the other one looks.
class LocalMessages
{
public:
    LocalMessages();

    /// For one thread; `number` is 0 or 1.
    const std::shared_ptr<Messages> &party(int number) const
    {
        return m_parties[static_cast<std::size_t>(number)];
    }

    /// One of them has failed: whoever waits for the other one, now or later, gets gridhelm::Error.
    void abandon();

private:
    struct State;
    class Party;

    std::shared_ptr<State> m_state;
    std::array<std::shared_ptr<Messages>, 2> m_parties;
};

} // namespace gridhelm::solvers
