// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/tuned_case.h"

#include "core/dispatch/work_input.h"
#include "core/dispatch/work_seconds.h"
#include "core/support/quantile.h"
#include "core/tuning/comparison.h"
#include "core/tuning/reduced_timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <numeric>
#include <sys/resource.h>

namespace gridhelm::tuning {
namespace {

/// Of a run that is compared.
constexpr double comparedSeconds = 0.03;

constexpr int triesToBeUndisturbed = 3;
constexpr double unlimited = 1e9; ///< seconds; a clock cannot count many more

/// How often the system took a core away from this process, since this was made.
class Disturbance
{
public:
    /// More often than programs do that only look after themselves.
    bool isSerious() const
    {
        constexpr double bearable = 50; // a second
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - m_begin).count();
        return static_cast<double>(switches() - m_before) > bearable * std::max(seconds, 0.1);
    }

private:
    static long switches()
    {
        rusage usage{};
        return ::getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_nivcsw : 0;
    }

    std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
    long m_before = switches();
};

/// The work with its constants, ready to be timed.
class Trier
{
public:
    Trier(const TuningCase &tuningCase, const dispatch::Candidate &candidate,
          const ExecutionContext &context)
        : m_case(tuningCase)
        , m_candidate(candidate)
        , m_context(context)
    {
    }

    std::unique_ptr<dispatch::PreparedWork> prepare(const Variant &variant)
    {
        return prepare(m_case.work, m_case.key, m_input, variant);
    }

    double estimate(const Variant &variant, double best, bool isReduced)
    {
        if (isReduced && !m_case.smaller.empty()) {
            std::vector<SmallerWork> smaller;
            for (std::size_t i = 0; i < m_case.smaller.size(); ++i) {
                const auto &each = m_case.smaller[i];
                smaller.push_back(
                    {prepare(each.work, each.key, m_smallerInputs[i], variant), each.amount});
            }
            return estimatedSeconds(smaller, m_case.amount, Reduction().shortest);
        }
        const auto work = prepare(variant);
        return estimatedSeconds(*work, {isReduced ? itemsFor(variant) : work->items()}, best);
    }

    std::size_t itemsFor(const Variant &variant) const
    {
        return wholeGranules(m_case.items, granuleOf(variant));
    }

    /// Of the whole work, whose seconds are known: enough to be timed, and more than the largest of
    /// the inputs by which variants were judged.
    std::size_t itemsToCompare(std::size_t whole, const TunedCase &tuned) const
    {
        const auto &one = tuned.compiledIn, &other = tuned.best;
        const double seconds = tuned.seconds;
        const auto granule = std::lcm(granuleOf(one), granuleOf(other));
        const auto enough =
            static_cast<std::size_t>(static_cast<double>(whole) * comparedSeconds / seconds);
        const auto wanted = std::max({enough, 4 * itemsFor(one), 4 * itemsFor(other)});
        return std::min(whole, wholeGranules(std::min(whole, wanted), granule));
    }

private:
    using Input = std::shared_ptr<const dispatch::WorkInput>;

    /// `input` is made when it is needed first.
    std::unique_ptr<dispatch::PreparedWork> prepare(const dispatch::Workload &work,
                                                    const TuningKey &key, Input &input,
                                                    const Variant &variant) const
    {
        if (!input)
            input = std::make_shared<dispatch::WorkInput>(work);
        const auto table = std::make_shared<TuningTable>();
        for (const auto &[name, value] : constantsOf(*m_case.operation, variant))
            table->set(key, name, value);
        return dispatch::prepare(work, input, m_candidate, m_context.withTuning(table));
    }
    std::size_t granuleOf(const Variant &variant) const
    {
        return m_case.granule == nullptr ? 1 : m_case.granule(variant);
    }
    /// The least multiple of the granule that is not below `items`.
    static std::size_t wholeGranules(std::size_t items, std::size_t granule)
    {
        return (items + granule - 1) / granule * granule;
    }

