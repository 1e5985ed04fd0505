// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/steering/evaluation/coefficient_loader.h"

#include "ui/machine/lower_priority.h"

#include <exception>
#include <utility>

namespace gridhelm::ui {

namespace {

/// Numbers of rows after which there is a better picture: of each level; or of modes, which hold
/// less and less of the energy, twice as many each time.
std::vector<std::uint64_t> stepsOf(const data::FieldSurrogate &surrogate)
{
    std::vector<std::uint64_t> steps;
    const auto &of = surrogate.surrogate();
    if (surrogate.modes()) {
        for (std::uint64_t modes = 1; modes < of.rows(); modes *= 2)
            steps.push_back(modes);
        steps.push_back(of.rows());
        return steps;
    }
    for (int group = 1; group <= of.groups(); ++group)
        steps.push_back(of.rows(group));
    return steps;
}

} // namespace

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
            for (const auto rows : stepsOf(*surrogate)) {
                if (stop.stop_requested())
                    break;
                surrogate->loadRows(opened, rows, [&] { return stop.stop_requested(); });
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
