// SPDX-License-Identifier: GPL-3.0-or-later
//
// A study that Python has opened: its fields at any parameters.
#pragma once

#include "app/python/errors.h"
#include "core/execution/execution_context.h"
#include "core/sparse/backend.h"
#include "data/evaluate/error_bands.h"
#include "data/evaluate/study_fields.h"
#include "gpu/sparse/rows_on_gpu.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace gridhelm::python {

/// What a study is evaluated with: the same for all of a process with the same words.
struct Machine
{
    ExecutionContext context;
    std::shared_ptr<const sparse::Backend> backend;
};
/// "auto", "cpu", "gpu", "gpu:1"; threads: 0 for all. Throws gridhelm::Error for what there is not.
Machine machineWith(const std::string &devices, int threads);

/// Which part of fields is wanted, and how.
struct Wanted
{
    std::span<const std::uint32_t> nodes{}; ///< entities of the field
    bool hasNodes = false;                  ///< else all
    int groups = 0;                         ///< of levels; 0: all
    data::OutOfRange outOfRange = data::OutOfRange::refused;
};

/// Any thread may call anything; they take turns. None has the interpreter's lock. Follows a file
/// that somebody else writes. Throws gridhelm::Error.
class OpenStudy
{
public:
    OpenStudy(std::filesystem::path path, Machine machine, std::size_t resolution);

    /// action(StudyFields &) while nobody else uses them, as the file is now; once more if somebody
    /// has changed the file meanwhile, and it was in the way.
    template <typename Action>
    auto with(Action action)
    {
        const std::scoped_lock lock(m_mutex);
        follow();
        return withThese(action);
    }

    /// Changes whenever the file has been read again.
    std::uint64_t revision();

    /// So many evaluations of the field are about to come, at points of so many parameters: what is
    /// read again and again is loaded. Follows the file, which the others do not. Returns the
    /// field.
    data::Field prepare(std::size_t field, std::size_t evaluations, std::size_t parameters,
                        int groups, const std::function<bool()> &stop);

    /// The field, or these nodes of it, at the parameters.
    void evaluate(std::size_t field, std::span<const double> parameters, const Wanted &wanted,
                  data::FieldOutput out);
    /// For so many values on the machine's first GPU.
    std::shared_ptr<const gpu::ValuesOnGpu> roomOnGpu(std::size_t values);
    /// Where a field's values are to be there.
    struct PlaceOnGpu
    {
        const gpu::ValuesOnGpu &all;
        std::size_t first, values;
    };
    /// All of the field's values. What is to be evaluated there is loaded, whatever prepare() has.
    void evaluateOnGpu(std::size_t field, std::span<const double> parameters, const Wanted &wanted,
                       const PlaceOnGpu &to);
    const ExecutionContext &context() const { return m_machine.context; }
    /// The field's derivatives by each parameter, in its unit: values, parameter after parameter.
    void gradients(std::size_t field, std::span<const double> parameters,
                   data::OutOfRange outOfRange, std::span<float> out);
    /// How far the field may be off there; nothing if that was not measured.
    std::optional<data::BandHere> band(std::size_t field, std::span<const double> parameters);
    /// Where the body is, if that is not the whole mesh as it was made.
    data::GeometryValues geometry(std::span<const double> parameters);

private:
    // With the mutex.
    void follow();           ///< what others have written
    bool hasChanged() const; ///< since it was read; who could not read it may try again
    void read();
    template <typename Action>
    auto withThese(Action action)
    {
        constexpr int mostAttempts = 100;
        for (int attempt = 0;; ++attempt) {
            try {
                if (m_isToRead)
                    read();
                return action(*m_fields);
            } catch (const ArgumentError &) {
                throw;
            } catch (const Error &) {
                if (!hasChanged() || attempt == mostAttempts)
                    throw;
                m_isToRead = true;
                std::this_thread::sleep_for(std::chrono::milliseconds(5)); // somebody is writing
            }
        }
    }

    void evaluate(data::StudyFields &fields, std::size_t field, std::span<const double> parameters,
                  const Wanted &wanted, data::FieldOutput out);
    void gradients(data::StudyFields &fields, std::size_t field, std::span<const double> parameters,
                   data::OutOfRange outOfRange, std::span<float> out);
    std::optional<data::BandHere> band(data::StudyFields &fields, std::size_t field,
                                       std::span<const double> parameters);
    struct OnGpu;
    const OnGpu &onGpu(data::StudyFields &fields, std::size_t field);
    template <typename Action>
    auto withRoomOnGpu(Action action);

    std::filesystem::path m_path;
    Machine m_machine;
    std::size_t m_resolution;
    std::mutex m_mutex;
    std::unique_ptr<data::StudyFields> m_fields;
    std::int64_t m_version = 0;
    std::uint64_t m_revision = 0;
    bool m_isToRead = true;
    std::vector<double> m_evaluations; ///< of each field, since it was read
    std::vector<int> m_loadedGroups;   ///< of each field
    std::vector<float> m_whole, m_wholeIndicator;
    struct OnGpu
    {
        std::shared_ptr<const data::FieldSurrogate> field;
        std::unique_ptr<const gpu::RowsOnGpu> rows; ///< of it
    };
    std::map<std::size_t, OnGpu> m_onGpu; ///< by field
};

} // namespace gridhelm::python
