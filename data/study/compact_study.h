// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace gridhelm::data {

struct CompactReport
{
    bool cancelled = false;   ///< the study is as before
    std::uint64_t before = 0; ///< bytes of its file
    std::uint64_t after = 0;
    std::string notice; ///< a sentence, if somebody who reads keeps the file as long as it was
};

/// Rewrites a study's file without unused space, as StudyWriter::compact() does, and closes it;
/// `beforeClosing` is called before that. Throws gridhelm::Error as StudyWriter::open() and
/// compact().
CompactReport compactStudy(const std::filesystem::path &path,
                           const std::function<bool(double)> &progress = {},
                           const std::function<void()> &beforeClosing = {});

/// "3.2 MB instead of 5.1 MB".
std::string compactText(const CompactReport &report);

} // namespace gridhelm::data
