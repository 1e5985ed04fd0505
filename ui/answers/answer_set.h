// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"
#include "core/parameters/parameter_space.h"
#include "data/answers/study_responses.h"
#include "data/campaign/study_outlook.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace gridhelm::ui {

/// The responses of a study as they were read from its file, ready to be evaluated. Immutable;
/// thread-safe.
struct AnswerSet
{
    std::filesystem::path path;
    ParameterSpace space;
    /// Those that cannot be had have a problem, and no model.
    std::vector<data::StudyResponse> responses;
    /// Of those that are sums of rows, in the order of `quick`: microseconds. Null without any.
    std::shared_ptr<const answers::ResponseModel> quickModel;
    std::vector<std::size_t> quick;
    std::vector<std::size_t> slow; ///< those that evaluate a field: milliseconds each
    ExecutionContext context;
    std::uint64_t runs = 0; ///< see runsOf()
    data::StudyOutlook outlook = {};
    /// data::contentsStamp() of what they were read from; empty: it changed meanwhile.
    std::string stamp = {};
};

/// Of grid, training and hold-outs, those that the study has results of: more of them, and it knows
/// more.
std::uint64_t runsOf(const data::Study &study);

/// Whether a place in one is the same place in the other; caps of levels may differ.
bool haveSameAxes(const ParameterSpace &one, const ParameterSpace &other);

/// Whether they are asked for in the same words, and can be had, or cannot for the same reason.
bool areSame(const data::StudyResponse &one, const data::StudyResponse &other);

/// The same file with the same axes, perhaps read at another time.
bool areOfOneStudy(const AnswerSet &one, const AnswerSet &other);

// In any thread; they read or write the file. Each throws gridhelm::Error, those that take a stop
// token soon after a stop was requested.

/// A response that cannot be had leaves the others. What `known` has of the same contents is not
/// read again; null: nothing is known.
std::shared_ptr<const AnswerSet> openAnswerSet(const std::filesystem::path &path,
                                               const ExecutionContext &context,
                                               const std::shared_ptr<const AnswerSet> &known = {},
                                               const std::stop_token &stop = {});

/// Computes it once before anything is written, and returns what is known with it: `known` and the
/// new one, which openAnswerSet() takes; null if the study changed meanwhile. `replaced`: the
/// response that it was before, with whatever name; empty: none. What is refused, and what was
/// stopped before it was written, leaves the study as it was.
std::shared_ptr<const AnswerSet>
putResponse(const std::filesystem::path &path, const data::ResponseDefinition &definition,
            const std::string &replaced, const ExecutionContext &context,
            const std::shared_ptr<const AnswerSet> &known = {}, const std::stop_token &stop = {});
void removeResponse(const std::filesystem::path &path, const std::string &name);

/// The set's study as it is now. Also throws for another one of its name, with other parameters.
data::Study openAgain(const AnswerSet &set);

} // namespace gridhelm::ui
