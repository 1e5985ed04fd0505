// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/answers/study_responses.h"
#include "data/campaign/study_outlook.h"

#include <QString>

namespace gridhelm::ui {

/// Below what was found in fewer runs; what to do, or a full stop, goes behind it.
inline constexpr auto hasGrownText = "\nThe study has grown since";
/// "3.21 K".
QString valueText(double value, const std::string &unit,
                  int digits = data::StudyResponse::usualDigits);
/// "peak, K": of an axis.
QString axisText(const std::string &name, const std::string &unit);
/// data::definitionInWords().
QString definitionText(const data::ResponseDefinition &definition);
/// Why a response cannot be had; empty: it can.
QString problemText(const data::StudyResponse &response);
/// "95 % error bound 0.4 K", or that it was not measured, or why the response cannot be had.
QString shortErrorText(const data::StudyResponse &response);
/// The same with what it was calibrated at, and how it is evaluated, or what to do.
QString errorText(const data::StudyResponse &response, const data::StudyOutlook &study);

} // namespace gridhelm::ui
