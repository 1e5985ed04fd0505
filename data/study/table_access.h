// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the files share that read and write the tables of a study. Private to data.
#pragma once

#include "data/study/study_file.h"
#include "data/study/transaction.h"

#include <cstdint>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

namespace gridhelm::data {

/// action() in a transaction of its own, or as part of the one that is open.
template <typename Action>
auto inTransaction(StudyFile &file, Action action)
{
    return file.guarded([&] {
        Transaction transaction(file);
        if constexpr (std::is_void_v<decltype(action())>) {
            action();
            transaction.commit();
        } else {
            auto result = action();
            transaction.commit();
            return result;
        }
    });
}

inline std::int64_t idOf(FieldIndex field)
{
    return static_cast<std::int64_t>(field);
}

double secondsSince1970();

bool isVector(const StudyFile &file);
/// Throws gridhelm::Error for a study of the other kind.
void requireKind(const StudyFile &file, StudyKind kind);

/// Both throw gridhelm::Error with the number of values that are wanted, or the bad one.
void requireSize(const Field &field, std::uint64_t wanted, std::size_t given);
void requireFiniteValues(const Field &field, std::uint64_t wanted, std::span<const float> values);

/// readPart(part, piece of values) for all parts; false if one is not there.
bool forParts(const Field &field, std::span<float> values,
              const std::function<bool(std::uint64_t, std::span<float>)> &readPart);

std::span<const float> partOf(std::span<const float> values, std::uint64_t part);
/// One part of a snapshot, as key.part says; encoded here if it was not before.
EncodedBlob blobOf(const StudyFile &file, const BlobKey &key, std::span<const float> values,
                   const PackedParts &packed);

/// action(point) for every point that the rows name in column 0.
template <typename Action>
void forPoints(const StudyFile &file, Query &&row, Action action)
{
    while (row.step())
        action(file.pointOfId(row.integer(0)));
}

/// Whether the job runs elsewhere; and that it does so no more. For writers.
bool isSubmitted(const StudyFile &file, JobId id);
void removeSubmission(const StudyFile &file, JobId id);

/// Values of all parameters, of a row; throws gridhelm::Error if they are damaged.
std::vector<double> readParameters(const StudyFile &file, std::span<const std::byte> bytes);

} // namespace gridhelm::data
