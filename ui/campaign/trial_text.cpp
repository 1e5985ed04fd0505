// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/trial_text.h"

#include "data/campaign/campaign_text.h"
#include "data/campaign/fill_template.h"
#include "ui/controls/plain_text.h"

#include <QStringList>

namespace gridhelm::ui {
namespace {

QString trialSeconds(const data::TrialReport &report)
{
    return report.seconds < 10 ? QString::number(report.seconds, 'f', 2) + " s"
                               : QString::fromStdString(data::durationText(report.seconds));
}

QString fieldLine(const data::TrialField &seen)
{
    const auto &field = seen.field;
    auto count = QString::number(field.entities);
    if (field.components > 1)
        count = QString("%1 × %2").arg(count).arg(field.components);
    auto line = QString("%1: %2 values at %3")
                    .arg(cleanLine(QString::fromStdString(field.name)), count,
                         field.association == data::Association::point ? "points" : "cells");
    if (seen.low <= seen.high)
        line += QString(", %1 .. %2").arg(seen.low, 0, 'g', 5).arg(seen.high, 0, 'g', 5);
    if (seen.notFinite > 0)
        line += QString("; %1 of them are no numbers (nan or infinite), which a study refuses")
                    .arg(seen.notFinite);
    return line;
}

} // namespace

QString trialPlaceOf(const data::TrialReport &report)
{
    QStringList parts;
    for (std::size_t t = 0; t < report.parameters.size(); ++t) {
        const auto &parameter = report.parameters[t];
        auto value = QString::fromStdString(data::numberText(report.values[t]));
        const bool isTime = parameter.kind == ParameterKind::timeLike;
        if (isTime && !report.times.empty())
            value = QString("%1 .. %2 (%3 times)")
                        .arg(QString::fromStdString(data::numberText(report.times.front())),
                             QString::fromStdString(data::numberText(report.times.back())))
                        .arg(report.times.size());
        const auto unit = QString::fromStdString(parameter.unit);
        parts << cleanLine(QString::fromStdString(parameter.name) + " = " + value
                           + (unit.isEmpty() ? QString() : " " + unit));
    }
    return parts.join(", ");
}

QString trialResultOf(const data::TrialReport &report)
{
    QStringList lines;
    lines << QString("It works: the command ended with exit code 0 after %1, at %2.")
                 .arg(trialSeconds(report), trialPlaceOf(report));
    lines << QString("Read from its results%1:")
                 .arg(report.snapshots == 1 ? QString()
                                            : QString(" (%1 times)").arg(report.snapshots));
    for (const auto &field : report.fields)
        lines << fieldLine(field);
    return lines.join('\n');
}

QString trialProblemOf(const data::TrialReport &report)
{
    if (report.state == data::RunState::cancelled)
        return QString("Stopped after %1.").arg(trialSeconds(report));
    return QString("It does not work yet, at %1: %2 (after %3)")
        .arg(trialPlaceOf(report), cleanLine(QString::fromStdString(report.problem)),
             trialSeconds(report));
}

} // namespace gridhelm::ui
