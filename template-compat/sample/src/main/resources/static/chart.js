// A line chart of the last two minutes, drawn as SVG. Each run has lines of its own, so no line joins two runs.
"use strict";

const LONGEST_SECONDS = 120;
const SHORTEST_SECONDS = 10;
const SVG = "http://www.w3.org/2000/svg";

function svg(name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
  if (text !== undefined) {
    element.textContent = text;
  }
  return element;
}

function shortNumber(value) {
  if (value >= 1e6) return (value / 1e6).toPrecision(3).replace(/\.?0+$/, "") + " M";
  if (value >= 1e4) return Math.round(value / 1e3) + " k";
  if (value >= 1e3) return (value / 1e3).toFixed(1).replace(/\.0$/, "") + " k";
  if (value >= 10 || Number.isInteger(value)) return String(Math.round(value));
  return value < 0.01 ? "< 0.01" : value.toFixed(value < 1 ? 2 : 1);
}

// Returns the smallest number that is not below the value, and is 1, 2 or 5 times a power of ten.
function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return [1, 2, 5, 10].map(step => step * power).find(step => step >= value);
}

class LineScale {
  constructor(values, fixedTop) {
    this.top = fixedTop || roundUp(Math.max(1, ...values));
    this.ticks = [0, this.top / 2, this.top];
  }
  place(value) {
    return Math.min(1, value / this.top);
  }
}

// Zero has a place of its own, below the smallest power of ten.
class LogScale {
  constructor(values) {
    const seen = values.filter(value => value > 0);
    this.zero = seen.length < values.length ? 0.12 : 0;
    this.low = Math.floor(Math.log10(Math.min(10, ...seen)));
    this.high = Math.max(this.low + 2, Math.ceil(Math.log10(Math.max(10, ...seen))));
    this.ticks = this.zero ? [0] : [];
    const step = this.high - this.low > 4 ? 2 : 1;
    for (let power = this.low; power <= this.high; power += step) {
      this.ticks.push(10 ** power);
    }
  }
  place(value) {
    if (value === 0) return 0;
    return this.zero + (1 - this.zero) * (Math.log10(value) - this.low) / (this.high - this.low);
  }
}

class Chart {
  // series: [{name, colour, of: moment => number or null}]; options: {top, logarithmic}. A logarithmic chart omits
  // series that are always zero.
  constructor(id, label, series, options = {}) {
    this.holder = document.getElementById(id);
    this.label = label;
    this.series = series;
    this.options = options;
    this.moments = [];
    new ResizeObserver(() => this.draw(this.moments)).observe(this.holder);
  }

  draw(moments) {
    this.moments = moments;
    const width = this.holder.clientWidth;
    const height = this.holder.clientHeight;
    if (!width || !moments.length) return;
    const now = moments[moments.length - 1].time;
    moments = moments.filter(moment => moment.time >= now - LONGEST_SECONDS * 1000);
    this.seconds = Math.max(SHORTEST_SECONDS, (now - moments[0].time) / 1000);
    this.shown = this.series.filter(one => moments.some(moment => this.options.logarithmic ? one.of(moment) > 0 : true));
    const longest = Math.max(0, ...this.shown.map(one => one.name.length));
    const box = {left: 46, right: width - 16 - 7 * longest, top: 8, bottom: height - 22};
    const x = time => box.right - ((now - time) / 1000 / this.seconds) * (box.right - box.left);
    const values = this.shown.flatMap(one => moments.map(one.of)).filter(value => value !== null);
    const scale = this.options.logarithmic ? new LogScale(values) : new LineScale(values, this.options.top);
    const y = value => box.bottom - scale.place(value) * (box.bottom - box.top);
    const image = svg("svg", {role: "img", "aria-label": this.describe(moments)});
    this.drawGrid(image, scale, box, y);
    this.drawMarks(image, moments, box, x);
    this.shown.forEach(one => this.drawSeries(image, one, moments, x, y));
    this.drawNames(image, moments, box, y);
    this.holder.replaceChildren(image);
  }

  describe(moments) {
    const last = moments[moments.length - 1];
    const words = this.series.map(one => {
      const value = one.of(last);
      return one.name + " " + (value === null ? "not known" : shortNumber(value));
    });
    return this.label + ", now: " + words.join(", ");
  }

  drawGrid(image, scale, box, y) {
    scale.ticks.forEach(tick => {
      image.append(svg("line", {class: "grid", x1: box.left, x2: box.right, y1: y(tick), y2: y(tick)}));
      image.append(svg("text", {x: box.left - 8, y: y(tick) + 4, "text-anchor": "end"}, shortNumber(tick)));
    });
    [1, 0.5, 0].forEach(part => {
      const place = box.right - part * (box.right - box.left);
      const text = part === 0 ? "now" : "−" + Math.round(part * this.seconds) + " s";
      image.append(svg("text", {x: place, y: box.bottom + 17, "text-anchor": part === 1 ? "start" : "middle"}, text));
    });
  }

  drawMarks(image, moments, box, x) {
    const inside = time => x(time) >= box.left;
    moments.filter(moment => !moment.run.isWarm && inside(moment.time - 1000)).forEach(moment => {
      const from = x(moment.time - 1000);
      image.append(svg("rect", {
        class: "warm", x: from, width: Math.max(0, x(moment.time) - from + 0.5), y: box.top, height: box.bottom - box.top,
      }));
    });
    moments.filter(moment => moment.events.length && inside(moment.time - 1000)).forEach(moment => {
      const place = x(moment.time - 1000);
      const isSwitch = moment.events.every(event => event.startsWith("run "));
      image.append(svg("line", {
        class: isSwitch ? "switch" : "disturbance", x1: place, x2: place, y1: box.top, y2: box.bottom,
      }));
    });
  }

  drawSeries(image, one, moments, x, y) {
    let points = [];
    let run = null;
    const finish = () => {
      if (points.length) {
        image.append(svg("polyline", {class: "series " + one.colour, points: points.join(" ")}));
      }
      points = [];
    };
    moments.forEach(moment => {
      const value = one.of(moment);
      if (moment.run.number !== run || value === null) finish();
      run = moment.run.number;
      if (value !== null) {
        points.push(x(moment.time).toFixed(1) + "," + y(value).toFixed(1));
      }
    });
    finish();
  }

  // Names at the ends of the lines, moved apart where they would overlap.
  drawNames(image, moments, box, y) {
    const last = moments[moments.length - 1];
    const names = this.shown
      .map(one => ({one, value: one.of(last)}))
      .filter(name => name.value !== null)
      .map(name => ({...name, place: y(name.value) + 4}))
      .sort((a, b) => a.place - b.place);
    names.forEach((name, index) => {
      if (index > 0) name.place = Math.max(name.place, names[index - 1].place + 14);
    });
    for (let index = names.length - 1, limit = box.bottom + 4; index >= 0; index--, limit -= 14) {
      names[index].place = Math.min(names[index].place, limit);
    }
    names.forEach(name => image.append(
      svg("text", {class: "end " + name.one.colour, x: box.right + 8, y: name.place}, name.one.name)));
  }
}
