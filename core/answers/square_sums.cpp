// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/square_sums.h"

#include "core/answers/row_products.h"
#include "core/execution/parallel_for.h"
#include "core/support/error.h"

#include <algorithm>

namespace gridhelm::answers {

void requireFitting(const SquareSums &sums, linalg::MatrixView<const float> matrix,
                    const SquareSumsOutput &out)
{
    const bool isWhole =
        !sums.begins.empty() && sums.begins.front() == 1 && std::ranges::is_sorted(sums.begins)
        && sums.begins.size() == sums.sums() + 1
        && sums.weights.size() == sums.combinations() * sums.rows && matrix.rows >= sums.rows
        && out.sums.size() == sums.sums() && out.first.size() == matrix.columns;
    if (!isWhole || std::ranges::any_of(out.sums, [&](const auto &sum) {
            return sum.size() != matrix.columns;
        }))
        throw Error("sums of squares have other sizes than their rows; this is a fault of the "
                    "program");
}

void sumSquares(const SquareSums &sums, linalg::MatrixView<const float> matrix,
                const SquareSumsOutput &out, const CpuDevice &cpu)
{
    requireFitting(sums, matrix, out);
    PackedWeights weights(sums.combinations(), sums.rows);
    for (std::size_t i = 0; i < sums.combinations(); ++i)
        for (std::size_t b = 0; b < sums.rows; ++b)
            weights(i, b) = sums.weights[i * sums.rows + b];
    const std::size_t blocks = (matrix.columns + blockColumns - 1) / blockColumns;
    parallelFor(blocks, cpu, 64, [&](std::size_t block) {
        thread_local std::vector<float> packed, products;
        const std::size_t first = block * blockColumns;
        packColumns(matrix, sums.rows, first, packed);
        multiplyBlock(weights, packed, products);
        const std::size_t columns = std::min(blockColumns, matrix.columns - first);
        std::copy_n(products.data(), columns, out.first.data() + first);
        for (std::size_t s = 0; s < sums.sums(); ++s) {
            float squares[blockColumns] = {}; // NOLINT(modernize-avoid-c-arrays)
            for (std::size_t i = sums.begins[s]; i < sums.begins[s + 1]; ++i) {
                const float sign = i - sums.begins[s] < sums.negative[s] ? -1 : 1;
                const float *product = products.data() + i * blockColumns;
                for (std::size_t j = 0; j < blockColumns; ++j)
                    squares[j] += sign * product[j] * product[j];
            }
            std::copy_n(squares, columns, out.sums[s].data() + first);
        }
    });
}

} // namespace gridhelm::answers
