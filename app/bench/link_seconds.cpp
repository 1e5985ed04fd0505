// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/link_seconds.h"

#include "app/bench/measure.h"
#include "core/execution/crew.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <variant>
#include <vector>

namespace gridhelm::bench {
namespace {

constexpr std::size_t smallMessage = std::size_t{4} << 10;
constexpr std::size_t largeMessageOfCpu = std::size_t{8} << 20;
constexpr std::size_t largeMessageOfGpu = std::size_t{64} << 20;

double medianOf(const std::function<double()> &seconds)
{
    constexpr int tries = 5;
    (void)seconds(); // a warm-up
    std::vector<double> all;
    for (int i = 0; i < tries; ++i)
        all.push_back(seconds());
    return timingOf(all).median;
}

} // namespace

/// There and back, in turns.
double secondsOfHandOver(std::size_t bytes)
{
    constexpr std::size_t bytesInAll = std::size_t{64} << 20;
    const auto times = std::clamp<std::uint64_t>(bytesInAll / bytes, 4, 500);
    std::array<std::vector<char>, 2> arrays{std::vector<char>(bytes, 1),
                                            std::vector<char>(bytes, 2)};
    std::atomic<std::uint64_t> sent{0};
    Crew crew(2);
    const double seconds = secondsOf([&] {
        crew.run([&](std::size_t member) {
            for (auto turn = static_cast<std::uint64_t>(member); turn < 2 * times; turn += 2) {
                for (auto now = sent.load(std::memory_order_acquire); now < turn;
                     now = sent.load(std::memory_order_acquire))
                    sent.wait(now, std::memory_order_acquire);
                std::ranges::copy(arrays[member], arrays[1 - member].begin());
                sent.store(turn + 1, std::memory_order_release);
                sent.notify_one();
            }
        });
    });
    return seconds / static_cast<double>(2 * times);
}

solvers::LinearCost measureLink(const Device &from, const Device &to)
{
    const auto *gpu = std::get_if<GpuDevice>(&from);
    const auto large = gpu ? largeMessageOfGpu : largeMessageOfCpu;
    const auto seconds = [&](std::size_t bytes) {
        return medianOf([&] {
            return gpu ? secondsOfPeerCopy(*gpu, std::get<GpuDevice>(to), bytes)
                       : secondsOfHandOver(bytes);
        });
    };
    return solvers::fitted({static_cast<double>(smallMessage), seconds(smallMessage)},
                           {static_cast<double>(large), seconds(large)});
}

} // namespace gridhelm::bench
