// Search in all that the page holds: every word must be there; nothing in it is syntax.

const MOST_FOUND = 200;

function fold(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

function* searchable() {
  for (const message of life.messages.values())
    yield { kind: "Message", place: ["message", message.seq], name: `message ${message.seq}, cycle ${message.cycle}`,
      text: (message.parts ?? []).map((one) => `${one.tool ?? ""} ${beginning(one.text)}`).join("\n") };
  for (const belief of life.beliefs.values())
    yield { kind: "Belief", place: ["belief", belief.id], name: `${belief.subject}, ${belief.slot}`,
      text: [beginning(belief.summary), beginning(belief.value), ...(belief.evidence ?? []).map((one) => beginning(one.quote ?? one.text))].join("\n") };
  for (const ticket of life.agent?.tickets ?? [])
    yield { kind: "Ticket", place: ["matters"], name: `${ticket.tool ?? ticket.type}, cycle ${ticket.cycle}`,
      text: [ticket.tool ?? "", beginning(ticket.reason), beginning(ticket.arguments)].join("\n") };
  for (const row of [...(life.pair?.shared ?? []), ...(life.pair?.rows ?? [])])
    yield { kind: row.what, place: ["pair"], name: row.label, text: `${beginning(row.first)}\n${beginning(row.second)}` };
  for (const [number, person] of life.people.entries())
    for (const entry of person.entries ?? [])
      yield { kind: entry.what, place: ["person", number], name: `day ${Math.floor(entry.t_us / DAY_US)}, ${clock(entry.t_us)}`, text: beginning(entry.words) };
}

function searchView(sought) {
  const terms = fold(sought).split(/\s+/).filter(Boolean);
  const found = [];
  let more = 0;
  if (terms.length)
    for (const one of searchable()) {
      const text = fold(one.text);
      if (!terms.every((term) => text.includes(term))) continue;
      if (found.length < MOST_FOUND) found.push(one);
      else more += 1;
    }
  document.getElementById("status").textContent = `${found.length + more} found`;
  return [
    el("p", {}, `${counted(found.length + more, "place")} with all of these words: `, el("strong", {}, sought)),
    life.agent && el("p", { class: "soft" }, "Of texts that are cut here only the beginning is searched: ", el("code", {}, command("history search", "WORDS"))),
    table("Found", [
      ["What", (one) => one.kind], ["Where", (one) => link(one.name, ...one.place)],
      ["Words", (one) => around(one.text, terms[0]), "long"],
    ], found),
    more > 0 && el("p", {}, `${count(more)} more are not shown.`),
  ];
}

function around(text, term) {
  const at = Math.max(0, fold(text).indexOf(term) - 60);
  return line(`${at ? "…" : ""}${text.slice(at)}`, 220);
}
