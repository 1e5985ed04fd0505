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
#include <vector>

namespace gridhelm::data {

class PackedArrays
{
public:
    // Each returns what the header says of the array: where it begins, and how it is packed.
    nlohmann::json add(std::span<const double> values);
    nlohmann::json add(std::span<const float> values);
    /// Distances at which values are alike, to be taken one after the other: of {1, 65} what each
    /// value is more than the one before it, and what of that the one 65 before it is not.
    using Backs = std::vector<std::size_t>;
    /// As they are, or by those of these differences that take the fewest bytes.
    nlohmann::json add(std::span<const std::int32_t> values, std::span<const Backs> choices = {});

    /// Both, deflated, in base64.
    std::string packed(const nlohmann::json &header) const;

private:
    nlohmann::json append(const std::string &planes, std::size_t count, std::size_t bytes,
                          const char *type);

    std::string m_bytes;
};

} // namespace gridhelm::data
