# The tables of tests/benchmarks/SCALING.md are those that its model gives.
source "$2/tests/support/program.bash"
need python3
cp "$2/tests/benchmarks/SCALING.md" page.md
start python3 "$2/jobs/lib/scaling_model.py" page.md
expect_code 0
check "the page is what the script writes: python3 jobs/lib/scaling_model.py tests/benchmarks/SCALING.md" cmp -s page.md "$2/tests/benchmarks/SCALING.md"
finish
