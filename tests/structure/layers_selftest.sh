#!/usr/bin/env bash
# Sees that layers.sh accepts what the table allows and refuses each kind of breach, with place and reason.
#     bash tests/structure/layers_selftest.sh
set -euo pipefail
layers="$(cd "$(dirname "$0")" && pwd)/layers.sh"
tree="$(mktemp -d)"
trap 'rm -rf "$tree"' EXIT
failed=0

allowed() {  # file, line
    mkdir -p "$tree/$(dirname "$1")"
    echo "$2" >"$tree/$1"
    if ! out="$(bash "$layers" "$tree")"; then
        echo "refused: $2 in $1: $out"
        failed=1
    fi
    rm "$tree/$1"
}

refused() {  # file, line, part of the message
    mkdir -p "$tree/$(dirname "$1")"
    echo "$2" >"$tree/$1"
    if out="$(bash "$layers" "$tree")"; then
        echo "accepted: $2 in $1"
        failed=1
    elif [[ "$out" != *"$1"*"$3"* ]]; then
        echo "wrong message for $2 in $1: $out"
        failed=1
    fi
    rm "$tree/$1"
}

if bash "$layers" "$tree" >/dev/null; then echo "accepted: a folder without sources"; failed=1; fi

allowed src/core/a.hpp '#include <Kokkos_Core.hpp>'
allowed src/core/a.hpp '#include <sys/stat.h>'
allowed src/core/a.hpp '// #include "io/case/case.hpp"'
allowed src/walls/a.cpp '#include "contact/law.hpp"'
allowed src/motion/rotation/a.cpp '#include "motion/rotation/b.hpp"'
allowed io/formats/a.cpp '#include <toml++/toml.h>'
allowed decomposition/a.cpp '#include <boost/mpi.hpp>'
allowed src/app/main.cpp '#include "decomposition/slabs.hpp"'
allowed io/state/a.cpp '#include "decomposition/together.hpp"'
refused src/core/a.hpp '#include "contact/law.hpp"' 'core must not include from contact'
refused src/contact/a.hpp '#include "walls/wall_shapes.hpp"' 'contact must not include from walls'
refused src/engine/a.hpp '  #  include "io/case/case.hpp"' 'engine must not include from io/case'
refused io/case/a.cpp '#include "decomposition/slabs.hpp"' 'io/case must not include from decomposition'
refused src/core/a.hpp '#include "vec.hpp"' 'write the folder'
refused io/case/a.cpp '#include "../src/core/vec.hpp"' 'write the folder'
refused src/core/a.hpp '#include "magic/vec.hpp"' 'no room of the sources'
refused src/motion/a.hpp '#include <mpi.h>' 'may be seen in decomposition engine'
refused src/search/a.hpp '#include <boost/mpi.hpp>' 'may be seen in decomposition engine'
refused io/case/a.cpp '#include <CLI/CLI.hpp>' 'may be seen in app'
refused io/case/a.cpp '#include <gtest/gtest.h>' 'does not know'
refused src/magic/a.hpp '#include <vector>' 'not in the table'
refused io/a.hpp '#include <vector>' 'not in the table'
refused src/a.hpp '#include <vector>' 'not in the table'

exit $failed
