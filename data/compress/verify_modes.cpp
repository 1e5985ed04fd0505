// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/compress/verify_modes.h"

#include "data/compress/node_volumes.h"
#include "data/compress/quantised_places.h"
#include "data/compress/stored_rows.h"

#include <fmt/format.h>

#include <algorithm>

namespace gridhelm::data {

namespace {

/// The first places are the points that have coefficients; false if it was stopped.
bool measureField(const Study &study, double norm, const modes::NodeWeights &nodes,
                  const QuantisedPlaces &places, const modes::AddedErrorOptions &how,
                  VerifiedModes &verified)
{
    const bool areModes = !verified.areCoefficients;
    const auto all = areModes ? places.ofModes(places.modes()) : places.exact();
    StoredModes ofModes(study, verified.field, places.modes());
    StoredQuantisedRows ofPoints(study, verified.field, places.points());
    auto &stored = areModes ? static_cast<modes::SnapshotBlocks &>(ofModes) : ofPoints;
    const auto measured = [&](modes::SnapshotBlocks &rows, const std::vector<SparseWeights> &exact,
                              std::size_t begin, std::size_t end) {
        return modes::addedErrors({rows, std::span(exact).subspan(begin, end - begin)},
                                  {stored, std::span(all).subspan(begin, end - begin)}, nodes, how);
    };
    const bool areKept = areSnapshotsStored(study, verified.field);
    verified.beside = areKept ? VerifiedBeside::snapshots : VerifiedBeside::coefficients;
    const auto coefficients = places.exactRows();
    const auto middle = places.snapshots();
    std::vector<double> errors;
    if (areKept) {
        StoredSnapshots snapshots(study, verified.field, places.points());
        errors = measured(snapshots, places.singleRows(), 0, middle);
    } else {
        errors = measured(*coefficients, places.exact(), 0, middle);
    }
    if (errors.empty())
        return false;
    verified.atSnapshots = largestShare(errors, norm);
    verified.atHoldOuts = 0;
    if (places.count() > middle) {
        const auto off = measured(*coefficients, places.exact(), middle, places.count());
        if (off.empty())
            return false;
        verified.atHoldOuts = largestShare(off, norm);
    }
    verified.places = places.count();
    return true;
}

} // namespace

bool VerifiedModes::isMeasured() const
{
    return beside == VerifiedBeside::snapshots || beside == VerifiedBeside::coefficients;
}

bool VerifiedModes::isKept() const
{
    // Snapshots are rebuilt from coefficients, each rounded to single precision.
    constexpr double rounding = 2e-6;
    return std::max(atSnapshots, isBeforeHoldOuts ? 0 : atHoldOuts) <= allowed + rounding;
}

bool isBeforeHoldOuts(const Study &study, const QuantisedModes &bits)
{
    return bits.holdOuts != study.holdOuts().size();
}

bool isBeforeHoldOuts(const Study &study, const ModeSet &set)
{
    return set.quantised && isBeforeHoldOuts(study, *set.quantised);
}

std::string verifiedText(const VerifiedModes &verified, const std::string &field)
{
    if (!verified.isMeasured())
        return fmt::format(
            "quantised {} of {}: checksums were compared, and {:.2g} % at most was recorded; {}",
            verified.areCoefficients ? "coefficients" : "POD modes", field, 100 * verified.allowed,
            verified.beside == VerifiedBeside::unknownVolumes
                ? "it was not measured again, since the volumes of the mesh's cells are not known "
                  "to this program: check with one that reads such meshes"
                : "it cannot be measured again, since what was exact is not kept");
    const double worst = std::max(verified.atSnapshots, verified.atHoldOuts);
    return fmt::format(
        "quantised {} of {}: {} {:.2g} % at {} points beside {}, and {:.2g} % was promised{}",
        verified.areCoefficients ? "coefficients" : "POD modes", field,
        worst <= verified.allowed ? "at most" : "up to", 100 * worst, verified.places,
        verified.beside == VerifiedBeside::snapshots ? "their snapshots" : "exact coefficients",
        100 * verified.allowed,
        verified.isBeforeHoldOuts ? " before validation points came or went: compress again" : "");
}

std::vector<VerifiedModes> verifyModes(const Study &study, const VolumesOfMesh &volumes,
                                       const CpuDevice &cpu, const std::function<bool()> &stop)
{
    std::vector<VerifiedModes> all;
    for (FieldIndex field = 0; field < study.fields().size(); ++field) {
        const auto set = study.modeSet(field);
        const auto rows = study.quantisedCoefficients(field);
        if (!rows && (!set || !set->quantised))
            continue;
        const auto &bits = rows ? rows->bits : *set->quantised;
        VerifiedModes verified;
        verified.field = field;
        verified.areCoefficients = rows != nullptr;
        verified.allowed = bits.allowed;
        verified.atSnapshots = bits.atSnapshots;
        verified.atHoldOuts = bits.atHoldOuts;
        verified.isBeforeHoldOuts = isBeforeHoldOuts(study, bits);
        const bool byVolumes = rows ? rows->byVolumes : set->byVolumes;
        auto weights = weightsOf(study, field, volumes);
        if (!byVolumes) // nobody knew them when it was written
            std::ranges::fill(weights.values, 1.0);
        const QuantisedPlaces places(study, field,
                                     rows ? QuantisedPlaces::Rows::coefficients
                                          : QuantisedPlaces::Rows::modes);
        if (places.isKriged()) {
            verified.beside = VerifiedBeside::nothing;
        } else if (byVolumes && !weights.areVolumes) {
            verified.beside = VerifiedBeside::unknownVolumes;
        } else {
            const auto components = static_cast<std::size_t>(study.fields()[field].components);
            modes::AddedErrorOptions how;
            how.cpu = cpu;
            how.progress = [&](double) { return !stop || !stop(); };
            if (!measureField(study, rows ? rows->norm : set->norm, {weights.values, components},
                              places, how, verified))
                return all;
        }
        all.push_back(verified);
    }
    return all;
}

} // namespace gridhelm::data
