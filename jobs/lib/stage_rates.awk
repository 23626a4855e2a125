# Speed of a run while it fills, settles and discharges, from its time series:
#     awk -f jobs/lib/stage_rates.awk out/silo-demo/series.csv
# Filling lasts until the last ball is in, discharge begins with the first ball that leaves. A row tells of the steps since the
# row before; its ball-steps are those of the balls inside at its end.
BEGIN { FS = "," }
NR == 1 {
    for (k = 1; k <= NF; ++k) column[$k] = k
    next
}
{
    step[NR] = $column["step"]
    inserted[NR] = $column["balls_inserted"]
    inside[NR] = $column["balls_inside"]
    out[NR] = $column["balls_out"]
    rate[NR] = $column["steps_per_second"]
}
END {
    for (r = 3; r <= NR; ++r) {
        if (rate[r] <= 0) continue
        stage = out[r] > 0 ? "discharge" : inserted[r] < inserted[NR] ? "fill" : "settle"
        steps = step[r] - step[r - 1]
        n_steps[stage] += steps
        ball_steps[stage] += steps * inside[r]
        seconds[stage] += steps / rate[r]
    }
    n = split("fill settle discharge", order, " ")
    for (k = 1; k <= n; ++k) {
        s = order[k]
        if (seconds[s] > 0)
            printf "%-10s %7d steps  %7.1f s  %6.0f steps/s  %8.3g ball-steps/s\n", s, n_steps[s], seconds[s],
                   n_steps[s] / seconds[s], ball_steps[s] / seconds[s]
    }
}
