// SPDX-License-Identifier: GPL-3.0-or-later
//
// What can be the matter with a study's file, as far as whoever reads it goes on differently.
#pragma once

#include "core/support/error.h"

#include <string>
#include <utility>

namespace gridhelm::data {

/// What a study holds is not what was written.
class DamagedStudy : public Error
{
public:
    DamagedStudy(const std::string &path, std::string detail)
        : Error(path + " is damaged (" + detail + "): use a copy of it, or make the study again")
        , m_detail(std::move(detail))
    {
    }

    const std::string &detail() const { return m_detail; }

private:
    std::string m_detail;
};

/// Somebody else has written a study since it was opened, or last refreshed, and what is in memory
/// of it does not fit what is in the file: nothing is wrong with it. Read again, it is as it is
/// now.
class ChangedStudy : public Error
{
public:
    using Error::Error;
};

/// Another program holds a study for longer than is waited for.
class StudyInUse : public Error
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

} // namespace gridhelm::data
