// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/synthetic_study.h"

#include "core/support/error.h"
#include "data/compress/compress.h"
#include "data/study/image_mesh.h"

#include <cmath>
#include <span>
#include <vector>

namespace gridhelm::desktop {
namespace {

/// exp(-((x - centre) / width)^2) and a wave, at evenly spaced x in [0, 1].
struct Line
{
    std::vector<float> blob, wave;

    Line(std::size_t points, double centre, double width, double phase)
    {
        for (std::size_t i = 0; i < points; ++i) {
            const double x = static_cast<double>(i) / static_cast<double>(points - 1);
            const double distance = (x - centre) / width;
            blob.push_back(static_cast<float>(std::exp(-distance * distance)));
            wave.push_back(static_cast<float>(std::sin(9 * x + phase)));
        }
    }
};

std::vector<float> snapshotAt(std::span<const double> parameters, std::size_t side)
{
    const double width = 0.15 + 0.2 * parameters[3];
    const Line x(side, 0.3 + 0.4 * parameters[0], width, parameters[3]);
    const Line y(side, 0.3 + 0.4 * parameters[1], width, 2 * parameters[0]);
    const Line z(side, 0.3 + 0.4 * parameters[2], width, 2 * parameters[1]);
    std::vector<float> values;
    values.reserve(side * side * side);
    for (std::size_t k = 0; k < side; ++k)
        for (std::size_t j = 0; j < side; ++j)
            for (std::size_t i = 0; i < side; ++i)
                values.push_back(x.blob[i] * y.blob[j] * z.blob[k]
                                 + 0.1F * x.wave[i] * y.wave[j] * z.wave[k]);
    return values;
}

} // namespace

void makeSyntheticStudy(const std::filesystem::path &path, std::size_t side)
{
    if (side < 2 || side > 512)
        throw Error("a synthetic study has 2 to 512 points along each side; choose a number "
                    "between them");
    std::vector<Parameter> parameters;
    for (const auto *name : {"x", "y", "z", "width"})
        parameters.push_back({name, "", 0, 1});
    constexpr int level = 4;
    auto writer =
        data::StudyWriter::create(path, {"Synthetic", data::StudyKind::vector,
                                         ParameterSpace(std::move(parameters)), level, ""});
    writer.setSnapshotEncoding(data::BlobEncoding::raw);
    const double spacing = 1.0 / static_cast<double>(side - 1);
    writer.setMesh(
        data::encodeImageMesh({{side, side, side}, {0, 0, 0}, {spacing, spacing, spacing}}));
    const auto field = writer.addField({"u", "", 1, data::Association::point, side * side * side});
    std::vector<double> place(4);
    for (std::uint64_t point = 0; point < writer.grid()->points(); ++point) {
        writer.grid()->coordinates(point, place);
        writer.putSnapshot(point, field, snapshotAt(place, side));
    }
    writer.finishDeliveredJobs("Values of a formula");
    data::CompressOptions options;
    options.encoding = data::BlobEncoding::raw;
    data::compress(writer, options);
    writer.close();
}

} // namespace gridhelm::desktop
