// SPDX-License-Identifier: Apache-2.0
// Shows the results that report-data.js holds. Text reaches the page as text only.
"use strict";

const page = document.getElementById("main");
const BUCKETS = {
  LOCK: ["lock", "#d55e00"],
  POOL_EXHAUSTED: ["pool exhausted", "#e69f00"],
  REPLY: ["waiting for the reply", "#56b4e9"],
  UNCLASSIFIED: ["unclassified", "#cc79a7"],
};
const AVOIDABLE = ["LOCK", "POOL_EXHAUSTED", "UNCLASSIFIED"];
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6b7280", "#a67c00"];

// ---- numbers --------------------------------------------------------------------------------

// A figure that is not known is the text "NaN".
const known = (number) => typeof number === "number";

function fixed(number, decimals) {
  const parts = number.toFixed(decimals).split(".");
  parts[0] = parts[0].replace(/\B(?=(\d{3})+$)/g, ",");
  return parts.join(".");
}

function significant(number) {
  if (!known(number)) {
    return "\u2013";
  }
  const size = Math.abs(number);
  return size === 0 ? "0" : fixed(number, size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

function compact(number) {
  const size = Math.abs(number);
  return size >= 1e6 ? significant(number / 1e6) + " M"
    : size >= 1e4 ? significant(number / 1e3) + " k" : significant(number);
}

const ratio = (number) => known(number) ? number.toFixed(2) : "\u2013";
const micros = (number) => number >= 1e4 ? significant(number / 1e3) + " ms" : significant(number) + " \u00b5s";
const range = (interval) => known(interval.low) ? ratio(interval.low) + "\u2013" + ratio(interval.high) : "\u2013";
const threadsText = (number) => number === 1 ? "1 thread" : number + " threads";
const distinct = (values) => values.filter((value, index) => values.indexOf(value) === index);

// ---- elements -------------------------------------------------------------------------------

function add(parent, tag, text, attributes) {
  const isSvg = tag === "svg" || parent.namespaceURI === "http://www.w3.org/2000/svg";
  const element = isSvg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const name of Object.keys(attributes || {})) {
    element.setAttribute(name, attributes[name]);
  }
  if (text !== undefined && text !== null) {
    element.textContent = text;
  }
  parent.appendChild(element);
  return element;
}

// Heads that start with * are of text, the others of numbers.
function table(parent, heads, rows) {
  const whole = add(add(parent, "div", null, { class: "scroll" }), "table");
  const head = add(add(whole, "thead"), "tr");
  const kinds = heads.map((name) => name.startsWith("*") ? "text" : "number");
  heads.forEach((name, i) => add(head, "th", name.replace("*", ""), { class: kinds[i], scope: "col" }));
  const body = add(whole, "tbody");
  for (const row of rows) {
    const line = add(body, "tr");
    row.forEach((cell, i) => add(line, "td", cell, { class: kinds[i] + (String(cell).length > 45 ? " long" : "") }));
  }
}

function section(title, text) {
  add(page, "h3", title);
  add(page, "p", text);
}

// ---- charts ---------------------------------------------------------------------------------

function chart(parent, title, width, height) {
  return add(parent, "svg", null, { role: "img", "aria-label": title, width: width, height: height,
    viewBox: "0 0 " + width + " " + height });
}

function write(svg, x, y, text, anchor, style) {
  add(svg, "text", text, { x: x, y: y, "text-anchor": anchor, class: style || "" });
}

function line(svg, x1, y1, x2, y2, attributes) {
  return add(svg, "line", null, Object.assign({ x1: x1, y1: y1, x2: x2, y2: y2 }, attributes));
}

function point(svg, x, y, colour, tip) {
  add(add(svg, "circle", null, { cx: x, cy: y, r: 4.2, fill: colour }), "title", tip);
}

const labels = report.comparison
  ? distinct([].concat.apply([], report.comparison.workloads.map((work) => work.lines.map((each) => each.label)))) : [];
const colour = (label) => COLOURS[labels.indexOf(label) % COLOURS.length];

function ticks(most) {
  const power = Math.pow(10, Math.floor(Math.log10(most / 6 || 1)));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => most / each <= 6) || most;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, i) => i * step);
}

