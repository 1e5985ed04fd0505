// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is said to the cluster's shell. Nothing of ours stays there but files, in one folder:
//
//     TOKEN/run/      where a run's command works, with its templates
//     TOKEN/command   a script, made here
//     TOKEN/batch     "BATCH INDEX": of which array it is, and which element
//     TOKEN/started/  made by whoever runs it: only one can
//     TOKEN/started   a link: made by us in its place: it was never run, and never will be
//     TOKEN/log, TOKEN/ended   what it has printed; its exit code
//     batches/BATCH/{runs,script,id,slurm-INDEX}   tokens in the order of the array; what each
//                     element does; Slurm's number of the array; what Slurm says to an element
//     owners/p-PATH-STUDY, owners/f-FILE-STUDY   who has asked last after the runs of the study at
//                     this path, and in this file (desk_mark.h): what others have sent before, and
//                     is still on its way, is not taken any more
//
// Tokens and batches are names of ours, of letters, digits and '-'.
#pragma once

#include "data/campaign/cluster/slurm_settings.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gridhelm::data {

/// Who hands over runs that no study remembers.
struct RunOwner
{
    std::string mark;    ///< deskMark(); empty: nobody has to be asked
    std::string session; ///< a name of ours
};

/// Prints what is there: lines "folder PATH", "lacks PROGRAM", "version TEXT", "KEY = VALUE".
std::string contactScript(const SlurmSettings &settings);

/// What runs of each element do.
std::string elementScript(const SlurmSettings &settings, const std::string &folder,
                          const std::string &batch);
/// What one run does, in its folder.
std::string commandScript(std::span<const std::string> arguments,
                          std::span<const std::pair<std::string, std::string>> environment);

/// Reads an archive of batch/ and the runs' folders, and hands the array over. Prints "id NUMBER".
/// Runs that Slurm refuses are claimed, and so are all if another owner has asked since. Whoever
/// asks says so before he looks, and here the runs' folders are there before the owner is looked
/// at: either he sees them, or they are seen to be late.
std::string submitScript(const SlurmSettings &settings, const std::string &folder,
                         const std::string &batch, std::size_t runs, const RunOwner &owner = {});

/// Reads tokens, one a line. Prints "queue STATE INDEX BATCH" of all of the user's jobs, "queued
/// CODE" (0: these were all), and of each token "W|S|C|N TOKEN NUMBER INDEX BATCH" (waits, started,
/// claimed, not there; - for what is not known) or "E TOKEN NUMBER INDEX BATCH CODE" (has ended).
/// Removes those of `released` first, with the batches of which nothing is left, or marks them as
/// kept.
std::string pollScript(const std::string &folder, std::span<const std::string> released,
                       bool keep = false);
/// Reads tokens. Makes sure that they are never run, unless they are already: "claimed TOKEN", or
/// "taken TOKEN".
std::string claimScript(const std::string &folder);
/// Prints "JOB|STATE" of each ("12_7") of which Slurm knows anything.
std::string endsScript(std::span<const std::string> jobs);
/// Prints "ended TOKEN" or "there TOKEN" of each run that is not claimed, and whose mark has one
/// half in common with this one (desk_mark.h); those with both halves twice.
std::string tokensScript(const std::string &folder, std::string_view mark);
/// The same, and from then on what other sessions have sent for this study is not taken any more.
std::string takeOverScript(const std::string &folder, const RunOwner &owner);
/// That of tokensScript(); removes what cut uploads and killed programs have left two days ago:
/// batches without runs, files that did not arrive whole, and the places of runs that are never run
/// (no order for them is on its way any more).
std::string leftoversScript(const std::string &folder, std::string_view mark);
/// Prints an archive of a run's folder and log.
std::string fetchScript(const std::string &folder, const std::string &token);
/// Prints the ends of what a run, and Slurm about it, has said.
std::string logScript(const std::string &folder, const std::string &token, std::size_t bytes);
/// Reads tokens.
std::string cancelScript(const std::string &folder);

} // namespace gridhelm::data
