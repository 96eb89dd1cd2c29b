// Two lives beside each other: where they part, what follows in both, and what they share, folded.

function pairView() {
  const pair = life.pair, rows = pair.rows ?? [], shared = pair.shared ?? [], parting = pair.parting;
  const apart = rows.filter((one) => !one.same).length;
  return [
    facts(["First", pair.names[0]], ["Second", pair.names[1]], ["As of", instant(pair.made)],
      ["They part", parting ? parting.label : pair.differences?.length ? "in what is below" : "nowhere"],
      ["After that", rows.length ? `${counted(apart, "moment")} of ${count(rows.length)} differ` : ""]),
    parting && el("section", {}, el("h2", {}, "Where they first differ"),
      el("article", { class: "meant note", id: "meant" }, el("h3", {}, `${parting.label}, ${parting.what}`), beside(parting))),
    pair.curves?.length === 2 && el("section", {}, el("h2", {}, "Body"), legend(pair), pairDays(pair).map((day) => pairStrip(pair, day))),
    differencesOf(pair),
    rows.length > 0 && el("section", {}, el("h2", {}, "Side by side"), leftOut(pair.left_out?.rows, "mind life diff prints them all"), folded(rows)),
    (shared.length > 0 || pair.left_out?.shared) && el("details", {},
      el("summary", {}, `What both share before: ${count(shared.length + (pair.left_out?.shared ?? 0))}`),
      leftOut(pair.left_out?.shared, "mind view of one of them shows all of it"), diary(shared)),
  ];
}

function side(number) {
  return ["only the first: ", "only the second: "][number] + beginning(life.pair.names[number]);
}

// Both words of a row, or the words that only one of the lives has.
function beside(row) {
  const both = row.first !== undefined && row.second !== undefined;
  const one = (text, number) => text !== undefined && el("div", { class: `side-${number + 1}` },
    el("p", { class: "soft" }, both ? beginning(life.pair.names[number]) : side(number)), words(text));
  return el("div", { class: both ? "beside" : "" }, one(row.first, 0), one(row.second, 1));
}

// Rows in which the lives differ; those that are the same again between them are folded.
function folded(rows) {
  const found = [];
  for (let at = 0; at < rows.length;) {
    let to = at;
    while (to < rows.length && Boolean(rows[to].same) === Boolean(rows[at].same)) to += 1;
    const some = rows.slice(at, to);
    found.push(rows[at].same ? el("details", {}, el("summary", {}, `${counted(some.length, "moment")} of both, the same`), diary(some))
      : some.map((one) => el("article", {}, el("h3", {}, `${one.label}, ${one.what}`), beside(one))));
    at = to;
  }
  return found;
}

function diary(rows) {
  return el("ol", { class: "diary" }, rows.map((one) => el("li", {},
    el("time", {}, one.label), el("span", { class: "soft how" }, one.what), el("div", {}, words(one.first)))));
}

function differencesOf(pair) {
  const kinds = new Map();
  for (const one of pair.differences ?? []) added(kinds, beginning(one.what), one);
  const title = (kind) => kind === "body" ? "Where the body is farthest apart" : kind[0].toUpperCase() + kind.slice(1);
  return [...kinds].map(([kind, some]) => el("section", { class: "differences" }, el("h2", {}, title(kind)),
    table(kind, [
      ["What", (one) => line(one.key, 80)], [beginning(pair.names[0]), (one) => line(one.first, 240)],
      [beginning(pair.names[1]), (one) => line(one.second, 240)],
    ], some)));
}

function legend(pair) {
  const sample = (kind) => svg("svg", { viewBox: "0 0 40 8", class: "sample", "aria-label": kind }, svg("line", { x1: 0, x2: 40, y1: 4, y2: 4, class: `curve curve-1 ${kind}` }));
  return el("ul", { class: "row" }, el("li", {}, sample("first"), beginning(pair.names[0])), el("li", {}, sample("second"), beginning(pair.names[1])));
}

// The days from the one on which the curves part.
function pairDays(pair) {
  const [one, other] = pair.curves, names = Object.keys(one.curves);
  const at = new Map(other.t_us.map((t_us, place) => [t_us, place]));
  const first = one.t_us.find((t_us, place) => at.has(t_us) && names.some((name) => one.curves[name][place] !== other.curves[name][at.get(t_us)]));
  const last = Math.max(one.t_us.at(-1), other.t_us.at(-1)) - 1;
  const days = [];
  for (let day = Math.floor((first ?? last + DAY_US) / DAY_US); day * DAY_US <= last; day += 1) days.push(day);
  return days;
}

function pairStrip(pair, day) {
  const start = day * DAY_US, names = Object.keys(pair.curves[0].curves), foot = CURVE * names.length;
  const x = (t_us) => (LEFT + ((WIDE - LEFT) * (t_us - start)) / DAY_US).toFixed(1);
  const hours = [0, 3, 6, 9, 12, 15, 18, 21, 24].map((hour) => [
    svg("line", { x1: x(start + hour * HOUR_US), x2: x(start + hour * HOUR_US), y1: 0, y2: foot, class: "grid" }),
    svg("text", { x: Math.min(x(start + hour * HOUR_US), WIDE - 32), y: foot + 30 }, `${String(hour).padStart(2, "0")}:00`),
  ]);
  const nights = pair.curves.map((one, number) => (one.nights ?? []).map(([from, to]) => {
    const left = Math.max(from, start), right = Math.min(to, start + DAY_US);
    return right > left && svg("rect", { class: "sleep", x: x(left), y: number ? foot + 8 : foot + 1, width: (x(right) - x(left)).toFixed(1), height: 6 });
  }));
  const told = names.map((name) => `${named(name)} ${pair.curves.map((one) => extent(one.curves[name])).join(" and ")}`).join(", ");
  return el("figure", { class: "day table", tabindex: "0", role: "region", "aria-label": `Curves of day ${day}` },
    el("figcaption", {}, `Day ${day}, ${WEEKDAYS[((day % 7) + 7) % 7]}`),
    svg("svg", { viewBox: `0 0 ${WIDE} ${foot + 34}`, role: "img", "aria-label": `Curves of both: ${told}` }, hours, nights,
      names.map((name, at) => bothCurves(pair, name, at, start, x))));
}

function bothCurves(pair, name, at, start, x) {
  const all = pair.curves.flatMap((one) => one.curves[name]), least = Math.min(...all), most = Math.max(...all);
  const y = (value) => (CURVE * (at + 1) - 5 - ((CURVE - 10) * (value - least)) / (most - least || 1)).toFixed(1);
  return [pair.curves.map((one, number) => {
    const places = [...one.t_us.keys()].filter((place) => start <= one.t_us[place] && one.t_us[place] <= start + DAY_US);
    return places.length > 1 && svg("polyline", { class: `curve curve-${at % 6} ${number ? "second" : "first"}`, points: places.map((place) => `${x(one.t_us[place])},${y(one.curves[name][place])}`).join(" ") });
  }), svg("text", { x: 0, y: CURVE * at + 24 }, named(name).slice(0, 20))];
}
