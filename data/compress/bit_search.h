// SPDX-License-Identifier: GPL-3.0-or-later
//
// As few bits as measured errors allow, once it is chosen how rows share them. Private to data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace gridhelm::data {

struct BitSearch
{
    /// Stores all rows with their tolerances times this; false if it was stopped.
    std::function<bool(double)> write;
    /// Norms of what fields are off with what was written, place by place; empty if it was stopped.
    std::function<std::vector<double>()> measure;
    std::span<const double> fixed = {}; ///< of each place: the part of these that is not of bits
    double allowed = 0;                 ///< at every place: a norm
};

enum class BitSearchEnd : std::uint8_t { found, notFound, stopped };

/// Multiplies all tolerances, since the squares of what bits and the rest add are added, until what
/// was written last is within what is allowed everywhere, and could hardly be coarser. `errors`
/// are those that were measured last.
BitSearchEnd searchBits(const BitSearch &search, std::vector<double> &errors);

/// After how many rows whoever watches is asked: often enough for a stop to be heard at once.
inline constexpr std::size_t rowsBetweenAsking = 16;

/// Progress of passes over all rows, of which nobody knows how many there will be: each takes a
/// part of what is left.
class PassesProgress
{
public:
    explicit PassesProgress(const std::function<bool(double)> &whole)
        : m_whole(whole)
    {
    }
    /// For the next pass, which is told the share of it that is done; lives no longer than this.
    std::function<bool(double)> next();

    /// A pass over parts of rows: visits all (part, row), the rows of a part one after the other.
    /// False if it was stopped.
    template <typename Visit>
    bool overParts(std::uint64_t parts, std::size_t rows, Visit visit)
    {
        const auto goesOn = next();
        for (std::uint64_t part = 0; part < parts; ++part) {
            for (std::size_t row = 0; row < rows; ++row) {
                const auto done = static_cast<double>(part)
                                  + static_cast<double>(row) / static_cast<double>(rows);
                if (row % rowsBetweenAsking == 0 && !goesOn(done / static_cast<double>(parts)))
                    return false;
                visit(part, row);
            }
        }
        return true;
    }

private:
    const std::function<bool(double)> &m_whole;
    double m_done = 0;
};

} // namespace gridhelm::data
