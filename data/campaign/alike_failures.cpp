// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/alike_failures.h"

#include "core/support/clean_text.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace gridhelm::data {

namespace {

/// What is left of a failure without the numbers in it, and without the job's folder: those of two
/// jobs differ even if the same is wrong with them. An exit code says what is wrong.
std::string kindOf(std::string failure, const std::string &name)
{
    for (auto at = failure.find(name); at != failure.npos; at = failure.find(name, at))
        failure.replace(at, name.size(), "{}");
    std::string kind;
    for (std::size_t at = 0; at < failure.size(); ++at) {
        if (failure[at] < '0' || failure[at] > '9') {
            kind += failure[at];
            continue;
        }
        const auto end = std::min(failure.find_first_not_of("0123456789.eE+-", at), failure.size());
        kind += kind.ends_with("exit code ") ? failure.substr(at, end - at) : "#";
        at = end - 1;
    }
    return kind;
}

} // namespace

bool AlikeFailures::fail(const std::string &failure, const std::string &name)
{
    auto kind = kindOf(failure, name);
    m_count = kind == m_kind ? m_count + 1 : 1;
    m_kind = std::move(kind);
    return !m_isOver && m_count >= failuresToStop;
}

namespace {

constexpr std::string_view ours = "gridhelm: "; // in a log, beside what the command says

/// The log without what is said of its run's folder at its end.
std::string withoutFolder(std::string text)
{
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
        text.pop_back();
    for (const std::string note : {"\n(its folder is kept: "}) {
        if (const auto at = text.rfind(note); at != std::string::npos)
            text.resize(at);
    }
    return text;
}

} // namespace

std::string lastLine(std::string text)
{
    text = withoutFolder(std::move(text));
    if (const auto at = text.rfind('\n'); at != std::string::npos)
        text.erase(0, at + 1);
    return text.starts_with(ours) ? text.substr(ours.size()) : text;
}

std::string failureIn(const std::string &log)
{
    constexpr std::size_t most = 200;
    const auto why = lastLine(log);
    auto rest = withoutFolder(log);
    const auto at = rest.rfind('\n');
    if (at == std::string::npos || !std::string_view(rest).substr(at + 1).starts_with(ours))
        return why;
    rest.resize(at);
    const auto said = cleanLine(lastLine(std::move(rest)));
    if (said.empty())
        return why;
    return why + "; its last line: " + (said.size() > most ? said.substr(0, most) + "..." : said);
}

} // namespace gridhelm::data