function overThreads(work, title, caption, unit, figure) {
  const threads = distinct(work.lines.map((each) => each.line.condition.threads));
  const values = work.lines.map((each) => figure(each.line)).filter((each) => known(each.mid));
  if (values.length === 0) {
    return;
  }
  section(title, caption);
  const scale = ticks(Math.max.apply(null, values.map((each) => known(each.high) ? each.high : each.mid)));
  const svg = chart(add(page, "figure"), title + ": " + work.title, 900, 400);
  const x = (number) => 64 + 510 / threads.length * (threads.indexOf(number) + 0.5);
  const y = (value) => 350 - 316 * value / scale[scale.length - 1];
  for (const tick of scale) {
    line(svg, 64, y(tick), 574, y(tick), { class: "grid" });
    write(svg, 56, y(tick) + 4, compact(tick), "end", "small");
  }
  write(svg, 56, 18, unit, "start", "small");
  threads.forEach((number) => write(svg, x(number), 370, number, "middle", "small"));
  write(svg, 319, 392, "calling threads", "middle", "small");
  distinct(work.lines.map((each) => each.label)).forEach((label, i) => {
    const points = work.lines.filter((each) => each.label === label && known(figure(each.line).mid))
      .map((each) => ({ at: x(each.line.condition.threads), figure: figure(each.line), line: each.line }));
    const stroke = { stroke: colour(label), "stroke-width": 2, fill: "none" };
    const path = points.map((each) => each.at + "," + y(each.figure.mid)).join(" ");
    add(svg, "polyline", null, Object.assign({ points: path }, stroke));
    for (const each of points) {
      if (known(each.figure.low)) {
        line(svg, each.at, y(each.figure.low), each.at, y(each.figure.high), stroke);
      }
      point(svg, each.at, y(each.figure.mid), colour(label),
        label + ", " + threadsText(each.line.condition.threads) + ": " + compact(each.figure.mid));
    }
    point(svg, 600, 34 + 17 * i, colour(label), label);
    write(svg, 612, 38 + 17 * i, label, "start");
  });
}

// A row for each label with points on a logarithmic axis.
function dots(panels, title, rows, reference, format) {
  if (rows.length === 0) {
    return;
  }
  const figure = add(panels, "figure");
  add(figure, "figcaption", title);
  const values = [].concat.apply(reference ? [reference] : [], rows.map((row) => row.points)).filter((each) => each > 0);
  const low = Math.log(Math.min.apply(null, values)) - 0.05;
  const high = Math.log(Math.max.apply(null, values)) + 0.05;
  const x = (value) => 232 + 256 * (Math.log(value) - low) / (high - low);
  const svg = chart(figure, title, 560, 30 + 22 * rows.length);
  if (reference) {
    line(svg, x(reference), 4, x(reference), 10 + 22 * rows.length, { class: "grid" });
  }
  rows.forEach((row, i) => {
    const y = 20 + 22 * i;
    write(svg, 220, y + 4, row.label, "end");
    const points = row.points.filter((each) => each > 0);
    line(svg, x(points[0]), y, x(points[points.length - 1]), y, { stroke: colour(row.label), "stroke-width": 2 });
    points.forEach((each) => point(svg, x(each), y, colour(row.label), row.label + ": " + format(each)));
    write(svg, 556, y + 4, format(row.note), "end", "small");
  });
}

function bars(panels, locks, title, buckets, figure) {
  const shown = add(panels, "figure");
  add(shown, "figcaption", title);
  const rows = locks.profiles.map((profile) => ({ profile: profile, parts: buckets.map((name) => figure(bucket(profile, name))) }));
  const sum = (row) => row.parts.reduce((all, each) => all + each, 0);
  const most = Math.max.apply(null, rows.map(sum).concat(1e-9));
  const svg = chart(shown, title, 560, 10 + 17 * rows.length);
  rows.forEach((row, i) => {
    write(svg, 262, 17 * i + 13, row.profile.contender + ", " + row.profile.threads, "end", "small");
    let start = 270;
    row.parts.forEach((part, index) => {
      const width = 220 * part / most;
      const bar = add(svg, "rect", null, { x: start, y: 17 * i + 2, width: width, height: 13, fill: BUCKETS[buckets[index]][1] });
      add(bar, "title", BUCKETS[buckets[index]][0] + ": " + significant(part));
      start += width;
    });
    write(svg, start + 6, 17 * i + 13, compact(sum(row)), "start", "small");
  });
}

