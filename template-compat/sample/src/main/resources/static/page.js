// Shows each second that the application sends, and posts the choices of its user.
"use strict";

const HEADERS = {"X-Memshard-Sample": "page", "Content-Type": "application/json"};
const THREADS = [0, 1, 2, 4, 8, 16, 32, 64, 128, 256];
const STORIES = {
  YOUR_POOL: {name: "Your pool", engine: "SPYMEMCACHED", mode: "POOLED"},
  SHARED: {name: "Shared", engine: "MEMSHARD", mode: "SHARDED"},
  KILL: {name: "Kill a server"},
};
const MODES = {POOLED: "Template", SINGLE: "Connection", SHARDED: "Sharded"};
const STATES = {READY: "ready", NEW: "connecting", CONNECTING: "connecting", RECONNECTING: "broken", UNKNOWN: "unknown"};
const PRODUCTS = 2000;
const KEPT_MOMENTS = 121;
const KEPT_LOG = 40;

const find = id => document.getElementById(id);
const form = find("setup");
const choices = form.elements;
const whole = new Intl.NumberFormat("en", {maximumFractionDigits: 0});

let setup = null;
let runs = [];
let moments = [];
let states = new Map();

const charts = [
  new Chart("chart-throughput", "Requests a second", [
    {name: "requests/s", colour: "blue", of: moment => moment.second.throughput},
  ]),
  new Chart("chart-latency", "Latency in microseconds", [
    {name: "p99", colour: "violet", of: moment => (moment.second.requests ? moment.second.p99Micros : null)},
    {name: "p50", colour: "blue", of: moment => (moment.second.requests ? moment.second.p50Micros : null)},
  ], {logarithmic: true}),
  new Chart("chart-hits", "Lookups that hit, in percent", [
    {name: "hits", colour: "green", of: moment => (moment.second.requests ? moment.second.hitRatio * 100 : null)},
  ], {top: 100}),
];

// ---- what is chosen

function showSetup(chosen) {
  setup = chosen;
  choices.mode.value = chosen.mode;
  choices.engine.value = chosen.engine;
  const options = THREADS.includes(chosen.threads) ? THREADS : [...THREADS, chosen.threads].sort((a, b) => a - b);
  choices.threads.replaceChildren(...options.map(count => new Option(count === 0 ? "0 (pause)" : count, count)));
  choices.threads.value = chosen.threads;
  choices.firstServerOnly.checked = chosen.firstServerOnly || chosen.engine === "SPYMEMCACHED";
  choices.firstServerOnly.disabled = chosen.engine === "SPYMEMCACHED";
}

// ---- clicks: each waits for those before it

const queue = [];

function enqueue(name, path, body) {
  queue.push({name, path, body});
  showQueue();
  if (queue.length === 1) carryOut();
}

async function carryOut() {
  find("refusal").textContent = "";
  while (queue.length) {
    const {name, path, body} = queue[0];
    try {
      const response = await fetch(path, {method: "POST", headers: HEADERS, body: body && JSON.stringify(body)});
      const text = await response.text();
      if (!response.ok) throw new Error(text.startsWith("{") ? JSON.parse(text).error : text);
    } catch (refusal) {
      find("refusal").textContent = `${name}: ${refusal.message}`;
    }
    queue.shift();
    showQueue();
  }
  await begin();
}

function showQueue() {
  const [now, ...waiting] = queue.map(click => click.name);
  find("queue").textContent = (now ? `Switching: ${now}. ` : "") + (waiting.length ? `Waiting: ${waiting.join("; ")}.` : "");
  form.setAttribute("aria-busy", queue.length > 0);
  live(now ? "busy" : "on", now ? "switching" : "live");
}

Object.keys(STORIES).forEach(story => find("story-" + story).addEventListener("click", () => {
  chooseNow();
  enqueue(STORIES[story].name, "stories/" + story);
}));

let pending = null;
form.addEventListener("change", () => {
  clearTimeout(pending);
  pending = setTimeout(chooseNow, 250); // An arrow key selects each choice on the way to the wanted one.
});
form.addEventListener("submit", event => event.preventDefault());

function chooseNow() {
  if (pending === null) return;
  clearTimeout(pending);
  pending = null;
  const chosen = {
    engine: choices.engine.value,
    mode: choices.mode.value,
    firstServerOnly: choices.firstServerOnly.checked,
    threads: Number(choices.threads.value),
  };
  enqueue(describe(chosen), "setup", chosen);
}

function callers(chosen) {
  return String(chosen.threads);
}

