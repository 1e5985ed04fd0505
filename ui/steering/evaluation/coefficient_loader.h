// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/evaluate/field_surrogate.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace gridhelm::ui {

/// Loads the coefficients of fields in a thread of its own, level by level (of modes the leading
/// ones first), while another one
/// evaluates what is there already. By one thread, but for what says otherwise.
class CoefficientLoader
{
public:
    using Surrogates = std::vector<std::shared_ptr<data::FieldSurrogate>>;

    /// `hasLoaded` is called by the loading thread, whenever steps() has changed.
    explicit CoefficientLoader(std::function<void()> hasLoaded);
    /// Stops, and waits until the thread has noticed.
    ~CoefficientLoader() { stop(); }
    CoefficientLoader(const CoefficientLoader &) = delete;
    CoefficientLoader &operator=(const CoefficientLoader &) = delete;

    /// All levels of these, one field after the other; nothing else any more. The study must be the
    /// one that they were made from.
    void load(const std::filesystem::path &study, Surrogates surrogates);
    void stop();

    /// Levels, or numbers of modes, that have been loaded so far, ever, and failures. Any thread.
    std::uint64_t steps() const { return m_steps; }
    /// Nothing more will be loaded, although not all is there: the study has changed meanwhile, or
    /// cannot be read. Until the next load() or stop(). Any thread.
    bool hasFailed() const { return m_hasFailed; }

private:
    void run(const std::filesystem::path &study, const Surrogates &surrogates,
             const std::stop_token &stop);

    const std::function<void()> m_hasLoaded;
    std::atomic<std::uint64_t> m_steps = 0;
    std::atomic<bool> m_hasFailed = false;
    std::jthread m_thread;
};

} // namespace gridhelm::ui
