// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <string_view>

namespace gridhelm::cli {

/// One line on stderr that is written again and again; nothing if stderr is no terminal, unless
/// GRIDHELM_PROGRESS is set, as by the window, which reads it.
class ProgressLine
{
public:
    static constexpr double secondsPerLine = 0.2;

    ProgressLine();
    ~ProgressLine() { clear(); }
    ProgressLine(const ProgressLine &) = delete;
    ProgressLine &operator=(const ProgressLine &) = delete;

    bool isOnTerminal() const { return m_isOnTerminal; }
    /// Whether show() would show anything now.
    bool isDue() const;

    /// At most five times a second. As much of the text as a narrow terminal has room for.
    void show(std::string_view text);
    void clear();

private:
    using Clock = std::chrono::steady_clock;

    bool m_isOnTerminal;
    bool m_isShown = false;
    Clock::time_point m_last;
};

} // namespace gridhelm::cli
