// A person: a strip for each day with curves, sleep and events, and below it what happened in words.

const DAY_US = 86400e6, HOUR_US = 3600e6, LEFT = 120, CURVE = 46;
const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

function daysOf(person) {
  const first = Math.floor(person.t_us[0] / DAY_US);
  const last = Math.max(first, Math.floor((person.t_us.at(-1) - 1) / DAY_US));
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

function clock(t_us) {
  const minutes = Math.floor((t_us % DAY_US) / 60e6);
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}

function personView(number) {
  const person = life.people[number] ?? life.people[0];
  const days = daysOf(person), last = days.length > 1 ? ` to ${days.at(-1)}` : "";
  return [
    facts(["Person", person.person], ["As of", instant(person.made)],
      ["Lived here", `day ${days[0]}${last}, ${counted(person.t_us.length, "state")}`]),
    leftOut(person.left_out?.entries, "mind simulate run prints them all"),
    days.map((day) => daySection(person, day)),
  ];
}

function daySection(person, day) {
  const start = day * DAY_US;
  const own = (person.entries ?? []).filter((one) => start <= one.t_us && one.t_us < start + DAY_US);
  return el("section", {},
    el("h2", {}, `Day ${day}, ${WEEKDAYS[((day % 7) + 7) % 7]}`),
    dayStrip(person, start, own),
    el("ol", { class: "diary" }, own.map((one) => el("li", {},
      el("time", {}, clock(one.t_us)), el("span", { class: "soft how" }, line(one.how || one.what)),
      el("div", { class: `${one.what}-words` }, words(one.words))))));
}

function dayStrip(person, start, own) {
  const pieces = piecesOf(person, start), names = pieces.length ? Object.keys(person.curves) : [];
  const foot = CURVE * Math.max(1, names.length);
  const x = (t_us) => (LEFT + ((WIDE - LEFT) * (t_us - start)) / DAY_US).toFixed(1);
  const upright = (t_us, kind, top, to) => svg("line", { x1: x(t_us), x2: x(t_us), y1: top, y2: to, class: kind });
  const hours = [0, 3, 6, 9, 12, 15, 18, 21, 24].map((hour) => [
    upright(start + hour * HOUR_US, "grid", 0, foot),
    svg("text", { x: Math.min(x(start + hour * HOUR_US), WIDE - 32), y: foot + 30 }, `${String(hour).padStart(2, "0")}:00`),
  ]);
  const nights = (person.nights ?? []).map(([from, to]) => {
    const left = Math.max(from, start), right = Math.min(to, start + DAY_US);
    return right > left && svg("rect", { class: "sleep", x: x(left), y: 0, width: (x(right) - x(left)).toFixed(1), height: foot });
  });
  const KINDS = { event: ["event", 0, foot], thought: ["thought", foot + 2, foot + 9], note: ["noted", foot + 9, foot + 18] };
  const told = names.map((name) => `${named(name)} ${extent(person.curves[name])}`).join(", ");
  const label = pieces.length ? `Curves of the day: ${told}` : noCurves(person);
  return el("figure", { class: "day table", tabindex: "0", role: "region", "aria-label": "Curves" }, svg("svg", { viewBox: `0 0 ${WIDE} ${foot + 34}`, role: "img", "aria-label": `${label}; ${counted(own.length, "line")} below` },
    hours, nights, names.map((name, at) => curve(person, name, pieces, at, x)),
    own.map((one) => upright(one.t_us, ...KINDS[one.what])),
    !pieces.length && svg("text", { class: "none", x: (LEFT + WIDE) / 2, y: foot / 2 + 5 }, noCurves(person))));
}

function named(curve) {
  return curve.replace(/_nmol_l$/, " nmol/l").replaceAll("_", " ");
}

function extent(values) {
  return `${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)}`;
}

function noCurves(person) {
  return `no curves: ${person.no_curves}`;
}

// The places of the states of a day through which each curve goes; states too far apart are no curve.
function piecesOf(person, start) {
  return (person.stretches ?? []).map(([from, to]) => [Math.max(from, start), Math.min(to, start + DAY_US)])
    .map(([from, to]) => [...person.t_us.keys()].filter((place) => from <= person.t_us[place] && person.t_us[place] <= to))
    .filter((places) => places.length > 1);
}

function curve(person, name, pieces, at, x) {
  const values = person.curves[name], least = Math.min(...values), most = Math.max(...values);
  const y = (value) => (CURVE * (at + 1) - 5 - ((CURVE - 10) * (value - least)) / (most - least || 1)).toFixed(1);
  return [pieces.map((places) => svg("polyline", { class: `curve curve-${at % 6}`, points: places.map((place) => `${x(person.t_us[place])},${y(values[place])}`).join(" ") })),
    svg("text", { x: 0, y: CURVE * at + 24 }, named(name).slice(0, 20))];
}
