// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/isolated_reader.h"

#include "core/support/error.h"
#include "data/mesh/snapshot_reader.h"
#include "data/support/isolated_process.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <poll.h>
#include <sstream>
#include <string>
#include <unistd.h>
#include <utility>

namespace gridhelm::data {
namespace {

// What the child says: one letter, then what belongs to it.
constexpr char saysSnapshot = 'S', saysError = 'E', saysDone = 'D';

class Sender
{
public:
    explicit Sender(int pipe)
        : m_pipe(pipe)
    {
    }

    void bytes(const void *data, std::size_t size)
    {
        const auto *at = static_cast<const char *>(data);
        while (size > 0) {
            const ssize_t written = ::write(m_pipe, at, size);
            if (written <= 0) {
                if (written < 0 && errno == EINTR)
                    continue;
                _exit(1); // nobody listens any more
            }
            at += written;
            size -= static_cast<std::size_t>(written);
        }
    }
    template <typename T>
    void value(const T &value)
    {
        bytes(&value, sizeof value);
    }
    void text(const std::string &text)
    {
        value(std::uint64_t{text.size()});
        bytes(text.data(), text.size());
    }
    void snapshot(const RunSnapshot &snapshot)
    {
        value(saysSnapshot);
        value(snapshot.time.value_or(0));
        text(snapshot.mesh.kind);
        text(snapshot.mesh.encoded);
        value(snapshot.mesh.points);
        value(snapshot.mesh.cells);
        value(std::uint64_t{snapshot.fields.size()});
        for (std::size_t f = 0; f < snapshot.fields.size(); ++f) {
            text(snapshot.fields[f].name);
            value(snapshot.fields[f].components);
            value(snapshot.fields[f].association);
            value(snapshot.fields[f].entities);
            value(snapshot.fields[f].offset);
            value(snapshot.fields[f].scale);
            bytes(snapshot.values[f].data(), snapshot.values[f].size() * sizeof(float));
        }
        value(std::uint64_t{snapshot.notes.size()});
        for (const auto &note : snapshot.notes)
            text(note);
    }

private:
    int m_pipe;
};

/// The child has gone, or hangs, or does not say what was agreed on.
struct Gone
{
    std::string why;
};

/// The child waits for a lock that nobody will open (IsolatedProcess::waitsForLock()).
struct LockedUp
{};

/// What a process has done so far.
struct Work
{
    double seconds = 0;      ///< of CPU time
    std::uint64_t bytes = 0; ///< read
    std::uint64_t fromDisk = 0;

