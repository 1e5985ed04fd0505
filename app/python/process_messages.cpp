// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/process_messages.h"

#include "core/support/descriptor.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

#include <poll.h>

namespace gridhelm::python {
namespace {

constexpr std::size_t bufferBytes = std::size_t{64} << 10;
constexpr std::uint32_t inFile = std::numeric_limits<std::uint32_t>::max();

template <typename T>
void append(std::string &message, const T *values, std::size_t count)
{
    message.append(reinterpret_cast<const char *>(values), count * sizeof(T));
}

/// Before the bytes of an answer; as the struct "<QQQd" of Python.
struct AnswerHead
{
    std::uint64_t number;
    std::uint64_t textBytes; ///< twice that, and 1 if the call has finished
    std::uint64_t values;
    double seconds;
};
static_assert(sizeof(AnswerHead) == 32);

} // namespace

std::string callMessage(std::uint64_t number, const data::RunRequest &request)
{
    std::string message;
    const std::uint32_t sizes[]{static_cast<std::uint32_t>(request.parameters.size()),
                                static_cast<std::uint32_t>(request.times.size())};
    message.reserve(16 + 8 * (request.parameters.size() + request.times.size()));
    append(message, &number, 1);
    append(message, sizes, 2);
    append(message, request.parameters.data(), request.parameters.size());
    append(message, request.times.data(), request.times.size());
    return message;
}

std::string callInFile(std::uint64_t number, int process, int file)
{
    std::string message;
    const std::uint32_t sizes[]{inFile, 0};
    const std::int64_t where[]{process, file};
    append(message, &number, 1);
    append(message, sizes, 2);
    append(message, where, 2);
    return message;
}

AnswerReader::AnswerReader(int stream)
    : m_stream(stream)
    , m_buffer(bufferBytes)
{
}

bool AnswerReader::wait(std::optional<std::chrono::steady_clock::time_point> until)
{
    if (m_begin < m_end)
        return true;
    while (true) {
        int milliseconds = -1;
        if (until) {
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(
                *until - std::chrono::steady_clock::now());
            constexpr std::int64_t day = 86'400'000;
            milliseconds = static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, day));
        }
        pollfd waited{m_stream, POLLIN, 0};
        const int ready = poll(&waited, 1, milliseconds);
        if (ready >= 0)
            return ready > 0;
        if (errno != EINTR)
            return true; // reading says what is wrong
    }
}

/// With an empty buffer.
bool AnswerReader::fill()
{
    const auto count = readSome(m_stream, m_buffer.data(), m_buffer.size());
    m_begin = 0;
    m_end = static_cast<std::size_t>(std::max<std::ptrdiff_t>(count, 0));
    return count > 0;
}

bool AnswerReader::take(std::span<char> out)
{
    while (!out.empty()) {
        if (m_begin == m_end && out.size() >= m_buffer.size()) { // straight to where it belongs
            const auto count = readSome(m_stream, out.data(), out.size());
            if (count <= 0)
                return false;
            out = out.subspan(static_cast<std::size_t>(count));
            continue;
        }
        if (m_begin == m_end && !fill())
            return false;
        const auto count = std::min(out.size(), m_end - m_begin);
        std::memcpy(out.data(), m_buffer.data() + m_begin, count);
        m_begin += count;
        out = out.subspan(count);
    }
    return true;
}

std::optional<Answer> AnswerReader::next()
{
    AnswerHead head{};
    if (!take({reinterpret_cast<char *>(&head), sizeof head}))
        return std::nullopt;
    Answer answer{.number = head.number,
                  .hasFinished = head.textBytes % 2 == 1,
                  .seconds = head.seconds,
                  .text = std::string(head.textBytes / 2, '\0'),
                  .values = std::vector<double>(head.values)};
    if (!take(answer.text)
        || !take({reinterpret_cast<char *>(answer.values.data()),
                  answer.values.size() * sizeof(double)}))
        return std::nullopt;
    return answer;
}

} // namespace gridhelm::python
