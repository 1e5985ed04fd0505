// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/modes/modes.h"
#include "tests/core/random.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace gridhelm::test {

/// Rows of single precision, one after the other.
struct Matrix
{
    std::size_t rows = 0, columns = 0;
    std::vector<float> values;

    Matrix(std::size_t rowCount, std::size_t columnCount)
        : rows(rowCount)
        , columns(columnCount)
        , values(rowCount * columnCount)
    {
    }
    float &operator()(std::size_t i, std::size_t k) { return values[i * columns + k]; }
    float operator()(std::size_t i, std::size_t k) const { return values[i * columns + k]; }
    modes::MatrixView<const float> view() const { return {values.data(), rows, columns, columns}; }
};

/// Snapshots of a pulse that moves and decays: their singular values fall quickly, and none is 0.
inline Matrix pulses(std::size_t snapshots, std::size_t values)
{
    Matrix matrix(snapshots, values);
    for (std::size_t i = 0; i < snapshots; ++i) {
        const double t = static_cast<double>(i) / static_cast<double>(snapshots);
        for (std::size_t k = 0; k < values; ++k) {
            const double x = static_cast<double>(k) / static_cast<double>(values);
            matrix(i, k) = static_cast<float>(std::exp(-10 * (x - t) * (x - t)) * (1 + t));
        }
    }
    return matrix;
}

/// A matrix that is read in blocks of so many columns.
class InBlocks final : public modes::SnapshotBlocks
{
public:
    InBlocks(const Matrix &matrix, std::size_t columns)
        : m_matrix(matrix)
        , m_columns(columns)
    {
    }
    std::size_t snapshots() const override { return m_matrix.rows; }
    std::size_t values() const override { return m_matrix.columns; }
    std::size_t columnsAtOnce() const override { return m_columns; }
    void read(std::size_t first, modes::MatrixView<float> block) override
    {
        ++reads;
        for (std::size_t i = 0; i < block.rows; ++i)
            for (std::size_t k = 0; k < block.columns; ++k)
                block.row(i)[k] = m_matrix(i, first + k);
    }

    int reads = 0;

private:
    const Matrix &m_matrix;
    std::size_t m_columns;
};

/// The modes of a matrix in memory, with their values.
struct WholeModes
{
    modes::Modes modes;
    Matrix values{0, 0};
};

inline WholeModes modesOf(modes::SnapshotBlocks &snapshots, const std::vector<double> &weights,
                          const modes::ModesOptions &options = {})
{
    WholeModes whole;
    std::vector<std::vector<float>> rows;
    whole.modes = modes::computeModes(
        snapshots, {weights}, options,
        [&](std::size_t first, modes::MatrixView<const float> block) {
            rows.resize(block.rows, std::vector<float>(snapshots.values()));
            for (std::size_t m = 0; m < block.rows; ++m)
                std::copy_n(block.row(m), block.columns,
                            rows[m].begin() + static_cast<std::ptrdiff_t>(first));
        });
    whole.values = Matrix(rows.size(), snapshots.values());
    for (std::size_t m = 0; m < rows.size(); ++m)
        for (std::size_t k = 0; k < snapshots.values(); ++k)
            whole.values(m, k) = rows[m][k];
    return whole;
}

inline WholeModes modesOf(const Matrix &matrix, const std::vector<double> &weights,
                          const modes::ModesOptions &options = {})
{
    InBlocks blocks(matrix, 512);
    return modesOf(blocks, weights, options);
}

/// Weights between 0.5 and 2, all different.
inline std::vector<double> unevenWeights(std::size_t nodes)
{
    Random random(nodes);
    std::vector<double> weights(nodes);
    for (auto &weight : weights)
        weight = random.real(0.5, 2);
    return weights;
}

/// The inner product of two rows.
inline double inner(const Matrix &rows, std::size_t i, std::size_t j,
                    const std::vector<double> &weights)
{
    double sum = 0;
    for (std::size_t k = 0; k < rows.columns; ++k)
        sum += weights[k] * static_cast<double>(rows(i, k)) * static_cast<double>(rows(j, k));
    return sum;
}

/// What is left over of a value of snapshot i.
inline double leftOverAt(const Matrix &snapshots, const WholeModes &whole, std::size_t i,
                         std::size_t k)
{
    const auto count = whole.modes.count();
    double left = static_cast<double>(snapshots(i, k));
    for (std::size_t m = 0; m < count; ++m)
        left -= whole.modes.coefficients[i * count + m] * static_cast<double>(whole.values(m, k));
    return left;
}

/// Norms of what is left over of each snapshot.
inline std::vector<double> leftOver(const Matrix &snapshots, const WholeModes &whole,
                                    const std::vector<double> &weights)
{
    std::vector<double> norms;
    for (std::size_t i = 0; i < snapshots.rows; ++i) {
        double sum = 0;
        for (std::size_t k = 0; k < snapshots.columns; ++k) {
            const double left = leftOverAt(snapshots, whole, i, k);
            sum += weights[k] * left * left;
        }
        norms.push_back(std::sqrt(sum));
    }
    return norms;
}

} // namespace gridhelm::test
