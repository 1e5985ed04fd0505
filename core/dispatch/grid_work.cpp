// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dispatch/grid_work.h"

#include "core/dispatch/work_seconds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace gridhelm::dispatch {
namespace {

constexpr double notCounted = std::numeric_limits<double>::quiet_NaN();

using Input = std::shared_ptr<const WorkInput>;

/// So many places are compared, spread over all.
constexpr std::size_t places = 31;

std::size_t stepBetweenPlaces(std::size_t count)
{
    return std::max<std::size_t>(1, count / places);
}

/// The largest difference beside the largest exact value; infinite if a value is not a number.
double relativeDifference(std::span<const float> values, std::span<const float> exact)
{
    double largest = 0, difference = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double each = std::abs(static_cast<double>(values[i]) - exact[i]);
        if (!std::isfinite(each))
            return std::numeric_limits<double>::infinity();
        difference = std::max(difference, each);
        largest = std::max(largest, std::abs(static_cast<double>(exact[i])));
    }
    return largest > 0 ? difference / largest : difference;
}

/// Against the interpolant that the definition has at these points.
double errorOfInterpolant(std::shared_ptr<const sparse::SparseGrid> grid,
                          std::vector<float> coefficients, sparse::PointsView<float> points,
                          std::span<const float> values)
{
    std::vector<float> exact(values.size());
    const auto literal =
        sparse::makeReferenceBackend()->load(std::move(grid), std::move(coefficients));
    literal->interpolate(points, {exact});
    return relativeDifference(values, exact);
}

class PreparedTransform final : public PreparedWork
{
public:
    PreparedTransform(Input input, std::shared_ptr<const sparse::Backend> backend)
        : m_input(std::move(input))
        , m_backend(std::move(backend))
        , m_grid(m_input->grid)
        , m_values(m_input->coefficients)
    {
    }

    double run() override
    {
        // There and back in turns, so that values stay what they are; both cost the same.
        m_isTransformed = !m_isTransformed;
        return workSeconds([&] {
            if (m_isTransformed)
                m_backend->hierarchize(*m_grid, std::span(m_values));
            else
                m_backend->dehierarchize(*m_grid, std::span(m_values));
        });
    }

    CountedWork counted() const override
    {
        return {2 * sizeof(float) * transformSize(*m_grid), notCounted}; // a read and a write
    }

    double error() override
    {
        m_values = m_input->coefficients;
        std::vector<float> nodal, coordinates;
        std::vector<double> x(static_cast<std::size_t>(m_grid->dimension()));
        for (std::size_t i = 0; i < m_values.size(); i += stepBetweenPlaces(m_values.size())) {
            m_grid->coordinates(i, x);
            const std::vector<float> place(x.begin(), x.end());
            if (!std::ranges::equal(place, x)) // beyond single precision
                continue;
            nodal.push_back(m_values[i]);
            coordinates.insert(coordinates.end(), place.begin(), place.end());
        }
        m_backend->hierarchize(*m_grid, std::span(m_values));
        m_isTransformed = true;
        return errorOfInterpolant(m_grid, m_values, {coordinates, m_grid->dimension()}, nodal);
    }

private:
    Input m_input;
    std::shared_ptr<const sparse::Backend> m_backend;
    std::shared_ptr<const sparse::SparseGrid> m_grid;
    std::vector<float> m_values;
    bool m_isTransformed = false;
};

/// At scattered points, which may share some of their coordinates.
class PreparedInterpolation final : public PreparedWork
{
public:
    PreparedInterpolation(const InterpolationWork &work, Input input,
                          const sparse::Backend &backend)
        : PreparedInterpolation(work.level, work.dimension, std::move(input), backend)
    {
    }

    PreparedInterpolation(const SharedWork &work, Input input, const sparse::Backend &backend)
        : PreparedInterpolation(work.level, work.freeDimensions(), std::move(input), backend)
    {
    }

    double run() override { return runSome(items()); }
    std::size_t items() const override { return m_values.size(); }
    double runSome(std::size_t count) override
    {
        const auto values = std::span(m_values).first(count);
        return workSeconds([&] {
            if (m_isShared)
                m_evaluator->interpolateShared(points(count), {values});
            else
                m_evaluator->interpolate(points(count), {values});
        });
    }

    CountedWork counted() const override
    {
        constexpr double flopsOfBlock = 4;
        return {notCounted, flopsOfBlock * m_blocks * static_cast<double>(m_values.size())};
    }

    double error() override
    {
        run();
        std::vector<float> some, coordinates;
        for (std::size_t j = 0; j < m_values.size(); j += stepBetweenPlaces(m_values.size())) {
            some.push_back(m_values[j]);
            const auto x = points(items()).point(j);
            coordinates.insert(coordinates.end(), x.begin(), x.end());
        }
        return errorOfInterpolant(m_grid, m_input->coefficients, {coordinates, m_grid->dimension()},
                                  some);
    }

private:
    PreparedInterpolation(int level, int free, Input input, const sparse::Backend &backend)
        : m_input(std::move(input))
        , m_grid(m_input->grid)
        , m_isShared(free < m_grid->dimension())
        , m_values(m_input->coordinates.size() / static_cast<std::size_t>(m_grid->dimension()))
        , m_blocks(static_cast<double>(sparse::countGrid(sparse::GridShape(free, level)).blocks))
        , m_evaluator(backend.load(m_grid, m_input->coefficients))
    {
    }

    sparse::PointsView<float> points(std::size_t count) const
    {
        const int dimension = m_grid->dimension();
        const auto coordinates = std::span(m_input->coordinates);
        return {coordinates.first(count * static_cast<std::size_t>(dimension)), dimension};
    }

