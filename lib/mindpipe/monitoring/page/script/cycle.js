// One cycle: what it took in, said and called, what it cost, and what became of it in the window.

function cycleView(number, meant) {
  const cycle = life.cycles.get(number);
  if (!cycle) return [el("p", {}, `There is no cycle ${number}.`)];
  const turns = life.turns.get(number) ?? [];
  const at = life.numbers.indexOf(number);
  return [
    el("ul", { class: "row steps" },
      at > 0 && el("li", {}, link("Before", "cycle", life.numbers[at - 1])),
      at + 1 < life.numbers.length && el("li", {}, link("Next", "cycle", life.numbers[at + 1])),
      turns.map((one) => el("li", {}, link(`Exact prompt${turns.length > 1 ? ` of turn ${one.turn}` : ""}`, "prompt", number, one.turn)))),
    facts(["Outcome", el("span", { class: outcome(cycle) }, `${outcome(cycle)}${cycle.reason ? `: ${beginning(cycle.reason)}` : ""}`)],
      ["Opened", instant(cycle.opened)], ["Closed", instant(cycle.closed)], ["Model", cycle.model],
      ["Began with", [counted(cycle.events ?? 0, "event"), `, ${beginning(cycle.began)}`]],
      ["Cost", `${dollars(cycle.cost_micros ?? 0)}, ${count(cycle.input_tokens ?? 0)} tokens in (${count(cycle.cached_tokens ?? 0)} cached), ${count(cycle.output_tokens ?? 0)} out, ${count(cycle.milliseconds ?? 0)} ms`],
      ["Words of", (cycle.sources ?? []).join(", ")], ["Taint", tainted(cycle.untrusted)], ["Window now", windowFact(number)],
      ["Tickets", ticketsOf(number)], ["As lines", el("code", {}, wholeCycle(number))]),
    el("h2", {}, "Messages"),
    life.leftOut.has(number) && el("p", {}, "There was no room for all messages of these cycles."),
    (life.said.get(number) ?? []).map((one) => messageCard(one, meant)),
  ];
}

function windowFact(number) {
  const { state, part } = placeIn(nowWindow(), number);
  if (state === "kept") return "sent whole";
  if (state === "masked") return [`sent with ${counted(part.stubs.length, "stub")} in place of answers: `, link("windows", "windows")];
  return [`folded into the summary of cycles ${part.first}–${part.last}: `, link("windows", "windows")];
}

function ticketsOf(number) {
  const own = (life.agent.tickets ?? []).filter((one) => one.cycle === number);
  return own.length ? own.map((one) => [link(`${one.tool ?? one.type}: ${one.state}`, "matters"), " "]) : "";
}

// `meant` is the message that a link leads to, with the characters that are quoted in it.
function messageCard(message, meant) {
  const isMeant = meant && meant.seq === message.seq;
  const name = message.seq ? `Message ${message.seq}` : "Message that is not in the log";
  return el("article", { class: `${message.role}${isMeant ? " meant" : ""}`, id: isMeant ? "meant" : undefined },
    el("h3", {}, message.seq ? link(name, "message", message.seq) : name, ` ${message.role}`),
    el("p", { class: "soft" }, instant(message.at), ` from ${beginning(message.origin) || "program"} `,
      message.taint && el("span", { class: "taint" }, "not trusted")),
    partsOf(message, isMeant ? meant : null));
}

function partsOf(message, meant) {
  let start = 0;
  return (message.parts ?? []).map((part) => {
    const said = searched(part);
    const span = meant ? { from: meant.start - start, to: meant.end - start } : null;
    if (said) start += Array.from(beginning(said)).length + 1;
    return el("div", { class: "part" }, partHeading(part), partWords(part, message, span));
  });
}

// The words under which a part is found, and of which quotations count the characters.
function searched(part) {
  if (part.type === "call") return `${part.tool} ${beginning(part.text)}`;
  return part.type === "thinking" || part.type === "opaque" ? "" : part.text ?? "";
}

function partHeading(part) {
  const call = life.calls.get(part.call);
  const journal = call ? ` (${call.effect}, ${call.state})` : "";
  switch (part.type) {
    case "call": return el("p", {}, el("strong", {}, `Calls ${part.tool}`), journal, part.invalid && el("span", { class: "failed" }, ` invalid: ${beginning(part.invalid)}`));
    case "result": return el("p", {}, el("strong", {}, `Answer: ${part.status}`), journal, part.stub && " (a stub in its place)", part.ticket && [" ", link("ticket", "matters")]);
    case "file": return el("p", {}, el("strong", {}, `File, ${part.media_type}`), ` ${part.text} SHA-256 `, el("code", {}, part.sha256));
    case "thinking": return el("p", {}, el("strong", {}, "Thinks"));
    case "opaque": return el("p", {}, el("strong", {}, "Only its provider can read this"));
    default: return null;
  }
}

function partWords(part, message, span) {
  if (!part.text) return null;
  const all = Array.from(beginning(part.text));
  const shift = part.type === "call" ? Array.from(part.tool).length + 1 : 0;
  const from = span ? Math.max(0, span.from - shift) : 0, to = span ? span.to - shift : 0;
  if (!span || to <= 0 || from >= all.length) return words(part.text, wholeCycle(message.cycle));
  return words(part.text, wholeCycle(message.cycle), all.slice(0, from).join(""),
    el("mark", { id: "quoted" }, all.slice(from, to).join("")), all.slice(to).join(""));
}
