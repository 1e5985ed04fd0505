// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which back end is the fastest for what: the to-one map ([Murarasu2013], chapter 6) from operation
// and size to a back end, and the times that say so.
#pragma once

#include "core/dispatch/operation.h"

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gridhelm::dispatch {

/// What times hold for. Those of another machine are of no use.
struct Machine
{
    struct Part
    {
        std::string backend, hardware;

        bool operator==(const Part &) const = default;
    };

    std::string program; ///< version and commit
    int threads = 1;
    std::vector<Part> parts; ///< the candidates, the CPU first

    bool operator==(const Machine &) const = default;
};

class DispatchTable
{
public:
    struct Time
    {
        std::string backend;
        double seconds;
    };
    using Times = std::vector<Time>; ///< not empty

    /// Null if it has not been measured.
    const Times *find(Operation operation, std::size_t sizeClass) const;
    void set(Operation operation, std::size_t sizeClass, Times times);

    /// Entries of `other` that are missing here.
    void completeFrom(const DispatchTable &other);

    /// The first, and so the simplest, of those that the fastest one beats by no more than noise.
    static const Time &fastest(const Times &times);

private:
    std::map<std::pair<Operation, std::size_t>, Times> m_entries;
};

/// Nothing if there is no such file. Throws gridhelm::Error if it cannot be read, is damaged, or is
/// of another machine or program: then it is to be measured again. Entries whose work is not what
/// is measured today are left out.
std::optional<DispatchTable> readMap(const std::filesystem::path &path, const Machine &machine);

/// Whole or not at all, with the folders it needs. Throws gridhelm::Error if that cannot be.
void writeMap(const std::filesystem::path &path, const Machine &machine, const DispatchTable &map);

} // namespace gridhelm::dispatch
