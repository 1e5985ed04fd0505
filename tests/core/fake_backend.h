// SPDX-License-Identifier: GPL-3.0-or-later
//
// A back end beside the CPU that exists everywhere: it computes as omp does, counts what it
// is asked for, and can be slow or fail.
#pragma once

#include "core/dispatch/candidate.h"
#include "core/solvers/stepper.h"
#include "core/sparse/backend.h"
#include "core/support/error.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <utility>

namespace gridhelm::test {

/// Where it says that it has computed.
inline const auto fakeGpu = ComputedOn::gpu(7);

/// What all parts of one fake do and have done.
struct FakeDevice
{
    std::atomic<int> operations = 0; ///< of loaded evaluators and on grids
    std::atomic<int> loads = 0;
    std::atomic<bool> isBroken = false;
    std::atomic<std::size_t> columns = SIZE_MAX;                   ///< that there is room for
    std::atomic<std::uint64_t> iterationsUntilBroken = UINT64_MAX; ///< of all steppers together
    /// Spent on values, so many of them.
    std::function<std::chrono::milliseconds(std::size_t)> delay = [](std::size_t) {
        return std::chrono::milliseconds(0);
    };

    void work(std::size_t values)
    {
        ++operations;
        std::this_thread::sleep_for(delay(values));
        requireSound();
    }

    void requireSound() const
    {
        if (isBroken)
            throw BackendError("the fake device could not go on: it is broken; choose omp");
    }
};

template <typename T>
class FakeEvaluator final : public sparse::Evaluator<T>
{
public:
    FakeEvaluator(FakeDevice &device, std::unique_ptr<sparse::Evaluator<T>> omp)
        : m_device(device)
        , m_omp(std::move(omp))
    {
    }

    const sparse::SparseGrid &grid() const override { return m_omp->grid(); }
    std::size_t bytes() const override { return m_omp->bytes(); }

private:
    ComputedOn doInterpolate(sparse::PointsView<T> points,
                             sparse::EvaluationOutput<T> out) const override
    {
        m_device.work(points.count());
        m_omp->interpolate(points, out);
        return fakeGpu;
    }
    ComputedOn doInterpolateShared(sparse::PointsView<T> points, const std::vector<bool> &isFixed,
                                   sparse::EvaluationOutput<T> out) const override
    {
        m_device.work(points.count());
        m_omp->interpolateShared(points, isFixed, out);
        return fakeGpu;
    }
    ComputedOn doInterpolateCartesian(const sparse::CartesianPoints<T> &points,
                                      sparse::CartesianPart part,
                                      sparse::EvaluationOutput<T> out) const override
    {
        m_device.work(sparse::countOf(points, part));
        m_omp->interpolateCartesian(points, part, out);
        return fakeGpu;
    }
    ComputedOn doGradient(sparse::PointsView<T> points, std::span<T> values,
                          std::span<T> gradients) const override
    {
        m_device.work(points.count());
        m_omp->gradient(points, values, gradients);
        return fakeGpu;
    }
    sparse::Combination doCombine(const sparse::SparseWeights &weights) const override
    {
        m_device.work(weights.rows.size());
        auto result = m_omp->combine(weights);
        result.computedOn = fakeGpu;
        return result;
    }

    FakeDevice &m_device;
    std::unique_ptr<sparse::Evaluator<T>> m_omp;
};

class FakeVectorEvaluator final : public sparse::VectorEvaluator
{
public:
    FakeVectorEvaluator(FakeDevice &device, std::unique_ptr<sparse::VectorEvaluator> omp)
        : m_device(device)
        , m_omp(std::move(omp))
    {
    }

    ComputedOn combine(const sparse::SparseWeights &weights, std::size_t firstColumn,
                       std::span<float> y, std::span<float> indicator) const override
    {
        m_device.work(weights.rows.size() * y.size());
        m_omp->combine(weights, firstColumn, y, indicator);
        return fakeGpu;
    }
    ComputedOn combineColumns(const sparse::SparseWeights &weights,
                              std::span<const std::uint32_t> columns, std::span<float> y,
                              std::span<float> indicator) const override
    {
        m_device.work(weights.rows.size() * y.size());
        m_omp->combineColumns(weights, columns, y, indicator);
        return fakeGpu;
    }

private:
    FakeDevice &m_device;
    std::unique_ptr<sparse::VectorEvaluator> m_omp;
};

class FakeBackend final : public sparse::Backend
{
public:
    FakeBackend(FakeDevice &device, const ExecutionContext &context)
        : m_device(device)
        , m_omp(sparse::makeOmpBackend(context))
    {
        m_device.requireSound();
    }

    std::string_view name() const override { return "fake"; }
    std::string description() const override { return "a fake"; }
    const ExecutionContext &context() const override { return m_omp->context(); }

