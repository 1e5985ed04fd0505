// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/study/study.h"
#include "data/study/study_errors.h"

#include <memory>

namespace gridhelm::data {

class ReadTransaction;
class StudyFile;

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