function describe(chosen) {
  const servers = chosen.firstServerOnly && chosen.engine === "MEMSHARD" ? ", first server" : "";
  return `${MODES[chosen.mode]}, ${chosen.engine.toLowerCase()}${servers}, ${callers(chosen)} callers`;
}

// ---- what is shown

function live(state, text) {
  find("live").className = "pill " + state;
  if (find("live").textContent !== text) find("live").textContent = text;
}

function latency(id, micros, requests) {
  const isLong = micros >= 10000;
  find(id).textContent = !requests ? "–" : isLong ? (micros / 1000).toFixed(1) : whole.format(micros);
  find(id + "-unit").textContent = isLong ? "ms" : "µs";
}

function showSecond(moment) {
  const second = moment.second;
  find("throughput").textContent = whole.format(second.throughput);
  latency("p50", second.p50Micros, second.requests);
  latency("p99", second.p99Micros, second.requests);
  find("hits").textContent = second.requests ? (second.hitRatio * 100).toFixed(1) : "–";
  find("failures").textContent = whole.format(moment.run.figures.failures);
  find("failures-tile").classList.toggle("bad", moment.run.figures.failures > 0);
}

// The latest run of the story that the current callers could measure, or undefined.
function measured(story, all) {
  return all.find(run => run.setup.engine === story.engine && run.setup.mode === story.mode
    && (run.setup.firstServerOnly || run.setup.engine === "SPYMEMCACHED") && callers(run.setup) === callers(all[0].setup)
    && run.medianThroughput > 0 && !run.isDisturbed);
}

function showStories(moment) {
  const all = [moment.run, ...runs];
  const medians = ["YOUR_POOL", "SHARED"].map(name => {
    const run = measured(STORIES[name], all);
    return {name, median: run ? run.medianThroughput : 0, isNow: run === moment.run};
  });
  const top = Math.max(...medians.map(one => one.median));
  medians.forEach(({name, median, isNow}) => {
    find("bar-" + name).firstElementChild.style.height = top ? (100 * median) / top + "%" : 0;
    find("median-" + name).textContent = median ? whole.format(median) : "not yet measured";
    find("median-" + name).classList.toggle("unknown", !median);
    find("story-" + name).setAttribute("aria-pressed", isNow);
  });
  const [pool, shared] = medians.map(one => one.median);
  find("compared").textContent = pool && shared
    ? `Shared answers ${(shared / pool).toFixed(2)} times as many requests as your pool, with ${callers(moment.run.setup)} callers.`
      + " Each figure is the median of the last 10 seconds of its run."
    : "";
  const isDown = moment.servers.some(server => !server.running);
  const kill = find("story-KILL");
  kill.textContent = isDown ? "Start it again" : STORIES.KILL.name;
  find("outage").textContent = moment.outage ? tell(moment.outage, moment) : "";
}

function tell(outage, moment) {
  const seconds = (from, to) => ((Date.parse(to) - Date.parse(from)) / 1000).toFixed(1) + " s";
  const failures = outage.failures === 1 ? "1 request has failed" : whole.format(outage.failures) + " requests have failed";
  const isAlone = moment.servers.filter(server => server.state !== "NOT USED").length === 1;
  const ejection = outage.ejected ? `ejected ${seconds(outage.stopped, outage.ejected)} after it stopped`
    : isAlone ? "not ejected, because it is the only one" : "not ejected yet";
  const end = !outage.started ? "It is down." : outage.back ? `It was back ${seconds(outage.started, outage.back)} after its start.`
    : "It has started and is probed.";
  return `Server ${outage.server} (${outage.address}) was ${ejection}; ${failures}. ${end}`;
}

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

// The item is changed in place, so that its button keeps the focus.
function serverItem(server) {
  const item = element("li");
  item.id = "server-" + server.number;
  const name = element("div");
  name.append(element("b", "", server.address), element("small", "description"));
  const button = element("button", "", "Stop");
  button.type = "button";
  button.addEventListener("click", () => {
    const verb = button.textContent;
    enqueue(`${verb} server ${server.number}`, `servers/${server.number}/${verb.toLowerCase()}`);
  });
  item.append(name, element("span", "state"), element("div", "connections"), button, element("p", "reason"));
  return item;
}

function showServer(server) {
  const item = find("server-" + server.number) || find("servers").appendChild(serverItem(server));
  const state = item.querySelector(".state");
  state.className = "state " + server.state.split(" ")[0].toLowerCase();
  state.textContent = server.state;
  item.querySelector(".description").textContent = server.description + (server.running ? "" : ", stopped");
  const button = item.querySelector("button");
  button.textContent = server.running ? "Stop" : "Start";
  button.setAttribute("aria-label", `${button.textContent} server ${server.number}`);
  const reason = item.querySelector(".reason");
  reason.textContent = server.reason;
  reason.hidden = !server.reason;
  item.querySelector(".connections").replaceChildren(...connections(server.connections));
  const before = states.get(server.number);
  if (before && before !== server.state) {
    log(`Server ${server.number} is ${server.state}, was ${before}`);
  }
  states.set(server.number, server.state);
}

