// SPDX-License-Identifier: GPL-3.0-or-later
//
// All that a study holds, to compare two of them bit for bit.
#pragma once

#include "data/study/study.h"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace gridhelm::test {

/// Every value, as bytes, by where it belongs. The numbers of hold-outs and the order of error
/// figures say only who was first, and are left out, like attempts, times and logs of jobs.
inline std::map<std::string, std::string> contentsOf(const data::Study &study)
{
    std::map<std::string, std::string> contents;
    const auto bytesOf = [](auto values) {
        return std::string(reinterpret_cast<const char *>(values.data()), values.size_bytes());
    };
    const auto text = [](const std::vector<double> &parameters) {
        std::string joined;
        for (double value : parameters)
            joined += " " + std::to_string(value);
        return joined;
    };
    if (const auto mesh = study.mesh())
        contents["mesh " + mesh->kind] = mesh->encoded;
    for (const auto &job : study.jobs())
        contents["job " + std::to_string(job.id)] = data::toString(job.state);
    for (std::size_t f = 0; f < study.fields().size(); ++f) {
        const auto &field = study.fields()[f];
        if (study.description().kind == data::StudyKind::scalar) {
            const auto coefficients = study.readScalarCoefficients(f);
            contents[field.name] = bytesOf(std::span(coefficients));
            for (const auto &job : study.jobs()) {
                const auto values = study.readScalarValues(job.id, f);
                contents[field.name + " of job " + std::to_string(job.id)] =
                    bytesOf(std::span(values));
            }
            continue;
        }
        const auto states = study.coefficientStates(f);
        for (std::uint64_t point = 0; point < study.grid()->points(); ++point) {
            const auto name = field.name + " at " + std::to_string(point);
            std::vector<float> values(field.values());
            if (study.readSnapshot(point, f, values))
                contents[name + ", snapshot"] = bytesOf(std::span(values));
            if (study.readCoefficients(point, f, values))
                contents[name + ", coefficients"] = bytesOf(std::span(values));
            contents[name + ", state"] = std::to_string(static_cast<int>(states[point]));
        }
        for (const auto &holdOut : study.holdOuts()) {
            std::vector<float> values(field.values());
            if (study.readHoldOut(holdOut.id, f, values))
                contents[field.name + " held out at" + text(holdOut.parameters)] =
                    bytesOf(std::span(values));
        }
    }
    for (const auto &figure : study.errorFigures()) {
        const std::vector numbers{figure.relativeL2, figure.maximum, figure.relativeMaximum};
        contents[std::string(data::toString(figure.kind)) + " of field "
                 + std::to_string(figure.field) + " at" + text(figure.parameters)] =
            bytesOf(std::span(numbers));
    }
    return contents;
}

/// The first thing that differs; empty if nothing does.
inline std::string differenceOf(const std::map<std::string, std::string> &one,
                                const std::map<std::string, std::string> &other)
{
    for (const auto &[name, bytes] : one) {
        const auto found = other.find(name);
        if (found == other.end())
            return name + " is missing";
        if (found->second != bytes)
            return name + " differs";
    }
    for (const auto &[name, bytes] : other) {
        if (!one.contains(name))
            return name + " is there too";
    }
    return {};
}

} // namespace gridhelm::test
