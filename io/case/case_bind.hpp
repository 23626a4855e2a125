// Which key of a case file is which member. Reading a case and writing one walk the same lists.
//   bind(io, part) calls io(key, member) for every key of a section
//   bind_sections(io, case) calls io.top, io.single, io.maybe, io.repeated for every section
#pragma once
#include "io/case/case.hpp"

namespace granary {

template <class Io> void bind_top(Io& io, Case& c) {
    io("title", c.title);
    io("gravity", c.gravity);
}

template <class Io> void bind(Io& io, RunSpec& r) {
    io.number_or_auto("dt", r.dt, r.dt_auto);
    io("dt_share", r.dt_share);
    io("allow_large_dt", r.allow_large_dt);
    io("steps", r.steps);
    io("time", r.time);
    io("integrator", r.integrator);
    io("seed", r.seed);
    io.choice_or_auto("detector", r.detector);
    io("alpha", r.alpha);
    io("skin", r.skin);
    io("rebuild_every", r.rebuild_every);
    io("rebalance_every", r.rebalance_every);
    io("balance", r.balance);
    io.axis("slab_axis", r.slab_axis);
    io("memory", r.memory);
}

template <class Io> void bind(Io& io, DomainSpec& d) {
    io("lower", d.lower);
    io("upper", d.upper);
    io("periodic", d.periodic);
    io("outside", d.outside);
    io("dimension", d.dimension);
    io.axis("normal", d.normal);
    io("thickness", d.thickness);
}

template <class Io> void bind(Io& io, LawSettings& l) {
    io("type", l.type);
    io("rolling", l.rolling);
    io("cohesion", l.cohesion);
    io("curvature", l.curvature);
    io("attraction", l.attraction);
    io("damper_may_pull", l.damper_may_pull);
    io("restitution_mixing", l.restitution_mixing);
    io("friction_mixing", l.friction_mixing);
    io("stiffness_mixing", l.stiffness_mixing);
    io("damping_mixing", l.damping_mixing);
    io("cohesion_mixing", l.cohesion_mixing);
    io("rolling_friction_mixing", l.rolling_friction_mixing);
}

template <class Io> void bind(Io& io, ContactSpec& c) {
    io("restitution", c.restitution);
    io("friction", c.friction);
    io("stiffness", c.stiffness);
    io("stiffness_ratio", c.stiffness_ratio);
    io("damping", c.damping);
    io("cohesion", c.cohesion);
    io("rolling_friction", c.rolling_friction);
    io("rolling_damping", c.rolling_damping);
    io("cohesion_density", c.cohesion_density);
}

template <class Io> void bind(Io& io, MaterialSpec& m) {
    io("name", m.name);
    io("density", m.density);
    io("young", m.young);
    io("poisson", m.poisson);
    bind(io, m.contact);
}

template <class Io> void bind(Io& io, PairSpec& p) {
    std::vector<std::string> names{p.first, p.second};
    io("materials", names);
    names.resize(2);
    p.first = names[0], p.second = names[1];
    bind(io, p.contact);
}

template <class Io> void bind(Io& io, RadiusSpec& r) {
    io("sizes", r.sizes);
    io("radius", r.radius);
    io("radius_min", r.radius_min);
    io("radius_max", r.radius_max);
    io("radius_mean", r.radius_mean);
    io("radius_deviation", r.radius_deviation);
    io("sieve_sizes", r.sieve_sizes);
    io("passing", r.passing);
    io("radii", r.radii);
    io("shares", r.shares);
}

template <class Io> void bind(Io& io, MixSpec& m) {
    io("mixed_with", m.mixed_with);
    io("mixed_shares", m.mixed_shares);
}

template <class Io> void bind(Io& io, BondSpec& b) {
    io("name", b.name);
    io("form", b.form);
    io("radius_factor", b.radius_factor);
    io("young", b.young);
    io("poisson", b.poisson);
    io("shear_modulus", b.shear_modulus);
    io("normal_stiffness", b.normal_stiffness);
    io("shear_stiffness", b.shear_stiffness);
    io("damping", b.damping);
    io("normal_damping", b.normal_damping);
    io("shear_damping", b.shear_damping);
    io("twist_damping", b.twist_damping);
    io("bending_damping", b.bending_damping);
    io("tensile_strength", b.tensile_strength);
    io("shear_strength", b.shear_strength);
    io("friction", b.friction);
    io("moment_share", b.moment_share);
    io("criterion", b.criterion);
    io("weibull_modulus", b.weibull_modulus);
    io("longest_stretch", b.longest_stretch);
    io("touching", b.touching);
}

template <class Io> void bind(Io& io, ClusterSpec& s) {
    io("shape", s.shape);
    io("name", s.name);
    io("bond", s.bond);
    io("gap", s.gap);
    io("material", s.material);
    io("fit", s.fit);
    io("radius", s.radius);
    io("elements", s.elements);
    io("element_radius", s.element_radius);
    io("counts", s.counts);
    io("spacing", s.spacing);
    io("height", s.height);
    io("dome", s.dome);
    io("filling", s.filling);
    io("solid_fraction", s.solid_fraction);
    io("file", s.file);
    io("scale", s.scale);
    io("mass", s.mass);
    io("density", s.density);
    io("max_overlap", s.max_overlap);
    io("orientation", s.orientation);
}

template <class Io> void bind(Io& io, HoldSpec& h) {
    io("name", h.name);
    io("bodies", h.bodies);
    io("lower", h.lower);
    io("upper", h.upper);
    io("centre", h.centre);
    io("radius", h.radius);
    io("ids", h.ids);
    io("motion", h.motion);
}

template <class Io> void bind(Io& io, ShapeSpec& s) {
    io("type", s.type);
    io("name", s.name);
    io("material", s.material);
    io("semi_axes", s.semi_axes);
    io("diameters", s.diameters);
    io("vertices", s.vertices);
    io("corners", s.corners);
    io("balls", s.balls);
    io("file", s.file);
    io("name_in_file", s.name_in_file);
    io("scale", s.scale);
    io("edge", s.edge);
    io("edges", s.edges);
    io("sides", s.sides);
    io("radius", s.radius);
    io("height", s.height);
    io("length", s.length);
    io("elements", s.elements);
    io("equivalent_diameter", s.equivalent_diameter);
    io("orientation", s.orientation);
}

template <class Io> void bind(Io& io, GrainUse& u) {
    io("cluster", u.cluster);
    io("cluster_share", u.cluster_share);
    io("shape", u.shape);
    io("shape_share", u.shape_share);
}

template <class Io> void bind(Io& io, BodiesSpec& b) {
    io("source", b.source);
    io("name", b.name);
    io("material", b.material);
    bind(io, b.mix);
    io("cluster", b.grains.cluster);
    io("shape", b.grains.shape);
    io("copy_of", b.copy_of);
    io("lower", b.lower);
    io("upper", b.upper);
    io("spacing", b.spacing);
    io("counts", b.counts);
    io("jitter", b.jitter);
    io("count", b.count);
    io("file", b.file);
    io("scale", b.scale);
    io("position", b.position);
    io("rotation", b.rotation);
    bind(io, b.radii);
    io("velocity", b.velocity);
    io("spin", b.spin);
}

template <class Io> void bind(Io& io, InsertSpec& i) {
    io("name", i.name);
    io("material", i.material);
    bind(io, i.mix);
    bind(io, i.grains);
    io("inlet", i.inlet);
    io("lower", i.lower);
    io("upper", i.upper);
    io("centre", i.centre);
    io("inlet_radius", i.inlet_radius);
    io.axis("inlet_axis", i.inlet_axis);
    io("total", i.total);
    io("mass", i.mass);
    io("per_event", i.per_event);
    io("rate", i.rate);
    io("mass_rate", i.mass_rate);
    io("interval", i.interval);
    io("start", i.start);
    io("stage", i.stage);
    io("trials", i.trials);
    bind(io, i.radii);
    io("velocity", i.velocity);
}

template <class Io> void bind(Io& io, WallSpec& w) {
    io("type", w.type);
    io("name", w.name);
    io("material", w.material);
    io("point", w.point);
    io("normal", w.normal);
    io("centre", w.centre);
    io("corner", w.corner);
    io("edge_a", w.edge_a);
    io("edge_b", w.edge_b);
    io("bottom", w.bottom);
    io("top", w.top);
    io("radius", w.radius);
    io("inner_radius", w.inner_radius);
    io("outer_radius", w.outer_radius);
    io("bottom_radius", w.bottom_radius);
    io("top_radius", w.top_radius);
    io("file", w.file);
    io("scale", w.scale);
    io("rotation", w.rotation);
    io("offset", w.offset);
    io("opens", w.opens);
    io("opens_at", w.opens_at);
    io("slides", w.slides);
    io("slide_time", w.slide_time);
    io("motion", w.motion);
    io("copies", w.copies);
}

template <class Io> void bind(Io& io, MotionSpec& m) {
    io("type", m.type);
    io("name", m.name);
    io("velocity", m.velocity);
    io("point", m.point);
    io("axis", m.axis);
    io("rate", m.rate);
    io("rpm", m.rpm);
    io("amplitude", m.amplitude);
    io("angle", m.angle);
    io("frequency", m.frequency);
    io("phase", m.phase);
    io("times", m.times);
    io("displacements", m.displacements);
    io("angles", m.angles);
    io("file", m.file);
    io("smooth", m.smooth);
    io("direction", m.direction);
    io("force", m.force);
    io("speed", m.speed);
    io("gain", m.gain);
    io("travel", m.travel);
    io("start", m.start);
    io("stage", m.stage);
    io("duration", m.duration);
    io("ramp", m.ramp);
}

template <class Io> void bind(Io& io, Outlet& o) {
    io("name", o.name);
    io("point", o.point);
    io("normal", o.normal);
}

template <class Io> void bind(Io& io, SiloSpec& s) {
    io("bin", s.bin);
    io("hopper", s.hopper);
    io("outlet", s.outlet);
    io("d_c", s.d_c);
    io("width", s.width);
    io("depth", s.depth);
    io("h_c", s.h_c);
    io("d_h", s.d_h);
    io("outlet_width", s.outlet_width);
    io("outlet_length", s.outlet_length);
    io("h_h", s.h_h);
    io("outlet_offset", s.outlet_offset);
    io("centre", s.centre);
    io("bottom", s.bottom);
    io("material", s.material);
    io("gate_material", s.gate_material);
    io("wall", s.wall);
    io("wall_spacing", s.wall_spacing);
    io("wall_radius_min", s.wall_radius_min);
    io("wall_radius_max", s.wall_radius_max);
    io("opens", s.opens);
    io("opens_at", s.opens_at);
    io("slides", s.slides);
    io("slide_time", s.slide_time);
}

template <class Io> void bind(Io& io, StageSpec& s) {
    io("type", s.type);
    io("name", s.name);
    io("time", s.time);
    io.number_or_auto("dt", s.dt, s.dt_auto);
    io("method", s.method);
    io("material", s.material);
    bind(io, s.mix);
    bind(io, s.grains);
    io("solid_fraction", s.solid_fraction);
    io("count", s.count);
    io("mass", s.mass);
    io("rate", s.rate);
    io("mass_rate", s.mass_rate);
    bind(io, s.radii);
    io("velocity", s.velocity);
    io("lower", s.lower);
    io("upper", s.upper);
    io("max_overlap", s.max_overlap);
    io("energy_share", s.energy_share);
    io("energy", s.energy);
    io("rest_time", s.rest_time);
    io("open", s.open);
    io("empty", s.empty);
    io("stall_time", s.stall_time);
    io("check_every", s.check_every);
}

template <class Io> void bind(Io& io, StartSpec& s) {
    io("from", s.from);
    io("time_zero", s.time_zero);
}

template <class Io> void bind(Io& io, ProbeSpec& p) {
    io("type", p.type);
    io("name", p.name);
    io("stage", p.stage);
    io("every", p.every);
    io("average", p.average);
    io("wall", p.wall);
    io("bins", p.bins);
    io("sectors", p.sectors);
    io("wall_friction", p.wall_friction);
    io("friction_angle", p.friction_angle);
    io("lateral_ratio", p.lateral_ratio);
    io("axis_point", p.axis_point);
    io("diameter", p.diameter);
    io("lower", p.lower);
    io("upper", p.upper);
    io("spacing", p.spacing);
    io("counts", p.counts);
    io("kernel", p.kernel);
    io("width", p.width);
    io("bands", p.bands);
    io.axis("along", p.along);
    io("ids", p.ids);
    io("near", p.near);
    io("size_edges", p.size_edges);
    io("material", p.material);
}

template <class Io> void bind(Io& io, OutputSpec& o) {
    io("every", o.every);
    io("log_every", o.log_every);
    io("state", o.state);
    io("frames_every", o.frames_every);
    io("fields", o.fields);
    io("precision", o.precision);
    io("region_lower", o.region_lower);
    io("region_upper", o.region_upper);
    io("every_nth", o.every_nth);
    io("series_every", o.series_every);
    io("checkpoint_every", o.checkpoint_every);
    io("checkpoint_wall_time", o.checkpoint_wall_time);
    io("checkpoints_kept", o.checkpoints_kept);
    io("energy", o.energy);
    io("forces", o.forces);
    io("outflow", o.outflow);
    io("breaks", o.breaks);
}

template <class Io> void bind(Io& io, InsituSpec& s) {
    io("scripts", s.scripts);
    io("every", s.every);
    io("every_steps", s.every_steps);
    io("width", s.width);
    io("height", s.height);
    io("live", s.live);
}

template <class Io> void bind_sections(Io& io, Case& c) {
    io.top(c);
    io.single("run", c.run);
    io.single("domain", c.domain);
    io.single("law", c.law);
    io.repeated("materials", c.materials);
    io.repeated("pairs", c.pairs);
    io.repeated("bonds", c.bonds);
    io.repeated("clusters", c.clusters);
    io.repeated("shapes", c.shapes);
    io.repeated("bodies", c.bodies);
    io.repeated("insert", c.insert);
    io.repeated("walls", c.walls);
    io.repeated("motions", c.motions);
    io.repeated("hold", c.hold);
    io.repeated("outlets", c.outlets);
    io.maybe("silo", c.silo);
    io.repeated("stages", c.stages);
    io.maybe("start", c.start);
    io.repeated("probes", c.probes);
    io.single("output", c.output);
    io.maybe("insitu", c.insitu);
}

}  // namespace granary
