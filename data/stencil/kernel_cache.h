// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where compiled code is kept for the next run: what is loaded from there runs as this user, so
// that nobody else may be able to put anything there.
#pragma once

#include "core/support/code_folder.h"
#include "core/support/descriptor.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace gridhelm::data {

/// What a cache may hold; beyond that, what was used longest ago goes.
struct CacheBounds
{
    std::uint64_t bytes = std::uint64_t{256} << 20;
    std::size_t files = 1000;
};

class KernelCache
{
public:
    /// The folder "stencils" of `folder` (cacheFolder()), made with mode 0700 where it is not
    /// there; where its group may write to it, that is taken back. Throws CacheUnusable if it
    /// cannot be made, and gridhelm::Error if it is a link, belongs to somebody else, or others can
    /// write to it, or to a folder above it, those included that hold a link on the way.
    explicit KernelCache(const std::filesystem::path &folder, const CacheBounds &bounds = {});

    /// Without links.
    const std::filesystem::path &path() const { return m_path; }

    /// What is kept under that name, without its hash, if it is there and whole: a plain file of
    /// ours, with the hash that it was written with.
    std::optional<std::string> read(const std::string &name) const;
    /// The library of that name, for a loader, if read() would give it.
    std::optional<std::filesystem::path> find(const std::string &name) const;

    /// A name for a file that is being made, which no other process uses.
    std::filesystem::path temporary(const std::string &name, std::string_view extension) const;
    /// A new file. Throws CacheUnusable.
    void write(const std::filesystem::path &file, std::string_view text) const;
    /// Adds its hash to the library at `made`, a temporary name, and renames it; from then on it is
    /// this user's alone. Throws CacheUnusable.
    std::filesystem::path store(const std::filesystem::path &made, const std::string &name) const;
    /// All of that for bytes that are in memory.
    void keep(std::string_view bytes, const std::string &name) const;
    void remove(const std::filesystem::path &file) const;

private:
    /// Until it is within its bounds, but for the file of that name; and what was left of
    /// compilations that were killed.
    void removeOldest(const std::string &except) const;

    std::filesystem::path m_path;
    Descriptor m_folder;
    CacheBounds m_bounds;
};

} // namespace gridhelm::data
