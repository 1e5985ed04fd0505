// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/degree_cases.h"

#include "core/sparse/backend.h"

#include <functional>
#include <memory>
#include <random>

namespace gridhelm::bench {

using nlohmann::json;
using namespace sparse;

namespace {

/// A grid and what is measured on it.
template <typename T>
class DegreeCase
{
public:
    DegreeCase(const GridShape &shape, std::size_t points)
        : m_grid(std::make_shared<SparseGrid>(shape))
        , m_backend(makeOmpBackend(ExecutionContext(CpuDevice{})))
        , m_values(points)
    {
        std::mt19937_64 random(7);
        std::uniform_real_distribution<double> uniform(0, 1);
        const auto fill = [&](std::vector<T> &values) {
            for (T &value : values)
                value = static_cast<T>(uniform(random));
        };
        m_nodal.resize(m_grid->points());
        m_x.resize(points * degreeDimension);
        fill(m_nodal);
        fill(m_x);
        m_evaluator = m_backend->load(m_grid, m_nodal);
    }

    const SparseGrid &grid() const { return *m_grid; }
    std::size_t places() const { return m_values.size(); }

    void evaluate() { m_evaluator->interpolate({m_x, degreeDimension}, {m_values}); }
    void hierarchize()
    {
        m_coefficients = m_nodal;
        m_backend->hierarchize(*m_grid, std::span(m_coefficients));
    }

private:
    std::shared_ptr<const SparseGrid> m_grid;
    std::unique_ptr<Backend> m_backend;
    std::unique_ptr<Evaluator<T>> m_evaluator;
    std::vector<T> m_nodal, m_coefficients, m_x, m_values;
};

/// Those that are compared with the first one.
template <typename T>
json benchShapes(const std::vector<DegreeShape> &shapes, const SparseBenchOptions &options)
{
    std::vector<std::unique_ptr<DegreeCase<T>>> cases;
    std::vector<std::function<void()>> works;
    for (const auto &named : shapes) {
        cases.push_back(std::make_unique<DegreeCase<T>>(named.shape, options.points / 10 + 1));
        works.emplace_back([of = cases.back().get()] { of->evaluate(); });
        works.emplace_back([of = cases.back().get()] { of->hierarchize(); });
    }
    const auto timings = measureInTurns(works, options.measure);
    json rows = json::array();
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const auto &grid = cases[i]->grid();
        const auto contributions = grid.activeFunctions(grid.groups());
        const double evaluations =
            static_cast<double>(cases[i]->places()) * static_cast<double>(contributions);
        const double evaluate = timings[2 * i].median / evaluations;
        const double hierarchize = timings[2 * i + 1].median / static_cast<double>(grid.points());
        rows.push_back({{"treatment", shapes[i].treatment},
                        {"degree", shapes[i].degree},
                        {"dim", degreeDimension},
                        {"level", shapes[i].shape.level()},
                        {"points", grid.points()},
                        {"contributions", contributions},
                        {"evaluate_seconds_per_contribution", evaluate},
                        {"hierarchize_seconds_per_point", hierarchize}});
        const auto &first = rows.front();
        rows.back()["evaluate_to_first"] =
            evaluate / first["evaluate_seconds_per_contribution"].get<double>();
        rows.back()["hierarchize_to_first"] =
            hierarchize / first["hierarchize_seconds_per_point"].get<double>();
    }
    return rows;
}

} // namespace

std::vector<DegreeShape> degreeShapes(BoundaryTreatment treatment, int level)
{
    std::vector<DegreeShape> shapes;
    for (int degree = 1; degree <= highestDegreeOf(treatment); ++degree)
        shapes.push_back({std::string(toString(treatment)), degree,
                          GridShape(degreeDimension, level, {}, {treatment}, 0, {degree})});
    if (treatment == BoundaryTreatment::clenshawCurtis)
        shapes.push_back({std::string(toString(BoundaryTreatment::leja)), 1,
                          GridShape(degreeDimension, level, BoundaryTreatment::leja)});
    return shapes;
}

json benchDegrees(const SparseBenchOptions &options)
{
    json result = json::object();
    for (const auto &[treatment, level] :
         {std::pair{BoundaryTreatment::zero, 8}, std::pair{BoundaryTreatment::boundary, 6},
          std::pair{BoundaryTreatment::clenshawCurtis, 9}}) {
        const auto shapes = degreeShapes(treatment, level);
        for (const auto &row : benchShapes<double>(shapes, options))
            result["double"].push_back(row);
        for (const auto &row : benchShapes<float>(shapes, options))
            result["float"].push_back(row);
    }
    return result;
}

} // namespace gridhelm::bench
