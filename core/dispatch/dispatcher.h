// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dispatch/candidate.h"
#include "core/dispatch/dispatch_table.h"
#include "core/dispatch/workload.h"
#include "core/support/cache_folder.h"

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace gridhelm::dispatch {

struct DispatchSettings
{
    /// What may be chosen beside the CPU. Called once, when it matters for the first time; to
    /// look for devices may take a second.
    std::function<std::vector<Candidate>()> findFurther = [] { return std::vector<Candidate>(); };
    /// Where times are remembered; empty: nowhere.
    std::filesystem::path folder = cacheFolder();
    std::function<double(const Workload &, const Candidate &, const ExecutionContext &)> measure =
        measuredSeconds;
    /// What it takes to find and start a device, about. Programs that do less on grids than that do
    /// it without one, unless it comes at once.
    double startSeconds = 0.25;
};

/// Which back end is the fastest for an operation of some size on this machine, with the CPU's
/// threads of a context. Measured once, when it is asked for the first time, and remembered in a
/// file; the context's sink is told. Where the CPU is alone, nothing is measured. Thread-safe:
/// whoever asks while another thread measures waits, for a second or less; not for a thread that
/// draws windows.
class Dispatcher
{
public:
    explicit Dispatcher(DispatchSettings settings = {});

    /// The CPU is the first one.
    const std::vector<Candidate> &candidates();
    bool isCpuAlone() { return candidates().size() == 1; }

    /// Index of the candidate to take.
    std::size_t fastest(Operation operation, double size, const ExecutionContext &context);

    /// How long the CPU has worked on grids is to be told.
    void cpuWorked(double seconds) { m_cpuSeconds += seconds; }

    /// What is known by now.
    DispatchTable known(const ExecutionContext &context);
    /// Measures everything again.
    void measureAll(const ExecutionContext &context);
    /// Where it is remembered; empty: nowhere.
    std::filesystem::path file(const ExecutionContext &context);

private:
    struct Known
    {
        Machine machine;
        DispatchTable map;
    };
    // With m_mutex held:
    const std::vector<Candidate> &found();
    Known &knownFor(const ExecutionContext &context);
    std::filesystem::path fileOf(const Machine &machine) const;
    void measure(Operation operation, std::size_t sizeClass, const ExecutionContext &context,
                 Known &known);
    void remember(const Known &known, const ExecutionContext &context);

    DispatchSettings m_settings;
    std::atomic<double> m_cpuSeconds = 0;
    std::mutex m_mutex;                  ///< of what follows
    std::vector<Candidate> m_candidates; ///< empty: not looked for yet
    std::map<int, Known> m_known;        ///< by threads
};

} // namespace gridhelm::dispatch
