// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/table_access.h"
#include "data/study/blob_store.h"
#include "data/study/study.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

namespace gridhelm::data {

double secondsSince1970()
{
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

bool isVector(const StudyFile &file)
{
    return file.description().kind == StudyKind::vector;
}

void requireKind(const StudyFile &file, StudyKind kind)
{
    if (file.description().kind != kind)
        throw Error(file.path().string() + " is a " + std::string(toString(file.description().kind))
                    + " study, and this is for " + std::string(toString(kind))
                    + " ones: choose another study");
}

void requireSize(const Field &field, std::uint64_t wanted, std::size_t given)
{
    if (given != wanted)
        throw Error("field " + field.name + " has " + std::to_string(wanted)
                    + " values here, and there are " + std::to_string(given));
}

void requireFiniteValues(const Field &field, std::uint64_t wanted, std::span<const float> values)
{
    if (values.size() != wanted)
        throw Error("field " + field.name + " needs " + std::to_string(wanted)
                    + " values here, and there are " + std::to_string(values.size()));
    const auto bad =
        std::ranges::find_if(values, [](float value) { return !std::isfinite(value); });
    if (bad != values.end())
        throw Error("value " + std::to_string(bad - values.begin() + 1) + " of field " + field.name
                    + " is not a finite number: the run has failed, or was stopped too early");
}

bool forParts(const Field &field, std::span<float> values,
              const std::function<bool(std::uint64_t, std::span<float>)> &readPart)
{
    requireSize(field, field.values(), values.size());
    for (std::uint64_t part = 0; part < partCount(field.values()); ++part) {
        if (!readPart(part,
                      values.subspan(part * Study::partValues(), partSize(field.values(), part))))
            return false;
    }
    return true;
}

std::span<const float> partOf(std::span<const float> values, std::uint64_t part)
{
    return values.subspan(part * Study::partValues(), partSize(values.size(), part));
}

EncodedBlob blobOf(const StudyFile &file, const BlobKey &key, std::span<const float> values,
                   const PackedParts &packed)
{
    const auto piece = partOf(values, static_cast<std::uint64_t>(key.part));
    if (packed.empty())
        return file.encoder().encode(key, piece, file.snapshotEncoding);
    return sealedBlob(key, piece, packed.at(static_cast<std::size_t>(key.part)));
}

std::vector<double> readParameters(const StudyFile &file, std::span<const std::byte> bytes)
{
    std::vector<double> values(file.description().space.parameters().size());
    if (bytes.size() != values.size() * sizeof(double))
        file.throwDamaged("parameter values are missing");
    std::memcpy(values.data(), bytes.data(), bytes.size());
    if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); }))
        file.throwDamaged("parameter values are not finite numbers");
    return values;
}

} // namespace gridhelm::data
