# The drum of jobs/cases/drum.toml, ten times softer and for two seconds: power (work of the walls over the last half second) within what the case promises, and as reckoned; energy put in by
# the walls is the power over time and goes into losses; the same bits on 1 to 3 ranks, also after a stop in the middle.
source "$2/tests/support/program.bash"
limit=150
drum="$cases/drum.toml"
short=(--set materials.steel.young=2e7 --set run.time=2.0 --set output.frames_every=0 --set run.dt_share=0.1 --set output.energy=true --set output.series_every=0.002 --quiet)

alone run "$drum" --out whole "${short[@]}" --set output.checkpoint_every=0.5 --set output.checkpoints_kept=99
expect_code 0
whole="$(digest)"
expect_text whole/log.txt '^balls inserted 450 = inside 450$'

# A bed that fills a share s of the drum is a segment of the circle, theta - sin(theta) = 2 pi s, and its centre of mass lies
# r = 4 R sin^3(theta/2)/(3 (theta - sin(theta))) below the axis; turned up by an angle phi it wants m g r sin(phi) omega. phi of tumbling grain lies
# between 20 and 45 degrees. Voids of 40 %. Over the last half second, after the first turn.
awk -F, 'NR == 1 { for (k = 1; k <= NF; ++k) c[$k] = k; next }
    { t = $1; p = $c["power_W:drum"]; lost = $c["energy_lost_damping_J"] + $c["energy_lost_friction_J"] + $c["energy_lost_rolling_J"]; by = $c["energy_by_walls_J"]
      if (NR > 2) all += 0.5 * (p + last_p) * (t - last_t)
      last_p = p; last_t = t; m = $c["mass_inside_kg"]; residual = $c["energy_residual_J"]
      if (t < 1.4999) next
      if (!n) { by0 = by; lost0 = lost; t0 = t }
      n++; sum += p }
    END { pi = atan2(0, -1); R = 0.3; s = m / 7800 / 0.6 / (pi * R * R * 0.1); theta = 2
          for (k = 0; k < 50; ++k) theta -= (theta - sin(theta) - 2 * pi * s) / (1 - cos(theta))
          r = 4 * R * sin(theta / 2) ^ 3 / (3 * (theta - sin(theta))); top = m * 9.81 * r * 40 * pi / 30
          printf "sampled=%.2f least=%.2f most=%.2f mass=%.4f work=%.3f by_walls=%.3f power=%.2f loss=%.2f residual=%.4f\n", sum / n, top * sin(pi / 9), top * sin(pi / 4), m, all, by,
                 (by - by0) / (t - t0), (lost - lost0) / (t - t0), residual / by }' whole/series.csv >numbers
cat numbers
eval "$(tr ' ' '\n' <numbers)"
holds() { check "$1 ($(cat numbers))" awk "BEGIN { exit !($2) }"; }
holds "450 balls weigh 28.7 kg" "$mass > 28.7 && $mass < 28.75"
holds "power of the case, 120 to 155 W" "$power > 120 && $power < 155"
holds "power between those of 20 and 45 degrees" "$power > $least && $power < $most"
holds "work of the walls is power over time" "$by_walls / $work > 0.98 && $by_walls / $work < 1.02"
holds "in the steady state what comes in is lost" "$loss / $power > 0.85 && $loss / $power < 1.15"
holds "the energy balance closes to 1 %" "$residual < 0.01 && $residual > -0.01"

# The same bits: from the start on 2 ranks, from the middle on 3 ranks, and up to the end.
list=(whole/checkpoints/step-*.h5)
check "three checkpoints or more, got ${#list[@]}" test "${#list[@]}" -ge 3
step_of() { local name="${1##*/step-}"; name="${name%.h5}"; echo $((10#$name)); }
on 2 run "$drum" --out on-2 "${short[@]}" --steps "$(step_of "${list[0]}")"
part="$(digest)"
alone digest "${list[0]}"
expect_equal "digest on 2 ranks" "$part" "$(cat out)"
on 3 resume "${list[1]}" --out on-3 --steps "$(step_of "${list[2]}")" --quiet
part="$(digest)"
alone digest "${list[2]}"
expect_equal "digest on 3 ranks, resumed in the middle" "$part" "$(cat out)"
on 2 resume "${list[2]}" --out end --quiet
expect_equal "digest at the end" "$(digest)" "$whole"
columns="$(head -n 1 whole/series.csv | tr ',' '\n' | wc -l)"
last_rows() { cut -d, -f"1-$((columns - 2))" "$1/series.csv" | awk -F, '$1 > 1.51'; }   # the last two columns are of the machine
expect_equal "rows after the stop" "$(last_rows end | md5sum)" "$(last_rows whole | md5sum)"
finish
