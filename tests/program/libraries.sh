# What the program loads stays in the memory of every rank. hwloc, which Open MPI asks for the cores, has plugins that look for graphics cards and read
# XML in every form; a run needs none of them. A user may want others: HWLOC_PLUGINS_BLACKLIST of the environment is kept.
source "$2/tests/support/program.bash"
unset HWLOC_PLUGINS_BLACKLIST
for ranks in 1 2; do
    by_mpirun=(); [[ $ranks -eq 1 ]] || by_mpirun=(mpirun -n "$ranks")
    start env LD_DEBUG=files "${by_mpirun[@]}" "$granary" run "$cases/two-balls.toml" --steps 1 --quiet --out "on-$ranks"
    expect_code 0
    # mpirun itself loads them; its lines name its own process.
    mpirun_is="$(sed -n 's/^ *\([0-9]*\):.*initialize program: .*mpirun.*/\1/p' err | head -n 1)"
    expect_equal "libraries of graphics and XML on $ranks ranks" \
        "$(grep -v "^ *${mpirun_is:-none}:" err | grep -oE 'calling init: .*/(libX11|libOpenCL|libxml2|hwloc_gl|hwloc_opencl|hwloc_xml_libxml)\.so' | sort -u)" ""
done
finish
