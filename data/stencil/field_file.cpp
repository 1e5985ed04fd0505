// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/stencil/field_file.h"

#include "core/solvers/vti_file.h"
#include "core/support/descriptor.h"
#include "core/support/error.h"
#include "core/support/memory_check.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>

namespace gridhelm::data {
namespace {

static_assert(std::endian::native == std::endian::little, "files of values are little-endian");

/// A plain file in the folder itself: neither a way out of it, nor a link, nor a device.
Descriptor openBeside(const std::filesystem::path &folder, const std::string &name,
                      std::uint64_t &bytes)
{
    if (name.empty() || name.front() == '.'
        || name.find_first_of(std::string("/\0", 2)) != std::string::npos)
        throw Error("is not the name of a file beside the stencil file; write a name without a "
                    "folder, and put the file there");
    const auto place = folder.empty() ? std::filesystem::path(".") : folder;
    const Descriptor opened(::open(place.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    Descriptor file(
        ::openat(opened.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat status
    {};
    if (!file)
        throw Error(fmt::format("cannot be read ({}); put the file itself, no link, beside the "
                                "stencil file",
                                std::strerror(errno)));
    if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode))
        throw Error("is no plain file; put one beside the stencil file");
    bytes = static_cast<std::uint64_t>(status.st_size);
    return file;
}

std::vector<double> readVtiValues(const stencil::Stencil &stencil, const Descriptor &file)
{
    // By the descriptor: a name might be another file by now.
    const auto path = fmt::format("/proc/self/fd/{}", file.get());
    const auto image = [&] {
        try {
            return solvers::readVti(path);
        } catch (const Error &error) { // who reads this knows the file by its name
            const std::string text = error.what();
            const auto at = text.find(path + " ");
            throw Error(at == 0 ? text.substr(path.size() + 1) : text);
        }
    }();
    if (image.grid.points != stencil.points)
        throw Error(
            fmt::format("has {} x {} x {} points, the stencil's grid {} x {} x {}; resample "
                        "one of them",
                        image.grid.points[0], image.grid.points[1], image.grid.points[2],
                        stencil.points[0], stencil.points[1], stencil.points[2]));
    return std::visit(
        [](const auto &values) { return std::vector<double>(values.begin(), values.end()); },
        image.arrays.front().values);
}

} // namespace

std::vector<double> readBesideStencil(const stencil::Stencil &stencil,
                                      const std::filesystem::path &folder, const std::string &name)
{
    std::uint64_t bytes = 0;
    const auto file = openBeside(folder, name, bytes);
    std::vector<double> values;
    if (name.ends_with(".vti")) {
        values = readVtiValues(stencil, file);
    } else if (name.ends_with(".f64")) {
        const auto wanted = static_cast<std::uint64_t>(stencil.count()) * sizeof(double);
        if (bytes != wanted)
            throw Error(fmt::format("has {} bytes, but {} points are {} bytes of float64; give one "
                                    "value for each point, x fastest",
                                    bytes, stencil.count(), wanted));
        requireMemory(static_cast<double>(wanted), "a file of values", "choose a smaller grid");
        values.resize(stencil.count());
        auto *to = reinterpret_cast<char *>(values.data());
        for (std::size_t at = 0; at < wanted;) {
            const auto got = readSome(file.get(), to + at, wanted - at);
            if (got <= 0)
                throw Error("could not be read to its end; check the file");
            at += static_cast<std::size_t>(got);
        }
    } else {
        throw Error("is neither .f64 (raw float64) nor .vti; convert it");
    }
    if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); }))
        throw Error("has values that are not finite; correct it");
    return values;
}

} // namespace gridhelm::data
