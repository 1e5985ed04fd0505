// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

namespace gridhelm {

/// Bytes between one party and others, which are known by numbers: processes, or threads of one.
///
/// May be called by several threads, each for another party.
class Messages
{
public:
    Messages() = default;
    virtual ~Messages() = default;
    Messages(const Messages &) = delete;
    Messages &operator=(const Messages &) = delete;

    /// Begin to send, or to receive, and return at once. Until await(), bytes that are sent must
    /// not change, and those that are received mean nothing. What one party sends to another
    /// arrives in that order, and is received in pieces of the same sizes.
    virtual void send(int to, std::span<const std::byte> bytes) = 0;
    virtual void receive(int from, std::span<std::byte> bytes) = 0;
    /// Until all that has begun with that party is done.
    virtual void await(int other) = 0;
};

template <typename T>
std::span<const std::byte> bytesOf(const T *values, std::size_t count)
{
    static_assert(std::is_trivially_copyable_v<T>);
    return std::as_bytes(std::span(values, count));
}
template <typename T>
std::span<std::byte> writableBytesOf(T *values, std::size_t count)
{
    static_assert(std::is_trivially_copyable_v<T>);
    return std::as_writable_bytes(std::span(values, count));
}

} // namespace gridhelm
