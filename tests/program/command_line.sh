# What the program says to words it knows and to words it does not.
source "$2/tests/support/program.bash"

alone --version
expect_code 0
expect_text out '^granary [0-9]+\.[0-9]+\.[0-9]+ \([0-9a-f]+.*\), .*-ffp-contract=off'
alone --help
expect_code 0
for command in run digest report bench; do expect_text out "^ *$command "; done
alone run --help
expect_code 0
for option in --out --set --steps --quiet; do expect_text out "^ *$option "; done
for command in run resume check sweep report digest keys bench "bench bed"; do
    alone $command --help
    expect_code 0
    expect_no_text out '[{}]|^ *--[^ ]*[^ a-z-]'   # what the parser notes for itself
done
on 3 --version
expect_code 0
expect_equal "versions printed" "$(grep -c '^granary' out)" 1

alone
expect_code 2
expect_one_message 'a command is missing .*"run", "resume", "check", "keys", "digest", "report", "sweep" or "bench"'
alone digset state.h5
expect_code 2
expect_one_message "unknown command 'digset' .*did you mean \"digest\""
alone bench sand
expect_code 2
expect_one_message "unknown command 'sand' .*\"bed\""
on 3 rum case.toml
expect_code 2
expect_one_message "unknown command 'rum'"
on 3 run "$cases/two-balls.toml" --stpes 5
expect_code 2
expect_one_message '--stpes'
for steps in -5 1.5 many; do
    alone run "$cases/two-balls.toml" --steps="$steps"
    expect_code 2
    expect_one_message "--steps: expected a whole number, at least 0, got $steps"
done
alone run
expect_code 2
expect_one_message 'case is required'
alone bench bed --law putty
expect_code 2
expect_one_message '--law: expected "hertz-mindlin" or "linear", got putty; see granary bench --help'
expect_equal "files made" "$(ls)" "$(printf 'err\nout')"
finish
