// All cycles side by side, as wide as they cost, and below each how much of it is in the window.

const WIDE = 1000, MOST_BARS = 400, LEAST_BAR = 1.2;

function weightOf(cycles) {
  for (const [name, words] of [["cost_micros", "cost"], ["input_tokens", "tokens"]]) {
    if (cycles.some((one) => one[name])) {
      return { words, of: (one) => (one[name] ?? 0) + (name === "input_tokens" ? one.output_tokens ?? 0 : 0) };
    }
  }
  return { words: "number, since none of them cost anything", of: () => 1 };
}

// Where there are more cycles than bars, neighbours share one.
function bars(numbers) {
  const size = Math.ceil(numbers.length / MOST_BARS);
  const found = [];
  for (let at = 0; at < numbers.length; at += size)
    found.push(numbers.slice(at, at + size).map((one) => life.cycles.get(one)));
  return found;
}

function strip() {
  const all = life.numbers.map((one) => life.cycles.get(one));
  const weight = weightOf(all), groups = bars(life.numbers), window = nowWindow();
  const total = all.reduce((sum, one) => sum + weight.of(one), 0) || 1;
  const free = WIDE - LEAST_BAR * groups.length;
  let left = 0;
  const drawn = groups.map((group) => {
    const wide = LEAST_BAR + (free * group.reduce((sum, one) => sum + weight.of(one), 0)) / total;
    const bar = barOf(group, left, wide, window);
    left += wide;
    return bar;
  });
  return el("figure", {},
    svg("svg", { viewBox: `0 0 ${WIDE} 78`, role: "img", "aria-label": `${counted(all.length, "cycle")} in order` }, drawn),
    el("figcaption", {}, `Each bar is ${groups[0]?.length > 1 ? `${groups[0].length} cycles` : "a cycle"}, as wide as its ${weight.words}. `,
      el("span", { class: "failed" }, "Failed"), ", ", el("span", { class: "open" }, "open"), "; the edge above is ",
      el("span", { class: "taint" }, "taint"), ". Below: ", el("span", { class: "kept" }, "whole"), ", ",
      el("span", { class: "masked" }, "masked"), " or ", el("span", { class: "folded" }, "folded"), " in the window now."));
}

function barOf(group, left, wide, window) {
  const first = group[0], worst = group.find((one) => outcome(one) === "failed") ?? first;
  const box = { x: left.toFixed(2), width: Math.max(0.4, wide - (wide > 3 ? 0.8 : 0.2)).toFixed(2) };
  const taint = group.some((one) => one.untrusted?.length);
  const name = group.length > 1 ? `Cycles ${first.cycle}–${group.at(-1).cycle}` : `Cycle ${first.cycle}: ${outcome(first)}`;
  return svg("a", { href: `#/cycle/${first.cycle}`, tabindex: "-1", "aria-hidden": "true" },
    svg("title", {}, `${name}, ${dollars(group.reduce((sum, one) => sum + (one.cost_micros ?? 0), 0))}`),
    svg("rect", { ...box, y: 8, height: 50, class: `bar-${outcome(worst)}` }),
    taint && svg("rect", { ...box, y: 0, height: 5, class: "bar-taint" }),
    svg("rect", { ...box, y: 62, height: 12, class: `band-${placeIn(window, first.cycle).state}` }));
}

const ROWS = 100;

function cyclesView(from) {
  const numbers = life.numbers, last = numbers.at(-1) ?? 0;
  const start = Number(from) || Math.max(1, last - ROWS + 1);
  const shown = numbers.filter((one) => one >= start && one < start + ROWS);
  const window = nowWindow();
  const pages = el("ul", { class: "row steps" },
    start > 1 && el("li", {}, link("Earlier", "cycles", Math.max(1, start - ROWS))),
    start + ROWS <= last && el("li", {}, link("Later", "cycles", start + ROWS)),
    el("li", {}, link("First", "cycles", 1)), el("li", {}, link("Newest", "cycles")));
  const { agent } = life;
  return [
    facts(["Agent", `${agent.title} (${agent.agent})`], ["Model", agent.model], ["As of", instant(agent.made)],
      ["Lived", `${counted(agent.cycles, "cycle")}, ${counted(agent.messages, "message")}`],
      ["Trusts", (agent.trust ?? []).join(", ")]),
    agent.instructions && el("details", {}, el("summary", {}, "Instructions"), words(agent.instructions, `mind agent show ${quoted(agent.agent)}`)),
    numbers.length ? strip() : el("p", {}, "Nothing has happened yet."),
    numbers.length > ROWS && pages,
    table("Cycles", [
      ["Cycle", (one) => link(one.cycle, "cycle", one.cycle)],
      ["Opened", (one) => instant(one.opened), "when"],
      ["Outcome", (one) => el("span", { class: outcome(one) }, outcome(one))],
      ["Began with", (one) => line(one.began, 110), "long"],
      ["Cost", (one) => dollars(one.cost_micros ?? 0), "number"],
      ["Tokens", (one) => count((one.input_tokens ?? 0) + (one.output_tokens ?? 0)), "number wide"],
      ["Window", (one) => windowWord(window, one.cycle), "wide"],
      ["Taint", (one) => (one.untrusted?.length ? el("span", { class: "taint" }, line(one.untrusted.join(", "), 40)) : ""), "wide"],
    ], shown.map((one) => life.cycles.get(one)).reverse()),
  ];
}

function windowWord(window, cycle) {
  const { state } = placeIn(window, cycle);
  return el("span", { class: state }, { kept: "whole", masked: "masked", folded: "folded" }[state]);
}
