// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/study/study_file.h"

namespace gridhelm::data {

/// Bytes from which on a write is a long one: shorter ones take less time in the log than it takes
/// to do without.
inline constexpr double longWrite = 16 << 20;

/// Long writes for as long as it lives.
class BulkWrite
{
public:
    explicit BulkWrite(StudyFile &file)
        : m_file(file)
    {
        file.beginBulk();
    }
    ~BulkWrite() { m_file.endBulk(); }
    BulkWrite(const BulkWrite &) = delete;
    BulkWrite &operator=(const BulkWrite &) = delete;

private:
    StudyFile &m_file;
};

} // namespace gridhelm::data
