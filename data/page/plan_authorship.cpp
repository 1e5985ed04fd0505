// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/page/plan_authorship.h"

#include <toml++/toml.h>

namespace gridhelm::data {

PlanAuthorship authorshipOf(std::string_view toml)
try {
    const auto document = toml::parse(toml);
    const auto study = document["study"];
    return {study["author"].value_or(std::string()), study["licence"].value_or(std::string())};
} catch (const toml::parse_error &) {
    return {};
}

} // namespace gridhelm::data
