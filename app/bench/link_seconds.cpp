// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/link_seconds.h"

#include "app/bench/measure.h"
#include "app/bench/together.h"
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

/// So many bytes to the second of two ranks, and back.
void exchange(Ranks &both, std::size_t bytes)
{
    const int other = 1 - both.number();
    std::vector<std::byte> message(bytes);
    if (both.isFirst()) {
        both.send(other, message);
        both.await(other);
    }
    both.receive(other, message);
    both.await(other);
    if (!both.isFirst()) {
        both.send(other, message);
        both.await(other);
    }
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

SecondsLine measureLink(const Device &from, const Device &to)
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

SecondsLine measureLink(const std::shared_ptr<Ranks> &ranks)
{
    if (ranks->count() == 1)
        return measureLink(CpuDevice{}, CpuDevice{});
    const auto seconds = [&](std::size_t bytes) {
        return together(
                   ranks, 2,
                   [&](const std::shared_ptr<Ranks> &both) {
                       return measureOf(both.get(), [&] { exchange(*both, bytes); }, {0.05, 5, 4});
                   })
                   .median
               / 2;
    };
    return solvers::fitted({static_cast<double>(smallMessage), seconds(smallMessage)},
                           {static_cast<double>(largeMessageOfCpu), seconds(largeMessageOfCpu)});
}

} // namespace gridhelm::bench
