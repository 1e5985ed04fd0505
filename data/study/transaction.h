// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gridhelm::data {

class StudyFile;

/// Everything written while it lives becomes part of the file with commit(), or nothing of it: also
/// when the program is killed, or the object is destroyed without commit(). Transactions may be
/// nested; then the outermost one counts.
class Transaction
{
public:
    explicit Transaction(StudyFile &file);
    ~Transaction();
    Transaction(const Transaction &) = delete;
    Transaction &operator=(const Transaction &) = delete;

    void commit();

private:
    StudyFile *m_file;
    bool m_open = true;
};

} // namespace gridhelm::data
