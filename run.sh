#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Shows Gridhelm at work: installs what is missing, builds the release, and compresses a function of
# 6 dimensions. Arguments are handed to "gridhelm-cli grid demo". Run it again as often as you like:
# only what changed is built.
set -euo pipefail
cd "$(dirname "$0")"

.ci/install-packages core data vtk

log=build/run.log
mkdir -p build
build() {
    # The demonstration needs no tests; a build tree that has them keeps them.
    [ -f build/release/build.ninja ] || cmake --preset release -DGRIDHELM_WITH_TESTS=OFF
    cmake --build --preset release --target gridhelm-cli -j"$(nproc)"
}
[ -x build/release/bin/gridhelm-cli ] || echo "building (a few minutes the first time) ..."
if ! build >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi

build/release/bin/gridhelm-cli grid demo --picture build/plate.png "$@"
echo
echo "More: build/release/bin/gridhelm-cli --help"
