// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/steering/evaluation/coefficient_loader.h"

#include "ui/machine/lower_priority.h"

#include <exception>
#include <utility>

namespace gridhelm::ui {

CoefficientLoader::CoefficientLoader(std::function<void()> hasLoaded)
    : m_hasLoaded(std::move(hasLoaded))
{
}

void CoefficientLoader::load(const std::filesystem::path &study, Surrogates surrogates)
{
    stop();
    m_thread = std::jthread([this, study, surrogates = std::move(surrogates)](
                                const std::stop_token &stop) { run(study, surrogates, stop); });
}

void CoefficientLoader::stop()
{
    m_thread = {};
    m_hasFailed = false;
}

void CoefficientLoader::run(const std::filesystem::path &study, const Surrogates &surrogates,
                            const std::stop_token &stop)
{
    lowerPriority();
    try {
        const auto opened = data::Study::open(study); // one for each thread
        for (const auto &surrogate : surrogates) {
            const int groups = surrogate->surrogate().groups();
            for (int group = 1; group <= groups && !stop.stop_requested(); ++group) {
                surrogate->load(opened, group, [&] { return stop.stop_requested(); });
                ++m_steps;
                m_hasLoaded();
            }
        }
    } catch (const std::exception &) {
        // Whoever evaluates reads the file then, and says what is wrong with it.
        m_hasFailed = true;
        ++m_steps;
        m_hasLoaded();
    }
}

} // namespace gridhelm::ui
