// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace gridhelm {

/// An open file, pipe or folder; closed with the object. Negative: none.
class Descriptor
{
public:
    explicit Descriptor(int number = -1)
        : m_number(number)
    {
    }
    ~Descriptor() { reset(); }
    Descriptor(Descriptor &&other) noexcept
        : m_number(std::exchange(other.m_number, -1))
    {
    }
    Descriptor &operator=(Descriptor &&other) noexcept
    {
        std::swap(m_number, other.m_number);
        return *this;
    }

    int get() const { return m_number; }
    explicit operator bool() const { return m_number >= 0; }
    int release() { return std::exchange(m_number, -1); }
    void reset();

private:
    int m_number;
};

/// All of it, whatever interrupts; false: it was not taken, and errno says why.
bool writeAll(int descriptor, std::string_view bytes);
/// Some bytes; 0 at the end, negative: errno says why.
std::ptrdiff_t readSome(int descriptor, char *to, std::size_t size);
/// To the end, or `largest` bytes; false: errno says why.
bool readAll(int descriptor, std::size_t largest, std::string &to);

/// Opens a file for reading, waiting for nobody; none if it is no regular file (errno: EINVAL) or
/// cannot be opened.
Descriptor openRegularFile(const char *path);

} // namespace gridhelm
