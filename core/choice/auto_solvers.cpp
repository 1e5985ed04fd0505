// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/choice/auto_solvers.h"

#include "core/choice/relieved_stepper.h"
#include "core/support/error.h"
#include "core/support/system_info.h"

#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace gridhelm::choice {
namespace {

using namespace solvers;

/// A candidate with the processor behind it.
class RelievedSolvers final : public SolverBackend
{
public:
    RelievedSolvers(const Candidate &first, const Candidate &processor, BackendChoice &choice)
        : m_first(*first.solvers)
        , m_processor(*processor.solvers)
        , m_choice(choice)
    {
    }

    std::string_view name() const override { return m_first.name(); }
    bool usesThreads() const override { return m_first.usesThreads(); }

    std::unique_ptr<Stepper> makeJacobi(PoissonProblem problem,
                                        const JacobiOptions &options) const override
    {
        return make([problem = std::move(problem), options](const SolverBackend &backend) {
            return backend.makeJacobi(problem, options);
        });
    }

    std::unique_ptr<Stepper> makeSor(const PoissonProblem &problem,
                                     const SorSettings &settings) const override
    {
        return make([problem, settings](const SolverBackend &backend) {
            return backend.makeSor(problem, settings);
        });
    }

    std::unique_ptr<Stepper> makePmm(const PmmProblem &problem, Precision precision,
                                     const PmmSettings &settings) const override
    {
        return make([problem, precision, settings](const SolverBackend &backend) {
            return backend.makePmm(problem, precision, settings);
        });
    }

private:
    using Maker = std::function<std::unique_ptr<Stepper>(const SolverBackend &)>;

    std::unique_ptr<Stepper> make(Maker maker) const
    {
        const auto say = [this](const std::string &problem) {
            m_choice.say(sentenceOnRelief(std::string(m_first.name()),
                                          std::string(m_processor.name()), problem));
        };
        std::unique_ptr<Stepper> first;
        try {
            first = maker(m_first);
        } catch (const Error &problem) {
            auto second = maker(m_processor); // throws the same if the problem cannot be solved
            say(problem.what());
            return second;
        }
        return std::make_unique<RelievedStepper>(
            std::move(first),
            [maker = std::move(maker), &processor = m_processor] { return maker(processor); }, say);
    }

    const SolverBackend &m_first, &m_processor;
    BackendChoice &m_choice;
};

class AutoSolvers final : public SolverBackend
{
public:
    explicit AutoSolvers(std::shared_ptr<BackendChoice> choice)
        : m_choice(std::move(choice))
    {
    }

    std::string_view name() const override { return "auto"; }

    const SolverBackend &forJacobi(const PoissonProblem &problem,
                                   const JacobiOptions &options) const override
    {
        if (options.method == JacobiMethod::naive)
            return processor();
        return fastest(Operation::jacobi, problem.count(), options.threads);
    }

    const SolverBackend &forSor(const PoissonProblem &problem,
                                const SorSettings &settings) const override
    {
        if (settings.method == SorMethod::sequential)
            return processor();
        return fastest(Operation::sor, problem.count(), settings.threads);
    }

    const SolverBackend &forPmm(const PmmProblem &problem,
                                const PmmSettings &settings) const override
    {
        return fastest(Operation::pmm, problem.count(), settings.threads);
    }

    std::unique_ptr<Stepper> makeJacobi(PoissonProblem problem,
                                        const JacobiOptions &options) const override
    {
        const auto &backend = forJacobi(problem, options);
        return backend.makeJacobi(std::move(problem), options);
    }

    std::unique_ptr<Stepper> makeSor(const PoissonProblem &problem,
                                     const SorSettings &settings) const override
    {
        return forSor(problem, settings).makeSor(problem, settings);
    }

    std::unique_ptr<Stepper> makePmm(const PmmProblem &problem, Precision precision,
                                     const PmmSettings &settings) const override
    {
        return forPmm(problem, settings).makePmm(problem, precision, settings);
    }

private:
    static const SolverBackend &processor() { return ompSolvers(); }

    const SolverBackend &fastest(Operation operation, std::size_t size, int threads) const
    {
        const auto index = m_choice->fastest(operation, static_cast<double>(size),
                                             threads > 0 ? threads : querySystemInfo().threadCount);
        if (index == 0)
            return processor();
        const auto &candidates = m_choice->candidates();
        const std::lock_guard lock(m_mutex);
        m_relieved.resize(candidates.size());
        auto &relieved = m_relieved[index];
        if (!relieved)
            relieved =
                std::make_unique<RelievedSolvers>(candidates[index], candidates.front(), *m_choice);
        return *relieved;
    }

    std::shared_ptr<BackendChoice> m_choice;
    mutable std::mutex m_mutex; ///< of what follows
    mutable std::vector<std::unique_ptr<RelievedSolvers>>
        m_relieved; ///< by candidate; not the first
};

} // namespace

std::unique_ptr<SolverBackend> makeAutoSolvers(std::shared_ptr<BackendChoice> choice)
{
    return std::make_unique<AutoSolvers>(std::move(choice));
}

} // namespace gridhelm::choice
