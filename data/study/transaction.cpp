// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/transaction.h"
#include "data/study/study_file.h"

namespace gridhelm::data {

Transaction::Transaction(StudyFile &file)
    : m_file(&file)
{
    file.guarded([&] { file.begin(); });
}

Transaction::~Transaction()
{
    if (m_open)
        m_file->rollBack();
}

void Transaction::commit()
{
    m_file->guarded([&] { m_file->commit(); });
    m_open = false;
}

} // namespace gridhelm::data
