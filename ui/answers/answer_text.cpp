// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/answer_text.h"

#include "data/evaluate/error_bands.h"
#include "ui/controls/plain_text.h"

namespace gridhelm::ui {

QString valueText(double value, const std::string &unit, int digits)
{
    const auto number = QString::number(value, 'g', digits);
    return unit.empty() ? number : number + " " + cleanLine(QString::fromStdString(unit));
}

QString definitionText(const data::ResponseDefinition &definition)
{
    return cleanLine(QString::fromStdString(data::definitionInWords(definition)));
}

QString problemText(const data::StudyResponse &response)
{
    return cleanLine(QString::fromStdString(response.problem));
}

QString shortErrorText(const data::StudyResponse &response)
{
    if (!response.problem.empty())
        return problemText(response);
    if (!response.band)
        return "error not measured";
    return "at most " + valueText(response.band->offset, response.definition.unit) + " off";
}

QString errorText(const data::StudyResponse &response)
{
    if (!response.problem.empty())
        return problemText(response);
    if (!response.whyUnmeasured.empty())
        return "How far it may be off is not measured: "
               + QString::fromStdString(response.whyUnmeasured);
    if (!response.band)
        return "How far it may be off was not measured: compress the study with hold-outs, in the "
               "panel Campaign";
    auto text =
        QString("%1, for %2 (calibrated at %3 hold-outs)")
            .arg(shortErrorText(response), QString::fromStdString(data::placesText(*response.band)))
            .arg(response.band->holdOuts);
    for (const auto &error : response.errors)
        text += QString("; by %1 %2 off there (root mean square)")
                    .arg(QString::fromStdString(error.way),
                         valueText(error.rms, response.definition.unit));
    text[0] = text[0].toUpper();
    return text;
}

} // namespace gridhelm::ui
