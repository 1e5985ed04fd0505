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
    return QString::fromStdString(data::coverageText(*response.band)) + " error bound "
           + valueText(response.band->offset, response.definition.unit);
}

QString errorText(const data::StudyResponse &response)
{
    if (!response.problem.empty())
        return problemText(response);
    if (!response.whyUnmeasured.empty())
        return "How far it may be off is not measured: "
               + QString::fromStdString(response.whyUnmeasured);
    if (!response.band)
        return "How far it may be off was not measured: compress the study with validation points, "
               "in the panel Runs";
    auto text = QString("%1 (calibrated at %2 validation points)")
                    .arg(shortErrorText(response))
                    .arg(response.band->holdOuts);
    for (const auto &error : response.errors)
        text += QString("; by %1 %2 off there (root mean square)")
                    .arg(QString::fromStdString(error.way),
                         valueText(error.rms, response.definition.unit));
    text[0] = text[0].toUpper();
    return text;
}

} // namespace gridhelm::ui
