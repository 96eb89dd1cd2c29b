// Beliefs as of any moment, with their evidence down to the quoted characters.

function moments() {
  const found = new Set();
  for (const belief of life.agent.beliefs ?? [])
    for (const one of belief.stood ?? []) found.add(one.at);
  return [...found].sort();
}

function standing(belief, moment) {
  return (belief.stood ?? []).filter((one) => !moment || one.at <= moment).at(-1);
}

function counts(evidence, moment) {
  return (!moment || !evidence.linked || evidence.linked <= moment) &&
    !(evidence.retracted && (!moment || evidence.retracted <= moment));
}

function beliefsView(moment) {
  const all = life.agent.beliefs ?? [];
  const held = all.map((belief) => ({ belief, stood: standing(belief, moment) })).filter((one) => one.stood)
    .sort((one, other) => other.stood.confidence - one.stood.confidence || (one.belief.id < other.belief.id ? -1 : 1));
  const current = held.filter(({ stood }) => stood.status === "active" || stood.status === "stale");
  const past = held.filter((one) => !current.includes(one));
  return [
    momentPicker(moment),
    leftOut(life.agent.left_out?.beliefs, command("observation list")),
    el("h2", {}, `Held (${count(current.length)})`),
    current.length ? beliefTable("Held beliefs", current, moment) : el("p", {}, "Nothing is held true."),
    past.length > 0 && [el("h2", {}, `No longer held (${count(past.length)})`), beliefTable("Beliefs of the past", past, moment)],
  ];
}

function momentPicker(moment) {
  const all = moments();
  if (all.length < 2) return null;
  const place = moment ? Math.max(0, all.findLastIndex((one) => one <= moment)) : all.length - 1;
  const range = el("input", { type: "range", id: "moment", min: 0, max: all.length - 1, value: place,
    "aria-describedby": "moment-told" });
  const told = el("output", { id: "moment-told", for: "moment" }, all[place]);
  range.addEventListener("input", () => { told.textContent = all[range.value]; });
  range.addEventListener("change", () => { location.hash = `#/beliefs/${encodeURIComponent(all[range.value])}`; });
  return el("p", {}, el("label", { for: "moment" }, "As of "), told, range,
    moment && link("As they stand now", "beliefs"));
}

function beliefTable(caption, held, moment) {
  return table(caption, [
    ["Claim", ({ belief }) => [link(line(belief.summary, 200), ...["belief", belief.id, moment].filter(Boolean)), " ", tainted(belief.sources)], "long"],
    ["Sure", ({ stood }) => `${Math.round(stood.confidence * 100)} %`, "number"],
    ["Stands", ({ stood }) => [stood.status, stood.contested ? ", contested" : "", stood.pinned ? ", pinned" : ""]],
    ["Evidence", ({ belief }) => (belief.evidence ?? []).filter((one) => counts(one, moment)).length, "number"],
    ["Since", ({ belief }) => instant(belief.learnt), "when wide"],
  ], held);
}

function beliefView(id, moment) {
  const belief = life.beliefs.get(id);
  if (!belief) return [el("p", {}, "There is no such belief on this page.")];
  const stood = standing(belief, moment);
  return [
    el("p", { class: "soft" }, moment ? ["As of ", instant(moment), ". ", link("As it stands now", "belief", id)] : "As it stands now."),
    words(belief.summary, command("observation show", id)),
    facts(["Subject", `${belief.subject}, ${belief.slot}`], ["Value", line(belief.value, 400)], ["Kind", belief.type],
      ["Stands", stood ? `${stood.status}${stood.contested ? ", contested" : ""}${stood.operator_confirmed ? ", confirmed" : ""}, ${Math.round(stood.confidence * 100)} % sure` : "not held yet"],
      ["True", [instant(belief.valid_from), belief.valid_to ? [" to ", instant(belief.valid_to)] : ""]],
      ["In the place of", belief.supersedes && link(belief.supersedes, "belief", belief.supersedes)],
      ["Taint", tainted(belief.sources)], ["Why", el("code", {}, command("observation show", id, "--explain"))]),
    el("h2", {}, "Evidence"),
    (belief.evidence ?? []).map((one) => evidenceCard(one, moment)),
    el("h2", {}, "How it stood"),
    table("How it stood", [
      ["From", (one) => link(instant(one.at), "belief", id, one.at), "when"],
      ["Stood", (one) => one.status], ["Sure", (one) => `${Math.round(one.confidence * 100)} %`, "number"],
      ["By", (one) => one.by], ["Why", (one) => line(one.why, 300), "long"],
    ], belief.stood ?? []),
  ];
}

