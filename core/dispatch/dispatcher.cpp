// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dispatch/dispatcher.h"

#include "core/dispatch/size_class.h"
#include "core/support/error.h"
#include "core/support/text_hash.h"
#include "core/support/version.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <utility>

namespace gridhelm::dispatch {
namespace {

/// Of the file: machines may share a home.
std::string nameFor(const Machine &machine)
{
    TextHash hash;
    hash.add(std::to_string(machine.threads));
    for (const auto &part : machine.parts) {
        hash.add(part.backend);
        hash.add(part.hardware);
    }
    return fmt::format("back-ends-{}.json", hash.text());
}

Machine machineOf(const std::vector<Candidate> &candidates, const ExecutionContext &context)
{
    Machine machine;
    machine.program = fmt::format("{} {}", versionString(), commitString());
    machine.threads = context.cpu().threads;
    for (const auto &candidate : candidates)
        machine.parts.push_back({candidate.name, candidate.hardware});
    return machine;
}

bool takes(const Candidate &candidate, Operation operation)
{
    return isOnGrids(operation) || candidate.solvers != nullptr;
}

void report(const ExecutionContext &context, std::string sentence)
{
    context.report({ExecutionEvent::Kind::notice, std::move(sentence)});
}

} // namespace

Dispatcher::Dispatcher(DispatchSettings settings)
    : m_settings(std::move(settings))
{
}

const std::vector<Candidate> &Dispatcher::found()
{
    if (m_candidates.empty()) {
        m_candidates.push_back(cpuCandidate());
        for (auto &candidate : m_settings.findFurther())
            m_candidates.push_back(std::move(candidate));
    }
    return m_candidates;
}

const std::vector<Candidate> &Dispatcher::candidates()
{
    const std::lock_guard lock(m_mutex);
    return found(); // they do not change any more
}

std::filesystem::path Dispatcher::fileOf(const Machine &machine) const
{
    return m_settings.folder.empty() ? m_settings.folder : m_settings.folder / nameFor(machine);
}

std::filesystem::path Dispatcher::file(const ExecutionContext &context)
{
    const std::lock_guard lock(m_mutex);
    return fileOf(machineOf(found(), context));
}

Dispatcher::Known &Dispatcher::knownFor(const ExecutionContext &context)
{
    const auto present = m_known.find(context.cpu().threads);
    if (present != m_known.end())
        return present->second;
    Known &known = m_known[context.cpu().threads];
    known.machine = machineOf(found(), context);
    if (const auto path = fileOf(known.machine); !path.empty() && m_candidates.size() > 1) {
        try {
            known.map = readMap(path, known.machine).value_or(DispatchTable());
        } catch (const Error &problem) {
            report(context, fmt::format("{}: it is measured again", problem.what()));
        }
    }
    return known;
}

std::size_t Dispatcher::fastest(Operation operation, double size, const ExecutionContext &context)
{
    const auto classes = sizeClasses(operation);
    const auto sizeClass = sizeClassOf(operation, size);
    if (!classes[sizeClass].measured)
        return 0;
    const std::lock_guard lock(m_mutex);
    // How long a solver will run is not known; what is done on a grid has been until now.
    const bool mayStayLittle = isOnGrids(operation) && sizeClass + 1 < classes.size();
    if (m_candidates.empty() && mayStayLittle && m_cpuSeconds < m_settings.startSeconds)
        return 0;
    if (found().size() == 1)
        return 0;
    Known &known = knownFor(context);
    if (!known.map.find(operation, sizeClass)) {
        measure(operation, sizeClass, context, known);
        remember(known, context);
    }
    const auto &name = DispatchTable::fastest(*known.map.find(operation, sizeClass)).backend;
    const auto winner = std::ranges::find(m_candidates, name, &Candidate::name);
    return static_cast<std::size_t>(winner - m_candidates.begin());
}

void Dispatcher::measure(Operation operation, std::size_t sizeClass,
                         const ExecutionContext &context, Known &known)
{
    const auto &work = *sizeClasses(operation)[sizeClass].measured;
    // What a candidate has to say of the problem that is measured is of no interest.
    const auto quiet =
        context.withFallback(FallbackPolicy::forbidden).withEvents({}).withShares({});
    DispatchTable::Times times;
    std::string figures;
    for (const auto &candidate : m_candidates) {
        if (!takes(candidate, operation))
            continue;
        try {
            const double seconds = m_settings.measure(work, candidate, quiet);
            times.push_back({candidate.name, seconds});
            figures += fmt::format("{}{} {:.3g} ms", figures.empty() ? "" : ", ", candidate.name,
                                   1e3 * seconds);
        } catch (const std::exception &problem) {
            report(context, fmt::format("{} could not be measured at {} ({}): {}", candidate.name,
                                        nameOf(operation), textOf(work), problem.what()));
        }
    }
    if (times.empty())
        times.push_back({m_candidates.front().name, 0}); // it will say itself what is wrong
    else
        report(context, fmt::format("{} ({}) was measured, once for this machine: {}",
                                    nameOf(operation), textOf(work), figures));
    known.map.set(operation, sizeClass, std::move(times));
}

void Dispatcher::remember(const Known &known, const ExecutionContext &context)
{
    const auto path = fileOf(known.machine);
    if (path.empty())
        return;
    DispatchTable whole; // entries of all candidates: another try may succeed with the others
    for (const auto operation : operations) {
        for (std::size_t i = 0; i < sizeClasses(operation).size(); ++i) {
            const auto *times = known.map.find(operation, i);
            const auto able = std::ranges::count_if(
                m_candidates, [&](const auto &each) { return takes(each, operation); });
            if (times && std::ssize(*times) == able)
                whole.set(operation, i, *times);
        }
    }
    try {
        try { // another program may have measured meanwhile
            whole.completeFrom(readMap(path, known.machine).value_or(DispatchTable()));
        } catch (const Error &) { // has been said, and is replaced
        }
        writeMap(path, known.machine, whole);
    } catch (const Error &problem) {
        report(context,
               fmt::format("what computes fastest here is not remembered: {}", problem.what()));
    }
}

DispatchTable Dispatcher::known(const ExecutionContext &context)
{
    const std::lock_guard lock(m_mutex);
    return knownFor(context).map;
}

void Dispatcher::measureAll(const ExecutionContext &context)
{
    const std::lock_guard lock(m_mutex);
    if (found().size() == 1)
        return;
    Known &known = knownFor(context);
    for (const auto operation : operations) {
        for (std::size_t i = 0; i < sizeClasses(operation).size(); ++i) {
            if (sizeClasses(operation)[i].measured)
                measure(operation, i, context, known);
        }
    }
    remember(known, context);
}

} // namespace gridhelm::dispatch
