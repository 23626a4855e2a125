// The 3D view of a report: balls as spheres of their true radius, clumps as their balls, ellipsoids and polyhedra as copies of one mesh each,
// walls as glass, turned by mouse, finger or keys. Plain WebGL 2; where there is none, circles on a plain canvas. The page holds the data as JSON (report/view_page.cpp), in numbers of 16 bits; nothing is fetched.
"use strict";
(() => {
  const box = document.getElementById("view"), source = document.getElementById("view-data");
  if (!box || !source) return;
  const data = JSON.parse(source.textContent);
  const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0));
  const words = text => new Uint16Array(bytes(text).buffer);
  const make = (name, parent, text) => {
    const e = document.createElement(name);
    if (text !== undefined) e.textContent = text;
    if (parent) parent.append(e);
    return e;
  };

  // ---- Data: seven numbers a ball: x y z radius speed material band; twelve a grain that is none: its shape, a quaternion w x y z
  const N = 7, G = 12, NO_BAND = 65535, full = 65535;
  const lo = data.lower, size = data.size, shapes = data.shapes;
  const moments = data.moments.map(m => ({
    ...m, balls: words(m.balls), grains: words(m.grains), wall_balls: words(m.wall_balls), corners: words(m.corners), triangles: words(m.triangles)
  }));
  const count = a => a.length / N, all_of = m => count(m.balls) + m.grains.length / G;
  const shape_of = (b, i) => shapes[b[i + 7] - 1];
  const quaternion = (b, i) => [8, 9, 10, 11].map(k => 2 * b[i + k] / full - 1);
  const rotate = ([w, x, y, z], v) => {
    const t = cross([x, y, z], v).map(a => 2 * a), u = cross([x, y, z], t);
    return v.map((a, k) => a + w * t[k] + u[k]);
  };

  // ---- Colours
  const warm = [[0, 237, 217, 168], [0.3, 237, 148, 69], [0.65, 189, 46, 56], [1, 64, 10, 77]];
  const plain = [[214, 168, 84], [70, 130, 180], [178, 84, 60], [96, 140, 84], [140, 108, 170], [90, 160, 165], [200, 120, 150], [120, 120, 120]];
  const steel = [168, 174, 180];
  const on = (stops, at) => {
    let k = 1;
    while (k < stops.length - 1 && stops[k][0] < at) ++k;
    const a = stops[k - 1], b = stops[k], s = Math.min(1, Math.max(0, (at - a[0]) / (b[0] - a[0])));
    return [1, 2, 3].map(c => a[c] + s * (b[c] - a[c]));
  };
  const ramp = (k, n) => {  // layers, the same as in the curves (palette.hpp)
    const at = n > 1 ? k / (n - 1) * (data.ramp.length - 1) : 0, low = Math.min(Math.floor(at), data.ramp.length - 2);
    return [0, 1, 2].map(c => {
      const v = data.ramp[low][c] + (at - low) * (data.ramp[low + 1][c] - data.ramp[low][c]);
      return k % 2 ? v + 0.28 * (255 - v) : v;
    });
  };
  const number = v => v === 0 ? "0" : Math.abs(v) >= 1e4 || Math.abs(v) < 1e-3 ? v.toExponential(1) : String(+v.toPrecision(3));
  const modes = [];
  if (data.speed > 0) modes.push({name: "speed", of: (b, i) => on(warm, b[i + 4] / full * data.speed / data.fast), stops: warm, top: data.fast, low: 0, unit: "m/s"});
  if (data.bands > 0)
    modes.push({name: "layer", of: (b, i) => b[i + 6] === NO_BAND ? steel : ramp(b[i + 6], data.bands), bands: data.bands});
  if (data.materials.length > 1)
    modes.push({name: "material", of: (b, i) => plain[b[i + 5] % plain.length], names: data.materials});
  if (data.smallest < 0.98 * data.largest) {  // of balls of equal volume
    const share = v => (v / full * data.radius - data.smallest) / (data.largest - data.smallest);
    modes.push({name: "diameter", of: (b, i, s) => on(warm, share(b[i + 3] * (s ? s.share : 1))), stops: warm, low: 2e3 * data.smallest, top: 2e3 * data.largest, unit: "mm"});
  }
  const kinds = ["ball", ...shapes.map(s => s.name)];
  const seen_kinds = kinds.map((_, k) => moments.some(m => k === 0 ? m.balls.length : Array.from({length: m.grains.length / G}, (_, g) => m.grains[G * g + 7]).includes(k)));
  if (seen_kinds.filter(x => x).length > 1)
    modes.push({name: "shape", of: (b, i, s) => plain[(s ? b[i + 7] : 0) % plain.length], names: kinds, used: seen_kinds});
  modes.push({name: "one colour", of: () => plain[0]});

  // ---- What the reader has chosen
  const start = {turn: 0.45, tilt: 0.22, zoom: 1, side: 0, rise: 0};
  const see = {...start, moment: data.first, mode: 0, cut: 0.5, walls: true};

  // ---- Space. Up is against gravity; ahead is the side from which one looks at first.
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const unit = a => { const n = Math.hypot(...a) || 1; return a.map(x => x / n); };
  const up = Math.hypot(...data.gravity) > 0 ? unit(data.gravity.map(x => -x)) : [0, 0, 1];
  const hint = Math.abs(up[1]) > 0.7 ? [0, 0, 1] : [0, -1, 0];
  const ahead = unit(hint.map((x, k) => x - dot(hint, up) * up[k])), beside = cross(up, ahead);
  const middle = lo.map((x, k) => x + size[k] / 2), reach = Math.hypot(...size) / 2 || 1;
  const half = [0, 1, 2].reduce((s, k) => s + Math.abs(ahead[k]) * size[k] / 2, 0);  // of the box, ahead
  const fov = Math.tan(14 * Math.PI / 180);  // of half the picture

  function camera(width, height) {
    const ct = Math.cos(see.tilt), st = Math.sin(see.tilt), c = Math.cos(see.turn), s = Math.sin(see.turn);
    const back = ahead.map((x, k) => ct * (c * x + s * beside[k]) + st * up[k]);
    const right = unit(cross(up, back)), over = cross(back, right);
    // As far away as the corners of the box want it.
    let away = 0;
    for (let k = 0; k < 8; ++k) {
      const p = size.map((x, a) => (k >> a & 1 ? 0.5 : -0.5) * x);
      away = Math.max(away, dot(p, back) + Math.max(Math.abs(dot(p, over)), Math.abs(dot(p, right)) * height / width) / (0.93 * fov));
    }
    away /= see.zoom;
    const eye = middle.map((x, k) => x + away * back[k] + see.side * right[k] + see.rise * over[k]);
    const near = Math.max(0.02 * reach, away - 1.6 * reach), far = away + 1.6 * reach;
    const view = [right[0], over[0], back[0], 0, right[1], over[1], back[1], 0, right[2], over[2], back[2], 0,
                  -dot(right, eye), -dot(over, eye), -dot(back, eye), 1];
    const y = 1 / fov, x = y * height / width;
    const proj = [x, 0, 0, 0, 0, y, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, 2 * far * near / (near - far), 0];
    return {view, proj, right, over, away, x, y};
  }
  // Balls in front of this plane are left out: its normal, and how far along it.
  const plane = () => see.cut <= 0 ? [...ahead, 1e30] : [...ahead, dot(middle, ahead) + half * (1 - 2 * see.cut)];

  // ---- WebGL
  const ball_vertex = `#version 300 es
    layout(location=0) in vec3 place; layout(location=1) in float radius; layout(location=2) in vec3 colour;
    uniform mat4 view, proj; uniform vec3 lo, size; uniform float largest; uniform vec4 cut;
    out vec3 at; flat out vec3 centre; flat out float r; flat out vec3 paint;
    void main() {
      vec3 p = lo + place * size;
      r = radius * largest; paint = colour;
      centre = (view * vec4(p, 1.)).xyz;
      float d = length(centre);
      if (dot(p, cut.xyz) > cut.w || d <= 1.001 * r) { gl_Position = vec4(2., 2., 2., 1.); return; }
      vec3 to = centre / d, a = normalize(cross(to, abs(to.y) < .9 ? vec3(0, 1, 0) : vec3(1, 0, 0))), b = cross(a, to);
      vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2. - 1.;
      at = centre + (a * corner.x + b * corner.y) * r * d / sqrt(d * d - r * r);
      gl_Position = proj * vec4(at, 1.);
    }`;
  const ball_fragment = `#version 300 es
    precision highp float;
    in vec3 at; flat in vec3 centre; flat in float r; flat in vec3 paint; uniform mat4 proj; out vec4 shade;
    void main() {
      vec3 ray = normalize(at);
      float b = dot(ray, centre);
      vec3 foot = centre - b * ray;  // of the centre on the ray: exact where b*b - c*c + r*r would lose all digits
      float h = r * r - dot(foot, foot);
      if (h < 0.) discard;
      vec3 hit = ray * (b - sqrt(h)), n = (hit - centre) / r;
      vec4 clip = proj * vec4(hit, 1.);
      gl_FragDepth = .5 * clip.z / clip.w + .5;
      float light = .42 + .5 * max(dot(n, normalize(vec3(-.35, .65, .7))), 0.) + .14 * max(n.z, 0.);
      float gleam = .18 * pow(max(dot(reflect(ray, n), normalize(vec3(-.35, .65, .7))), 0.), 24.);
      shade = vec4(min(paint * light + gleam, 1.), 1.);
    }`;
  // Copies of a mesh. It is cut open by whole grains, as balls are.
  const grain_vertex = `#version 300 es
    layout(location=0) in vec3 place; layout(location=1) in float radius; layout(location=2) in vec3 colour;
    layout(location=3) in vec4 turn; layout(location=4) in vec3 corner; layout(location=5) in vec3 normal;
    uniform mat4 view, proj; uniform vec3 lo, size; uniform float largest; uniform vec4 cut;
    out vec3 at; out vec3 n; flat out vec3 paint;
    vec3 turned(vec4 q, vec3 v) { vec3 t = 2. * cross(q.yzw, v); return v + q.x * t + cross(q.yzw, t); }
    void main() {
      vec3 p = lo + place * size;
      if (dot(p, cut.xyz) > cut.w) { gl_Position = vec4(2., 2., 2., 1.); return; }
      vec4 q = normalize(2. * turn - 1.);
      vec4 seen = view * vec4(p + radius * largest * turned(q, corner), 1.);
      n = mat3(view) * turned(q, normal);
      at = seen.xyz, paint = colour, gl_Position = proj * seen;
    }`;
  const grain_fragment = `#version 300 es
    precision highp float;
    in vec3 at; in vec3 n; flat in vec3 paint; out vec4 shade;
    void main() {
      vec3 m = normalize(n), ray = normalize(at), sun = normalize(vec3(-.35, .65, .7));
      float light = .42 + .5 * max(dot(m, sun), 0.) + .14 * max(m.z, 0.);
      float gleam = .18 * pow(max(dot(reflect(ray, m), sun), 0.), 24.);
      shade = vec4(min(paint * light + gleam, 1.), 1.);
    }`;
  const wall_vertex = `#version 300 es
    layout(location=0) in vec3 place; uniform mat4 view, proj; uniform vec3 lo, size; out vec3 at;
    void main() { vec4 p = view * vec4(lo + place * size, 1.); at = p.xyz; gl_Position = proj * p; }`;
  const wall_fragment = `#version 300 es
    precision highp float; in vec3 at; out vec4 shade;
    void main() {
      vec3 n = normalize(cross(dFdx(at), dFdy(at)));
      float edge = 1. - abs(dot(n, normalize(at)));
      float a = .09 + .3 * edge * edge;
      shade = vec4(vec3(.40, .48, .56) * a, a);
    }`;
  // The mesh of a shape in a ball of radius 1: corner and normal of each corner of each triangle. Fewer triangles where there are many grains.
  function mesh_of(shape, grains) {
    const out = [], put = (p, n) => out.push(...p, ...n);
    if (shape.axes) {
      const [a, b, c] = shape.axes, rows = grains > 3000 ? 6 : 12, columns = 2 * rows;
      const point = (r, k) => {
        const t = Math.PI * r / rows, f = 2 * Math.PI * k / columns, s = [Math.sin(t) * Math.cos(f), Math.sin(t) * Math.sin(f), Math.cos(t)];
        return [[a * s[0], b * s[1], c * s[2]], unit([s[0] / a, s[1] / b, s[2] / c])];
      };
      for (let r = 0; r < rows; ++r)
        for (let k = 0; k < columns; ++k) {
          const [p, q, u, v] = [point(r, k), point(r + 1, k), point(r + 1, k + 1), point(r, k + 1)];
          if (r < rows - 1) put(...p), put(...q), put(...u);
          if (r > 0) put(...p), put(...u), put(...v);
        }
    }
    for (const face of shape.faces || []) {
      const p = face.map(k => shape.corners[k]), less = (x, y) => x.map((v, k) => v - y[k]);
      let area = [0, 0, 0];
      for (let k = 1; k + 1 < p.length; ++k) area = cross(less(p[k], p[0]), less(p[k + 1], p[0])).map((v, c) => v + area[c]);
      const n = unit(area);
      for (let k = 1; k + 1 < p.length; ++k) put(p[0], n), put(p[k], n), put(p[k + 1], n);
    }
    return new Float32Array(out);
  }
  // A moment's balls and those of its clumps: places and radii in 16 bits, colours in 8.
  function spheres_of(m, paint) {
    const grains = m.grains, all = [], colours = [];
    for (let i = 0; i < m.balls.length; i += N) all.push(m.balls[i], m.balls[i + 1], m.balls[i + 2], m.balls[i + 3]), colours.push(...paint(m.balls, i), 0);
    for (let i = 0; i < grains.length; i += G) {
      const s = shape_of(grains, i);
      if (!s.balls) continue;
      const q = quaternion(grains, i), r = grains[i + 3] / full * data.radius, colour = paint(grains, i, s);
      for (const [x, y, z, radius] of s.balls) {
        const d = rotate(q, [x, y, z]);
        for (let k = 0; k < 3; ++k) all.push(Math.max(0, Math.min(full, grains[i + k] + r * d[k] / size[k] * full)));
        all.push(radius * grains[i + 3]), colours.push(...colour, 0);
      }
    }
    return {n: all.length / 4, numbers: Uint16Array.from(all, Math.round), colours: Uint8Array.from(colours, Math.round)};
  }
  function gl_painter(canvas) {
    const gl = canvas.getContext("webgl2", {antialias: true, alpha: true, preserveDrawingBuffer: true});  // kept: to be printed
    if (!gl) return null;
    const program = (vertex, fragment) => {
      const p = gl.createProgram();
      for (const [type, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
        const s = gl.createShader(type);
        gl.shaderSource(s, text), gl.compileShader(s), gl.attachShader(p, s);
      }
      gl.linkProgram(p);
      return gl.getProgramParameter(p, gl.LINK_STATUS) ? p : null;
    };
    const balls = program(ball_vertex, ball_fragment), walls = program(wall_vertex, wall_fragment), meshes = program(grain_vertex, grain_fragment);
    if (!balls || !walls || !meshes) return null;
    const at = (p, name) => gl.getUniformLocation(p, name);
    const buffer = (kind, array) => { const b = gl.createBuffer(); gl.bindBuffer(kind, b), gl.bufferData(kind, array, gl.STATIC_DRAW); return b; };
    const each = (kind, k, many, stride, offset) => {
      gl.enableVertexAttribArray(k), gl.vertexAttribDivisor(k, 1), gl.vertexAttribPointer(k, many, kind, true, stride, offset);
    };
    const set = ({n, numbers, colours}) => {
      const vao = gl.createVertexArray();
      gl.bindVertexArray(vao);
      const kept = [buffer(gl.ARRAY_BUFFER, numbers)];
      each(gl.UNSIGNED_SHORT, 0, 3, 8, 0), each(gl.UNSIGNED_SHORT, 1, 1, 8, 6);
      kept.push(buffer(gl.ARRAY_BUFFER, colours));
      each(gl.UNSIGNED_BYTE, 2, 3, 4, 0);
      return {vao, n, kept};
    };
    // The copies of shape k, which stand side by side in the list.
    const copies = (grains, k, paint) => {
      let begin = 0, end = 0;
      while (begin < grains.length && grains[begin + 7] !== k + 1) begin += G;
      for (end = begin; end < grains.length && grains[end + 7] === k + 1;) end += G;
      const n = (end - begin) / G, mesh = n > 0 ? mesh_of(shapes[k], n) : [];
      if (mesh.length === 0) return null;
      const vao = gl.createVertexArray(), colours = new Uint8Array(4 * n);
      for (let g = 0; g < n; ++g) colours.set(paint(grains, begin + G * g, shapes[k]).map(Math.round), 4 * g);
      gl.bindVertexArray(vao);
      const kept = [buffer(gl.ARRAY_BUFFER, grains.slice(begin, end))];
      each(gl.UNSIGNED_SHORT, 0, 3, 2 * G, 0), each(gl.UNSIGNED_SHORT, 1, 1, 2 * G, 6), each(gl.UNSIGNED_SHORT, 3, 4, 2 * G, 16);
      kept.push(buffer(gl.ARRAY_BUFFER, colours));
      each(gl.UNSIGNED_BYTE, 2, 3, 4, 0);
      kept.push(buffer(gl.ARRAY_BUFFER, mesh));
      for (const [at, offset] of [[4, 0], [5, 12]]) gl.enableVertexAttribArray(at), gl.vertexAttribPointer(at, 3, gl.FLOAT, false, 24, offset);
      return {vao, n, corners: mesh.length / 6, kept};
    };
    const surface = m => {
      const vao = gl.createVertexArray();
      gl.bindVertexArray(vao);
      const kept = [buffer(gl.ARRAY_BUFFER, m.corners), buffer(gl.ELEMENT_ARRAY_BUFFER, m.triangles)];
      gl.bindBuffer(gl.ARRAY_BUFFER, kept[0]);
      gl.enableVertexAttribArray(0), gl.vertexAttribPointer(0, 3, gl.UNSIGNED_SHORT, true, 6, 0);
      return {vao, n: m.triangles.length, kept};
    };
    let shown = "", grain, net, shell, copied = [];
    const load = () => {
      const now = see.moment + " " + see.mode;
      if (now === shown) return;
      for (const old of [grain, net, shell, ...copied])
        if (old) old.kept.forEach(b => gl.deleteBuffer(b)), gl.deleteVertexArray(old.vao);
      const m = moments[see.moment];
      const paint = modes[see.mode].of, none = new Uint16Array();
      grain = set(spheres_of(m, paint)), net = set(spheres_of({balls: m.wall_balls, grains: none}, () => steel)), shell = surface(m);
      copied = shapes.map((_, k) => copies(m.grains, k, paint)).filter(c => c);
      box.dataset.spheres = grain.n, box.dataset.meshes = copied.map(c => c.n + "x" + c.corners / 3).join(" ");
      shown = now;
    };
    return () => {
      load();
      const cam = camera(canvas.width, canvas.height);
      gl.viewport(0, 0, canvas.width, canvas.height);
      gl.clearColor(0, 0, 0, 0), gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      gl.enable(gl.DEPTH_TEST), gl.disable(gl.BLEND), gl.depthMask(true);
      const use = p => {
        gl.useProgram(p);
        gl.uniformMatrix4fv(at(p, "view"), false, cam.view), gl.uniformMatrix4fv(at(p, "proj"), false, cam.proj);
        gl.uniform3fv(at(p, "lo"), lo), gl.uniform3fv(at(p, "size"), size);
      };
      use(balls);
      gl.uniform1f(at(balls, "largest"), data.radius), gl.uniform4fv(at(balls, "cut"), plane());
      for (const s of see.walls ? [grain, net] : [grain]) gl.bindVertexArray(s.vao), gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, s.n);
      use(meshes);
      gl.uniform1f(at(meshes, "largest"), data.radius), gl.uniform4fv(at(meshes, "cut"), plane());
      for (const c of copied) gl.bindVertexArray(c.vao), gl.drawArraysInstanced(gl.TRIANGLES, 0, c.corners, c.n);
      if (see.walls && shell.n) {
        gl.enable(gl.BLEND), gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA), gl.depthMask(false);
        use(walls);
        gl.bindVertexArray(shell.vao), gl.drawElements(gl.TRIANGLES, shell.n, gl.UNSIGNED_SHORT, 0);
        gl.depthMask(true);
      }
      gl.bindVertexArray(null);
    };
  }

  // ---- Without WebGL: circles, the farthest first
  function plain_painter(canvas) {
    const pen = canvas.getContext("2d");
    if (!pen) return null;
    return () => {
      const w = canvas.width, h = canvas.height, cam = camera(w, h), v = cam.view, cut = plane();
      const seen = p => [0, 1, 2].map(r => v[r] * p[0] + v[4 + r] * p[1] + v[8 + r] * p[2] + v[12 + r]);
      const place = (a, i) => [0, 1, 2].map(k => lo[k] + a[i + k] / full * size[k]);
      const dab = q => [w / 2 * (1 + cam.x * q[0] / -q[2]), h / 2 * (1 - cam.y * q[1] / -q[2])];
      const m = moments[see.moment], list = [];
      const add = (a, width, paint) => {
        const step = Math.ceil(a.length / width / 30000);
        for (let i = 0; i < a.length; i += width * step) {
          const p = place(a, i), q = seen(p), s = width === G ? shape_of(a, i) : null;
          if (dot(p, cut) > cut[3] || q[2] >= 0) continue;
          list.push([q[2], ...dab(q), (s ? s.share : 1) * a[i + 3] / full * data.radius * cam.y / -q[2] * h / 2, paint(a, i, s)]);
        }
      };
      add(m.balls, N, modes[see.mode].of), add(m.grains, G, modes[see.mode].of);
      if (see.walls) add(m.wall_balls, N, () => steel);
      list.sort((a, b) => a[0] - b[0]);
      pen.clearRect(0, 0, w, h);
      for (const [, x, y, r, c] of list) {
        pen.fillStyle = `rgb(${c.map(u => Math.round(0.62 * u))})`, pen.beginPath(), pen.arc(x, y, r, 0, 7), pen.fill();
        pen.fillStyle = `rgb(${c.map(Math.round)})`, pen.beginPath(), pen.arc(x - 0.15 * r, y - 0.2 * r, 0.75 * r, 0, 7), pen.fill();
      }
      if (!see.walls) return;
      pen.strokeStyle = "rgba(110,125,140,.35)", pen.beginPath();
      for (let t = 0; t < m.triangles.length; t += 3) {
        const c = [0, 1, 2].map(k => dab(seen(place(m.corners, 3 * m.triangles[t + k]))));
        pen.moveTo(...c[0]), pen.lineTo(...c[1]), pen.lineTo(...c[2]);
      }
      pen.stroke();
    };
  }

  // ---- The page
  box.textContent = "";
  let canvas = make("canvas", box), paint = gl_painter(canvas), waits = false;
  const note = make("p"), legend = make("div"), tools = make("div");
  if (!paint) {
    canvas.remove(), canvas = make("canvas", box), paint = plain_painter(canvas);
    note.textContent = `This browser has no WebGL 2: ${shapes.length ? "grains" : "balls"} are drawn as circles, and some are left out.`;
  }
  box.dataset.painter = note.textContent ? "plain" : "webgl";
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", "The grains and the walls in 3D. Arrow keys rotate, plus and minus zoom, 0 resets.");
  const draw = () => {
    if (waits) return;
    waits = true;
    const now = () => {
      if (!waits) return;
      waits = false;
      const wide = canvas.clientWidth, high = canvas.clientHeight, fine = Math.min(2, Math.max(1.5, devicePixelRatio || 1));
      const w = Math.max(1, Math.round(wide * fine)), h = Math.max(1, Math.round(high * fine));
      if (canvas.width !== w || canvas.height !== h) canvas.width = w, canvas.height = h;
      paint();
    };
    requestAnimationFrame(now), setTimeout(now, 150);  // a page that is not in sight gets no frames, but may be printed
  };
  const say = () => {
    const m = moments[see.moment], mode = modes[see.mode], n = all_of(m), what = shapes.length ? "grain" : "ball";
    legend.textContent = "";
    const swatch = (colour, text) => {
      const s = make("span", legend), c = make("i", s);
      c.style.background = `rgb(${colour.map(Math.round)})`;
      s.append(text);
    };
    const strip = (colours, low, high) => {
      make("span", legend, low);
      make("b", legend).style.background = `linear-gradient(90deg,${colours})`;
      make("span", legend, high);
    };
    if (mode.stops) strip(mode.stops.map(s => `rgb(${s.slice(1).map(Math.round)}) ${100 * s[0]}%`), number(mode.low), number(mode.top) + " " + mode.unit + (mode.name === "speed" ? " and above" : ""));
    if (mode.bands) {
      const all = Array.from({length: mode.bands}, (_, k) => `rgb(${ramp(k, mode.bands).map(Math.round)}) ${100 * k / mode.bands}% ${100 * (k + 1) / mode.bands}%`);
      strip(all, "layer 0, lowest", "layer " + (mode.bands - 1));
      swatch(steel, "without layer");
    }
    if (mode.names) mode.names.forEach((name, k) => { if ((mode.used || data.used)[k]) swatch(plain[k % plain.length], name); });
    const all = m.n_all > n ? `${n.toLocaleString("en")} of ${m.n_all.toLocaleString("en")} ${what}s, sampled evenly` : `${n.toLocaleString("en")} ${what}${n === 1 ? "" : "s"}`;
    state.textContent = `t = ${+m.time.toPrecision(4)} s, ${all}`;
  };
  const change = () => { say(), draw(); };
  const choice = (label, names, at, to) => {
    if (names.length < 2) return;
    const l = make("label", tools, label + " "), s = make("select", l);
    names.forEach((n, k) => { make("option", s, n).value = k; });
    s.value = at;
    s.addEventListener("change", () => { to(+s.value), change(); });
  };
  const state = make("p");
  choice("moment", moments.map(m => `${+m.time.toPrecision(4)} s${m.word ? ", " + m.word : ""}`), see.moment, v => { see.moment = v; });
  choice("colour", modes.map(m => m.name), 0, v => { see.mode = v; });
  const cut = make("input", make("label", tools, "cut open "));
  Object.assign(cut, {type: "range", min: 0, max: 100, value: 50});
  cut.addEventListener("input", () => { see.cut = cut.value / 100, draw(); });
  if (moments.some(m => m.triangles.length || m.wall_balls.length)) {
    const l = make("label", tools), walls = make("input", l);
    walls.type = "checkbox", walls.checked = true, l.append(" walls");
    walls.addEventListener("change", () => { see.walls = walls.checked, draw(); });
  }
  const reset = make("button", tools, "reset view");
  reset.type = "button";
  const home = () => { Object.assign(see, start), draw(); };
  reset.addEventListener("click", home);
  tools.className = "tools", legend.className = "scale", state.className = note.className = "soft";
  box.append(tools, legend, state);
  if (note.textContent) box.append(note);

  const turn = (x, y) => {
    see.turn -= x, see.tilt = Math.max(-1.5, Math.min(1.5, see.tilt + y));
    draw();
  };
  const zoom = f => { see.zoom = Math.max(0.3, Math.min(40, see.zoom * f)), draw(); };
  const shift = (x, y) => {
    const step = 2 * fov * camera(canvas.clientWidth, canvas.clientHeight).away / canvas.clientHeight;
    see.side = Math.max(-2 * reach, Math.min(2 * reach, see.side - x * step)), see.rise = Math.max(-2 * reach, Math.min(2 * reach, see.rise + y * step));
    draw();
  };
  // One finger or the left button turns; two fingers zoom, shift and tilt; so does the right button, or shift. A finger that goes up or down
  // scrolls the page.
  const held = new Map();
  canvas.addEventListener("pointerdown", e => {
    held.set(e.pointerId, [e.clientX, e.clientY]), canvas.setPointerCapture(e.pointerId);
  });
  canvas.addEventListener("pointermove", e => {
    const old = held.get(e.pointerId);
    if (!old) return;
    const dx = e.clientX - old[0], dy = e.clientY - old[1];
    if (held.size === 1) {
      if (e.buttons & 2 || e.shiftKey) shift(dx, dy);
      else turn(dx * 0.008, dy * 0.008);
    } else if (held.size === 2) {
      const other = [...held].find(([id]) => id !== e.pointerId)[1];
      const far = p => Math.hypot(p[0] - other[0], p[1] - other[1]) || 1;
      zoom(far([e.clientX, e.clientY]) / far(old)), shift(dx / 2, 0), turn(0, dy * 0.004);
    }
    held.set(e.pointerId, [e.clientX, e.clientY]);
  });
  for (const gone of ["pointerup", "pointercancel"]) canvas.addEventListener(gone, e => held.delete(e.pointerId));
  canvas.addEventListener("contextmenu", e => e.preventDefault());
  canvas.addEventListener("dblclick", home);
  // The wheel scrolls the page until the view was clicked.
  canvas.addEventListener("wheel", e => {
    if (document.activeElement !== canvas && !e.ctrlKey) return;
    e.preventDefault(), zoom(Math.exp(-0.0015 * e.deltaY));
  }, {passive: false});
  canvas.addEventListener("keydown", e => {
    const does = {ArrowLeft: () => turn(0.1, 0), ArrowRight: () => turn(-0.1, 0), ArrowUp: () => turn(0, -0.1), ArrowDown: () => turn(0, 0.1),
                  "+": () => zoom(1.15), "=": () => zoom(1.15), "-": () => zoom(1 / 1.15), "0": home, Home: home}[e.key];
    if (does) e.preventDefault(), does();
  });
  canvas.addEventListener("webglcontextlost", e => e.preventDefault());
  canvas.addEventListener("webglcontextrestored", () => { paint = gl_painter(canvas) || paint, draw(); });
  addEventListener("resize", draw);
  if (window.ResizeObserver) new ResizeObserver(draw).observe(canvas);
  change();
})();
