#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Installs what is missing, builds every way that must work, and tests: with address and
# undefined-behaviour sanitizers, as a release, the Python package, and the numeric part alone. Each test
# runs once, but for what differs between the builds (tests/CMakeLists.txt says which where); not those
# labelled "long" (ctest -L long). Ends with a summary; the exit code is 0 only if everything passed.
set -uo pipefail
cd "$(dirname "$0")" || exit 1

[ $# -eq 0 ] || { echo "usage: $0" >&2; exit 2; }

jobs=$(nproc)
summary=()
failed=0

# step NAME COMMAND...: runs the command, and keeps one line about it.
step() {
    local name=$1 start=$SECONDS result=passed
    shift
    echo
    echo "==== $name"
    if ! "$@"; then
        result=FAILED
        failed=1
    fi
    summary+=("$(printf '%-7s %5d s  %s' "$result" $((SECONDS - start)) "$name")")
    [ "$result" = passed ]
}

# tested PRESET [CTEST ARGUMENTS...]: the tests of a preset; skipped ones are named.
tested() {
    local preset=$1 log=build/$1/Testing/Temporary/LastTest.log status=0 totals
    shift
    ctest --preset "$preset" -j"$jobs" "$@" || status=1
    if [ -f "$log" ]; then
        grep -E -A1 '^SKIP ' "$log" | grep -v '^--' | cut -c1-160
        totals=$(awk '/^Totals:/ {passed += $2; failed += $4; skipped += $6}
            END {printf "%d test functions passed, %d failed, %d skipped", passed, failed, skipped}' "$log")
        summary+=("                 $preset: $totals")
        while IFS= read -r line; do # logs are long: what failed is named at their end, too
            summary+=("                 $line")
        done < <(grep -E -A3 '^(FAIL!|XPASS|QFATAL)' "$log" |
            grep -E '^(FAIL!|XPASS|QFATAL|   )' | cut -c1-300)
        [ $status -eq 0 ] || summary+=("$(sed 's/^[0-9]*:/                 not passed: /' \
            "build/$preset/Testing/Temporary/LastTestsFailed.log" 2>/dev/null)")
    fi
    return $status
}

configured() { cmake --preset "$@" >build/configure.log 2>&1 || { cat build/configure.log; return 1; }; }

# CUDA's kernels are compiled where nvcc is, even where no GPU is: for one generation then.
cuda=(-DGRIDHELM_WITH_CUDA=OFF)
if command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ]; then
    cuda=(-DGRIDHELM_WITH_CUDA=ON "-DCMAKE_CUDA_ARCHITECTURES=$([ -e /dev/nvidiactl ] && echo native || echo 90)")
fi

# The numeric part must build and work without Qt, and from its install tree.
works_installed() {
    local there=build/installed
    rm -rf "$there"
    cmake --install build/core-only --prefix "$there" >/dev/null && "$there/bin/gridhelm-cli" backends &&
        [[ $("$there/bin/gridhelm-cli" eval s.gridhelm --at x=1 2>&1) == *"needs VTK"* ]]
}

mkdir -p build
step "packages" .ci/install-packages core data vtk desktop test python || exit 1

# The presets release, core-only and cuda compile the same files in the same way, and so do other
# clones: once is enough.
export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache CMAKE_CUDA_COMPILER_LAUNCHER=ccache
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1

step "asan: build (warnings are errors)" eval 'configured asan -DGRIDHELM_TEST_SHARE=sanitizers &&
    .ci/build build/asan' &&
    step "asan: tests" tested asan
step "release: build" eval 'configured release -DGRIDHELM_WITH_TESTS=ON -DGRIDHELM_TEST_SHARE=optimized "${cuda[@]}" &&
    .ci/build build/release' &&
    step "release: tests" tested release
step "python: install and test" .ci/check-python
step "core-only: build without Qt, SQLite and CUDA" eval 'configured core-only && .ci/build build/core-only' &&
    step "core-only: install and run" works_installed

echo
echo "==== summary"
printf '%s\n' "${summary[@]}"
exit $failed
