# What has to be installed is said in one way everywhere: by CMake when a library is missing, by jobs/setup, by the Spack environment and by the recipes
# of containers; and an installation has what the guides speak of.
source "$2/tests/support/program.bash"
need cmake ninja python3
limit=120
top="$2"

# Every library that CMake looks for: its names in Debian and in Spack are in the lists. A find_package without a message of its own would name a package.
cat "$top/CMakeLists.txt" "$top/tests/CMakeLists.txt" | sed '/^macro(granary_need/,/^endmacro/d; s/#.*//' | tr '\n' ' ' | grep -oE 'granary_need\([^)]*\)' >needs
expect_equal "libraries" "$(grep -oE '^granary_need\([A-Za-z0-9_]+' needs | cut -d'(' -f2 | sort | tr '\n' ' ')" \
    "Boost CLI11 GTest HDF5 Kokkos MPI benchmark fmt nlohmann_json tomlplusplus "
check "no other way to look for a library" bash -c "! sed '/^macro(granary_need/,/^endmacro/d' '$top/CMakeLists.txt' '$top/tests/CMakeLists.txt' | grep -E '^[^#]*find_package'"
bash "$top/jobs/setup" --list | sort >debian
sed -n 's/^  - "\([a-z0-9-]*\).*/\1/p' "$top/jobs/spack/spack.yaml" | sort >spack
while read -r line; do
    [[ "$line" =~ granary_need\(([A-Za-z0-9_]+).*\ DEBIAN\ ([a-z0-9\ -]+)\ SPACK\ ([a-z0-9-]+) ]] || { complain "names of Debian and Spack in: $line"; continue; }
    package="${BASH_REMATCH[1]}" names="${BASH_REMATCH[2]}" spec="${BASH_REMATCH[3]}"
    for name in $names; do check "$package: $name in jobs/setup --list" grep -qx -- "$name" debian; done
    check "$package: $spec in jobs/spack/spack.yaml" grep -qx -- "$spec" spack
    echo "$spec" >>named
done <needs
expect_equal "specs that no library of CMake asks for" "$(sort -u named | comm -13 - spack | tr '\n' ' ')" "cmake ninja pkgconf "

# The environment is one that Spack can read.
if python3 -c 'import yaml' 2>/dev/null; then
    start python3 -c '
import sys, yaml
spack = yaml.safe_load(open(sys.argv[1]))["spack"]
assert set(spack) == {"specs", "concretizer", "view"}, spack
assert all(isinstance(s, str) and s[0].isalpha() for s in spack["specs"]), spack["specs"]' "$top/jobs/spack/spack.yaml"
    expect_code 0
else
    leave_out "the reading of spack.yaml, which needs python3-yaml (jobs/setup installs it)"
fi

# Recipes: known words, sound commands, and only packages that jobs/setup knows or that are libraries of a Debian 12.
docker="$top/jobs/container/Dockerfile"
sed '/^#/d; /^$/d' "$docker" | sed ':a; /\\$/ { N; s/\\\n/ /; ba }' >docker.lines
expect_equal "unknown instructions" "$(grep -vE '^(FROM|ARG|COPY|WORKDIR|RUN|ENV|ENTRYPOINT|CMD) ' docker.lines)" ""
sed -n 's/^RUN //p' docker.lines >docker.sh
check "sound commands in the Dockerfile" bash -n docker.sh
awk '/^%/ { section = $1; next } section == "%post" || section == "%test" || section == "%runscript" || section == "%environment"' \
    "$top/jobs/container/granary.def" >def.sh
check "sound commands in granary.def" bash -n def.sh
expect_equal "sections of granary.def" "$(grep -oE '^%[a-z]+' "$top/jobs/container/granary.def" | tr '\n' ' ')" "%files %post %environment %runscript %test "
while read -r from to; do
    expect_equal "place of $from" "$to" "/source/$from"
    check "$from is there" test -e "$top/$from"
done < <(awk '/^%/ { on = $1 == "%files"; next } on && NF' "$top/jobs/container/granary.def")
for folder in "$top"/*/CMakeLists.txt "$top"/*/*/CMakeLists.txt; do   # whatever the build reads besides tests is copied
    name="${folder#"$top/"}"
    [[ "$name" == tests/* || "$name" == build* ]] || expect_text "$top/jobs/container/granary.def" "^    ${name%%/*} /source/${name%%/*}\$"
done

# The second stage of the Dockerfile, and with it the image, has every library that the program is linked with.
if have dpkg-query && have readelf; then
    sed -n '/^FROM/=' docker.lines | tail -n 1 | { read -r from; tail -n "+$from" docker.lines; } | grep -oE '[a-z][a-z0-9.+-]+' | sort -u >in_image
    printf '%s\n' libc6 libgcc-s1 libstdc++6 libopenmpi3 >>in_image   # of Debian itself; of openmpi-bin
    readelf -d "$granary" | sed -n 's/.*(NEEDED).*\[\(.*\)\]$/\1/p' | grep -vE '^lib(asan|ubsan|granary)' >libraries
    check "the program needs libraries" test -s libraries
    while read -r library; do
        package="$(dpkg-query -S "*-linux-gnu/$library" 2>/dev/null | cut -d: -f1 | sort -u | head -n 1)"
        [[ -z $package ]] || check "$library: $package in the image" grep -qxF -- "$package" in_image
    done <libraries
fi

# A library that is missing is named, with what it is for and how to help. (A folder that is configured once is quick to configure again.)
missing() {   # package of CMake, name of the library, what the message must also hold
    start cmake -S "$top" -B configured -G Ninja -D GRANARY_TESTS="${4:-OFF}" -D GRANARY_CATALYST=OFF -U 'CMAKE_DISABLE_FIND_PACKAGE_*' -D "CMAKE_DISABLE_FIND_PACKAGE_$1=ON"
    check "refused without $1" test "$code" -ne 0
    tr '\n' ' ' <err | tr -s ' ' >said
    expect_text said "Granary needs $2"
    expect_text said "$3"
    expect_text said "cmake -D $1_ROOT=/path/to/it"
    expect_text said 'jobs/spack/spack.yaml'
}
missing MPI 'MPI, such as Open MPI \(messages between' 'module load openmpi'
missing Boost 'Boost with its libraries MPI and Serialization \(.*\), version 1.74 or later' 'libboost-mpi-dev libboost-serialization-dev'
missing fmt '\{fmt\} \(formatting' 'apt-get install libfmt-dev'
missing tomlplusplus 'toml\+\+ \(reading of case files\)' 'libtomlplusplus-dev'
missing nlohmann_json 'JSON for Modern C\+\+ \(results that scripts read\), version 3.11 or later' 'nlohmann-json3-dev'
missing CLI11 'CLI11 \(the command line\)' 'spack install cli11'
missing HDF5 'HDF5 built with MPI \(states and checkpoints\)' 'module load hdf5'
missing Kokkos 'Kokkos \(arrays in memory\)' 'libtrilinos-kokkos-dev'
missing GTest 'GoogleTest \(the tests, without them: cmake -D GRANARY_TESTS=OFF\)' 'libgtest-dev' ON

# An installation has the scripts, what they lean on, and the guides; the links between the guides lead somewhere.
start cmake -S "$top" -B configured -U 'CMAKE_DISABLE_FIND_PACKAGE_*' -D GRANARY_TESTS=OFF -D GRANARY_CATALYST=OFF
expect_code 0
start cmake --install configured --component shared --prefix installed
expect_code 0
jobs=installed/share/granary/jobs
for file in submit picture movie hopper-stl pile-angle; do
    check "$file can be run" test -x "$jobs/$file"
    start "$jobs/$file" --help
    expect_code 0
    for used in $(grep -oE 'lib/[a-z_]+\.(py|sh|awk)' "$jobs/$file" | sort -u); do expect_file "$jobs/$used"; done
done
check "guides" test "$(ls "$jobs"/guide/*.md | wc -l)" -ge 10
for guide in "$jobs"/README.md "$jobs"/guide/*.md; do
    for link in $(grep -oE '\]\([^)#:]+' "$guide" | cut -c3-); do
        # What is for developers stays in the repository.
        [[ "$link" == *src/* || "$link" == *tests/* || "$link" == *validation* ]] || check "$guide: $link" test -e "$(dirname "$guide")/$link"
    done
done
# jobs/submit of an installation finds the program that was installed with it.
mkdir -p installed/bin && ln -s "$granary" installed/bin/granary
start bash "$jobs/submit" "$cases/rain-box.toml" --ranks 2 --time 01:00:00 --scheduler slurm --dry-run --out submitted
expect_code 0
finish
