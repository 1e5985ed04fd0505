// SPDX-License-Identifier: GPL-3.0-or-later
//
// What tests/peers/accuracy_peer.py has measured of the same fields.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

namespace gridhelm::bench {

/// Means of relative L2 errors at accuracyPlaces(), over some Latin hypercubes.
struct PeerErrors
{
    double allModes = 0;        ///< twenty modes by Gaussian processes, the rest by rbf
    double gaussianProcess = 0; ///< of the coefficients of twenty modes
    double rbf = 0;             ///< the same by cubic radial basis functions
    double projection = 0;      ///< of the twenty modes alone, whatever their coefficients

    /// Whether twenty modes are what limits a peer: then its error says little of its kind.
    bool isLimitedByModes() const { return projection > 0.5 * gaussianProcess; }
};

/// By a field's name and a number of runs.
using PeerTable = std::map<std::pair<std::string, std::size_t>, PeerErrors>;

/// A JSON document in each line. Throws gridhelm::Error, with the number of the line, for what is
/// no such file.
PeerTable readPeers(const std::filesystem::path &file);

} // namespace gridhelm::bench
