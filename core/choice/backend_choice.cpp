// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/choice/backend_choice.h"

#include "core/choice/size_class.h"
#include "core/support/error.h"
#include "core/support/version.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <utility>

namespace gridhelm::choice {
namespace {

/// FNV-1a, to tell machines that share a home apart.
std::string nameFor(const Machine &machine)
{
    std::uint64_t hash = 14695981039346656037U;
    const auto add = [&hash](const std::string &text) {
        for (const char c : text + '\n')
            hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
    };
    add(std::to_string(machine.threads));
    for (const auto &part : machine.parts) {
        add(part.backend);
        add(part.hardware);
    }
    return fmt::format("back-ends-{:016x}.json", hash);
}

Machine machineOf(const std::vector<Candidate> &candidates, int threads)
{
    Machine machine;
    machine.program = fmt::format("{} {}", versionString(), commitString());
    machine.threads = threads;
    for (const auto &candidate : candidates)
        machine.parts.push_back({candidate.name, candidate.hardware});
    return machine;
}

} // namespace

BackendChoice::BackendChoice(ChoiceSettings settings)
    : m_settings(std::move(settings))
{
}

const std::vector<Candidate> &BackendChoice::found()
{
    if (m_candidates.empty()) {
        m_candidates.push_back(processorCandidate());
        for (auto &candidate : m_settings.findFurther())
            m_candidates.push_back(std::move(candidate));
    }
    return m_candidates;
}

const std::vector<Candidate> &BackendChoice::candidates()
{
    const std::lock_guard lock(m_mutex);
    return found(); // they do not change any more
}

std::filesystem::path BackendChoice::fileOf(const Machine &machine) const
{
    return m_settings.folder.empty() ? m_settings.folder : m_settings.folder / nameFor(machine);
}

std::filesystem::path BackendChoice::file(int threads)
{
    const std::lock_guard lock(m_mutex);
    return fileOf(machineOf(found(), threads));
}

BackendChoice::Known &BackendChoice::knownFor(int threads)
{
    const auto present = m_known.find(threads);
    if (present != m_known.end())
        return present->second;
    Known &known = m_known[threads];
    known.machine = machineOf(found(), threads);
    if (const auto path = fileOf(known.machine); !path.empty() && m_candidates.size() > 1) {
        try {
            known.map = readMap(path, known.machine).value_or(ToOneMap());
        } catch (const Error &problem) {
            say(fmt::format("{}: it is measured again", problem.what()));
        }
    }
    return known;
}

std::size_t BackendChoice::fastest(Operation operation, double size, int threads)
{
    const auto classes = sizeClasses(operation);
    const auto sizeClass = sizeClassOf(operation, size);
    if (!classes[sizeClass].measured)
        return 0;
    const std::lock_guard lock(m_mutex);
    // How long a solver will run is not known; what is done on a grid has been until now.
    const bool mayStayLittle = isOnGrids(operation) && sizeClass + 1 < classes.size();
    if (m_candidates.empty() && mayStayLittle && m_processorSeconds < m_settings.startSeconds)
        return 0;
    if (found().size() == 1)
        return 0;
    Known &known = knownFor(threads);
    if (!known.map.find(operation, sizeClass)) {
        measure(operation, sizeClass, threads, known);
        remember(known);
    }
    const auto &name = ToOneMap::fastest(*known.map.find(operation, sizeClass)).backend;
    const auto winner = std::ranges::find(m_candidates, name, &Candidate::name);
    return static_cast<std::size_t>(winner - m_candidates.begin());
}

void BackendChoice::measure(Operation operation, std::size_t sizeClass, int threads, Known &known)
{
    const auto &work = *sizeClasses(operation)[sizeClass].measured;
    ToOneMap::Times times;
    std::string figures;
    for (const auto &candidate : m_candidates) {
        try {
            const double seconds = m_settings.measure(work, candidate, threads);
            times.push_back({candidate.name, seconds});
            figures += fmt::format("{}{} {:.3g} ms", figures.empty() ? "" : ", ", candidate.name,
                                   1e3 * seconds);
        } catch (const std::exception &problem) {
            say(fmt::format("{} could not be measured at {} ({}): {}", candidate.name,
                            nameOf(operation), textOf(work), problem.what()));
        }
    }
    if (times.empty())
        times.push_back({m_candidates.front().name, 0}); // it will say itself what is wrong
    else
        say(fmt::format("{} ({}) was measured, once for this machine: {}", nameOf(operation),
                        textOf(work), figures));
    known.map.set(operation, sizeClass, std::move(times));
}

void BackendChoice::remember(const Known &known)
{
    const auto path = fileOf(known.machine);
    if (path.empty())
        return;
    ToOneMap whole; // entries of all candidates: another try may succeed with the others
    for (const auto operation : operations) {
        for (std::size_t i = 0; i < sizeClasses(operation).size(); ++i) {
            const auto *times = known.map.find(operation, i);
            if (times && times->size() == m_candidates.size())
                whole.set(operation, i, *times);
        }
    }
    try {
        try { // another program may have measured meanwhile
            whole.completeFrom(readMap(path, known.machine).value_or(ToOneMap()));
        } catch (const Error &) { // has been said, and is replaced
        }
        writeMap(path, known.machine, whole);
    } catch (const Error &problem) {
        say(fmt::format("what computes fastest here is not remembered: {}", problem.what()));
    }
}

ToOneMap BackendChoice::known(int threads)
{
    const std::lock_guard lock(m_mutex);
    return knownFor(threads).map;
}

void BackendChoice::measureAll(int threads)
{
    const std::lock_guard lock(m_mutex);
    if (found().size() == 1)
        return;
    Known &known = knownFor(threads);
    for (const auto operation : operations) {
        for (std::size_t i = 0; i < sizeClasses(operation).size(); ++i) {
            if (sizeClasses(operation)[i].measured)
                measure(operation, i, threads, known);
        }
    }
    remember(known);
}

void BackendChoice::say(const std::string &sentence)
{
    const std::lock_guard lock(m_saying);
    if (m_said.insert(sentence).second)
        m_settings.say(sentence);
}

} // namespace gridhelm::choice
