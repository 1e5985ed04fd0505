// SPDX-License-Identifier: GPL-3.0-or-later
//
// Work that takes seconds, in a thread of its own, while the thread that Python called looks out
// for Ctrl+C.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <type_traits>

namespace gridhelm::python {

/// What becomes of work that goes on after it was asked to stop.
enum class Unstopped {
    waited, ///< it stops soon, and leaves everything in order
    left ///< it cannot be stopped; what it has in hand must be its own, and its result is dropped
};

/// Runs `work` in another thread, without the interpreter's lock, which the caller has. Throws what
/// it throws, or what Python's signal handlers raise meanwhile (KeyboardInterrupt).
void runWatched(const std::function<void(const std::stop_token &)> &work, Unstopped unstopped);

/// The same with a result. `work` is copied.
template <typename Work>
auto watched(Work work, Unstopped unstopped)
{
    using Result = std::invoke_result_t<Work, const std::stop_token &>;
    const auto result = std::make_shared<std::optional<Result>>();
    runWatched([work, result](const std::stop_token &stop) { result->emplace(work(stop)); },
               unstopped);
    return std::move(result->value());
}

/// Waits for what was left to itself; before the interpreter ends.
void waitForLeftWork();

} // namespace gridhelm::python