    Input m_input;
    std::shared_ptr<const sparse::SparseGrid> m_grid;
    bool m_isShared;
    std::vector<float> m_values;
    double m_blocks; ///< of the grid of the dimensions that are free
    std::unique_ptr<sparse::Evaluator<float>> m_evaluator;
};

class PreparedCartesian final : public PreparedWork
{
public:
    PreparedCartesian(const CartesianWork &work, Input input, const sparse::Backend &backend)
        : m_input(std::move(input))
        , m_grid(m_input->grid)
        , m_evaluator(backend.load(m_grid, m_input->coefficients))
    {
        const auto dimension = static_cast<std::size_t>(work.dimension);
        for (std::size_t t = 0; t < dimension; ++t) {
            auto &axis = m_cube.axes.emplace_back();
            const auto side = t + 3 < dimension ? 1 : work.side;
            for (std::size_t i = 0; i < side; ++i)
                axis.push_back((static_cast<float>(i) + 0.5F) / static_cast<float>(side));
        }
        m_values.resize(m_cube.count());
    }

    double run() override
    {
        auto &slider = m_cube.axes.front(); // of four dimensions and more
        if (slider.size() == 1)
            slider[0] = slider[0] < 0.9F ? slider[0] + 0.01F : 0.1F;
        return workSeconds([&] { m_evaluator->interpolateCartesian(m_cube, {m_values}); });
    }

    CountedWork counted() const override
    {
        return {static_cast<double>(m_values.size() * sizeof(float)), notCounted}; // written once
    }

    double error() override
    {
        run();
        std::vector<float> some, coordinates;
        const auto d = m_cube.axes.size();
        for (std::size_t i = 0; i < m_values.size(); i += stepBetweenPlaces(m_values.size())) {
            some.push_back(m_values[i]);
            std::vector<float> x(d);
            for (std::size_t t = d, rest = i; t-- > 0; rest /= m_cube.axes[t].size())
                x[t] = m_cube.axes[t][rest % m_cube.axes[t].size()];
            coordinates.insert(coordinates.end(), x.begin(), x.end());
        }
        return errorOfInterpolant(m_grid, m_input->coefficients, {coordinates, m_grid->dimension()},
                                  some);
    }

private:
    Input m_input;
    std::shared_ptr<const sparse::SparseGrid> m_grid;
    sparse::CartesianPoints<float> m_cube;
    std::vector<float> m_values;
    std::unique_ptr<sparse::Evaluator<float>> m_evaluator;
};

class PreparedCombination final : public PreparedWork
{
public:
    PreparedCombination(const CombinationWork &work, Input input,
                        std::shared_ptr<const sparse::Backend> backend)
        : m_work(work)
        , m_input(std::move(input))
        , m_backend(std::move(backend))
        , m_y(work.columns)
        , m_evaluator(m_backend->loadVectors(
              {m_input->matrix.get(), work.rows, work.columns, m_input->stride}))
    {
    }

    double run() override { return runSome(m_work.columns); }
    std::size_t items() const override { return m_work.columns; }
    double runSome(std::size_t columns) override
    {
        return workSeconds(
            [&] { m_evaluator->combine(m_input->weights, 0, std::span(m_y).first(columns), {}); });
    }

    CountedWork counted() const override
    {
        const double values = combinationSize(m_work.rows, m_work.columns);
        return {sizeof(float) * values, 2 * values};
    }

    double error() override
    {
        run();
        std::vector<float> some, exact;
        for (std::size_t c = 0; c < m_y.size(); c += stepBetweenPlaces(m_y.size())) {
            double sum = 0;
            for (std::size_t row = 0; row < m_work.rows; ++row)
                sum += m_input->weights.weights[row]
                       * static_cast<double>(m_input->matrix[row * m_input->stride + c]);
            some.push_back(m_y[c]);
            exact.push_back(static_cast<float>(sum));
        }
        return relativeDifference(some, exact);
    }

private:
    CombinationWork m_work;
    Input m_input;
    std::shared_ptr<const sparse::Backend> m_backend;
    std::vector<float> m_y;
    std::unique_ptr<sparse::VectorEvaluator> m_evaluator;
};

} // namespace

std::unique_ptr<PreparedWork> prepareOnGrid(const TransformWork &, Input input,
                                            std::shared_ptr<const sparse::Backend> backend)
{
    return std::make_unique<PreparedTransform>(std::move(input), std::move(backend));
}

std::unique_ptr<PreparedWork> prepareOnGrid(const InterpolationWork &work, Input input,
                                            std::shared_ptr<const sparse::Backend> backend)
{
    return std::make_unique<PreparedInterpolation>(work, std::move(input), *backend);
}

std::unique_ptr<PreparedWork> prepareOnGrid(const SharedWork &work, Input input,
                                            std::shared_ptr<const sparse::Backend> backend)
{
    return std::make_unique<PreparedInterpolation>(work, std::move(input), *backend);
}

std::unique_ptr<PreparedWork> prepareOnGrid(const CartesianWork &work, Input input,
                                            std::shared_ptr<const sparse::Backend> backend)
{
    return std::make_unique<PreparedCartesian>(work, std::move(input), *backend);
}

std::unique_ptr<PreparedWork> prepareOnGrid(const CombinationWork &work, Input input,
                                            std::shared_ptr<const sparse::Backend> backend)
{
    return std::make_unique<PreparedCombination>(work, std::move(input), std::move(backend));
}

} // namespace gridhelm::dispatch
