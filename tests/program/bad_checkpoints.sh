# Checkpoints that cannot be written, or are no longer what was written: a clear word, and the last intact one is there.
source "$2/tests/support/program.bash"
source "$2/tests/support/faults.bash"
hurt_case
limit=120   # a busy disk takes its time to bring a file home
alone run "${hurt[@]}" --out undisturbed --quiet
undisturbed="$(digest)"
alone run "${hurt[@]}" "${often[@]}" --out good --quiet
expect_equal "digest" "$(digest)" "$undisturbed"
sed -i 's/finished/running/' good/status.json
newest="$(ls good/checkpoints | tail -n 1)"
expect_equal "checkpoints kept" "$(ls good/checkpoints | wc -l)" 3

# A byte is another one: in the checksums, in what HDF5 writes about the file, in the rows, at the end.
size="$(stat -c %s "good/checkpoints/$newest")"
flip() {   # file, place
    local old new
    old="$(od -An -tu1 -j "$2" -N 1 "$1" | tr -d ' ')"
    new="$(printf '\\x%02x' $((old ^ (1 << RANDOM % 8))))"
    printf "$new" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}
for at in 3 200 8192 8200 9000 $((8192 + RANDOM % (size - 8192))) $((size / 2)) $((size - 1)); do
    rm -rf flipped && cp -r good flipped
    flip "flipped/checkpoints/$newest" "$at"
    alone digest "flipped/checkpoints/$newest"
    expect_code 2
    expect_one_message 'is (damaged|not a state file)'
done
on 2 resume flipped
expect_code 0
expect_text out "^warning: .*$newest: is damaged: .*; it was renamed to .*$newest.bad, and an older checkpoint is used"
expect_equal "digest from the one before" "$(digest)" "$undisturbed"
expect_file "flipped/checkpoints/$newest.bad"
on 2 resume "good/../flipped/checkpoints/$newest.bad"
expect_code 2
expect_one_message 'is damaged'

# Cut short, empty, something else; all of them.
rm -rf cut && cp -r good cut
truncate -s $((size / 2)) "cut/checkpoints/$newest"
on 3 resume cut --quiet
expect_code 0
expect_text cut/log.txt "^warning: .*$newest: is truncated"
expect_equal "digest" "$(digest)" "$undisturbed"
rm -rf cut && cp -r good cut
for file in cut/checkpoints/*.h5; do : >"$file"; done
on 2 resume cut
expect_code 2
expect_one_message 'cut: none of its checkpoints is intact'

# No folder for checkpoints can be made: said, and the run goes on to its end.
mkdir blocked && echo x >blocked/checkpoints
alone run "${hurt[@]}" "${often[@]}" --out blocked
expect_code 0
expect_text out '^warning: no checkpoint at step [0-9]+: .*checkpoints.*(Not a directory|File exists|not a folder).*; there is none yet$'
expect_equal "digest" "$(digest)" "$undisturbed"
rm -rf blocked && mkdir blocked && echo x >blocked/checkpoints
alone run "${hurt[@]}" --wall-time 0 --out blocked
expect_code 3
expect_one_message 'wall-time limit reached, but no checkpoint could be written: '

# A full disk: the first checkpoint fits, the second does not; the rows of the series do. The run is a long one, so that
# it is still under way when room is made; where it was not (a very busy machine), it is tried again.
mkdir disk
long=("${hurt[@]}" --set stages.settle.time=4)
if mount -t tmpfs -o size=12m none disk 2>/dev/null; then
    trap 'umount disk' EXIT
    # A file reserves a megabyte, of which a small one gives back most.
    alone run "${long[@]}" --out undisturbed-long --quiet
    undisturbed_long="$(digest)"
    warned() { grep -qs 'No space left' disk/run/log.txt || gone "$job"; }
    for try in 1 2 3; do
        rm -rf disk/run
        dd if=/dev/zero of=disk/filler bs=1k count=$((12 * 1024 - 1100)) status=none
        begin 2 run "${long[@]}" "${often[@]}" --out disk/run
        check "a warning" wait_until 30 warned
        cp "disk/run/$(checkpoint_of disk/run)" last.h5
        rm disk/filler
        if gone "$job"; then await; else break; fi
    done
    alone_digest="$("$granary" digest last.h5 2>&1)"
    check "the last intact one is whole: $alone_digest" grep -qE '^[0-9a-f]{32}$' <<<"$alone_digest"
    await
    expect_code 0
    expect_text out '^warning: no checkpoint at step [0-9]+: .*No space left on device; the last intact one is checkpoints/step-'
    expect_text out '^checkpoints are written again, at step [0-9]+$'
    check "no part is left" not compgen -G 'disk/run/checkpoints/*.part'
    expect_equal "digest after a full disk" "$(digest)" "$undisturbed_long"
    # Not even a row finds room: the run ends with a clear word, and can be resumed when there is room.
    rm -rf disk/run
    begin 2 run "${hurt[@]}" "${often[@]}" --out disk/run
    check "a checkpoint" wait_until 30 grep -qs 'checkpoints/' disk/run/status.json
    dd if=/dev/zero of=disk/filler bs=1k count=$((12 * 1024)) status=none 2>/dev/null
    await
    if [[ $code -ne 0 ]]; then   # it may have been at its end
        expect_code 3
        expect_one_message 'No space left on device'
    fi
    rm disk/filler
    alone resume disk/run --quiet
    expect_code 0
    alone digest disk/run/state.h5
    expect_equal "digest after a full disk" "$(cat out)" "$undisturbed"
else
    leave_out "a full disk: no small one can be mounted here, which needs root"
fi
finish
