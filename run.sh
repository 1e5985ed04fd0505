#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Shows Gridhelm at work: installs what is missing, builds the release, makes a study of a flow if
# there is none yet (real simulations, a minute or two), and writes the flow for parameters that
# were never simulated as files and pictures. Run it again as often as you like: what is there stays.
set -euo pipefail
cd "$(dirname "$0")"

.ci/install-packages core data vtk

log=build/run.log
mkdir -p build
build() {
    # Pictures need no tests; a build tree that has them keeps them.
    [ -f build/release/build.ninja ] || cmake --preset release -DGRIDHELM_WITH_TESTS=OFF
    cmake --build --preset release --target gridhelm-cli -j"$(nproc)"
}
[ -x build/release/bin/gridhelm-cli ] || echo "building (a few minutes the first time) ..."
if ! build >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi

cli=build/release/bin/gridhelm-cli
study=build/cavity.gridhelm
[ -f $study ] || $cli sample cavity --out $study
echo
$cli info $study
echo
for reynolds in 150 850; do
    at="Re=$reynolds,bottom=0.2,t=9"
    echo "the flow at $at:"
    $cli eval $study --at "$at" --out build/cavity-$reynolds.vti
    $cli render $study --at "$at" --field velocity --out build/cavity-$reynolds.png
done
echo
echo "Pictures: build/cavity-150.png and build/cavity-850.png; the .vti files open in ParaView."
echo "More: $cli --help"
