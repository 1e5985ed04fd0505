// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/support/error.h"
#include "data/study/study.h"

#include <memory>

namespace gridhelm::data {

class ReadTransaction;
class StudyFile;

/// Somebody else has written a study since it was opened, or last refreshed, and what is in memory
/// of it does not fit what is in the file: nothing is wrong with it. Read again, it is as it is
/// now.
class ChangedStudy : public Error
{
public:
    using Error::Error;
};

/// What `read` returns, which begins anew if that meets a ChangedStudy; which is thrown if it does
/// so time and again.
template <typename Read>
auto againIfChanged(Read read)
{
    constexpr int mostTimes = 5;
    for (int time = 1;; ++time) {
        try {
            return read();
        } catch (const ChangedStudy &) {
            if (time == mostTimes)
                throw;
        }
    }
}

/// Everything that is read of a study while this lives is of one moment, whoever writes meanwhile;
/// what the study keeps in memory (Study::refresh()) is brought up to that moment first. For short
/// reads: while it lives, a writer's log grows, or the writer waits. The study may be moved, or go,
/// before it. Throws gridhelm::Error as Study::open() does.
class ConsistentRead
{
public:
    explicit ConsistentRead(Study &study);
    ~ConsistentRead();
    ConsistentRead(const ConsistentRead &) = delete;
    ConsistentRead &operator=(const ConsistentRead &) = delete;

private:
    std::shared_ptr<StudyFile> m_file;
    std::unique_ptr<const ReadTransaction> m_together;
};

} // namespace gridhelm::data
