// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/pmm/medium_upload.h"

#include <algorithm>
#include <variant>

namespace gridhelm::gpu {
namespace {

PmmNodeValues upload(const solvers::NodeValues &values, double scale, std::size_t first,
                     std::size_t count, DeviceBuffer<double> &buffer, cudaStream_t stream)
{
    if (const double *same = std::get_if<double>(&values))
        return {nullptr, scale * *same};
    buffer.reserve(count);
    const double *source = std::get<std::vector<double>>(values).data() + first;
    check(cudaMemcpyAsync(buffer.data(), source, count * sizeof(double), cudaMemcpyHostToDevice,
                          stream),
          "take the speed and the advection");
    return {buffer.data(), scale};
}

} // namespace

template <typename T>
void uploadMedium(const solvers::PmmRun &run, const PmmLayout &layout, std::size_t firstPlane,
                  const std::vector<DeviceBuffer<T>> &coefficients, const Stream &stream)
{
    const auto &problem = run.problem();
    PmmMediumSlab slab;
    slab.spacing = problem.spacing;
    slab.anisotropic = run.isAnisotropic();
    for (double component : problem.direction)
        slab.directionSquare += component * component;
    DeviceBuffer<double> speed, advection;
    const std::size_t perPlane = problem.nodes[0] * problem.nodes[1];
    const std::size_t planesAtOnce =
        std::max<std::size_t>(bytesOnTheWay / (sizeof(double) * perPlane), 1);
    for (std::size_t plane = 0; plane < layout.points[2]; plane += planesAtOnce) {
        const std::size_t planes = std::min(planesAtOnce, layout.points[2] - plane);
        const std::size_t first = (firstPlane + plane) * perPlane, nodes = planes * perPlane;
        slab.speed = upload(problem.speed, problem.speedScale, first, nodes, speed, stream);
        if (slab.anisotropic)
            slab.advection =
                upload(problem.advection, problem.advectionScale, first, nodes, advection, stream);
        setCoefficients(slab, plane, planes, layout, coefficients[0].data(),
                        slab.anisotropic ? coefficients[1].data() : nullptr, stream);
    }
    stream.wait("take the speed and the advection"); // the buffers end here
}

template void uploadMedium(const solvers::PmmRun &, const PmmLayout &, std::size_t,
                           const std::vector<DeviceBuffer<float>> &, const Stream &);
template void uploadMedium(const solvers::PmmRun &, const PmmLayout &, std::size_t,
                           const std::vector<DeviceBuffer<double>> &, const Stream &);

} // namespace gridhelm::gpu
