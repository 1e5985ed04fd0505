// SPDX-License-Identifier: GPL-3.0-or-later
//
// As few bits as measured errors allow, once it is chosen how rows share them. Private to data.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace gridhelm::data {

struct BitSearch
{
    /// Stores all rows with their tolerances times this.
    std::function<void(double)> write;
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

private:
    const std::function<bool(double)> &m_whole;
    double m_done = 0;
};

} // namespace gridhelm::data
