// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <string>

namespace gridhelm::test {

/// While it lives, the program must not hang: after `seconds` it ends, saying what it was at.
class Watchdog
{
public:
    Watchdog(const std::string &what, unsigned seconds)
    {
        const auto message = "hangs: " + what + "\n";
        std::strncpy(s_message.data(), message.c_str(), s_message.size() - 1);
        std::signal(SIGALRM, [](int) {
            static_cast<void>(
                ::write(STDERR_FILENO, s_message.data(), std::strlen(s_message.data())) < 0);
            ::_exit(3);
        });
        ::alarm(seconds);
    }
    ~Watchdog() { ::alarm(0); }
    Watchdog(const Watchdog &) = delete;
    Watchdog &operator=(const Watchdog &) = delete;

private:
    static inline std::array<char, 400> s_message{};
};

} // namespace gridhelm::test
