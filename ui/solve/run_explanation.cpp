// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/solve/run_explanation.h"

#include "core/solvers/run/run_plan.h"
#include "ui/solve/run_table_model.h"

#include <QStringList>

#include <array>
#include <cmath>

namespace gridhelm::ui {
namespace {

QString meaningOf(RunPhase phase)
{
    switch (phase) {
    case RunPhase::preparing:
        return "files are read, memory is allocated";
    case RunPhase::running:
        return "the field changes with every iteration";
    case RunPhase::paused:
        return "press Run to go on";
    case RunPhase::settled:
        return "waits for a parameter under Live to change, and goes on from this field then";
    case RunPhase::finished:
        return "nothing more is computed";
    case RunPhase::cancelled:
        return "stopped by hand before its end";
    case RunPhase::failed:
        break;
    }
    return "it cannot go on";
}

} // namespace

QString runStateText(const RunState &state)
{
    auto text = textOf(state.phase);
    const bool isAtEnd = state.phase == RunPhase::settled || state.phase == RunPhase::finished;
    if (isAtEnd && state.hasConverged)
        text += *state.hasConverged ? ", converged" : ", not converged";
    return text;
}

QString explanationOf(const RunState &state, const QString &start)
{
    QStringList lines{textOf(state.phase) + ": " + meaningOf(state.phase)};
    if (!state.message.empty())
        lines << QString::fromStdString(state.message);
    for (const auto figure :
         {solvers::Quantity::residual, solvers::Quantity::change, solvers::Quantity::error}) {
        if (!std::isnan(valueOf(figure, state.report)))
            lines << QString::fromUtf8(nameOf(figure)) + ": "
                         + QString::fromUtf8(solvers::meaningOf(figure));
    }
    lines << (start.isEmpty() ? "cold start: no field was given to begin with"
                              : "warm start: it began with " + start);
    return lines.join('\n');
}

QString explanationOfRates()
{
    return "How fast it is just now.\n"
           "GFlop/s: billions of additions and multiplications per second, by the method's count\n"
           "GB/s: billions of bytes read and written per second, by the method's count\n"
           "Copy rate: how fast the memory copies. A method that memory limits comes near 100 % of "
           "it; one that works in the caches may be above";
}

} // namespace gridhelm::ui
