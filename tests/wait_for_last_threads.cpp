// SPDX-License-Identifier: GPL-3.0-or-later
//
// Qt Test's watchdog is a thread, and Qt says that it has ended while it still lets go of its data.
// Where the process ends in just that moment, LeakSanitizer sees data that nobody holds (152 bytes,
// once in thousands of programs, on busy machines). What is destroyed here is so before it looks.
#include <chrono>
#include <thread>

namespace {

struct WaitAtExit
{
    WaitAtExit() = default;
    WaitAtExit(const WaitAtExit &) = delete;
    WaitAtExit &operator=(const WaitAtExit &) = delete;
    ~WaitAtExit() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }
};

const WaitAtExit waits;

} // namespace
