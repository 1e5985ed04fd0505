// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/python/process_messages.h"
#include "app/python/python_runner.h"

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace gridhelm::python {

/// Answers as snapshots: Python is asked once for each form that they have. Thread-safe.
class AnswerForms
{
public:
    /// See processRunners().
    explicit AnswerForms(Callable accept);

    /// One for each of so many times (1 if there are none). Throws gridhelm::Error with a sentence
    /// for what cannot be stored. Without the interpreter's lock.
    std::vector<data::RunSnapshot> snapshots(const Answer &answer, std::size_t times);

private:
    using Key = std::pair<std::string, std::size_t>;

    std::shared_ptr<const data::RunSnapshot> formOf(const Key &key);

    Callable m_accept;
    std::mutex m_mutex;
    std::map<Key, std::shared_ptr<const data::RunSnapshot>> m_forms; ///< without values
};

} // namespace gridhelm::python
