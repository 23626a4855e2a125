# What the scripts in jobs say to options that they cannot use, before anything is installed, built or written.
source "$2/tests/support/program.bash"
jobs="$2/jobs"

for script in quickstart setup test picture hopper-stl movie; do
    start bash "$jobs/$script" --help
    expect_code 0
    expect_text out "^usage: jobs/$script "
done
for script in quickstart setup test hopper-stl; do
    start bash "$jobs/$script" --qiuck
    expect_code 2
    expect_text err "^jobs/$script: unknown option '--qiuck'"
done

refused() {   # what the message must hold, then the options of jobs/quickstart
    local text="$1"; shift
    start bash "$jobs/quickstart" --no-setup "$@"
    expect_code 2
    expect_text err "^jobs/quickstart: .*$text"
    expect_equal "output" "$(cat out)" ""
}
refused '--ranks 0: expected a whole number' --ranks 0
refused '--ranks two: expected a whole number' --ranks two
refused '--out: a value is missing' --out
refused 'nowhere.toml: does not exist' --case nowhere.toml
# Results of an earlier run are left alone; the path counts from where the user stands.
mkdir earlier
echo 'what was there' >earlier/log.txt
refused "$PWD/earlier exists already" --out earlier
expect_equal "file of the earlier run" "$(cat earlier/log.txt)" 'what was there'

# The mesh of the example is what the script makes.
bash "$jobs/hopper-stl" >hopper.stl
check "the mesh of the example" cmp hopper.stl "$jobs/cases/silo-mesh.stl"

# The lists of packages: lean is a part of the whole, and pictures are in the whole only.
bash "$jobs/setup" --list | sort >all
bash "$jobs/setup" --list --lean | sort >lean
expect_equal "packages only in the lean list" "$(comm -13 all lean)" ""
pictures="libgl1-mesa-dri paraview-dev python3-paraview python3-pil xauth xvfb "
expect_equal "packages for pictures, left out" \
    "$(bash "$jobs/setup" --list --no-pictures | sort | comm -23 all - | tr '\n' ' ')" "$pictures"
expect_equal "packages for pictures, lean" "$(bash "$jobs/setup" --list --lean --pictures | sort | comm -13 lean - | tr '\n' ' ')" "$pictures"
expect_equal "packages only in the list with the report" \
    "$(bash "$jobs/setup" --list --report | sort | comm -13 all - | tr '\n' ' ')" "chromium fonts-dejavu-core python3 "
expect_equal "packages only in the list with the fuzzer" \
    "$(bash "$jobs/setup" --list --fuzz | sort | comm -13 all - | tr '\n' ' ')" "clang libclang-rt-14-dev "
start bash "$jobs/fuzz" nothing
expect_code 2
expect_text err "jobs/fuzz: 'nothing' is not a target"
check "fewer packages in the lean list" test "$(wc -l <lean)" -lt "$(wc -l <all)"
finish