// ---- the comparison -------------------------------------------------------------------------

function headline(comparison) {
  if (!comparison.memcached) {
    return "The server was not memcached but one for tests. These figures describe another thing: they show that"
      + " everything runs, and not how fast it is.";
  }
  const all = [].concat.apply([], comparison.workloads.map((work) => work.lines)).filter((each) => each.line.ratio);
  if (all.length === 0) {
    return "No contender finished a round together with the baseline, so there is no ratio to report.";
  }
  const best = (lines) => lines.reduce((most, each) => each.line.ratio.mid > most.line.ratio.mid ? each : most);
  const ours = comparison.workloads.map((work) => work.lines.filter((each) => each.ours)).find((lines) => lines.length);
  const baseline = comparison.baseline;
  if (!ours) {
    const line = best(all).line;
    return "Memshard with its defaults did not take part. The highest ratio to " + baseline + " is that of "
      + line.contender + ": " + ratio(line.ratio.mid) + " at " + threadsText(line.condition.threads) + ".";
  }
  const cell = best(ours);
  const interval = known(cell.line.ratio.low)
    ? "95 % interval " + ratio(cell.line.ratio.low) + " to " + ratio(cell.line.ratio.high)
    : "one JVM, so no interval";
  const lost = distinct(comparison.losses.filter((loss) => loss.measure === "operations a second")
    .map((loss) => loss.condition.title)).length;
  return "At " + threadsText(cell.line.condition.threads) + ", " + cell.label + " made " + compact(cell.line.throughput.mid)
    + " operations a second, " + ratio(cell.line.ratio.mid) + " times those of " + baseline + " (" + interval + ")"
    + (cell.overTemplate ? " and " + ratio(cell.overTemplate.mid) + " times those of template, a pool of "
      + comparison.plan.poolSize + " clients" : "")
    + ". This is its best cell of this workload; "
    + (lost === 0 ? "no other contender was faster in any of the " + comparison.cells + " cells."
      : "another contender was, or may be, faster in " + lost + " of " + comparison.cells
        + " cells, listed under \u201cWhere Memshard loses\u201d.");
}

function noise(comparison) {
  const again = comparison.again;
  if (again.length === 0) {
    return "not measured: the baseline ran once in each round";
  }
  const end = (name) => again.map((each) => known(each[name]) ? each[name] : each.mid);
  return comparison.baseline + " raced against itself had " + (comparison.plan.forks > 1 ? "intervals" : "ratios")
    + " from " + ratio(Math.min.apply(null, end("low"))) + " to " + ratio(Math.max.apply(null, end("high")))
    + " over all conditions";
}

function basis(comparison) {
  const plan = comparison.plan;
  const environment = comparison.environment;
  return "Measured on " + environment.cpus + " CPUs against memcached " + environment.serverVersion + " at "
    + environment.server + ", in " + plan.forks
    + (plan.forks === 1 ? " JVM" : " JVMs, each with a server of its own unless one was named")
    + ". In each, contenders took turns in shuffled order, in " + plan.rounds + " rounds of " + plan.sliceMillis
    + " ms slices. A ratio is formed in each round, to both runs of " + comparison.baseline
    + "; its interval is a bootstrap over forks and the rounds in them. Faster, slower and equal mean that the whole"
    + " interval is beyond 5 % or within. The callers are a closed loop, so a latency here is mostly waiting in line,"
    + " not what a lightly loaded service sees. Ratios on another machine, or with the server across a network, will be"
    + " different. Noise: " + noise(comparison) + "."
    + (comparison.noisy ? " That is a wide margin: the machine was busy with something else, and this run is fit to"
      + " show orders of magnitude only." : "")
    + (plan.busy ? " The machine was busy at the start: " + plan.busy + "." : "");
}

