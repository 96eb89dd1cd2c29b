// The data of the page, and where everything in it is found.

const life = {
  agent: null, pair: null, people: [], cycles: new Map(), numbers: [], messages: new Map(), said: new Map(),
  turns: new Map(), calls: new Map(), segments: new Map(), heads: new Map(), windows: new Map(),
  beliefs: new Map(), leftOut: new Map(),
};

async function unpacked(coded) {
  const octets = Uint8Array.from(atob(coded), (one) => one.charCodeAt(0));
  const stream = new Blob([octets]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

async function load() {
  for (const node of document.querySelectorAll('script[type^="application/"]')) {
    const block = node.type === "application/json" ? JSON.parse(node.textContent) : await unpacked(node.textContent);
    TAKEN[block.kind](block);
  }
}

function added(map, key, value) {
  if (!map.has(key)) map.set(key, []);
  map.get(key).push(value);
}

const TAKEN = {
  agent(block) {
    life.agent = block;
    for (const one of block.windows ?? []) life.windows.set(one.sha256, one.parts);
    for (const one of block.beliefs ?? []) life.beliefs.set(one.id, one);
  },
  cycles(block) {
    for (const one of block.cycles) {
      life.cycles.set(one.cycle, one);
      life.numbers.push(one.cycle);
      if (block.left_out?.messages) life.leftOut.set(one.cycle, true);
    }
    for (const one of block.messages ?? []) {
      life.messages.set(one.seq, one);
      added(life.said, one.cycle, one);
    }
    for (const one of block.turns ?? []) added(life.turns, one.cycle, one);
    for (const one of block.calls ?? []) life.calls.set(one.id, one);
    for (const one of block.segments ?? []) life.segments.set(one.segment, one);
    for (const one of block.heads ?? []) life.heads.set(one.sha256, one);
  },
  pair(block) {
    life.pair = block;
  },
  person(block) {
    life.people.push(block);
  },
};

function outcome(cycle) {
  return cycle.outcome ?? cycle.state;
}

// Who copies a command gets one that does nothing else, whatever an id of somebody else holds.
function quoted(word) {
  const text = beginning(word).toString();
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

// The command line that prints something whole.
function command(verb, ...rest) {
  return ["mind", verb, "--agent", ...[life.agent.agent, ...rest].map(quoted)].join(" ");
}

function ticketCommand(ticket) {
  return `mind ticket show ${quoted(ticket.id)}`;
}

function wholeCycle(number) {
  return command("history show", "--cycle", number, "--json");
}
