// SPDX-License-Identifier: GPL-3.0-or-later
//
// Private to data. Arrays of numbers as an interactive page carries them; viewer/arrays.js reads
// them. Bytes of the same place in all numbers of an array stand side by side, so that deflating
// finds what they have in common.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace gridhelm::data {

class PackedArrays
{
public:
    // Each returns what the header says of the array: where it begins, and how it is packed.
    nlohmann::json add(std::span<const double> values);
    nlohmann::json add(std::span<const float> values);
    /// Each as its difference from the one `back` places before it, whichever of these distances
    /// takes the fewest bytes (0: as it is), in as few bytes as the largest needs.
    nlohmann::json add(std::span<const std::int32_t> values, std::span<const std::size_t> backs);

    /// Both, deflated, in base64.
    std::string packed(const nlohmann::json &header) const;

private:
    nlohmann::json append(const std::string &planes, std::size_t count, std::size_t bytes,
                          const char *type, std::size_t back);

    std::string m_bytes;
};

} // namespace gridhelm::data
