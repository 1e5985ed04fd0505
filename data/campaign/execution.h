// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a study's plan would execute on this machine, and whether its user has agreed to that. A
// study may come from anybody: what the file says of itself is no reason to trust it.
#pragma once

#include "core/support/error.h"
#include "data/campaign/run_plan.h"
#include "data/campaign/template_files.h"

#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace gridhelm::data {

struct Execution
{
    std::vector<std::string> command;
    bool shell = false;
    std::vector<std::pair<std::string, std::string>> environment;
    std::string result;
    std::vector<TemplateFile> templates;
    RunPlan run = {}; ///< where, with all options of that

    /// SHA-256 over all of the above, the contents of templates included. What it was made from
    /// cannot be changed without changing it.
    std::string digest() const;
    /// The same of what decides about results: of where it runs, no more than modules and lines of
    /// the shell that set its environment up.
    std::string resultsDigest() const;
};

/// Reads the templates. Throws gridhelm::Error as templatesOf() does, and for a foreign plan whose
/// results lie outside of the job's folder.
Execution executionOf(const CommandPlan &plan, const RunPlan &run,
                      const std::filesystem::path &study, const std::stop_token &stop = {});

/// All of it for a person who is to decide, in lines; nothing in it is obeyed by a terminal.
std::string executionText(const Execution &execution);

/// A command that nobody has agreed to: nothing was run.
class UntrustedExecution : public Error
{
public:
    explicit UntrustedExecution(std::shared_ptr<const Execution> execution);

    const std::shared_ptr<const Execution> &execution() const { return m_execution; }

private:
    std::shared_ptr<const Execution> m_execution;
};

} // namespace gridhelm::data
