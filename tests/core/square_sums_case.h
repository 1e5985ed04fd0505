// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sums of squares with random numbers, and what they are, literally and in double.
#pragma once

#include "core/answers/square_sums.h"
#include "core/support/uniform_random.h"

#include <QString>

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace gridhelm::test {

class SquareSumsCase
{
public:
    /// Of each sum how many squares there are, and how many of them are taken away. The matrix has
    /// a row and a few columns more than are asked for.
    SquareSumsCase(std::size_t rows, std::size_t columns, const std::vector<std::size_t> &squares,
                   std::vector<std::size_t> negative)
        : m_columns(columns)
        , m_stride(columns + 3)
    {
        sums.rows = rows;
        sums.begins = {1};
        for (const auto count : squares)
            sums.begins.push_back(sums.begins.back() + count);
        sums.negative = std::move(negative);
        std::mt19937_64 engine(rows * 1000 + columns);
        const auto random = [&] { return static_cast<float>(2 * uniformRandom(engine) - 1); };
        for (std::size_t i = 0; i < sums.combinations() * rows; ++i)
            sums.weights.push_back(random());
        for (std::size_t i = 0; i < (rows + 1) * m_stride; ++i)
            m_values.push_back(random());
    }

    struct Output
    {
        std::vector<std::vector<float>> maps; ///< combination 0, then the sums

        answers::SquareSumsOutput spans() { return {maps.front(), {maps.begin() + 1, maps.end()}}; }
    };

    Output output() const
    {
        return {std::vector(sums.sums() + 1, std::vector<float>(m_columns, -1e9F))};
    }

    linalg::MatrixView<const float> matrix() const
    {
        return {m_values.data(), sums.rows + 1, m_columns, m_stride};
    }

    /// Else `problem` says where it is wrong.
    bool isRight(const Output &out) const
    {
        for (std::size_t column = 0; column < m_columns; ++column)
            for (std::size_t map = 0; map < out.maps.size(); ++map) {
                const auto begin = map == 0 ? 0 : sums.begins[map - 1];
                const auto end = map == 0 ? 1 : sums.begins[map];
                double right = 0, size = 0;
                for (auto i = begin; i < end; ++i) {
                    const double product = combination(i, column);
                    const double term = map == 0 ? product : product * product;
                    right += map > 0 && i - begin < sums.negative[map - 1] ? -term : term;
                    size += std::abs(term) + static_cast<double>(sums.rows) * 1e-2;
                }
                const auto found = static_cast<double>(out.maps[map][column]);
                if (!(std::abs(found - right) <= 1e-5 * size)) {
                    problem = QString("map %1 at column %2: %3 for %4")
                                  .arg(map)
                                  .arg(column)
                                  .arg(found)
                                  .arg(right);
                    return false;
                }
            }
        return true;
    }

    answers::SquareSums sums;
    mutable QString problem;

private:
    double combination(std::size_t i, std::size_t column) const
    {
        double sum = 0;
        for (std::size_t b = 0; b < sums.rows; ++b)
            sum += static_cast<double>(sums.weights[i * sums.rows + b])
                   * static_cast<double>(m_values[b * m_stride + column]);
        return sum;
    }

    std::size_t m_columns, m_stride;
    std::vector<float> m_values;
};

} // namespace gridhelm::test
