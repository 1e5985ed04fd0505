// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/support/kept_code.h"

#include "core/support/code_folder.h"
#include "core/support/error.h"
#include "core/support/private_file.h"
#include "core/support/text_hash.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace gridhelm::gpu {
namespace {

constexpr std::size_t largestFile = std::size_t{16} << 20;

std::string hashOf(std::string_view text)
{
    TextHash hash;
    hash.add(text);
    return hash.text();
}

/// What a file begins with: by its hash alone, another key's could be taken for it.
std::string headOf(std::string_view key, std::string_view bytes)
{
    return fmt::format("{} {}\n{}\n", key.size(), hashOf(bytes), key);
}

} // namespace

KeptCode::KeptCode(const std::filesystem::path &cache)
{
    try {
        if (!cache.empty())
            m_folder = openCodeFolder(cache, "kernels").path;
    } catch (const Error &) { // one can do without
    }
}

std::filesystem::path KeptCode::fileOf(std::string_view key) const
{
    return m_folder / (hashOf(key) + ".cubin");
}

std::optional<std::string> KeptCode::read(std::string_view key) const
{
    if (m_folder.empty())
        return std::nullopt;
    std::optional<std::string> text;
    try {
        text = readPrivateFile(fileOf(key), largestFile, "the compiled kernel");
    } catch (const Error &) { // not ours alone
    }
    const auto size = headOf(key, {}).size();
    if (!text || text->size() <= size)
        return std::nullopt;
    auto bytes = text->substr(size);
    if (text->compare(0, size, headOf(key, bytes)) != 0)
        return std::nullopt;
    std::error_code failed; // one that looks older than it is
    std::filesystem::last_write_time(fileOf(key), std::filesystem::file_time_type::clock::now(),
                                     failed);
    return bytes;
}

void KeptCode::keep(std::string_view key, std::string_view bytes) const
{
    if (m_folder.empty())
        return;
    try {
        writePrivateFile(fileOf(key), headOf(key, bytes).append(bytes));
        removeOldest();
    } catch (const Error &) { // a full disk: the next time it is compiled again
    }
}

void KeptCode::removeOldest() const
{
    // Those, too, that were being written when a process was killed: NAME.cubin.NUMBER.
    std::vector<std::pair<std::filesystem::file_time_type, std::filesystem::path>> files;
    std::error_code failed; // what cannot be listed stays
    for (std::filesystem::directory_iterator entry(m_folder, failed), end; !failed && entry != end;
         entry.increment(failed)) {
        if (entry->path().filename().string().find(".cubin") != std::string::npos)
            files.emplace_back(entry->last_write_time(failed), entry->path());
    }
    std::ranges::sort(files);
    for (std::size_t i = 0; i + mostFiles < files.size(); ++i)
        std::filesystem::remove(files[i].second, failed);
}

} // namespace gridhelm::gpu
