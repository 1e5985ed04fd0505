// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/solve_method.h"

#include "app/cli/execution.h"
#include "app/cli/solve_help.h"
#include "app/cli/solve_poisson.h"
#include "app/cli/solve_start.h"
#include "app/cli/solve_task.h"
#include "core/solvers/run/solver_case.h"
#include "core/solvers/setup/method_setup.h"
#include "core/solvers/setup/problem_text.h"
#include "core/support/error.h"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace gridhelm::cli {
namespace {

using solvers::PoissonMethod;

struct MethodOptions
{
    solvers::PoissonSetup problem;
    StartOptions start;
    std::string method;
    std::string precision = "double";
    std::map<const Option *, std::optional<std::string>> typed;
    RunOptions run;
    SolveOutputOptions output;
};

nlohmann::json jsonOf(const OptionValue &value)
{
    return std::visit([](const auto &each) -> nlohmann::json { return each; }, value);
}

/// As it is, given or not; extents that the method chooses are 0.
OptionValue valueOf(const Option &option, const OptionValues &values)
{
    if (const auto *given = values.find(option))
        return *given;
    if (option.type == Option::Type::whole)
        return option.standard;
    if (option.type == Option::Type::choice)
        return std::string(option.standardText);
    auto extents = extentsOf(option, values);
    if (extents.empty())
        extents = {0, 0};
    return extents;
}

/// The method's options as they are, for people (those with a symbol) and for machines.
void describeOptions(SolveTask &task, const PoissonMethod &method, const OptionValues &values)
{
    for (const auto *option : method.options) {
        const auto value = valueOf(*option, values);
        const auto key = option->jsonKey.empty() ? option->key : option->jsonKey;
        task.settings[std::string(key)] = jsonOf(value);
        if (!option->symbol.empty())
            task.title += fmt::format(", {} = {:.4g}", option->symbol, std::get<double>(value));
    }
}

void run(const GlobalOptions &global, const solvers::PoissonFamily &family,
         const MethodOptions &typed)
{
    const auto &backend = solverBackend(global); // refuses those that there are not
    requirePinnable(typed.run, teamContext(global));
    solvers::MethodSetup setup{typed.method, typed.precision, {}, {}};
    for (const auto &[option, text] : typed.typed) {
        if (text)
            setup.typed.emplace_back(option, *text);
    }
    const auto settings = solvers::poissonSettings(family, setup);
    const auto &method = solvers::poissonMethod(settings.method);
    auto problem = typed.problem;
    setStart(problem, typed.start, global);
    auto poisson = poissonCase(problem);
    SolveTask task;
    task.title = fmt::format("{:<10} {}, {}", family.id, settings.method, poisson.description);
    task.settings = std::move(poisson.settings);
    describeStart(task.settings, problem.start, typed.start);
    task.settings["solver"] = family.id;
    task.settings["precision"] = solvers::nameOf(settings.precision);
    describeOptions(task, method, startingOptions(method, poisson.problem, settings.options));
    task.title += fmt::format(", {}", solvers::nameOf(settings.precision));
    const auto made = [&](solvers::PoissonProblem each) {
        return solvers::poissonCase(std::move(each), settings, typed.run.setup,
                                    problem.known.has_value(), teamContext(global), backend);
    };
    if (typed.start.comparesCold) {
        auto cold = poisson.problem;
        cold.initialGuess.reset();
        task.cold = made(std::move(cold));
    }
    task.isWarm = poisson.problem.initialGuess.has_value();
    task.solver = made(std::move(poisson.problem));
    requireComparable(typed.start, task.isWarm, task.solver.plan);
    task.pin = typed.run.pin;
    task.output = solveOutput(typed.output, {2, 0.5}, global.ranks.get());
    solve(global, task);
}

/// "Iterations in one pass over memory (temporal; default: chosen)"
std::string helpOf(const Option &option, const std::vector<const PoissonMethod *> &methods)
{
    std::vector<const PoissonMethod *> users;
    for (const auto *method : methods) {
        if (hasOption(*method, option))
            users.push_back(method);
    }
    const auto who = users.size() < methods.size() ? namesOf(users, "and") + "; " : "";
    return fmt::format("{} ({}default: {})", option.help, who, standardTextOf(option));
}

void addMethodOptions(CLI::App &command, const std::vector<const PoissonMethod *> &methods,
                      MethodOptions &options)
{
    options.method = methods.front()->name;
    command.add_option("--method", options.method, namesOf(methods))
        ->type_name("NAME")
        ->capture_default_str();
    for (const auto *option : solvers::optionsOf(methods)) {
        const auto names = option->symbol.empty()
                               ? fmt::format("--{}", option->key)
                               : fmt::format("--{},--{}", option->key, option->symbol);
        command.add_option(names, options.typed[option], helpOf(*option, methods))
            ->type_name(std::string(option->form));
    }
}

} // namespace

void addSolvePoissonCommand(CLI::App &parent, const GlobalOptions &global,
                            const solvers::PoissonFamily &family, const std::string &footer)
{
    CLI::App &command = *parent.add_subcommand(std::string(family.id), std::string(family.summary));
    const auto options = std::make_shared<MethodOptions>();
    const auto methods = solvers::methodsOf(family);
    addPoissonOptions(command, options->problem);
    addStartOptions(command, options->problem.start, options->start);
    addMethodOptions(command, methods, *options);
    addPrecisionOption(command, options->precision);
    addRunOptions(command, options->run, "iterations");
    addSolveOutputOptions(command, options->output);
    command.footer(poissonHelp() + helpOf(methods) + helpOf(solvers::figuresOf(family)) + footer);
    command.callback([&global, &family, options] { run(global, family, *options); });
}

} // namespace gridhelm::cli
