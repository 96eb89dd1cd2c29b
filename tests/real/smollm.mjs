// A server of OpenAI's chat completions with a real model behind it: SmolLM2-135M, run on this
// machine by node-llama-cpp. Usage: node smollm.mjs MODULES MODEL.gguf
//
// The model is small. It answers what was said last, and what must have a form is written under a
// grammar: the answer to a request with a schema, and the arguments of a tool that the words name.
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";

const [modules, modelPath] = process.argv.slice(2);
const { getLlama, LlamaChatSession } = await import(
  pathToFileURL(`${modules}/node-llama-cpp/dist/index.js`)
);
const llama = await getLlama({ gpu: false, build: "never", logLevel: "error" });
const model = await llama.loadModel({ modelPath });
const context = await model.createContext({ contextSize: 2048, threads: 2 });
const system = "Answer in one short sentence.";
let served = 0;

const textOf = ({ content }) =>
  typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("\n");

// Of an inbox that an agent is shown, what somebody said; of other words, all of them.
const saidIn = (messages) => {
  const told = messages.filter((one) => one.role === "user").map(textOf).join("\n");
  const quoted = [...told.matchAll(/^\[[^\]]*\][^\n"]*"((?:[^"\\\n]|\\.)*)"/gm)];
  return (quoted.at(-1)?.[1] ?? told).slice(-1000);
};

const answer = async (request, tell) => {
  const said = saidIn(request.messages);
  const acted = request.messages.at(-1).role === "tool";
  const tool = acted
    ? undefined
    : request.tools?.find((one) => said.includes(one.function.name))?.function;
  const schema = tool?.parameters ?? request.response_format?.json_schema?.schema;
  const options = { maxTokens: 120, temperature: 0, onTextChunk: tool ? undefined : tell };
  if (schema) options.grammar = await llama.createGrammarForJsonSchema(schema);
  const sequence = context.getSequence();
  try {
    const session = new LlamaChatSession({ contextSequence: sequence, systemPrompt: system });
    const prompt = acted ? `Say that you did this: ${said}` : said;
    const words = await session.prompt(prompt, options);
    const read = sequence.tokenMeter.usedInputTokens;
    const written = sequence.tokenMeter.usedOutputTokens;
    const usage = {
      prompt_tokens: read,
      completion_tokens: written,
      total_tokens: read + written,
    };
    const call = { id: `call_${(served += 1)}`, type: "function" };
    const message = tool
      ? { tool_calls: [{ ...call, function: { name: tool.name, arguments: words } }] }
      : { content: words };
    return { message, finish_reason: tool ? "tool_calls" : "stop", usage };
  } finally {
    sequence.dispose();
  }
};

const headOf = (request, object) => ({
  id: `chatcmpl-${served}`,
  object,
  created: 1,
  model: request.model,
});

const complete = async (request, response) => {
  const { message, finish_reason, usage } = await answer(request);
  const choice = { index: 0, message: { role: "assistant", content: null, ...message }, finish_reason };
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ ...headOf(request, "chat.completion"), choices: [choice], usage }));
};

const stream = async (request, response) => {
  const head = headOf(request, "chat.completion.chunk");
  const send = (fields) => response.write(`data: ${JSON.stringify({ ...head, ...fields })}\n\n`);
  const delta = (piece, finish_reason = null) =>
    send({ choices: [{ index: 0, delta: piece, finish_reason }] });
  response.setHeader("content-type", "text/event-stream");
  delta({ role: "assistant" });
  const { message, finish_reason, usage } = await answer(request, (content) => delta({ content }));
  if (message.tool_calls) {
    delta({ tool_calls: message.tool_calls.map((call, index) => ({ index, ...call })) });
  }
  delta({}, finish_reason);
  send({ choices: [], usage });
  response.end("data: [DONE]\n\n");
};

// One after the other: there is one model.
let turn = Promise.resolve();
const server = createServer((asked, response) => {
  const pieces = [];
  asked.on("data", (piece) => pieces.push(piece));
  asked.on("end", () => {
    const request = JSON.parse(Buffer.concat(pieces).toString());
    turn = turn
      .then(() => (request.stream ? stream : complete)(request, response))
      .catch((error) => {
        response.statusCode = 500;
        response.end(JSON.stringify({ error: { message: String(error) } }));
      });
  });
});
server.listen(0, "127.0.0.1", () =>
  console.log(`listening on http://127.0.0.1:${server.address().port}`),
);
