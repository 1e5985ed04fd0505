// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/accuracy_peers.h"

#include "core/support/error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace gridhelm::bench {

PeerTable readPeers(const std::filesystem::path &file)
{
    std::ifstream stream(file);
    if (!stream)
        throw Error("cannot read " + file.string()
                    + "; make it with: tests/peers/accuracy_peer.py FILE");
    PeerTable table;
    std::string line;
    for (std::size_t number = 1; std::getline(stream, line); ++number) {
        try {
            const auto entry = nlohmann::json::parse(line);
            const PeerErrors errors{entry.at("all_modes"), entry.at("gaussian_process"),
                                    entry.at("rbf"), entry.at("projection")};
            if (!(errors.allModes > 0 && errors.gaussianProcess > 0 && errors.rbf > 0))
                throw Error("an error is not above 0");
            table[{entry.at("field"), entry.at("runs")}] = errors;
        } catch (const std::exception &error) {
            throw Error(fmt::format("line {} of {} is nothing that tests/peers/accuracy_peer.py "
                                    "writes ({}); make the file again",
                                    number, file.string(), error.what()));
        }
    }
    return table;
}

} // namespace gridhelm::bench
