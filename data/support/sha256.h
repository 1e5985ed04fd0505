// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace gridhelm::data {

/// A digest that cannot be forged (FIPS 180-4).
class Sha256
{
public:
    Sha256();
    ~Sha256();
    Sha256(Sha256 &&) noexcept;
    Sha256 &operator=(Sha256 &&) noexcept;

    Sha256 &add(std::string_view bytes);
    // With its length before it, so that no two lists of items give the same bytes.
    Sha256 &addItem(std::string_view bytes);
    Sha256 &addNumber(std::uint64_t number); ///< eight bytes, the least significant first

    /// 64 hexadecimal digits. The object must not be used afterwards.
    std::string hex();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

std::string sha256Of(std::string_view bytes);

} // namespace gridhelm::data
