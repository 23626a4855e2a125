# Every bad case of bad_cases/table.txt ends with its exact message, told once, exit code 2 and nothing written: alone, by
# `run` and `check` in turn, and by `run` on 3 ranks. GRANARY_SHOW=1 prints the table with the messages that the program has now.
source "$2/tests/support/program.bash"
here="$2/tests/program/bad_cases"
at_once=4      # cases at a time: most of a call is waiting for MPI to start
limit=120

# Files that the cases of the table name.
mkdir common common/folder
echo 'neither a case nor a state' >common/text.txt
printf '# five columns\n0.05 0.05 0.05 0.005 9\n' >common/five.txt
printf '# a line that lost its end\nid x y z r\n1 0.05 0.05 0.05 0.005\n2 0.07 0.05 0.05\n' >common/short.txt
printf 'x y z r material\n0.05 0.05 0.05 0.005 chalk\n' >common/chalk.txt
for base in silo box; do
    alone run "$here/$base.toml" --steps 2 --out fine-$base --quiet
    expect_code 0
done
cp fine-silo/state.h5 common/some.h5
cp fine-box/state.h5 common/box.h5
LC_ALL=C sed 's/granary-state/another-state/' common/some.h5 >common/other.h5
head -c 3000 common/some.h5 >common/cut.h5
triangle() { printf 'solid\nfacet normal 0 0 1\nouter loop\n'; printf 'vertex %s\n' "$@"; printf 'endloop\nendfacet\nendsolid\n'; }
triangle '0 0 0' '0.2 0 0' '0 0.2 0' >common/good.stl
triangle '0 0 0' '0.2 0 0' '0.4 0 0' >common/flat.stl
triangle '0 nan 0' '0.2 0 0' '0 0.2 0' >common/nan.stl
head -n 5 common/good.stl >common/cut.stl

# What the program said, without what mpirun adds to it.
said() { sed -e '/^-----/,/^-----/d' -e '/^$/d' err; }

refused() {   # command...
    touch out err
    local before="$(ls -R)"
    "$@"
    expect_code 2
    expect_equal "message" "$(said)" "granary: $(cat says)"
    expect_equal "output" "$(cat out)" ""
    expect_equal "files" "$(ls -R)" "$before"
}

try() {   # runs in the folder of the case
    call="$title"
    sed "${edits[@]/#/-e}" "$source" | cat - appended >case.toml
    rm appended
    if [[ -n ${GRANARY_SHOW:-} ]]; then
        alone run "$file" "${args[@]}"
        { printf '%s\n' "${lines[@]}"; said | sed -e '1s/^granary: //' -e 's/^/says /'; echo; } >shown
        [[ $code -eq 2 ]] || echo "exit code $code: $title"
        return
    fi
    if ((n_cases % 2)) || [[ " ${args[*]}" == *" --out"* ]]; then refused alone run "$file" "${args[@]}"
    else refused alone check "$file" "${args[@]}"
    fi
    refused on 3 run "$file" "${args[@]}"
    echo "$n_checks $n_failures" >counted
}

n_cases=0
folder=
begin() {
    n_cases=$((n_cases + 1))
    folder="$(printf 'case-%03d' "$n_cases")"
    cp -r common "$folder"
    title="$1" source="$here/silo.toml" file=case.toml args=() edits=(";") lines=()
    : >"$folder/says"; : >"$folder/appended"
}
end_of_case() {
    [[ -n $folder ]] || return
    (n_checks=0 n_failures=0; cd "$folder"; try) &
    folder=
    ((n_cases % at_once)) || wait
}
while IFS= read -r line || end_of_case; do
    rest="${line#* }"
    case "$line" in
        "case "*) begin "$rest" ;;
        "from "*) source="$rest"; [[ $rest != *.toml ]] || source="$here/$rest" ;;
        "file "*) file="$rest" ;;
        "edit "*) edits+=("$rest") ;;
        "append "*) echo "$rest" >>"$folder/appended" ;;
        "args "*) read -ra args <<<"$rest" ;;
        "says "*) echo "$rest" >>"$folder/says" ;;
        "") end_of_case ;;
        "#"*) ;;
        *) complain "unknown line in the table: $line" ;;
    esac
    [[ $line == "says "* || -z $line ]] || lines+=("$line")
done <"$here/table.txt"
wait
[[ -z ${GRANARY_SHOW:-} ]] || { cat case-*/shown; exit; }
for folder in case-*; do
    check "an end of $folder" test -e "$folder/counted"
    read -r checks failures <"$folder/counted"
    n_checks=$((n_checks + checks)) n_failures=$((n_failures + failures))
done
check "at least 30 cases" test "$n_cases" -ge 30

# A file that may not be read. (As root every file may.)
cp "$here/silo.toml" secret.toml
chmod 000 secret.toml
if [[ ! -r secret.toml ]]; then
    alone run secret.toml
    expect_code 2
    expect_one_message 'secret.toml: cannot be read: Permission denied'
    expect_nothing secret
fi
echo "$n_cases bad cases"
finish
