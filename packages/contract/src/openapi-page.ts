/**
 * The API description as a page for people: one file that fetches `/openapi.json` beside it and nothing else. Everything
 * from the document is put in as text, never as markup.
 */
export function openApiPage(): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Breakwater API</title>
<style>${styles}</style>
</head>
<body>
<header><h1>Breakwater API</h1><input id="search" type="search" placeholder="Search path, name or summary" aria-label="Search">
<a href="/openapi.json">openapi.json</a></header>
<main id="content"><p>Loading …</p></main>
<script>${script}</script>
</body>
</html>
`;
}

const styles = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; }
header { position: sticky; top: 0; display: flex; gap: 16px; align-items: center; padding: 12px 24px; background: Canvas; border-bottom: 1px solid var(--line); z-index: 1; }
h1 { font-size: 18px; margin: 0; } h2 { font-size: 17px; margin: 32px 0 8px; } h3 { font-size: 13px; margin: 12px 0 4px; }
input { flex: 1; max-width: 420px; padding: 6px 10px; font: inherit; border: 1px solid var(--line); border-radius: 6px; }
main { max-width: 1000px; margin: 0 auto; padding: 0 24px 64px; }
details { border: 1px solid var(--line); border-radius: 6px; margin: 6px 0; }
summary { padding: 8px 12px; cursor: pointer; display: flex; gap: 12px; flex-wrap: wrap; }
details > div { padding: 0 12px 12px; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { background: var(--soft); padding: 10px; border-radius: 6px; overflow: auto; max-height: 420px; margin: 4px 0; }
.method { font-weight: 700; min-width: 56px; } .soft { opacity: .7; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: 4px 8px; border-top: 1px solid var(--line); vertical-align: top; }
`;

// Plain browser JavaScript. It holds no backslash and no template, so that it may stand in this template as it is.
const script = `
const make = (tag, attributes, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};
let schemas = {};
const resolve = (schema) => schema && schema.$ref ? schemas[schema.$ref.split('/').pop()] || {} : schema || {};
// A schema as a short sketch: what it would look like written down, with types in place of values.
const sketch = (given, indent = '', depth = 0) => {
  const schema = resolve(given);
  const inner = indent + '  ';
  const newline = String.fromCharCode(10);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const variants = schema.anyOf || schema.oneOf;
  if (variants) return depth > 6 ? 'any' : variants.map((each) => sketch(each, indent, depth + 1)).join(' | ');
  if (schema.type === 'array') return depth > 6 ? '[]' : '[' + sketch(schema.items, indent, depth + 1) + ']';
  if (schema.properties) {
    const required = schema.required || [];
    const lines = Object.entries(schema.properties).map(([name, value]) =>
      inner + name + (required.includes(name) ? '' : '?') + ': ' + sketch(value, inner, depth + 1));
    return lines.length ? '{' + newline + lines.join(newline) + newline + indent + '}' : '{}';
  }
  if (schema.type === 'object' && schema.additionalProperties) return '{[name]: ' + sketch(schema.additionalProperties, inner, depth + 1) + '}';
  const notes = [];
  for (const key of ['format', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern']) if (schema[key] !== undefined) notes.push(key + ' ' + schema[key]);
  if (schema.default !== undefined) notes.push('default ' + JSON.stringify(schema.default));
  return (schema.type || 'any') + (notes.length ? ' (' + notes.join(', ') + ')' : '');
};
const shape = (title, content) => {
  const [type, value] = Object.entries(content || {})[0] || [];
  if (!type) return [];
  return [make('h3', {}, title + ' · ' + type), make('pre', {}, value.schema ? sketch(value.schema) : 'bytes')];
};
const parameterTable = (parameters) => {
  const rows = parameters.map((each) => make('tr', {}, make('td', {}, make('code', {}, each.name)), make('td', {}, each.in + (each.required ? ', required' : '')), make('td', {}, sketch(each.schema))));
  return [make('h3', {}, 'Parameters'), make('table', {}, make('tbody', {}, ...rows))];
};
const responseTable = (operation, document_) => {
  const rows = Object.entries(operation.responses).map(([status, value]) => {
    const response = value.$ref ? document_.components.responses[value.$ref.split('/').pop()] : value;
    return make('tr', {}, make('td', {}, status), make('td', {}, response.description));
  });
  return [make('h3', {}, 'Responses'), make('table', {}, make('tbody', {}, ...rows))];
};
const describe = (path, method, operation, document_) => {
  const details = make('details', { id: operation.operationId }, make('summary', {},
    make('span', { class: 'method' }, method.toUpperCase()), make('code', {}, path), make('span', { class: 'soft' }, operation.summary)));
  details.dataset.words = [path, operation.operationId, operation.summary].join(' ').toLowerCase();
  // Filled when it is first opened: fifty sketches at once are slow to lay out.
  details.addEventListener('toggle', () => {
    if (details.children.length > 1) return;
    const body = operation.requestBody;
    details.append(make('div', {}, make('p', {}, make('code', {}, operation.operationId), ' · ' + operation.description),
      ...(operation.parameters ? parameterTable(operation.parameters) : []),
      ...(body ? shape('Request body', body.content) : []),
      ...shape('Response', operation.responses['200'].content),
      ...responseTable(operation, document_)));
  });
  return details;
};
const show = (document_) => {
  schemas = document_.components.schemas;
  const sections = document_.tags.map(({ name }) => {
    const section = make('section', {}, make('h2', {}, name));
    for (const [path, methods] of Object.entries(document_.paths))
      for (const [method, operation] of Object.entries(methods))
        if (operation.tags.includes(name)) section.append(describe(path, method, operation, document_));
    return section;
  });
  const content = document.getElementById('content');
  content.replaceChildren(make('p', { class: 'soft' }, document_.info.description), ...sections);
  document.getElementById('search').addEventListener('input', (event) => {
    const wanted = event.target.value.trim().toLowerCase();
    for (const section of sections) {
      const entries = [...section.querySelectorAll('details')];
      for (const entry of entries) entry.hidden = !entry.dataset.words.includes(wanted);
      section.hidden = entries.every((entry) => entry.hidden);
    }
  });
  if (location.hash) document.getElementById(location.hash.slice(1))?.setAttribute('open', '');
};
fetch('/openapi.json').then((response) => response.json()).then(show).catch((error) => {
  document.getElementById('content').replaceChildren(make('p', {}, 'The API description could not be loaded: ' + error.message));
});
`;