function connections(all) {
  const dots = all.map((connection, index) => {
    const dot = element("i", "dot " + (STATES[connection.state] || "unknown"));
    dot.title = `connection ${index}: ${connection.state}, ${connection.inFlight} in flight`
      + (connection.socket ? ` (${connection.socket})` : "");
    return dot;
  });
  const ready = all.filter(connection => connection.state === "READY").length;
  const isTold = all.every(connection => connection.state !== "UNKNOWN");
  const flying = all.reduce((sum, connection) => sum + connection.inFlight, 0);
  const text = !all.length ? "no connection"
    : isTold ? `${ready} of ${all.length} ready, ${flying} in flight` : `${all.length} connections`;
  return [...dots, element("span", "count", text)];
}

function cell(text, isNumber) {
  return element("td", isNumber ? "number" : "", text);
}

function showRuns(current) {
  find("runs").replaceChildren(...[current, ...runs].map(run => {
    const figures = run.figures;
    const row = element("tr", run === current ? "now" : "");
    const head = element("th", "", String(run.number));
    head.scope = "row";
    const isKnown = run.isWarm && figures.requests > 0;
    const number = text => cell(isKnown ? text : "–", true);
    const notes = [
      run === current ? (run.isWarm ? "now" : "warming up") : "",
      run.setup.firstServerOnly && run.setup.engine === "MEMSHARD" ? "first server" : "",
      run.isDisturbed ? "server away" : "",
    ];
    row.append(head, cell(MODES[run.setup.mode]), cell(run.setup.engine.toLowerCase()), cell(callers(run.setup)),
      number(whole.format(figures.seconds)), number(whole.format(figures.throughput)),
      number(whole.format(figures.p50Micros)), number(whole.format(figures.p99Micros)),
      number((figures.hitRatio * 100).toFixed(1) + "%"),
      number(whole.format(figures.failures)), element("td", "note", notes.filter(Boolean).join(", ")));
    return row;
  }));
  find("scroll-hint").hidden = find("runs-box").scrollWidth <= find("runs-box").clientWidth;
}

function log(text) {
  const entry = element("li");
  entry.append(element("time", "", new Date().toLocaleTimeString("en-GB")), text);
  find("log").prepend(entry);
  while (find("log").children.length > KEPT_LOG) find("log").lastChild.remove();
}

function logEvent(event, current) {
  const run = [current, ...runs].find(one => event === "run " + one.number);
  log(event[0].toUpperCase() + event.slice(1) + (run ? ": " + describe(run.setup) : ""));
}

async function refreshRuns() {
  runs = (await (await fetch("beginning")).json()).runs;
}

function show(moment) {
  const isKnown = moment.run.number === (runs.length ? runs[0].number + 1 : 1);
  (isKnown ? Promise.resolve() : refreshRuns()).then(() => moment.events.forEach(event => logEvent(event, moment.run)));
  moments = [...moments, moment].slice(-KEPT_MOMENTS);
  showSecond(moment);
  showStories(moment);
  charts.forEach(chart => chart.draw(moments));
  moment.servers.forEach(showServer);
  showRuns(moment.run);
}

// ---- the shop

let answered = 0;
let failed = 0;
async function buy() {
  const id = 1 + Math.floor(Math.random() * PRODUCTS);
  const start = performance.now();
  try {
    const response = await fetch("products/" + id);
    if (!response.ok) throw new Error(response.status);
    const product = await response.json();
    find("product-name").textContent = product.name;
    find("product-price").textContent = (product.cents / 100).toFixed(2);
    find("product-text").textContent = product.description;
    find("shop-millis").textContent = Math.round(performance.now() - start);
    answered++;
  } catch (failure) {
    failed++;
  }
  find("shop-answered").textContent = answered;
  find("shop-failed").textContent = failed;
}

// ---- begin

async function begin() {
  const beginning = await (await fetch("beginning")).json();
  runs = beginning.runs;
  moments = beginning.moments;
  if (!queue.length && pending === null) showSetup(beginning.setup);
}

begin().then(() => {
  const events = new EventSource("events");
  events.onopen = showQueue;
  events.onerror = () => live("off", "not connected");
  events.onmessage = event => show(JSON.parse(event.data));
  setInterval(buy, 1000);
});
