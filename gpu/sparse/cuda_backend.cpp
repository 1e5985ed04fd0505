// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/sparse/cuda_backend.h"

#include "core/execution/parallel_for.h"
#include "core/sparse/team/divided_vectors.h"
#include "gpu/device_info.h"
#include "gpu/sparse/cuda_evaluator.h"
#include "gpu/sparse/cuda_quantised_evaluator.h"
#include "gpu/sparse/cuda_vector_evaluator.h"
#include "gpu/sparse/hierarchization.h"
#include "gpu/sparse/point_stream.h"
#include "gpu/support/on_gpu.h"
#include "gpu/support/require_gpu.h"
#include "gpu/support/stream.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace gridhelm::gpu {

namespace {

using linalg::MatrixView;
using sparse::Backend;
using sparse::Evaluator;
using sparse::SparseGrid;

class CudaBackend final : public Backend
{
public:
    explicit CudaBackend(const ExecutionContext &context)
        : m_context(context)
        , m_gpu(requireGpu(context))
    {
    }

    std::string_view name() const override { return "cuda"; }
    std::string description() const override
    {
        return listDevices().devices.at(static_cast<std::size_t>(m_gpu.index)).name;
    }

    const ExecutionContext &context() const override { return m_context; }

    ComputedOn hierarchize(const SparseGrid &grid, std::span<double> values) const override
    {
        return transform(Transform::hierarchize, grid, values);
    }
    ComputedOn hierarchize(const SparseGrid &grid, std::span<float> values) const override
    {
        return transform(Transform::hierarchize, grid, values);
    }
    ComputedOn dehierarchize(const SparseGrid &grid, std::span<double> coefficients) const override
    {
        return transform(Transform::dehierarchize, grid, coefficients);
    }
    ComputedOn dehierarchize(const SparseGrid &grid, std::span<float> coefficients) const override
    {
        return transform(Transform::dehierarchize, grid, coefficients);
    }

    ComputedOn transformPart(const SparseGrid &grid, const sparse::TransformPart &part,
                             std::span<double> values) const override
    {
        return transformSome(grid, part, values);
    }
    ComputedOn transformPart(const SparseGrid &grid, const sparse::TransformPart &part,
                             std::span<float> values) const override
    {
        return transformSome(grid, part, values);
    }

    std::unique_ptr<Evaluator<double>> load(std::shared_ptr<const SparseGrid> grid,
                                            std::vector<double> coefficients) const override
    {
        return loadOn(std::move(grid), std::move(coefficients));
    }
    std::unique_ptr<Evaluator<float>> load(std::shared_ptr<const SparseGrid> grid,
                                           std::vector<float> coefficients) const override
    {
        return loadOn(std::move(grid), std::move(coefficients));
    }

    std::unique_ptr<sparse::VectorEvaluator>
    loadVectors(MatrixView<const float> matrix) const override
    {
        linalg::requireFitting<float>({}, matrix, 0, {}, {});
        if (columnsThatFit(matrix) == matrix.columns)
            return makeCudaVectorEvaluator(matrix, m_gpu, m_context);
        // As a team of this GPU and the CPU.
        const std::shared_ptr<const Backend> self(std::shared_ptr<const void>(), this);
        return sparse::loadDivided(std::array{sparse::TeamMember{self}}, matrix, m_context,
                                   std::make_shared<sparse::JointWork>(2));
    }

    std::unique_ptr<sparse::VectorEvaluator>
    loadQuantised(const codec::QuantisedRows &matrix) const override
    {
        return makeCudaQuantisedEvaluator(matrix, m_gpu, m_context.cpu());
    }

