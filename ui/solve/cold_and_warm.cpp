// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/solve/cold_and_warm.h"

#include "core/solvers/run/warm_gain.h"

#include <utility>

namespace gridhelm::ui {

WantedRun ColdAndWarm::first(WantedRun wanted, bool &startsPaused)
{
    m_warm.reset();
    m_cold.reset();
    if (!wanted.makeColdCase)
        return wanted;
    auto cold = wanted;
    cold.makeCase = std::exchange(wanted.makeColdCase, nullptr);
    cold.makeColdCase = nullptr;
    cold.start.clear();
    cold.staysLive = false;
    m_warm = Next{std::move(wanted), std::exchange(startsPaused, false), {}};
    return cold;
}

std::optional<ColdAndWarm::Next> ColdAndWarm::next(const RunState &state)
{
    if (!m_warm || !isOver(state.phase))
        return std::nullopt;
    auto warm = std::exchange(m_warm, std::nullopt);
    if (state.phase != RunPhase::finished)
        return std::nullopt;
    warm->cold = state;
    return warm;
}

QString ColdAndWarm::savedText(const RunState &state) const
{
    const bool isAtEnd = state.phase == RunPhase::settled || state.phase == RunPhase::finished;
    if (!m_cold || !isAtEnd)
        return {};
    const auto endOf = [](const RunState &of) {
        return solvers::TargetedEnd{of.hasConverged.value_or(false), of.report.iterations,
                                    of.report.seconds};
    };
    return "saved "
           + QString::fromStdString(
               solvers::savedInWords(endOf(*m_cold), endOf(state), state.unit));
}

} // namespace gridhelm::ui
