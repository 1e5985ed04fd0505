// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/form_choice.h"

#include "core/support/bytes_text.h"

#include <fmt/format.h>

namespace gridhelm::data {

std::string formText(const Study &study, const FormChoice &choice)
{
    const auto of = [](RowForm form) {
        switch (form) {
        case RowForm::fewBitModes:
            return "quantised POD modes";
        case RowForm::fewBitRows:
            return "quantised coefficients";
        case RowForm::modes:
            return "exact POD modes";
        case RowForm::rows:
            return "coefficients as float32";
        }
        return "";
    };
    std::string others;
    const auto add = [&](RowForm form, double bytes) {
        if (bytes > 0)
            others +=
                fmt::format("{}{} of {}", others.empty() ? "" : ", ", bytesText(bytes), of(form));
    };
    add(RowForm::fewBitModes, choice.fewBitModes);
    add(RowForm::fewBitRows, choice.fewBitRows);
    add(RowForm::modes, choice.modes);
    add(RowForm::rows, choice.rows);
    return fmt::format("pictures of {} are combined from {}; one reads {} (a "
                       "byte of codes is taken for {} of float32, as it is to be decoded)",
                       study.fields()[choice.field].name, of(choice.taken), others, codeCost);
}

} // namespace gridhelm::data
