// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/ranks.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gridhelm {

/// The first so many of a run's ranks, as one of these sees them: the others take no part in what
/// they do, and may wait for a message. All of it is made of messages, so that who waits sleeps,
/// and does not disturb what is measured.
class FirstRanks final : public Ranks
{
public:
    /// Throws gridhelm::Error unless 1 <= count <= all->count(), and this rank is one of them.
    FirstRanks(std::shared_ptr<Ranks> all, int count);

    int number() const override { return m_all->number(); }
    int count() const override { return static_cast<int>(m_hosts.size()); }
    const std::vector<std::string> &hosts() const override { return m_hosts; }

    void send(int to, std::span<const std::byte> bytes) override { m_all->send(to, bytes); }
    void receive(int from, std::span<std::byte> bytes) override { m_all->receive(from, bytes); }
    void await(int other) override { m_all->await(other); }
    void broadcast(std::span<std::byte> bytes, int from) override;
    std::vector<double> numbersOfAll(double mine) override { return ofAll(*this, mine); }

private:
    std::shared_ptr<Ranks> m_all;
    std::vector<std::string> m_hosts;
};

} // namespace gridhelm
