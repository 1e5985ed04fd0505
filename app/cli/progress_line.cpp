// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/progress_line.h"

#include "app/cli/output.h"
#include "core/support/clean_text.h"

#include <cstdlib>
#include <string>

#include <unistd.h>

namespace gridhelm::cli {

ProgressLine::ProgressLine()
    : m_isOnTerminal(isatty(STDERR_FILENO) == 1 || std::getenv("GRIDHELM_PROGRESS") != nullptr)
{
}

bool ProgressLine::isDue() const
{
    return m_isOnTerminal
           && std::chrono::duration<double>(Clock::now() - m_last).count() >= secondsPerLine;
}

void ProgressLine::show(std::string_view text)
{
    if (!isDue())
        return;
    constexpr std::size_t narrowTerminal = 80; // a line that wraps could not be written over
    clearTerminalLine();
    printMessage(cleanLine(text.substr(0, narrowTerminal - 1)));
    m_last = Clock::now();
    m_isShown = true;
}

void ProgressLine::clear()
{
    if (m_isShown)
        clearTerminalLine();
    m_isShown = false;
}

} // namespace gridhelm::cli
