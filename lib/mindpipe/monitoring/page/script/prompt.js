// The exact prompt of a turn, put together from the messages of the history that it sent.

// The parts of the window that a segment sends; null where it sends its whole log.
function windowOf(segment) {
  const changes = (life.agent.compactions ?? []).filter((one) => one.segment <= segment);
  const last = changes.at(-1);
  return last?.window ? { change: last, parts: life.windows.get(last.window) ?? [] } : null;
}

function partAt(parts, cycle) {
  return parts.find((one) =>
    one.part === "masked" ? one.cycle === cycle : "first" in one && one.first <= cycle && cycle <= one.last);
}

// Where a cycle is in a window: whole, masked (some answers are stubs), or folded into a summary.
function placeIn(window, cycle) {
  const part = window && partAt(window.parts, cycle);
  if (!part || part.part === "kept") return { state: "kept" };
  return { state: part.part === "masked" ? "masked" : "folded", part };
}

function nowWindow() {
  return windowOf(Infinity);
}

function sentBefore(turn, segment) {
  const window = windowOf(turn.segment);
  const news = new Set(turn.unsent ?? []);
  const first = segment.timeline ? turn.cycle : window ? 1 : segment.first_cycle;
  const sent = [];
  for (const number of life.numbers) {
    if (number < first || number > turn.cycle) continue;
    const place = segment.timeline ? { state: "kept" } : placeIn(window, number);
    if (place.state === "folded") continue;
    for (const message of life.said.get(number) ?? []) {
      const earlier = message.cycle < turn.cycle || message.turn < turn.turn;
      if (earlier && !news.has(message.seq)) sent.push(stubbed(message, place));
    }
  }
  return sent;
}

function stubbed(message, place) {
  if (place.state !== "masked") return message;
  const stubs = new Map(place.part.stubs.map((one) => [one.call, one.text]));
  const parts = (message.parts ?? []).map((part) =>
    part.type === "result" && stubs.has(part.call) ? { ...part, text: stubs.get(part.call), stub: true } : part);
  return { ...message, parts };
}

function turnOf(cycle, number) {
  return (life.turns.get(cycle) ?? []).find((one) => one.turn === number);
}

function promptView(cycle, number) {
  const turn = turnOf(cycle, number);
  if (!turn) return [el("p", {}, `Nothing was asked in cycle ${cycle}, turn ${number}, or there is no room for it here.`)];
  const segment = life.segments.get(turn.segment);
  const head = segment && life.heads.get(segment.head);
  const whole = command("context show", "--cycle", cycle, "--turn", number, "--json");
  const sent = segment ? sentBefore(turn, segment) : [];
  const news = [...(turn.unsent ?? []).map((seq) => life.messages.get(seq)).filter(Boolean), ...(turn.apart ?? [])];
  const turns = life.turns.get(cycle);
  return [
    el("ul", { class: "row steps" }, el("li", {}, link(`Cycle ${cycle}`, "cycle", cycle)),
      turns.filter((one) => one !== turn).map((one) => el("li", {}, link(`Turn ${one.turn}`, "prompt", cycle, one.turn)))),
    facts(["Model", turn.model], ["Segment", `${turn.segment}${segment ? `, opened for: ${beginning(segment.reason)}` : ""}`],
      ["Request", turn.sha256 ? ["SHA-256 ", el("code", {}, turn.sha256)] : "not sent yet"],
      ["Its bytes", el("code", {}, whole)], ["Taint", tainted(turn.sources)]),
    head && [
      el("h2", {}, "System text"), words(head.system, whole),
      el("h2", {}, `Tools (${head.tools?.length ?? 0})`), el("p", {}, (head.tools ?? []).join(", ") || "None."),
      head.schemas && el("details", {}, el("summary", {}, "What the model is told of them"), words(head.schemas, whole)),
      head.summary && [el("h2", {}, "Summary of what was folded"), words(head.summary, whole)],
    ],
    el("h2", {}, `Sent again (${count(sent.length)})`),
    sent.length ? sent.map((one) => messageCard(one)) : el("p", {}, "Nothing: the log was empty."),
    el("h2", {}, `New in this turn (${count(news.length)})`),
    news.length ? news.map((one) => messageCard(one)) : el("p", {}, "Only the results above."),
  ];
}
