// What compaction did to the window: which cycles it sends whole, masked, or as lines of a summary.

function windowsView() {
  const changes = life.agent.compactions ?? [];
  return [
    leftOut(life.agent.left_out?.compactions, command("compact list")),
    changes.length ? [...changes].reverse().map(changeOf) : el("p", {}, "Nothing was folded: each prompt sends the whole log of its segment."),
  ];
}

function changeOf(change) {
  const parts = (change.window && life.windows.get(change.window)) || [];
  return el("section", {},
    el("h2", {}, `${change.action === "undo" ? "Undone" : "Folded"} through cycle ${change.through} (${change.number})`),
    facts(["When", instant(change.at)], ["Strategy", change.strategy], ["From segment", change.segment],
      ["Tokens", `${count(change.tokens_before)} before, ${count(change.tokens_after)} after`],
      ["Window", change.window ? el("code", {}, change.window) : "the whole log"]),
    el("ul", { class: "plain" }, parts.map((part) => el("li", {}, PARTS[part.part](part)))));
}

function rangeOf(part) {
  return part.first === part.last ? link(`cycle ${part.first}`, "cycle", part.first)
    : [link(`cycles ${part.first}`, "cycle", part.first), " to ", link(part.last, "cycle", part.last)];
}

// What is looked up by an id or a hash is no word that a reader knows.
function foundBy(terms) {
  const known = terms.filter((one) => !/[0-9A-Za-z]{16}/.test(one) || /\s/.test(one));
  const ids = terms.length - known.length;
  const said = known.map((one) => `“${one}”`);
  const named = [...said, ...(ids ? [counted(ids, "id")] : [])].join(", ");
  return named && [" by ", line(named, 400)];
}

const PARTS = {
  kept: (part) => [el("strong", { class: "kept" }, "Whole: "), rangeOf(part), `, ${counted(part.tokens, "token")}`],
  masked: (part) => [el("strong", { class: "masked" }, "Masked: "), link(`cycle ${part.cycle}`, "cycle", part.cycle),
    `, ${counted(part.stubs.length, "answer")} left as stubs: `, line(part.stubs.map((one) => beginning(one.text)).join(" "), 300)],
  summary: (part) => [el("strong", { class: "folded" }, "Folded: "), rangeOf(part),
    `, ${counted(part.messages, "message")} into ${counted(part.lines.length, "line")} by ${part.strategy} `,
    part.sources && tainted(Object.keys(part.sources)),
    el("details", {}, el("summary", {}, "Lines of the summary"), el("ul", { class: "plain" },
      part.lines.map((one) => el("li", {}, link(one.cycle, "cycle", one.cycle), " ", words(one.text)))))],
  anchors: (part) => el("details", {}, el("summary", {}, `Kept word for word: ${counted(part.anchors.length, "anchor")}`),
    el("ul", { class: "plain" }, part.anchors.map((one) => el("li", {}, link(one.cycle, "cycle", one.cycle), ` ${one.kind} `, words(one.text))))),
  pointer: (part) => [el("strong", {}, "The rest: "), "searched in the history", foundBy(part.terms)],
};
