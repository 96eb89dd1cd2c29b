"use strict";
// Elements of the page. Words of others become text and nothing else: no file here writes markup.

// What has no glyph, or turns the direction of what stands beside it, is shown by its number.
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

function visible(text) {
  return String(text).replace(UNSEEN, (one) => `\\u{${one.codePointAt(0).toString(16)}}`);
}

function filled(node, properties, children) {
  for (const [name, value] of Object.entries(properties || {})) {
    if (value === true) node.setAttribute(name, "");
    else if (value !== undefined && value !== null && value !== false)
      node.setAttribute(name, visible(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(visible(child)));
  }
  return node;
}

function el(name, properties, ...children) {
  return filled(document.createElement(name), properties, children);
}

function svg(name, properties, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", name), properties, children);
}

function link(words, ...place) {
  return el("a", { href: `#/${place.map(encodeURIComponent).join("/")}` }, words);
}

// A text of the data is a string, or where there was no room for it, how it begins.
function beginning(text) {
  return typeof text === "object" && text !== null ? text.cut : (text ?? "");
}

function isCut(text) {
  return typeof text === "object" && text !== null;
}

// Words as they were written; of a cut text, what it is and which command prints all of it.
function words(text, command, ...marked) {
  const shown = el("pre", { class: "words", dir: "auto" }, marked.length ? marked : beginning(text));
  if (!isCut(text)) return shown;
  return [
    shown,
    el("p", { class: "cut" },
      `The first ${count(text.cut.length)} of ${count(text.characters)} characters; SHA-256 `,
      el("code", {}, text.sha256), command ? [". All of it: ", el("code", {}, command)] : "."),
  ];
}

// One line of a text, for tables.
function line(text, most = 160) {
  const one = beginning(text).replace(/\s+/g, " ").trim();
  const rest = isCut(text) || one.length > most;
  return el("span", { dir: "auto" }, one.slice(0, most), rest ? "…" : "");
}

function count(number) {
  return Number(number).toLocaleString("en-US");
}

function counted(number, name) {
  return `${count(number)} ${name}${number === 1 ? "" : "s"}`;
}

function dollars(micros) {
  return `$${(micros / 1e6).toFixed(micros && micros < 1e4 ? 6 : 4)}`;
}

function instant(at) {
  return at ? el("time", { datetime: at }, at.replace("T", " ").replace(/(\.\d+)?Z$/, "")) : "";
}

function facts(...pairs) {
  const kept = pairs.filter(([, value]) => value !== undefined && value !== null && value !== "");
  return el("dl", { class: "facts" }, kept.map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
}

// A column is [heading, cell of a row, class]; the first cell of a row is its heading.
function table(caption, columns, rows) {
  const head = el("tr", {}, columns.map(([name, , kind]) => el("th", { scope: "col", class: kind }, name)));
  const body = rows.map((row) =>
    el("tr", {}, columns.map(([, cell, kind]) => el("td", { class: kind }, cell(row)))));
  return el("div", { class: "table", tabindex: "0", role: "region", "aria-label": caption },
    el("table", {}, el("thead", {}, head), el("tbody", {}, body)));
}

function tainted(sources) {
  return sources?.length ? el("span", { class: "taint" }, `not trusted: ${sources.join(", ")}`) : "";
}

function leftOut(number, command) {
  return number ? el("p", { class: "cut" }, `${count(number)} older ones are not on this page: `, el("code", {}, command)) : "";
}
