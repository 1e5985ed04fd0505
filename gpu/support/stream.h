// SPDX-License-Identifier: GPL-3.0-or-later
//
// Streams and events that end with their objects.
#pragma once

#include "gpu/support/cuda_error.h"

#include <cstddef>
#include <utility>

namespace gridhelm::gpu {

/// Work in order; beside other streams' work.
class Stream
{
public:
    Stream()
    {
        check(cudaStreamCreateWithFlags(&m_stream, cudaStreamNonBlocking), "begin a stream");
    }
    /// Whose blocks begin before those of other streams that wait, too.
    static Stream urgent()
    {
        int least = 0;
        int greatest = 0;
        check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "tell its priorities");
        Stream stream(nullptr);
        check(cudaStreamCreateWithPriority(&stream.m_stream, cudaStreamNonBlocking, greatest),
              "begin a stream");
        return stream;
    }
    Stream(Stream &&other) noexcept
        : m_stream(std::exchange(other.m_stream, nullptr))
    {
    }
    Stream &operator=(Stream &&other) noexcept
    {
        std::swap(m_stream, other.m_stream);
        return *this;
    }
    ~Stream()
    {
        if (m_stream)
            cudaStreamDestroy(m_stream);
    }

    operator cudaStream_t() const noexcept { return m_stream; }

    /// Waits for all that was enqueued. `action`: as of check().
    void wait(const char *action) const { check(cudaStreamSynchronize(m_stream), action); }

    /// What is enqueued from now on begins after the event, of whichever device.
    void waitFor(cudaEvent_t event) const
    {
        check(cudaStreamWaitEvent(m_stream, event), "wait for an event");
    }

private:
    explicit Stream(std::nullptr_t) {}

    cudaStream_t m_stream = nullptr;
};

/// A moment in a stream, with its time.
class Event
{
public:
    Event() { check(cudaEventCreate(&m_event), "create an event"); }
    /// Without its time, which costs less.
    static Event untimed()
    {
        Event event(nullptr);
        check(cudaEventCreateWithFlags(&event.m_event, cudaEventDisableTiming), "create an event");
        return event;
    }
    /// Without its time, for other processes, which open it by its handle.
    static Event shared()
    {
        Event event(nullptr);
        check(cudaEventCreateWithFlags(&event.m_event,
                                       cudaEventDisableTiming | cudaEventInterprocess),
              "create an event");
        return event;
    }
    /// Of another process.
    static Event opened(const cudaIpcEventHandle_t &handle)
    {
        Event event(nullptr);
        check(cudaIpcOpenEventHandle(&event.m_event, handle), "open an event");
        return event;
    }
    Event(Event &&other) noexcept
        : m_event(std::exchange(other.m_event, nullptr))
    {
    }
    Event &operator=(Event &&other) noexcept
    {
        std::swap(m_event, other.m_event);
        return *this;
    }
    ~Event()
    {
        if (m_event)
            cudaEventDestroy(m_event);
    }

    operator cudaEvent_t() const noexcept { return m_event; }

    void record(cudaStream_t stream) { check(cudaEventRecord(m_event, stream), "record an event"); }
    void wait() const { check(cudaEventSynchronize(m_event), "finish its work"); }

    /// Both must have happened.
    static double secondsBetween(const Event &begin, const Event &end)
    {
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, begin.m_event, end.m_event), "tell a time");
        return 1e-3 * static_cast<double>(milliseconds);
    }

private:
    explicit Event(std::nullptr_t) {}

    cudaEvent_t m_event = nullptr;
};

} // namespace gridhelm::gpu
