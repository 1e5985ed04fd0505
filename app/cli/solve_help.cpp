// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/solve_help.h"

#include <fmt/format.h>

#include <algorithm>

namespace gridhelm::cli {

std::string wrapped(std::string_view text, std::size_t indent)
{
    constexpr std::size_t columns = 100;
    std::string lines, line(indent, ' ');
    while (!text.empty()) {
        const auto word = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(word.size() + 1, text.size()));
        if (line.size() > indent && line.size() + 1 + word.size() > columns) {
            lines += line + '\n';
            line.assign(indent, ' ');
        }
        if (line.size() > indent)
            line += ' ';
        line += word;
    }
    return lines + line + '\n';
}

std::string helpOf(const solvers::ProblemInWords &problem)
{
    return "\n"
           + wrapped(fmt::format("It solves {}. {} {}", problem.equation, problem.meaning,
                                 problem.domain))
           + "\n" + wrapped(problem.start);
}

std::string helpOf(const std::vector<const solvers::PoissonMethod *> &methods)
{
    std::string text = "\nMethods:\n";
    for (const auto *method : methods)
        text += fmt::format("  {:<12}{}\n", method->name, method->summary)
                + wrapped(method->purpose, 14);
    return text;
}

std::string helpOf(const std::vector<solvers::Quantity> &figures)
{
    std::string text = "\nFigures:\n";
    for (const auto figure : figures)
        text += fmt::format("  {:<12}{}\n", nameOf(figure), meaningOf(figure));
    return text + wrapped(solvers::convergedInWords);
}

} // namespace gridhelm::cli
