// SPDX-License-Identifier: GPL-3.0-or-later
//
// What tuning costs and what it finds, in the ways of [Murarasu2013], chapter 5.
#pragma once

#include "core/dispatch/candidate.h"
#include "core/execution/execution_context.h"
#include "core/stencil/stencil.h"
#include "core/tuning/tuned_case.h"
#include "data/stencil/stencil_solver.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

namespace gridhelm::bench {

/// One way to search.
struct TuningWay
{
    std::string name;   ///< "whole", "reduced", "partitions", "exhaustive"
    double seconds = 0; ///< of the search
    std::size_t tried = 0;
    bool isCut = false; ///< its time was over
    /// Seconds of the best variant of all that were measured on the whole work, divided by those of
    /// the one that was found, both run in turns.
    double quality = 1;
};

struct TuningRow
{
    std::string name;
    std::size_t variants = 0;    ///< 1: there is nothing to choose
    double secondsOfDefault = 0; ///< of the whole work; 0: of an iteration, not told
    std::vector<TuningWay> ways;
    double qualityOfDefault = 1;
    std::string best; ///< of all that were measured on the whole work
};

/// A case in float of each operation of the CPU and of each number of dimensions, and one of each
/// operation that has nothing to choose.
std::vector<tuning::TuningCase> tableCases(int threads);
/// The same of a GPU.
std::vector<tuning::TuningCase> gpuTableCases();

/// By all ways, each for so many seconds at most.
TuningRow tuningRow(const tuning::TuningCase &each, const dispatch::Candidate &candidate,
                    const ExecutionContext &context, double seconds, const std::stop_token &stop);
/// Of generated code, whose compiler takes most of the time: in an empty cache.
TuningRow tuningRow(const std::string &name, const stencil::Stencil &stencil,
                    const data::StencilMeans &means, const ExecutionContext &context,
                    double seconds, const std::stop_token &stop);

nlohmann::json jsonOf(const TuningRow &row);
std::string textOf(const TuningRow &row);
/// All of them, a line each.
std::string tableOf(const std::vector<TuningRow> &rows);
/// A page of its own, with plots: bars of times, with a logarithm's lengths, and of qualities.
std::string htmlOf(const std::vector<TuningRow> &rows, const std::string &machine);

} // namespace gridhelm::bench
