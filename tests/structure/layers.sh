#!/usr/bin/env bash
# Keeps the layering of the sources true: who may include whom, and which library is seen where. Arrows point one way;
# physics never learns that ranks or files exist.
#     bash tests/structure/layers.sh <source folder>
# Prints every include that breaks the tables below; exit code 1 if there is one. The graph has no cycle: a room stands below all that it may include from.
#     bash tests/structure/layers.sh <source folder> exact
# also refuses what the table allows and no file uses, so that the table is the graph.
set -euo pipefail
cd "${1:?usage: layers.sh <source folder> [exact]}"

{ find src decomposition io -type f \( -name '*.hpp' -o -name '*.cpp' -o -name '*.h' \) 2>/dev/null || true; } | sort |
    awk -v exact="${2:-}" '
    BEGIN {
        # room: the rooms it may include from, besides itself. A room is src/<room>, decomposition, or io/<room>.
        layer["core"] = ""
        layer["shapes"] = "core"
        layer["filling"] = "core shapes"
        layer["contact"] = "core shapes"
        layer["search"] = "core"
        layer["motion"] = "core shapes"
        layer["walls"] = "core shapes contact motion"
        layer["measure"] = "core walls"
        layer["decomposition"] = "core search"
        layer["engine"] = "core shapes filling contact search motion walls decomposition"
        layer["io/formats"] = "core walls"
        layer["io/log"] = "core io/formats"
        layer["io/case"] = "core shapes filling contact search motion walls measure io/formats io/log"
        layer["io/state"] = "core decomposition io/formats"
        layer["io/frames"] = "core shapes motion walls decomposition io/formats"
        layer["io/insitu"] = "core motion walls io/frames"
        layer["io/report"] = "core shapes io/formats io/frames io/state"
        layer["plan"] = "core shapes filling contact search walls measure decomposition engine io/formats io/case io/state io/frames"
        layer["observe"] = "core shapes filling motion measure decomposition engine plan io/formats io/log io/case io/state io/frames io/insitu"
        layer["run"] = "core filling decomposition engine plan observe io/formats io/log io/case io/report"
        layer["bench"] = "core shapes filling contact search decomposition engine observe io/formats io/state io/insitu"
        layer["app"] = "core decomposition bench run io/formats io/log io/case io/state io/report"

        # start of <...>: the rooms that may see this library
        with_ranks = "decomposition engine io/formats io/log io/case io/state io/frames io/insitu plan observe run bench app"
        everywhere = "core shapes filling contact search motion walls measure io/report " with_ranks
        library["Kokkos_"] = everywhere
        library["fmt/"] = everywhere
        library["mpi.h"] = with_ranks
        library["boost/"] = with_ranks
        library["hdf5"] = library["H5"] = "io/state io/report"
        library["toml++/"] = "io/formats io/case io/report"
        library["nlohmann/"] = "io/formats io/log io/report run bench"
        library["catalyst"] = "io/insitu"
        library["CLI/"] = "app"
    }

    function complain(what) { print file ":" line ": " what; bad = 1 }
    function has(list, word) { return index(" " list " ", " " word " ") > 0 }

    function reaches(from, to,    list, n, k) {
        if (from == to) return 1
        n = split(layer[from], list, " ")
        for (k = 1; k <= n; k++)
            if (reaches(list[k], to)) return 1
        return 0
    }

    function check_own(name,    parts, target) {
        if (split(name, parts, "/") < 2 || name ~ /(^|\/)\.\.?(\/|$)/) {
            complain("\"" name "\": write the folder, as in \"core/vec.hpp\"")
            return
        }
        target = parts[1] == "io" ? parts[1] "/" parts[2] : parts[1]
        if (!(target in layer)) complain("\"" name "\": \"" target "\" is no room of the sources")
        else used[here " " target] = 1
        if ((target in layer) && target != here && !has(layer[here], target))
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
        here = path[1] == "src" ? path[2] : path[1] == "io" ? path[1] "/" path[2] : path[1]
        line = 0
        if (!(here in layer) || (path[1] != "decomposition" && n < 3)) {
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
        for (room in layer) {
            n = split(layer[room], below, " ")
            for (k = 1; k <= n; k++) {
                if (reaches(below[k], room)) { print "the table has a cycle: " room " and " below[k]; bad = 1 }
                if (exact != "" && !((room " " below[k]) in used)) { print "no file of " room " includes from " below[k] ": take it out of the table"; bad = 1 }
            }
        }
        exit bad
    }'
