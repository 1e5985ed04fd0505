// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/device.h"
#include "gpu/support/stream.h"

#include <algorithm>
#include <optional>

namespace gridhelm::gpu {

/// When a share does what in two updates that follow each other, by its GPU's clock: the first one
/// tells when the second could have begun. Made while the GPU is current.
class ShareSample
{
public:
    enum class Update { none, before, sampled };

    /// Of which update is told from here on.
    void set(Update update)
    {
        m_update = update;
        if (update == Update::before)
            m_isComplete = false;
    }

    void edgesBegin(const Stream &edges)
    {
        record(m_start, Update::before, edges);
        record(m_edgesBegin, Update::sampled, edges);
    }
    void edgesUpdated(const Stream &edges) { record(m_edgesUpdated, Update::sampled, edges); }
    void edgesSent(const Stream &edges)
    {
        record(m_edgesBefore, Update::before, edges);
        record(m_edgesSent, Update::sampled, edges);
    }
    void interiorBegins(const Stream &interior)
    {
        record(m_interiorBegin, Update::sampled, interior);
    }
    void interiorUpdated(const Stream &interior)
    {
        record(m_interiorBefore, Update::before, interior);
        record(m_interiorUpdated, Update::sampled, interior);
        m_isComplete = m_isComplete || m_update == Update::sampled;
    }

    /// Of the sampled update, if it is over.
    std::optional<ShareTimes> times() const
    {
        if (!m_isComplete || !hasHappened(m_edgesSent) || !hasHappened(m_interiorUpdated))
            return std::nullopt;
        const auto at = [this](const Event &event) {
            return Event::secondsBetween(m_start, event);
        };
        const double begin = std::max(at(m_edgesBefore), at(m_interiorBefore));
        const double end = std::max(at(m_edgesSent), at(m_interiorUpdated));
        const double edges = at(m_edgesUpdated) - at(m_edgesBegin);
        const double interior = at(m_interiorUpdated) - at(m_interiorBegin);
        const double both = std::max(0.0, std::min(at(m_edgesUpdated), at(m_interiorUpdated))
                                              - std::max(at(m_edgesBegin), at(m_interiorBegin)));
        const double all = end - begin;
        if (all <= 0)
            return std::nullopt;
        const auto part = [all](double seconds) { return std::clamp(seconds / all, 0.0, 1.0); };
        return ShareTimes{part(at(m_edgesSent) - at(m_edgesUpdated)),
                          part(all - (edges + interior - both))};
    }

private:
    void record(Event &event, Update update, const Stream &stream)
    {
        if (m_update == update)
            event.record(stream);
    }
    static bool hasHappened(const Event &event)
    {
        const bool has = cudaEventQuery(event) == cudaSuccess;
        if (!has)
            cudaGetLastError(); // which would be found by the next checkLaunch() otherwise
        return has;
    }

    Update m_update = Update::none;
    bool m_isComplete = false;
    Event m_start, m_edgesBefore, m_interiorBefore;
    Event m_edgesBegin, m_edgesUpdated, m_edgesSent, m_interiorBegin, m_interiorUpdated;
};

} // namespace gridhelm::gpu
