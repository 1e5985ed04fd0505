// SPDX-License-Identifier: GPL-3.0-or-later
//
// Random choices that are the same on every machine (the standard's distributions are not).
#pragma once

#include "core/support/uniform_random.h"

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace gridhelm::test {

class Random
{
public:
    explicit Random(std::uint64_t seed)
        : m_engine(seed)
    {
    }

    /// lowest <= result <= highest.
    int integer(int lowest, int highest)
    {
        const auto choices = static_cast<std::uint64_t>(highest - lowest) + 1;
        return lowest + static_cast<int>(m_engine() % choices);
    }
    std::size_t index(std::size_t size) { return m_engine() % size; }

    /// lowest <= result < highest.
    double real(double lowest = 0, double highest = 1)
    {
        return lowest + (highest - lowest) * uniformRandom(m_engine);
    }

    bool chance(double probability) { return real() < probability; }

    template <typename Value>
    void shuffle(std::vector<Value> &values)
    {
        for (std::size_t i = values.size(); i > 1; --i)
            std::swap(values[i - 1], values[index(i)]);
    }

private:
    std::mt19937_64 m_engine;
};

/// `count` values of [-1, 1): as hierarchical coefficients, every one of them matters equally.
template <typename T>
std::vector<T> randomValues(Random &random, std::size_t count)
{
    std::vector<T> values(count);
    for (T &value : values)
        value = static_cast<T>(random.real(-1, 1));
    return values;
}

} // namespace gridhelm::test
