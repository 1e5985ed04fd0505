// SPDX-License-Identifier: GPL-3.0-or-later
//
// Several processes that do one work together, as those of a parallel program that mpirun starts:
// each has a part of it, and all go the same way through the program.
#pragma once

#include "core/execution/messages.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace gridhelm {

/// The ranks of a run, as one of them sees them. All of them make the same collective calls in the
/// same order; whoever waits for a rank that does not come waits for ever, unless the
/// implementation knows that it has ended, and then ends the run.
///
/// Besides Messages one thread at a time calls it.
class Ranks : public Messages
{
public:
    virtual int number() const = 0; ///< of this one, 0 .. count() - 1
    virtual int count() const = 0;
    bool isFirst() const { return number() == 0; }
    /// Of each rank, the machine that it runs on.
    virtual const std::vector<std::string> &hosts() const = 0;

    /// Collective: all have the bytes of `from` afterwards.
    virtual void broadcast(std::span<std::byte> bytes, int from) = 0;
    /// Collective: every rank's number, in order.
    virtual std::vector<double> numbersOfAll(double mine) = 0;
};

/// Collective: the largest number of all ranks, the same on all; none is below 0.
double largestOfAll(Ranks &ranks, double mine);

/// Of the first rank, for all.
template <typename T>
T ofFirst(Ranks &ranks, T value)
{
    ranks.broadcast(writableBytesOf(&value, 1), 0);
    return value;
}

/// The value of every rank, for all.
template <typename T>
std::vector<T> ofAll(Ranks &ranks, T mine)
{
    std::vector<T> values(static_cast<std::size_t>(ranks.count()), mine);
    for (int rank = 0; rank < ranks.count(); ++rank)
        ranks.broadcast(writableBytesOf(&values[static_cast<std::size_t>(rank)], 1), rank);
    return values;
}
std::vector<std::string> textsOfAll(Ranks &ranks, const std::string &mine);

/// Each rank has elements begins[r] .. begins[r + 1] - 1 of a whole, which has as many as the last
/// of begins says. All have all of them afterwards.
template <typename T>
void gatherForAll(Ranks &ranks, std::span<T> whole, std::span<const std::size_t> begins)
{
    for (int rank = 0; rank < ranks.count(); ++rank) {
        const auto r = static_cast<std::size_t>(rank);
        if (begins[r] < begins[r + 1])
            ranks.broadcast(writableBytesOf(&whole[begins[r]], begins[r + 1] - begins[r]), rank);
    }
}

/// The same for the first rank alone, from everyone's part; `whole` is that of the first.
template <typename T>
void gatherForFirst(Ranks &ranks, std::span<const T> mine, std::span<T> whole,
                    std::span<const std::size_t> begins)
{
    if (!ranks.isFirst()) {
        ranks.send(0, bytesOf(mine.data(), mine.size()));
        ranks.await(0);
        return;
    }
    std::copy(mine.begin(), mine.end(), whole.begin() + static_cast<std::ptrdiff_t>(begins[0]));
    for (int rank = 1; rank < ranks.count(); ++rank) {
        const auto r = static_cast<std::size_t>(rank);
        ranks.receive(rank, writableBytesOf(whole.data() + begins[r], begins[r + 1] - begins[r]));
    }
    for (int rank = 1; rank < ranks.count(); ++rank)
        ranks.await(rank);
}

/// What the first rank alone does for all, e.g. to write a file. Collective: if it throws an
/// exception, all throw gridhelm::Error with its text. Without ranks (null) it is just done.
void doneByFirst(Ranks *ranks, const std::function<void()> &work);
/// What each does for itself: if one throws an exception, all throw gridhelm::Error with the text
/// of the first one that has.
void doneByAll(Ranks *ranks, const std::function<void()> &work);

} // namespace gridhelm