function workload(comparison, work) {
  add(page, "h2", work.title.charAt(0).toUpperCase() + work.title.slice(1));
  const shown = { title: work.title, lines: work.lines.filter((each) => !each.again) };
  overThreads(shown, "Throughput over threads",
    "Median over the forks of the medians of their rounds, and its 95 % interval. The higher the better.",
    "operations a second", (each) => each.throughput);
  overThreads(shown, "Client CPU per operation",
    "CPU time of the whole client process, all threads, for one operation. The lower the better.",
    "\u00b5s per operation", (each) => ({ low: "NaN", mid: each.cpuMicrosPerOperation, high: "NaN" }));
  overThreads(shown, "Operations for a second of CPU time", "Of client and server together. The higher the better.",
    "operations a core-second", (each) => each.perCoreSecond);
  const threads = distinct(shown.lines.map((each) => each.line.condition.threads));
  const at = (number) => shown.lines.filter((each) => each.line.condition.threads === number);
  section("Ratio to " + comparison.baseline, "Throughput over that of both runs of " + comparison.baseline
    + " in the same round, with its 95 % interval, on a logarithmic axis. Right of the line at 1 is faster.");
  const ratios = add(page, "div", null, { class: "panels" });
  threads.forEach((number) => dots(ratios, threadsText(number), at(number).filter((each) => each.line.ratio)
    .sort((a, b) => b.line.ratio.mid - a.line.ratio.mid)
    .map((each) => ({ label: each.label, note: each.line.ratio.mid,
      points: [each.line.ratio.low, each.line.ratio.mid, each.line.ratio.high].filter(known) })), 1, ratio));
  section("Latency", "Three points a line: p50, p99 and p99.9 of the time from call to result, all rounds together, on a"
    + " logarithmic axis. Left is better. The figure is p99.");
  const latencies = add(page, "div", null, { class: "panels" });
  threads.forEach((number) => dots(latencies, threadsText(number), at(number).filter((each) => each.line.latency.p50Micros > 0)
    .sort((a, b) => a.line.latency.p99Micros - b.line.latency.p99Micros)
    .map((each) => ({ label: each.label, note: each.line.latency.p99Micros,
      points: [each.line.latency.p50Micros, each.line.latency.p99Micros, each.line.latency.p999Micros] })), 0, micros));
  const details = add(page, "details");
  add(details, "summary", "All numbers of this workload");
  table(details, ["threads", "*contender", "sockets", "ratio to " + comparison.baseline, "95 %", "*", "ops/s",
    "client \u00b5s/op", "server \u00b5s/op", "ops/core-s", "p50 \u00b5s", "p99 \u00b5s", "p99.9 \u00b5s", "longest \u00b5s", "Jain"],
  work.lines.map((each) => [each.line.condition.threads, each.line.contender, each.line.connections,
    ratio(each.line.ratio && each.line.ratio.mid), each.line.ratio ? range(each.line.ratio) : "\u2013", each.verdict,
    significant(each.line.throughput.mid), significant(each.line.cpuMicrosPerOperation),
    significant(each.line.serverCpuMicrosPerOperation), significant(each.line.perCoreSecond.mid),
    significant(each.line.latency.p50Micros), significant(each.line.latency.p99Micros),
    significant(each.line.latency.p999Micros), significant(each.line.latency.maxMicros), ratio(each.line.jain)]));
}

function losses(comparison) {
  add(page, "h2", "Where Memshard loses", { id: "losses" });
  if (!comparison.tookPart || comparison.losses.length === 0) {
    add(page, "p", comparison.tookPart
      ? "In no cell of this run was another contender ahead of Memshard with its defaults, in operations a second, CPU or a"
        + " percentile." : "Memshard with its defaults did not take part in this comparison.");
    return;
  }
  add(page, "p", "Every cell in which another contender was ahead of Memshard with its defaults, paired in each round."
    + " \u201cInconclusive\u201d: the interval reaches the margin of 5 % in which two are equal. Cells in which the whole"
    + " interval is within it are left out.");
  table(page, ["*load", "*measure", "*ahead", "with", "Memshard", "by", "95 %", "*"], comparison.losses.map((loss) => [
    loss.condition.title, loss.measure, loss.contender, compact(loss.theirs), compact(loss.our), ratio(loss.factor.mid),
    range(loss.factor), loss.inconclusive ? "inconclusive" : ""]));
}

