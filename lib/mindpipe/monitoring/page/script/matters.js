// What waits for somebody or something: tickets, waits and plans; and what was spent.

function mattersView() {
  const { agent } = life;
  return [
    el("h2", {}, `Tickets (${agent.tickets?.length ?? 0})`),
    leftOut(agent.left_out?.tickets, command("ticket list --every")),
    (agent.tickets ?? []).map(ticketCard).reverse(),
    el("h2", {}, `Waits (${agent.waits?.length ?? 0})`),
    agent.waits?.length ? table("Waits", [
      ["Since", (one) => instant(one.since), "when"], ["In", (one) => line(one.space)],
      ["For", (one) => (one.anybody ? "anybody" : line(one.whom ?? "a reply"))],
      ["Until", (one) => instant(one.until), "when"], ["State", (one) => one.state ?? "open"],
      ["Ended", (one) => instant(one.ended), "when"],
    ], [...agent.waits].reverse()) : el("p", {}, "It waited for nobody."),
    el("h2", {}, `Plans (${agent.plans?.length ?? 0})`),
    agent.plans?.length ? table("Plans", [
      ["Plan", (one) => line(one.title)], ["Text", (one) => line(one.text, 200), "long"],
      ["Rule", (one) => (one.cron ? `${beginning(one.cron)} ${one.zone}` : one.at ? instant(one.at) : `after ${one.after} s`)],
      ["Next", (one) => instant(one.next), "when"], ["Last", (one) => instant(one.last), "when"],
      ["State", (one) => one.state], ["Taint", (one) => tainted(one.sources)],
    ], agent.plans) : el("p", {}, "It has no plans."),
    agent.fired?.length > 0 && [el("h2", {}, "Windows of plans that came due"), table("Windows of plans", [
      ["Window", (one) => instant(one.window), "when"], ["Plan", (one) => line(one.title)],
      ["Handed over", (one) => one.state], ["Outcome", (one) => [one.outcome ?? "", one.why ? [": ", line(one.why)] : ""], "long"],
    ], [...agent.fired].reverse())],
  ];
}

function ticketCard(one) {
  return el("article", {},
    el("h3", {}, `${one.tool ?? one.type}: ${one.state}`),
    el("p", { class: "soft" }, instant(one.created), " ", one.cycle > 0 && link(`cycle ${one.cycle}`, "cycle", one.cycle), " ", tainted(one.sources)),
    words(one.reason, ticketCommand(one)),
    one.arguments && words(one.arguments, ticketCommand(one)),
    one.decided && el("p", {}, "Decided ", instant(one.decided), ` by ${one.person ?? "nobody"} `, one.result && line(one.result, 300)),
    el("p", { class: "soft" }, el("code", {}, ticketCommand(one))));
}

function spendView() {
  const costs = life.agent.costs ?? [];
  const sum = (name) => costs.reduce((total, one) => total + one[name], 0);
  return [
    facts(["All", dollars(sum("settled_micros"))], ["Reserved", dollars(sum("reserved_micros"))],
      ["Counted in full, since no reply came", dollars(sum("lost_micros"))], ["Calls", count(sum("calls"))],
      ["Without a price", count(sum("unpriced_calls"))]),
    leftOut(life.agent.left_out?.costs, command("models cost")),
    table("Spend by day and model", [
      ["Day", (one) => one.day, "when"], ["Model", (one) => line(one.model)], ["Calls", (one) => count(one.calls), "number"],
      ["In", (one) => count(one.input_tokens), "number"], ["Cached", (one) => count(one.cached_tokens), "number wide"],
      ["Out", (one) => count(one.output_tokens), "number"], ["Cost", (one) => dollars(one.settled_micros + one.reserved_micros + one.lost_micros), "number"],
    ], [...costs].reverse()),
  ];
}
