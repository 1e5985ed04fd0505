// SPDX-License-Identifier: GPL-3.0-or-later
//
// The sub-commands. Each is registered by one function, in the file of the same name; a command
// runs after the whole line has been parsed, and throws gridhelm::Error when it cannot be done.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace gridhelm::cli {

/// Options that may stand anywhere on the line.
struct GlobalOptions
{
    bool json = false; ///< one JSON document on stdout instead of text
    bool version = false;
    std::string backend = "auto"; ///< see makeBackend() in backend_choice.h
    std::string threads = "0";    ///< see threadCount() in backend_choice.h
};

void addBackendsCommand(CLI::App &parent, const GlobalOptions &global);

void addGridCountCommand(CLI::App &parent, const GlobalOptions &global);
void addGridIndexCommand(CLI::App &parent, const GlobalOptions &global);
void addGridPointsCommand(CLI::App &parent, const GlobalOptions &global);
void addGridInterpolateCommand(CLI::App &parent, const GlobalOptions &global);
void addGridDemoCommand(CLI::App &parent, const GlobalOptions &global);

void addEvalCommand(CLI::App &parent, const GlobalOptions &global); // with VTK

void addBenchSparseCommand(CLI::App &parent, const GlobalOptions &global);

} // namespace gridhelm::cli
