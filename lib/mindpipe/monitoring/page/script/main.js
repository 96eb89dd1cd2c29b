// Which view is shown, and the keys that lead to others.

const VIEWS = {
  cycles: (from) => ["Cycles", () => cyclesView(from)],
  cycle: (number) => [`Cycle ${number}`, () => cycleView(Number(number))],
  message: (seq, start, end) => {
    const message = life.messages.get(Number(seq));
    const meant = { seq: Number(seq), start: Number(start ?? NaN), end: Number(end ?? NaN) };
    return message ? [`Cycle ${message.cycle}, message ${seq}`, () => cycleView(message.cycle, meant)]
      : [`Message ${seq}`, () => [el("p", {}, "There was no room for this message: "), el("p", {}, el("code", {}, command("history show")))]];
  },
  prompt: (cycle, turn) => [`Exact prompt of cycle ${cycle}, turn ${turn}`, () => promptView(Number(cycle), Number(turn))],
  beliefs: (moment) => ["Beliefs", () => beliefsView(moment)],
  belief: (id, moment) => ["Belief", () => beliefView(id, moment)],
  kept: (source, ref) => ["Remembered", () => keptView(source, ref)],
  windows: () => ["Windows", () => windowsView()],
  matters: () => ["Tickets, waits and plans", () => mattersView()],
  spend: () => ["Spend", () => spendView()],
  person: (number) => [life.people[Number(number ?? 0)]?.person ?? "Person", () => personView(Number(number ?? 0))],
  pair: () => ["Two lives", () => pairView()],
  search: (sought) => ["Search", () => searchView(sought ?? "")],
};

const TOP = [
  ["cycles", "Cycles", "c"], ["beliefs", "Beliefs", "b"], ["windows", "Windows", "w"],
  ["matters", "Tickets and plans", "t"], ["spend", "Spend", "s"],
];
const BELOW = { cycle: "cycles", message: "cycles", prompt: "cycles", belief: "beliefs", kept: "beliefs" };

function placeShown() {
  const [, view, ...rest] = location.hash.split("/");
  try {
    return [view, ...rest.map(decodeURIComponent)];
  } catch {
    return [view];
  }
}

function show(isFirst) {
  const fallback = life.agent ? "cycles" : life.pair ? "pair" : "person";
  const [name, ...rest] = placeShown();
  const view = Object.hasOwn(VIEWS, name) && (life.agent || name === fallback || name === "search") ? name : fallback;
  const [heading, made] = VIEWS[view](...rest);
  document.getElementById("heading").textContent = visible(heading);
  const shown = document.getElementById("shown");
  shown.replaceChildren();
  filled(shown, {}, made());
  for (const one of document.querySelectorAll("#views a")) {
    const isHere = one.dataset.view === (BELOW[view] ?? view) && (view !== "person" || one.dataset.number === (rest[0] ?? "0"));
    if (isHere) one.setAttribute("aria-current", "page");
    else one.removeAttribute("aria-current");
  }
  if (isFirst) return;
  document.getElementById("main").focus({ preventScroll: true });
  const meant = document.getElementById("quoted") ?? document.getElementById("meant");
  if (meant) meant.scrollIntoView({ block: "center" });
  else scrollTo(0, 0);
}

function drawFrame() {
  const { agent, pair, people } = life;
  const views = agent ? TOP.map(([view, name]) => ({ view, name, place: [view] }))
    : pair ? [{ view: "pair", name: "Two lives", place: ["pair"] }]
    : people.length === 1 ? [] : people.map((one, at) => ({ view: "person", name: one.person, place: ["person", at], number: at }));
  document.getElementById("name").textContent = visible(agent?.title ?? pair?.names.map(beginning).join(" and ") ?? people.map((one) => one.person).join(", "));
  for (const { view, name, place, number } of views) {
    const one = link(name, ...place);
    one.dataset.view = view;
    if (number !== undefined) one.dataset.number = number;
    document.getElementById("views").append(one);
  }
  const keys = [["/", "search"], ...(agent ? TOP.map(([, name, key]) => [key, name]) : []), pair ? ["d", "where they first differ"] : ["j, k", "next and earlier cycle"], ["?", "these keys"]];
  filled(document.querySelector("#keys dl"), {}, keys.map(([key, name]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, name)]));
  document.getElementById("about").textContent = `Made ${(agent ?? pair ?? people[0]).made} by mind view. It needs no network and asks nothing of any.`;
}

function step(by) {
  const [view, first] = placeShown();
  const message = view === "message" ? life.messages.get(Number(first)) : null;
  const here = message ? message.cycle : ["cycle", "prompt"].includes(view) ? Number(first) : null;
  const at = here === null ? (by > 0 ? -1 : life.numbers.length) : life.numbers.indexOf(here);
  const next = life.numbers[at + by];
  if (next) location.hash = `#/cycle/${next}`;
}

function pressed(event) {
  const isTyping = event.target instanceof HTMLInputElement && event.target.type !== "checkbox" && event.target.type !== "range";
  if (event.key === "Escape" && isTyping) event.target.blur();
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || !document.getElementById("single").checked) return;
  const top = life.agent && TOP.find(([, , key]) => key === event.key);
  if (top) location.hash = `#/${top[0]}`;
  else if (event.key === "/") document.getElementById("sought").focus();
  else if (event.key === "?") document.getElementById("keys").open = true;
  else if (event.key === "d" && life.pair) document.getElementById("meant")?.scrollIntoView({ block: "center" });
  else if (event.key === "j" && life.agent) step(1);
  else if (event.key === "k" && life.agent) step(-1);
  else return;
  event.preventDefault();
}

// What is folded up on a screen cannot be opened on paper.
function unfold(isPrinted) {
  for (const one of document.querySelectorAll(isPrinted ? "main details:not([open])" : "main details[data-shut]")) {
    one.open = isPrinted;
    one.toggleAttribute("data-shut", isPrinted);
  }
}

async function begin() {
  await load();
  drawFrame();
  show(true);
  addEventListener("hashchange", () => { if (location.hash.startsWith("#/")) show(false); });
  addEventListener("keydown", pressed);
  addEventListener("beforeprint", () => unfold(true));
  addEventListener("afterprint", () => unfold(false));
  document.getElementById("search").addEventListener("submit", (event) => {
    event.preventDefault();
    location.hash = `#/search/${encodeURIComponent(document.getElementById("sought").value)}`;
  });
  document.documentElement.dataset.ready = "yes";
}

begin().catch((error) => {
  document.getElementById("shown").textContent = `This page cannot be shown: ${error.message}`;
});