function failures(comparison) {
  add(page, "h2", "Errors, timeouts, wrong values");
  const all = [].concat.apply([], comparison.workloads.map((work) => work.lines.map((each) => each.line)));
  const failed = all.filter((each) => each.errors + each.timeouts + each.wrongValues > 0);
  if (failed.length === 0) {
    add(page, "p", "None: in all " + all.length + " cells every call returned the right value, compared to the last byte.");
    return;
  }
  add(page, "p", "Cells without a line here had none. A failed call is in no throughput and no latency.");
  table(page, ["*contender", "threads", "value bytes", "errors", "timeouts", "wrong values"], failed.map((each) => [
    each.contender, each.condition.threads, each.condition.valueSize, each.errors, each.timeouts, each.wrongValues]));
}

// ---- the lock profiles ----------------------------------------------------------------------

const bucket = (profile, name) => profile.buckets.find((each) => each.bucket === name)
  || { waits: 0, waitsPerThousand: 0, blockedMillisPerSecond: 0 };
const score = (verdict) => verdict.severity + (verdict.score < 0 ? "" : " " + verdict.score.toFixed(0));
const simple = (name) => name.slice(name.lastIndexOf(".") + 1).replace("AbstractQueuedSynchronizer$", "");

function frame(name) {
  const method = name.lastIndexOf(".");
  return method < 0 ? name : simple(name.slice(0, method)) + name.slice(method);
}

function waits(each) {
  return each.waits === 0 ? "0" : significant(each.waitsPerThousand) + " (" + significant(each.blockedMillisPerSecond) + ")";
}

function lockProfiles(locks) {
  add(page, "h2", "What the threads wait for");
  add(page, "p", "From JFR recordings of runs that were not timed, " + locks.windowMillis + " ms of load each, with"
    + " thresholds of 0 ms. Every wait of a Java thread in that time is counted, callers and threads of the client"
    + " together. Waiting for the reply is the way there and back, with every queue on it, not contention. A thread in a"
    + " selector or in a read of a socket is no Java wait and is not here.");
  const panels = add(page, "div", null, { class: "panels" });
  bars(panels, locks, "Waits for locks and for the pool, for 1,000 operations", AVOIDABLE, (each) => each.waitsPerThousand);
  bars(panels, locks, "Where a caller's time goes: blocked ms in each second", Object.keys(BUCKETS),
    (each) => each.blockedMillisPerSecond);
  const legend = add(page, "p");
  for (const name of Object.keys(BUCKETS)) {
    add(legend, "span", "", { class: "swatch", style: "background: " + BUCKETS[name][1] });
    add(legend, "span", BUCKETS[name][0]);
  }
  section("By contender", "Waits for 1,000 operations, and in brackets the blocked milliseconds for each second and caller."
    + " \u201cJava Blocking\u201d is a rule of JDK Mission Control on the same recording, 0 to 100; it sees monitors only, so"
    + " a queue for a java.util.concurrent lock or for the pool leaves it unmoved.");
  table(page, ["threads", "*contender", "lock", "pool exhausted", "waiting for the reply", "idle", "unclassified",
    "lock wait p50", "p99", "longest", "*JMC: Java Blocking"], locks.profiles.map((each) => {
    const lock = bucket(each, "LOCK");
    const time = (value) => lock.waits === 0 ? "\u2013" : micros(value);
    return [each.threads, each.contender + (each.dataLost ? " *" : ""), waits(lock), waits(bucket(each, "POOL_EXHAUSTED")),
      waits(bucket(each, "REPLY")), waits(bucket(each, "IDLE")), waits(bucket(each, "UNCLASSIFIED")), time(lock.p50Micros),
      time(lock.p99Micros), time(lock.maxMicros),
      each.verdicts.filter((verdict) => verdict.rule === "Java Blocking").map(score).join("")];
  }));
  if (locks.profiles.some((each) => each.dataLost)) {
    add(page, "p", "JFR dropped events of the profiles marked with *: their counts are too low.");
  }
  const errors = locks.profiles.reduce((sum, each) => sum + each.errors, 0);
  if (errors > 0) {
    add(page, "p", errors + " calls failed while the profiles were recorded; locks.json says where.");
  }
  section("Where they wait", "The places that cost most, without idle threads and waits for the reply: the lock and the first"
    + " frame outside the JDK. JFR names the previous owner of a monitor, and of nothing else; how long an owner held it is"
    + " not recorded.");
  const rows = (of) => [].concat.apply([], locks.profiles.map(of));
  table(page, ["threads", "*contender", "*bucket", "waits/1,000 ops", "total ms", "longest", "*lock", "*at", "*thread",
    "*previous owner"], rows((each) => each.sites.filter((site) => AVOIDABLE.includes(site.bucket)).slice(0, 5)
    .map((site) => [each.threads, each.contender, BUCKETS[site.bucket][0], significant(site.waitsPerThousand),
      significant(site.totalMillis), micros(site.maxMicros), site.lockClass ? simple(site.lockClass) : "none named",
      frame(site.frame), site.ofCallers ? "caller" : "client's own", site.previousOwner || "\u2013"])));
  const details = add(page, "details");
  add(details, "summary", "What JDK Mission Control says of each recording");
  table(details, ["threads", "*contender", "*rule", "*verdict", "*text"], rows((each) => each.verdicts.map((verdict) => [
    each.threads, each.contender, verdict.rule, score(verdict), verdict.text])));
}

