// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a ProcessPool is made of; for its own files.
#pragma once

#include "app/python/process_pool.h"
#include "core/support/descriptor.h"

#include <exception>

namespace gridhelm::python {

struct ProcessPool::Run
{
    data::RunRequest request;
    data::RunStatus status = {};
    std::vector<data::RunSnapshot> arrived = {};
    std::exception_ptr thrown = {};
    std::size_t bytes = 0; ///< of what has arrived
    std::uint64_t number = 0;
    Descriptor file{}; ///< with a call that is too long for a message
    bool isCancelled = false;
};

struct ProcessPool::Process
{
    int pid = 0; ///< 0: it has ended, or has not begun
    std::unique_ptr<AnswerReader> answers;
    int stream = -1;
    bool isLate = false; ///< it was ended because its call took too long
    std::jthread thread;

    void begin(int itsStream, int itsPid)
    {
        pid = itsPid;
        answers = std::make_unique<AnswerReader>(itsStream);
        stream = itsStream;
        isLate = false;
    }
};

} // namespace gridhelm::python
