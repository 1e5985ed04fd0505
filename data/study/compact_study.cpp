// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/compact_study.h"

#include "core/support/bytes_text.h"
#include "data/study/study_writer.h"

namespace gridhelm::data {

CompactReport compactStudy(const std::filesystem::path &path,
                           const std::function<bool(double)> &progress,
                           const std::function<void()> &beforeClosing)
{
    auto writer = StudyWriter::open(path);
    CompactReport report;
    report.before = std::filesystem::file_size(path);
    report.cancelled = !writer.compact(progress);
    if (beforeClosing)
        beforeClosing();
    report.notice = writer.close();
    report.after = std::filesystem::file_size(path);
    return report;
}

std::string compactText(const CompactReport &report)
{
    const auto before = bytesText(static_cast<double>(report.before));
    if (report.cancelled)
        return "stopped: the file is as before, " + before;
    return bytesText(static_cast<double>(report.after)) + " instead of " + before;
}

} // namespace gridhelm::data