    const TuningCase &m_case;
    Input m_input;
    std::vector<Input> m_smallerInputs = std::vector<Input>(m_case.smaller.size());
    const dispatch::Candidate &m_candidate;
    const ExecutionContext &m_context;
};

/// Ratios of run times, first to second, from runs in turns of so many items: so many, or as many
/// as it takes to judge them.
std::vector<double> ratios(dispatch::PreparedWork &first, dispatch::PreparedWork &second,
                           std::size_t items, int times, bool endsWhenJudged)
{
    const auto most = static_cast<std::size_t>(times);
    (void)second.runSome(items);
    // With what a run does before and after what it counts: that takes its time as well.
    const double once = std::max(dispatch::workSeconds([&] { (void)first.runSome(items); }), 1e-9);
    const int runs = std::clamp(static_cast<int>(comparedSeconds / once), 1, 100);
    const auto some = [&](dispatch::PreparedWork &work) {
        double seconds = 0;
        for (int i = 0; i < runs; ++i)
            seconds += work.runSome(items);
        return seconds;
    };
    std::vector<double> found;
    for (int i = 0; i < times; ++i) {
        // Who begins takes turns, too.
        double one = 0, other = 0;
        if (i % 2 == 0) {
            one = some(first);
            other = some(second);
        } else {
            other = some(second);
            one = some(first);
        }
        found.push_back(one / other);
        if (endsWhenJudged && judgementOf(found, most) != Judgement::open)
            break;
    }
    return found;
}

} // namespace

std::string caseText(const TuningKey &key, std::string_view work)
{
    return fmt::format("{}{}, {}: {}", key.device == "gpu" ? "gpu, " : "", key.operation,
                       key.valueBytes == 4 ? "float32" : "float64", work);
}

std::string TuningCase::text() const
{
    return caseText(key, dispatch::textOf(work));
}

TunedCase tune(const TuningCase &tuningCase, const dispatch::Candidate &candidate,
               const ExecutionContext &context, const TuneOptions &options)
{
    auto space = spaceOf(*tuningCase.operation);
    space.fills = tuningCase.fills;
    Trier trier(tuningCase, candidate, context);
    const auto begin = std::chrono::steady_clock::now();
    const auto deadline = begin
                          + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                              std::chrono::duration<double>(std::min(options.seconds, unlimited)));
    auto found = search(options.strategy, space,
                        [&](const Variant &variant, double best) {
                            return trier.estimate(variant, best, options.isReduced);
                        },
                        {options.trials, 1, deadline, options.stop});
    TunedCase tuned{.tuned = tuningCase, .compiledIn = space.start, .best = found.best.variant};
    tuned.searchSeconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    tuned.isCut = std::chrono::steady_clock::now() >= deadline;
    tuned.variants = space.all().size();
    tuned.seconds = found.tried.front().seconds;
    tuned.tried = std::move(found.tried);
    // What does not even seem to be worth it need not be made on the whole grid.
    if (tuned.seconds < smallestGain * found.best.seconds || options.stop.stop_requested()) {
        tuned.best = tuned.compiledIn;
        return tuned;
    }
    const auto compared = std::chrono::steady_clock::now();
    const auto before = trier.prepare(tuned.compiledIn), after = trier.prepare(tuned.best);
    const auto items =
        options.isReduced ? trier.itemsToCompare(before->items(), tuned) : before->items();
    bool isFaster = false;
    for (int i = 0; i < triesToBeUndisturbed; ++i) {
        const Disturbance disturbance;
        const auto gains = ratios(*before, *after, items, options.comparisons, true);
        isFaster = judgementOf(gains, gains.size()) == Judgement::faster;
        tuned.gain = quantile(gains, 0.5);
        tuned.certainGain = quantile(gains, 0.25);
        tuned.isDisturbed = disturbance.isSerious();
        if (!tuned.isDisturbed || !isFaster || std::chrono::steady_clock::now() >= deadline)
            break;
    }
    tuned.comparisonSeconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - compared).count();
    tuned.isKept = isFaster && !tuned.isDisturbed;
    tuned.isDisturbed = isFaster && tuned.isDisturbed;
    return tuned;
}

double compare(const TuningCase &tuningCase, const dispatch::Candidate &candidate,
               const ExecutionContext &context, const Variant &one, const Variant &other,
               int comparisons)
{
    Trier trier(tuningCase, candidate, context);
    const auto first = trier.prepare(one), second = trier.prepare(other);
    return quantile(ratios(*first, *second, first->items(), comparisons, false), 0.5);
}

} // namespace gridhelm::tuning
