// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace gridhelm {

/// For what a constant of a kernel was chosen.
struct TuningKey
{
    std::string operation; ///< "jacobi temporal"
    std::string device;    ///< "cpu", "gpu"
    std::size_t valueBytes = 8;
    int sizeClass = 0; ///< see TuningTable::sizeClassOf()

    auto operator<=>(const TuningKey &) const = default;
};

/// Constants of kernels that suit a machine better than the compiled-in ones: how many iterations
/// in a pass, threads in a block, points in lock-step. They change times, never values.
class TuningTable
{
public:
    /// The nearest power of 2: sizes of one class are within a factor of 2. 0 for sizes below 1.
    static int sizeClassOf(double size);

    /// The one that was set, else the compiled-in one.
    int find(const TuningKey &key, std::string_view constant, int compiledIn) const;
    void set(const TuningKey &key, std::string_view constant, int value);

    /// Constants of this kind of device that were not set are those that `read` returns, which is
    /// called when the first of them is asked for, once, and must not throw: to look for a GPU's
    /// takes time that those who use none need not spend. Copies of this table share what is read.
    void readLater(std::string device, std::function<TuningTable()> read);

private:
    struct Later;

    std::map<std::pair<TuningKey, std::string>, int> m_values;
    std::shared_ptr<Later> m_later; ///< null: nothing
};

} // namespace gridhelm
