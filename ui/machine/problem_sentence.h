// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <exception>
#include <new>

namespace gridhelm::ui {

/// What an exception says; `withoutMemory` if it is that there is none.
inline QString sentenceOf(const std::exception &problem, const char *withoutMemory)
{
    return dynamic_cast<const std::bad_alloc *>(&problem) ? QString(withoutMemory)
                                                          : QString::fromUtf8(problem.what());
}

} // namespace gridhelm::ui