// ---- the run --------------------------------------------------------------------------------

function environment(comparison, locks) {
  const facts = (comparison || locks).environment;
  add(page, "h2", "Where it was measured");
  const rows = [["started", facts.startedAt], ["CPUs", facts.cpus + ", " + facts.cpuModel], ["kernel", facts.kernel],
    ["JDK", facts.jdk], ["JVM flags", facts.jvmFlags.join(" ")],
    ["memcached", facts.serverVersion + " at " + facts.server + ", " + facts.serverSource],
    ["memcached flags", facts.serverFlags || "not known"], ["load average at the start", significant(facts.loadAverage)],
    ["CPU time stolen by the host", (facts.stealFraction * 100).toFixed(1) + " %"],
    ["commit", facts.gitCommit ? facts.gitCommit + (facts.dirty ? "-dirty" : "") : "unknown"]];
  if (comparison) {
    const plan = comparison.plan;
    rows.push(["noise (A/A)", noise(comparison)], ["plan", plan.forks + " forks, profile " + plan.profile + ", pool of "
      + plan.poolSize + ", " + plan.keys + " keys, seed " + plan.seed]);
  }
  table(page, ["*", "*"], rows);
  add(page, "h3", "To repeat it");
  distinct([facts.command].concat(comparison && locks ? [locks.environment.command] : []))
    .forEach((command) => add(add(page, "pre"), "code", command));
}

function files(comparison, locks) {
  add(page, "h2", "Raw data");
  add(page, "p", "In the same folder as this page. The recordings open in JDK Mission Control (File, Open File, then Lock"
    + " Instances and Threads) and with jfr print.");
  const list = add(page, "ul");
  const link = (file, what) => {
    const item = add(list, "li");
    add(item, "a", file, { href: encodeURIComponent(file) });
    item.appendChild(document.createTextNode(": " + what));
  };
  if (comparison) {
    link("slices.csv", "every slice of the comparison");
    link("environment.csv", "where and how it was measured");
  }
  if (locks) {
    link("locks.json", "the lock profiles");
    locks.profiles.forEach((each) => link(each.recording, each.contender + ", " + threadsText(each.threads)));
  }
}

const comparison = report.comparison;
add(page, "p", comparison ? headline(comparison)
  : "Lock profiles only: no throughput was measured in this run, and none can be read from it.", { class: "lede" });
if (comparison) {
  add(page, "p", basis(comparison));
  comparison.workloads.forEach((work) => workload(comparison, work));
  losses(comparison);
  failures(comparison);
}
if (report.locks) {
  lockProfiles(report.locks);
}
environment(comparison, report.locks);
files(comparison, report.locks);
