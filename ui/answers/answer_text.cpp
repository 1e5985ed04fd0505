// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/answer_text.h"

#include "data/evaluate/error_bands.h"
#include "ui/controls/plain_text.h"
#include "ui/steering/study_facts.h"

namespace gridhelm::ui {

QString valueText(double value, const std::string &unit, int digits)
{
    const auto number = QString::number(value, 'g', digits);
    return unit.empty() ? number : number + " " + cleanLine(QString::fromStdString(unit));
}

QString axisText(const std::string &name, const std::string &unit)
{
    return cleanLine(QString::fromStdString(name + (unit.empty() ? "" : ", " + unit)));
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
    if (response.leftOut)
        return "leave-one-out error "
               + valueText(response.leftOut->error, response.definition.unit,
                           data::StudyResponse::errorDigits);
    if (!response.band)
        return "error not measured";
    return QString::fromStdString(data::coverageText(*response.band)) + " error bound "
           + valueText(response.band->offset, response.definition.unit,
                       data::StudyResponse::errorDigits);
}

QString errorText(const data::StudyResponse &response, const data::StudyOutlook &study)
{
    if (!response.problem.empty())
        return problemText(response);
    if (!response.whyUnmeasured.empty())
        return "How far it may be off is not measured: "
               + QString::fromStdString(response.whyUnmeasured);
    if (response.leftOut)
        return QString("Leave-one-out error %1 (90th percentile of %2 runs, each predicted without "
                       "itself)")
            .arg(valueText(response.leftOut->error, response.definition.unit,
                           data::StudyResponse::errorDigits))
            .arg(response.leftOut->residuals.size());
    if (!response.band)
        return "How far it may be off was not measured; to know: " + remedyText(study);
    auto text = QString("%1 (calibrated at %2 validation points)")
                    .arg(shortErrorText(response))
                    .arg(response.band->holdOuts);
    for (const auto &error : response.errors)
        text += QString("; by %1 %2 off there (root mean square)")
                    .arg(QString::fromStdString(error.way),
                         valueText(error.rms, response.definition.unit,
                                   data::StudyResponse::errorDigits));
    text[0] = text[0].toUpper();
    return text;
}

} // namespace gridhelm::ui