    ComputedOn hierarchize(const sparse::SparseGrid &grid, std::span<double> values) const override
    {
        return transform(values, [&] { m_omp->hierarchize(grid, values); });
    }
    ComputedOn hierarchize(const sparse::SparseGrid &grid, std::span<float> values) const override
    {
        return transform(values, [&] { m_omp->hierarchize(grid, values); });
    }
    ComputedOn dehierarchize(const sparse::SparseGrid &grid,
                             std::span<double> values) const override
    {
        return transform(values, [&] { m_omp->dehierarchize(grid, values); });
    }
    ComputedOn dehierarchize(const sparse::SparseGrid &grid, std::span<float> values) const override
    {
        return transform(values, [&] { m_omp->dehierarchize(grid, values); });
    }
    ComputedOn transformPart(const sparse::SparseGrid &grid, const sparse::TransformPart &part,
                             std::span<double> values) const override
    {
        m_device.work(part.blocks.size());
        m_omp->transformPart(grid, part, values);
        return fakeGpu;
    }
    ComputedOn transformPart(const sparse::SparseGrid &grid, const sparse::TransformPart &part,
                             std::span<float> values) const override
    {
        m_device.work(part.blocks.size());
        m_omp->transformPart(grid, part, values);
        return fakeGpu;
    }
    std::unique_ptr<sparse::Evaluator<double>> load(std::shared_ptr<const sparse::SparseGrid> grid,
                                                    std::vector<double> coefficients) const override
    {
        return loadAs<double>(std::move(grid), std::move(coefficients));
    }
    std::unique_ptr<sparse::Evaluator<float>> load(std::shared_ptr<const sparse::SparseGrid> grid,
                                                   std::vector<float> coefficients) const override
    {
        return loadAs<float>(std::move(grid), std::move(coefficients));
    }
    std::unique_ptr<sparse::VectorEvaluator>
    loadVectors(linalg::MatrixView<const float> matrix) const override
    {
        ++m_device.loads;
        m_device.requireSound();
        return std::make_unique<FakeVectorEvaluator>(m_device, m_omp->loadVectors(matrix));
    }
    std::size_t columnsThatFit(linalg::MatrixView<const float> matrix) const override
    {
        return std::min<std::size_t>(m_device.columns, matrix.columns);
    }

private:
    template <typename T, typename Work>
    ComputedOn transform(std::span<T> values, Work work) const
    {
        const T before = values.front();
        values.front() = T(12345); // what a device leaves that fails in the middle
        m_device.work(values.size());
        values.front() = before;
        work();
        return fakeGpu;
    }

    template <typename T>
    std::unique_ptr<sparse::Evaluator<T>> loadAs(std::shared_ptr<const sparse::SparseGrid> grid,
                                                 std::vector<T> coefficients) const
    {
        ++m_device.loads;
        m_device.requireSound();
        return std::make_unique<FakeEvaluator<T>>(
            m_device, m_omp->load(std::move(grid), std::move(coefficients)));
    }

    FakeDevice &m_device;
    std::unique_ptr<sparse::Backend> m_omp;
};

class FakeStepper final : public solvers::Stepper
{
public:
    FakeStepper(FakeDevice &device, std::unique_ptr<solvers::Stepper> omp)
        : m_device(device)
        , m_omp(std::move(omp))
    {
    }

    std::string_view method() const override { return m_omp->method(); }
    ComputedOn computedOn() const override { return fakeGpu; }
    void advance(std::uint64_t iterations, std::stop_token stop) override
    {
        ++m_device.operations;
        if (iterations > m_device.iterationsUntilBroken) {
            m_omp->advance(m_device.iterationsUntilBroken, stop); // it fails on the way
            m_device.isBroken = true;
        }
        m_device.requireSound();
        m_device.iterationsUntilBroken -= iterations;
        m_omp->advance(iterations, stop);
    }
    solvers::StepReport report() const override
    {
        m_device.requireSound();
        return m_omp->report();
    }
    solvers::FieldView field() const override
    {
        m_device.requireSound();
        return m_omp->field();
    }
    std::vector<solvers::LiveParameter> liveParameters() const override
    {
        return m_omp->liveParameters();
    }
    void setLiveParameter(std::string_view name, double value) override
    {
        m_omp->setLiveParameter(name, value);
    }

private:
    FakeDevice &m_device;
    std::unique_ptr<solvers::Stepper> m_omp;
};

class FakeSolvers final : public solvers::SolverBackend
{
public:
    explicit FakeSolvers(FakeDevice &device)
        : m_device(device)
    {
    }

    std::string_view name() const override { return "fake"; }
    bool usesThreads() const override { return false; }

    std::unique_ptr<solvers::Stepper> makePoisson(solvers::PoissonProblem problem,
                                                  const solvers::PoissonSettings &settings,
                                                  const ExecutionContext &context) const override
    {
        return wrap(solvers::ompSolvers().makePoisson(std::move(problem), settings, context));
    }
    std::unique_ptr<solvers::Stepper> makePmm(const solvers::PmmProblem &problem,
                                              solvers::Precision precision,
                                              const solvers::PmmSettings &settings,
                                              const ExecutionContext &context) const override
    {
        return wrap(solvers::ompSolvers().makePmm(problem, precision, settings, context));
    }

private:
    std::unique_ptr<solvers::Stepper> wrap(std::unique_ptr<solvers::Stepper> stepper) const
    {
        ++m_device.loads;
        m_device.requireSound();
        return std::make_unique<FakeStepper>(m_device, std::move(stepper));
    }

    FakeDevice &m_device;
};

/// The device must outlive what is made of it.
inline dispatch::Candidate fakeCandidate(FakeDevice &device, const FakeSolvers &solvers)
{
    return {"fake", "a fake device",
            [&device](const ExecutionContext &context) -> std::shared_ptr<const sparse::Backend> {
                return std::make_shared<FakeBackend>(device, context);
            },
            &solvers};
}

} // namespace gridhelm::test
