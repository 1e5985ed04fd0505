// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dispatch/candidate.h"
#include "core/dispatch/workload.h"
#include "core/execution/tunable.h"
#include "core/tuning/search.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::tuning {

/// "interpolation, 4 dimensions, float32: dimension 4, level 9, 1000000 points"; of a GPU "gpu, "
/// before it.
std::string caseText(const TuningKey &key, std::string_view work);

/// Work on a smaller grid than that of a case.
struct SmallerInput
{
    dispatch::Workload work;
    TuningKey key;     ///< under which it finds its constants
    double amount = 0; ///< that its time grows with
};

/// Constants to tune, by work that depends on them.
struct TuningCase
{
    const TunableOperation *operation = nullptr;
    dispatch::Workload work;
    TuningKey key; ///< under which the work finds its constants
    /// Items of the smallest input that is timed instead of the whole work; as large as it, or
    /// larger: the whole work is timed.
    std::size_t items = 1;
    /// Items that go together with a variant, of which inputs are multiples; null: 1.
    std::size_t (*granule)(const Variant &variant) = nullptr;
    /// Of work that cannot be divided: inputs on smaller grids (*n* of [Murarasu2013], 5.3.3),
    /// small ones first, which are timed instead of the whole work, and the amount of that. None:
    /// the whole work is timed.
    std::vector<SmallerInput> smaller = {};
    double amount = 0;
    /// SearchSpace::fills of it, on the device that is tuned.
    std::function<bool(const Variant &)> fills = {};

    /// caseText() of it.
    std::string text() const;
};

struct TuneOptions
{
    Strategy strategy = Strategy::partitions;
    std::size_t trials = std::numeric_limits<std::size_t>::max(); ///< of annealing and random
    bool isReduced = true; ///< small inputs; false: each trial is the whole work
    double seconds = 1e9;  ///< after which no further trial begins
    int comparisons = 7;   ///< of the compiled-in variant with the best one, in the end, at most
    std::stop_token stop{};
};

/// What tuning has found.
struct TunedCase
{
    TuningCase tuned;
    Variant compiledIn;
    Variant best;
    /// Seconds of the compiled-in variant divided by those of the best one, both run in turns: the
    /// median and the lower quartile.
    double gain = 1;
    double certainGain = 1;
    double seconds = 0;  ///< of a whole run, compiled-in
    bool isKept = false; ///< better by more than the noise
    /// Other programs took the cores away while the two were compared, however often that was
    /// tried: what looked faster may have been what waits less for threads without a core. Not
    /// kept.
    bool isDisturbed = false;
    bool isCut = false;           ///< the time was over before all was tried that was to be tried
    std::size_t variants = 0;     ///< in the whole space
    double searchSeconds = 0;     ///< without the comparison in the end
    double comparisonSeconds = 0; ///< 0: nothing seemed to be worth one
    std::vector<Trial> tried{};   ///< with estimated seconds of the whole work
};

/// Searches on the devices of the context, compares the best variant with the compiled-in one in
/// turns, and keeps it if it is faster by 2 % and by more than the noise, while no other program
/// took the cores away. Throws gridhelm::Error if the work cannot be done there.
TunedCase tune(const TuningCase &tuningCase, const dispatch::Candidate &candidate,
               const ExecutionContext &context, const TuneOptions &options);

/// Seconds of one variant divided by those of another, both run in turns so many times: the median.
double compare(const TuningCase &tuningCase, const dispatch::Candidate &candidate,
               const ExecutionContext &context, const Variant &one, const Variant &other,
               int comparisons);

} // namespace gridhelm::tuning
