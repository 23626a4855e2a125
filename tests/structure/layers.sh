#!/usr/bin/env bash
# Keeps the layering of the sources true: who may include whom, and which library is seen where. Arrows point one way;
# physics never learns that ranks or files exist.
#     bash tests/structure/layers.sh <source folder>
# Prints every include that breaks the tables below; exit code 1 if there is one.
set -euo pipefail
cd "${1:?usage: layers.sh <source folder>}"

{ find src decomposition io -type f \( -name '*.hpp' -o -name '*.cpp' -o -name '*.h' \) 2>/dev/null || true; } | sort |
    awk '
    BEGIN {
        # folder: the folders it may include from, besides itself
        layer["core"] = ""
        layer["contact"] = "core"
        layer["search"] = "core"
        layer["motion"] = "core contact"
        layer["measure"] = "core contact motion"
        layer["decomposition"] = "core contact search"
        layer["io"] = "core contact motion"
        layer["app"] = "core contact search motion measure decomposition io"

        # start of <...>: the folders that may see this library
        library["Kokkos_"] = "core contact search motion measure decomposition io app"
        library["fmt/"] = "core contact search motion measure decomposition io app"
        library["mpi.h"] = "decomposition io app"
        library["boost/"] = "decomposition io app"
        library["hdf5"] = "io"
        library["H5"] = "io"
        library["toml++/"] = "io"
        library["catalyst"] = "io"
        library["CLI/"] = "app"
    }

    function complain(what) { print file ":" line ": " what; bad = 1 }
    function has(list, word) { return index(" " list " ", " " word " ") > 0 }

    function check_own(name,    parts, target) {
        if (split(name, parts, "/") < 2 || name ~ /(^|\/)\.\.?(\/|$)/) {
            complain("\"" name "\": write the folder, as in \"core/vec.hpp\"")
            return
        }
        target = parts[1]
        if (!(target in layer)) complain("\"" name "\": \"" target "\" is no folder of the sources")
        else if (target != here && !has(layer[here], target))
            complain(here " must not include from " target " (only from: " here (layer[here] == "" ? "" : " " layer[here]) ")")
    }

    function check_library(name,    start) {
        for (start in library)
            if (index(name, start) == 1) {
                if (!has(library[start], here)) complain("<" name "> may be seen in " library[start] ", not in " here)
                return
            }
        # What is left must be the standard library or the system: no folder but sys/, no .hpp.
        if ((name ~ /\// && name !~ /^sys\//) || name ~ /\.hpp$/)
            complain("<" name ">: a library that the table of tests/structure/layers.sh does not know")
    }

    {
        file = $0
        n = split(file, path, "/")
        here = path[1] == "src" ? path[2] : path[1]
        line = 0
        if (!(here in layer) || (path[1] == "src" && n < 3)) {
            complain("this folder is not in the table of tests/structure/layers.sh")
            next
        }
        while ((getline text < file) > 0) {
            line++
            if (text !~ /^[ \t]*#[ \t]*include/) continue
            sub(/^[ \t]*#[ \t]*include[ \t]*/, "", text)
            name = text
            sub(/^["<]/, "", name)
            sub(/[">].*/, "", name)
            if (text ~ /^"/) check_own(name)
            else if (text ~ /^</) check_library(name)
        }
        close(file)
    }
    END {
        if (NR == 0) { print "no sources found: is this the source folder?"; bad = 1 }
        exit bad
    }'