    std::size_t columnsThatFit(MatrixView<const float> matrix) const override
    {
        const OnGpu scope(m_gpu);
        return gpu::columnsThatFit(matrix);
    }
    std::size_t smallestShare() const override { return PointStream<float>::smallestShare; }

private:
    template <typename T>
    ComputedOn transform(Transform direction, const SparseGrid &grid, std::span<T> values) const
    {
        grid.requireOneValuePerPoint(values.size());
        const OnGpu scope(m_gpu);
        requireDeviceMemory(values.size_bytes() + HierarchizationPlan::bytesFor(grid),
                            "the coefficients");
        return runThere(grid, HierarchizationPlan(grid), direction, values);
    }

    /// `values`: those of the whole grid, of which those of the part travel.
    template <typename T>
    ComputedOn transformSome(const SparseGrid &grid, const sparse::TransformPart &part,
                             std::span<T> values) const
    {
        grid.requireOneValuePerPoint(values.size());
        const auto pieces = piecesOf(grid, part.blocks);
        std::vector<T> packed(pieces.empty() ? 0 : pieces.back().to + pieces.back().size);
        const auto forPieces = [&](const auto &copy) {
            constexpr std::size_t piecesAtOnce = 64;
            parallelFor(pieces.size(), m_context.cpu(), piecesAtOnce,
                        [&](std::size_t i) { copy(pieces[i]); });
        };
        forPieces([&](const Piece &piece) {
            std::ranges::copy(values.subspan(piece.from, piece.size),
                              packed.begin() + static_cast<std::ptrdiff_t>(piece.to));
        });
        const OnGpu scope(m_gpu);
        requireDeviceMemory(packed.size() * sizeof(T) + HierarchizationPlan::bytesFor(grid),
                            "the coefficients");
        const auto where =
            runThere(grid, HierarchizationPlan(grid, part), part.transform, std::span(packed));
        forPieces([&](const Piece &piece) {
            std::ranges::copy(std::span(packed).subspan(piece.to, piece.size),
                              values.begin() + static_cast<std::ptrdiff_t>(piece.from));
        });
        return where;
    }

    template <typename T>
    ComputedOn runThere(const SparseGrid &grid, const HierarchizationPlan &plan,
                        Transform direction, std::span<T> values) const
    {
        const DeviceBuffer<T> onDevice{std::span<const T>(values)};
        const Stream stream;
        plan.run(direction, onDevice.data(), stream,
                 PoleLaunch(m_context.tuning(), sizeof(T), grid));
        check(cudaMemcpyAsync(values.data(), onDevice.data(), values.size_bytes(),
                              cudaMemcpyDeviceToHost, stream),
              "give coefficients back");
        stream.wait("hierarchize");
        return ComputedOn::gpu(m_gpu.index);
    }

    /// Values that lie behind each other in the grid as well as among those that travel.
    struct Piece
    {
        std::size_t from, to, size;
    };

    static std::vector<Piece> piecesOf(const SparseGrid &grid,
                                       std::span<const std::uint32_t> blocks)
    {
        std::vector<Piece> pieces;
        std::size_t to = 0;
        for (const auto block : blocks) {
            const auto from = static_cast<std::size_t>(grid.blockOffset(block));
            const auto size = static_cast<std::size_t>(grid.blockSize(block));
            pieces.push_back({from, to, size});
            to += size;
        }
        return pieces;
    }

    template <typename T>
    std::unique_ptr<Evaluator<T>> loadOn(std::shared_ptr<const SparseGrid> grid,
                                         std::vector<T> coefficients) const
    {
        grid->requireOneValuePerPoint(coefficients.size());
        const OnGpu scope(m_gpu);
        requireDeviceMemory(evaluatorBytes<T>(*grid), "the coefficients");
        return makeCudaEvaluator<T>(std::move(grid), std::move(coefficients), m_gpu, m_context);
    }

    ExecutionContext m_context;
    GpuDevice m_gpu;
};

} // namespace

std::unique_ptr<sparse::Backend> makeCudaBackend(const ExecutionContext &context)
{
    return std::make_unique<CudaBackend>(context);
}

} // namespace gridhelm::gpu
