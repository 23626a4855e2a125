# `granary bench shapes`: every part at a small size, rows that have what the tables need. Speeds are not judged.
source "$2/tests/support/program.bash"

alone bench shapes --parts magic
expect_code 2
expect_one_message 'magic'
alone bench shapes --pairs 0
expect_code 2
expect_one_message '--pairs: expected a whole number'
alone bench shapes --help
expect_code 0
for option in --parts --pairs --repeats; do expect_text out "^ *$option "; done

alone bench shapes --parts ellipsoids --pairs 40 --repeats 1
expect_code 0
for kind in prolate oblate triaxial; do expect_text out "\"part\": \"ellipsoids\", \"kind\": \"$kind\""; done
for number in warm_ns warm_by_four_ns warm_steps warm_flops paper_flops cold cold_equivalent_spheres fallback_share clump_ns; do
    expect_text out "\"$number\": "
done
if have python3; then check "valid JSON" python3 -c "import json; [json.loads(l) for l in open('out')]"; fi

alone bench shapes --parts polyhedra --pairs 40 --repeats 1
expect_code 0
expect_text out '"kind": "polygons, random: the loop as printed", "pairs": 40, "apart": '
for kind in 'polygons, random, 3 to 12 corners' 'polyhedra, 8 to 40 corners' 'polyhedra, 4 to 200 corners, some overlapping, plane remembered'; do
    expect_text out "\"kind\": \"$kind\", \"pairs\": 40"
done
for number in wrong does_not_halt mean_of_ratios planes cundall_planes touching_ns; do expect_text out "\"$number\": "; done
if have python3; then check "valid JSON" python3 -c "import json; [json.loads(l) for l in open('out')]"; fi
finish
