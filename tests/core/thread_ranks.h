// SPDX-License-Identifier: GPL-3.0-or-later
//
// Ranks that are threads of one process: what processes do is tested without any.
#pragma once

#include "core/execution/ranks.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace gridhelm::test {

/// Where the ranks of one run meet. Bytes travel when both sides have begun, as late as that may
/// be.
class ThreadRanksMeeting
{
public:
    explicit ThreadRanksMeeting(int count)
        : m_hosts(static_cast<std::size_t>(count), "here")
    {
    }

    int count() const { return static_cast<int>(m_hosts.size()); }
    const std::vector<std::string> &hosts() const { return m_hosts; }

    void send(int from, int to, std::span<const std::byte> bytes)
    {
        const std::lock_guard lock(m_mutex);
        m_routes[{from, to}].sent.push_back(bytes);
        carry(m_routes[{from, to}]);
    }
    void receive(int from, int to, std::span<std::byte> bytes)
    {
        const std::lock_guard lock(m_mutex);
        m_routes[{from, to}].wanted.push_back(bytes);
        carry(m_routes[{from, to}]);
    }
    void await(int one, int other)
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [&] {
            return m_routes[{one, other}].sent.empty() && m_routes[{other, one}].wanted.empty();
        });
    }

private:
    struct Route
    {
        std::deque<std::span<const std::byte>> sent;
        std::deque<std::span<std::byte>> wanted;
    };

    void carry(Route &route)
    {
        while (!route.sent.empty() && !route.wanted.empty()) {
            const auto from = route.sent.front();
            const auto to = route.wanted.front();
            if (from.size() != to.size())
                throw std::logic_error("a message has another size than is expected");
            if (!from.empty())
                std::memcpy(to.data(), from.data(), from.size());
            route.sent.pop_front();
            route.wanted.pop_front();
        }
        m_changed.notify_all();
    }

    std::vector<std::string> m_hosts;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::map<std::pair<int, int>, Route> m_routes; ///< by the ranks that send and receive
};

class ThreadRanks final : public Ranks
{
public:
    ThreadRanks(std::shared_ptr<ThreadRanksMeeting> meeting, int number)
        : m_meeting(std::move(meeting))
        , m_number(number)
    {
    }

    int number() const override { return m_number; }
    int count() const override { return m_meeting->count(); }
    const std::vector<std::string> &hosts() const override { return m_meeting->hosts(); }

    void send(int to, std::span<const std::byte> bytes) override
    {
        m_meeting->send(m_number, to, bytes);
    }
    void receive(int from, std::span<std::byte> bytes) override
    {
        m_meeting->receive(from, m_number, bytes);
    }
    void await(int other) override { m_meeting->await(m_number, other); }

    void broadcast(std::span<std::byte> bytes, int from) override
    {
        for (int rank = 0; m_number == from && rank < count(); ++rank) {
            if (rank != from) {
                send(rank, bytes);
                await(rank);
            }
        }
        if (m_number != from) {
            receive(from, bytes);
            await(from);
        }
    }
    std::vector<double> numbersOfAll(double mine) override { return ofAll(*this, mine); }

private:
    std::shared_ptr<ThreadRanksMeeting> m_meeting;
    int m_number;
};

} // namespace gridhelm::test
