// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/mesh/snapshot_file.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <stop_token>

namespace gridhelm::data {

/// How long a reader may take.
struct ReadPatience
{
    /// Without any progress (CPU time, bytes read): it hangs. Slow disks make progress.
    std::chrono::milliseconds stalled{10'000};
    /// Of CPU time for one step, and for each of its bytes.
    std::chrono::milliseconds step{10'000};
    double secondsPerByte = 1e-6;
};

/// Runs `read` in a child process, and hands what it gives to its argument over to `visit` here.
/// A child that crashes, hangs or takes too long becomes a gridhelm::Error about `path`; so does
/// what `read` throws. When `stop` is asked for, the child is ended within 0.2 s, and
/// ReadingStopped (snapshot_reader.h) is thrown.
void readIsolated(const std::filesystem::path &path, const ReadPatience &patience,
                  const std::function<void(const std::function<void(const RunSnapshot &)> &)> &read,
                  const std::function<void(RunSnapshot &&)> &visit,
                  const std::stop_token &stop = {});

} // namespace gridhelm::data
