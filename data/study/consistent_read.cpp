// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/consistent_read.h"

#include "data/study/study_file.h"

namespace gridhelm::data {

ConsistentRead::ConsistentRead(Study &study)
    : m_file(study.sharedFile())
{
    m_file->guarded([this] {
        if (m_file->hasChanged())
            m_file->reload();
        m_together = std::make_unique<const ReadTransaction>(*m_file);
        if (m_file->hasChanged()) // between the two
            m_file->reload();
    });
}

ConsistentRead::~ConsistentRead() = default;

} // namespace gridhelm::data
