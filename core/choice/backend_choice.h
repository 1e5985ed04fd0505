// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/choice/candidate.h"
#include "core/choice/to_one_map.h"
#include "core/choice/workload.h"
#include "core/support/cache_folder.h"

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gridhelm::choice {

struct ChoiceSettings
{
    /// What may be chosen beside the processor. Called once, when it matters for the first time; to
    /// look for devices may take a second.
    std::function<std::vector<Candidate>()> findFurther = [] { return std::vector<Candidate>(); };
    /// Where times are remembered; empty: nowhere.
    std::filesystem::path folder = cacheFolder();
    /// Is told, in sentences without a full stop, what the user should know. Called from any
    /// thread.
    std::function<void(const std::string &sentence)> say = [](const std::string &) {};
    std::function<double(const Workload &, const Candidate &, int threads)> measure =
        measuredSeconds;
    /// What it takes to find and start a device, about. Programs that do less on grids than that do
    /// it without one, unless it comes at once.
    double startSeconds = 0.25;
};

/// Which back end is the fastest for an operation of some size on this machine. Measured once, when
/// it is asked for the first time, and remembered in a file. Where the processor is alone, nothing
/// is measured. Thread-safe: whoever asks while another thread measures waits, for a second or
/// less; not for a thread that draws windows.
class BackendChoice
{
public:
    explicit BackendChoice(ChoiceSettings settings = {});

    /// The processor is the first one.
    const std::vector<Candidate> &candidates();
    bool isProcessorAlone() { return candidates().size() == 1; }

    /// Index of the candidate to take.
    std::size_t fastest(Operation operation, double size, int threads);

    /// How long the processor has worked on grids is to be told.
    void processorWorked(double seconds) { m_processorSeconds += seconds; }

    /// What is known by now.
    ToOneMap known(int threads);
    /// Measures everything again.
    void measureAll(int threads);
    /// Where it is remembered; empty: nowhere.
    std::filesystem::path file(int threads);

    /// Tells the user; the same sentence once only.
    void say(const std::string &sentence);

private:
    struct Known
    {
        Machine machine;
        ToOneMap map;
    };
    // With m_mutex held:
    const std::vector<Candidate> &found();
    Known &knownFor(int threads);
    std::filesystem::path fileOf(const Machine &machine) const;
    void measure(Operation operation, std::size_t sizeClass, int threads, Known &known);
    void remember(const Known &known);

    ChoiceSettings m_settings;
    std::atomic<double> m_processorSeconds = 0;
    std::mutex m_mutex;                  ///< of what follows
    std::vector<Candidate> m_candidates; ///< empty: not looked for yet
    std::map<int, Known> m_known;        ///< by threads
    std::mutex m_saying;
    std::set<std::string> m_said;
};

} // namespace gridhelm::choice