    bool operator==(const Work &) const = default;
};

Work workOf(pid_t id)
{
    const auto folder = "/proc/" + std::to_string(id);
    Work work;
    std::ifstream stat(folder + "/stat");
    std::string text;
    std::getline(stat, text);
    // After the name, which may hold anything: fields 3 and on; 14 and 15 are clock ticks.
    if (const auto end = text.rfind(')'); end != std::string::npos) {
        std::istringstream fields(text.substr(end + 1));
        for (int field = 3; field <= 13; ++field)
            fields >> text;
        double user = 0, system = 0;
        fields >> user >> system;
        work.seconds = (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
    }
    std::ifstream io(folder + "/io");
    for (std::uint64_t value = 0; io >> text >> value;) {
        if (text == "rchar:")
            work.bytes = value;
        else if (text == "read_bytes:") // grows while one large read is under way
            work.fromDisk = value;
    }
    return work;
}

/// Decides whether the child is to be waited for any longer.
class Watch
{
public:
    Watch(const IsolatedProcess &child, const ReadPatience &patience, const std::stop_token &stop)
        : m_process(child)
        , m_child(child.id())
        , m_patience(patience)
        , m_stop(stop)
        , m_interval(std::clamp<std::chrono::milliseconds>(
              patience.stalled / 10, std::chrono::milliseconds(10), std::chrono::milliseconds(100)))
    {
    }

    std::chrono::milliseconds interval() const { return m_interval; }

    void requireGoing() const
    {
        if (m_stop.stop_requested())
            throw ReadingStopped();
    }

    /// It has said something.
    void heard()
    {
        m_idle = {};
        m_waitsForLock = false;
    }

    /// A step has come, the next one begins.
    void nextStep()
    {
        m_idle = {};
        m_step = workOf(m_child);
    }

    /// It has said nothing for an interval. Throws Gone if that has been enough, LockedUp if that
    /// was seen twice.
    void waited()
    {
        if (!m_process.waitsForLock())
            m_waitsForLock = false;
        else if (std::exchange(m_waitsForLock, true))
            throw LockedUp();
        const auto now = workOf(m_child);
        m_idle = now == m_seen ? m_idle + m_interval : std::chrono::milliseconds{};
        m_seen = now;
        if (m_idle >= m_patience.stalled)
            throw Gone{"made no progress for " + text(m_patience.stalled)};
        const double allowed =
            std::chrono::duration<double>(m_patience.step).count()
            + m_patience.secondsPerByte * static_cast<double>(now.bytes - m_step.bytes);
        if (now.seconds - m_step.seconds > allowed)
            throw Gone{"needed more than " + text(m_patience.step) + " for one step"};
    }

private:
    static std::string text(std::chrono::milliseconds time)
    {
        std::ostringstream out;
        out << std::chrono::duration<double>(time).count() << " s";
        return out.str();
    }

    const IsolatedProcess &m_process;
    pid_t m_child;
    bool m_waitsForLock = false;
    ReadPatience m_patience;
    std::stop_token m_stop;
    std::chrono::milliseconds m_interval, m_idle{};
    Work m_seen, m_step;
};

class Receiver
{
public:
    Receiver(int pipe, Watch &watch)
        : m_pipe(pipe)
        , m_watch(watch)
    {
    }

    void bytes(void *data, std::size_t size)
    {
        auto *at = static_cast<char *>(data);
        while (size > 0) {
            m_watch.requireGoing();
            pollfd waiting{m_pipe, POLLIN, 0};
            const int ready = ::poll(&waiting, 1, static_cast<int>(m_watch.interval().count()));
            if (ready == 0)
                m_watch.waited();
            if (ready == 0 || (ready < 0 && errno == EINTR))
                continue;
            if (ready < 0)
                throw Gone{"cannot be heard"};
            m_watch.heard();
            const ssize_t count = ::read(m_pipe, at, size);
            if (count < 0 && errno == EINTR)
                continue;
            if (count <= 0)
                throw Gone{"crashed"};
            at += count;
            size -= static_cast<std::size_t>(count);
        }
    }
    template <typename T>
    T value()
    {
        T value;
        bytes(&value, sizeof value);
        return value;
    }
    /// How many of something follow. A child that VTK has led astray may say anything.
    std::uint64_t count()
    {
        constexpr std::uint64_t most = std::uint64_t{1} << 40;
        const auto count = value<std::uint64_t>();
        if (count > most)
            throw Gone{"does not say what was agreed on"};
        return count;
    }
    std::string text()
    {
        std::string text(count(), '\0');
        bytes(text.data(), text.size());
        return text;
    }
    RunSnapshot snapshot()
    {
        RunSnapshot snapshot;
        snapshot.time = value<double>();
        snapshot.mesh.kind = text();
        snapshot.mesh.encoded = text();
        snapshot.mesh.points = value<std::uint64_t>();
        snapshot.mesh.cells = value<std::uint64_t>();
        snapshot.fields.resize(count());
        for (auto &field : snapshot.fields) {
            field.name = text();
            field.components = value<int>();
            field.association = value<Association>();
            field.entities = value<std::uint64_t>();
            field.offset = value<double>();
            field.scale = value<double>();
            std::vector<float> values(field.values());
            bytes(values.data(), values.size() * sizeof(float));
            snapshot.values.push_back(std::move(values));
        }
        snapshot.notes.resize(count());
        for (auto &note : snapshot.notes)
            note = text();
        return snapshot;
    }

private:
    int m_pipe;
    Watch &m_watch;
};

using Read = std::function<void(const std::function<void(const RunSnapshot &)> &)>;

/// In the child; ends it.
[[noreturn]] void sendAll(const std::filesystem::path &path, const Read &read, int pipe)
{
    Sender sender(pipe);
    std::string problem;
    try {
        // A fork has one thread, so VTK's pool must not be used. (vtkSMPTools.h is no C++20.)
        ::setenv("VTK_SMP_BACKEND_IN_USE", "Sequential", 1);
        read([&sender](const RunSnapshot &snapshot) { sender.snapshot(snapshot); });
        sender.value(saysDone);
        _exit(0);
    } catch (const std::bad_alloc &) {
        problem = path.string() + " wants more memory than there is: it is damaged or too large";
    } catch (const std::exception &error) {
        problem = error.what();
    } catch (...) {
        problem = path.string() + " cannot be read: it is damaged";
    }
    sender.value(saysError);
    sender.text(problem);
    _exit(1);
}

/// What the child says next; nothing if it is done. Throws Error for what it complains of, Gone,
/// LockedUp.
std::optional<RunSnapshot> receiveNext(Receiver &receiver)
{
    switch (receiver.value<char>()) {
    case saysSnapshot:
        return receiver.snapshot();
    case saysDone:
        return std::nullopt;
    case saysError:
        throw Error(receiver.text());
    default:
        throw Gone{"does not say what was agreed on"};
    }
}

/// Hands over what comes after the first `visited` snapshots, and counts on.
void readOnce(const std::filesystem::path &path, const ReadPatience &patience, const Read &read,
              const std::function<void(RunSnapshot &&)> &visit, const std::stop_token &stop,
              std::size_t &visited)
{
    // What a damaged header asks for beyond that fails at once.
    const auto memory = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES))
                        * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    const IsolatedProcess child("A mesh file cannot be read", memory,
                                [&](int pipe) { sendAll(path, read, pipe); });
    Watch watch(child, patience, stop);
    Receiver receiver(child.pipe(), watch);
    for (std::size_t count = 0; auto snapshot = receiveNext(receiver); ++count) {
        if (count == visited) {
            visit(std::move(*snapshot));
            ++visited;
        }
        watch.nextStep();
    }
}

} // namespace

void readIsolated(const std::filesystem::path &path, const ReadPatience &patience, const Read &read,
                  const std::function<void(RunSnapshot &&)> &visit, const std::stop_token &stop)
{
    std::size_t visited = 0;
    const auto refusal = [&](const std::string &why) {
        return Error(path.string() + " cannot be read, for VTK's reader " + why
                     + ": the file is damaged, or its disk does not answer; write it again");
    };
    for (int i = 0; i < isolatedTries; ++i) {
        try {
            return readOnce(path, patience, read, visit, stop, visited);
        } catch (const Gone &gone) {
            throw refusal(gone.why);
        } catch (const LockedUp &) { // another process may have more luck
        }
    }
    throw refusal("hangs");
}

} // namespace gridhelm::data