function evidenceCard(one, moment) {
  const turn = one.cycle && (life.turns.get(one.cycle) ?? [])[0];
  const state = counts(one, moment) ? "" : one.retracted ? " (taken back)" : " (not known yet)";
  return el("article", {},
    el("h3", {}, `${one.stance}${state}, weight ${one.weight}`),
    el("p", { class: "soft" }, instant(one.at), ` ${one.speaker ?? (one.claimed_speaker ? `said to be of ${one.claimed_speaker}` : one.origin)} `, tainted(one.sources)),
    one.quote ? el("blockquote", {}, words(one.quote)) : one.text && el("blockquote", {}, words(one.text, command("memory show", one.ref))),
    el("ul", { class: "row" },
      one.seq && el("li", {}, link(`Characters ${one.start}–${one.end} of message ${one.seq}`, "message", one.seq, one.start, one.end)),
      turn && el("li", {}, link(`Exact prompt of cycle ${one.cycle}`, "prompt", one.cycle, turn.turn)),
      !one.seq && one.text && el("li", {}, link("As it is kept, and the prompts that held it", "kept", one.source, one.ref)),
      el("li", { class: "soft" }, kindOf(one), " ", el("code", {}, one.ref))),
    one.found === false && el("p", { class: "failed" }, "The log does not have these words there."));
}

function kindOf(evidence) {
  return evidence.source.replace("_", " ");
}

// What was remembered without being said in a cycle: its words, what is believed on it, and the
// prompts in which it was told.
function keptView(source, ref) {
  const meant = (one) => one.source === source && one.ref === ref;
  const beliefs = [...life.beliefs.values()].filter((belief) => (belief.evidence ?? []).some(meant));
  const one = beliefs[0]?.evidence.find(meant);
  if (!one) return [el("p", {}, "There is no such evidence on this page.")];
  const whole = source === "memory_item" ? command("memory show", ref) : undefined;
  const turns = promptsWith(beginning(one.text).toString());
  return [
    el("p", { class: "soft" }, instant(one.at), ` ${one.speaker ?? (one.claimed_speaker ? `said to be of ${one.claimed_speaker}` : one.origin)} `, tainted(one.sources)),
    el("blockquote", { id: "meant" }, words(one.text, whole)),
    facts(["Kept as", [kindOf(one), " ", el("code", {}, ref)]], ["Whole", whole && el("code", {}, whole)]),
    el("h2", {}, "Believed on it"),
    el("ul", {}, beliefs.map((belief) => el("li", {}, link(line(belief.summary, 200), "belief", belief.id)))),
    el("h2", {}, `Prompts that held it (${count(turns.length)})`),
    turns.length ? el("ul", {}, turns.map((turn) => el("li", {}, link(`Exact prompt of cycle ${turn.cycle}, turn ${turn.turn}`, "prompt", turn.cycle, turn.turn))))
      : el("p", {}, "It was not said in a cycle, and no message on this page has its words."),
  ];
}

// The first turn that was told some words, of each message that has them.
function promptsWith(text) {
  const has = (message) => (message.parts ?? []).some((part) => beginning(part.text).toString().includes(text));
  const found = new Set();
  for (const message of life.messages.values())
    if (has(message)) found.add((life.turns.get(message.cycle) ?? []).find((one) => one.turn > message.turn || message.role !== "assistant"));
  for (const turns of life.turns.values())
    for (const turn of turns) if ((turn.apart ?? []).some(has)) found.add(turn);
  return [...found].filter(Boolean);
}
