/** What the API page does: plain browser JavaScript. It holds no backslash and no template, so that it may stand in this one as it is. */
export const openApiPageScript = `
const make = (tag, attributes, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};
const stored = localStorage.getItem('appLanguage');
let language = stored === 'en' ? 'en' : 'zh';
let t = words[language];
const newline = String.fromCharCode(10);
const input = (id) => document.getElementById(id);
let schemas = {};
const resolve = (schema) => schema && schema.$ref ? schemas[schema.$ref.split('/').pop()] || {} : schema || {};
// A schema as a short sketch: what it would look like written down, with types in place of values.
const sketch = (given, indent = '', depth = 0) => {
  const schema = resolve(given);
  const inner = indent + '  ';
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
  return [make('h3', {}, title + ' · ' + type), make('pre', {}, value.schema ? sketch(value.schema) : t.bytes)];
};
const parameterTable = (parameters) => {
  const rows = parameters.map((each) => make('tr', {}, make('td', {}, make('code', {}, each.name)), make('td', {}, each.in + (each.required ? ', ' + t.required : '')), make('td', {}, sketch(each.schema))));
  return [make('h3', {}, t.parameters), make('table', {}, make('tbody', {}, ...rows))];
};
const responseTable = (operation, document_) => {
  const rows = Object.entries(operation.responses).map(([status, value]) => {
    const response = value.$ref ? document_.components.responses[value.$ref.split('/').pop()] : value;
    return make('tr', {}, make('td', {}, status), make('td', {}, response.description));
  });
  return [make('h3', {}, t.responses), make('table', {}, make('tbody', {}, ...rows))];
};
// A value that a schema takes, with what is required and nothing else.
const sample = (given, depth = 0) => {
  const schema = resolve(given);
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  const variants = schema.anyOf || schema.oneOf;
  if (variants) return sample(variants[0], depth);
  if (depth > 6) return null;
  if (schema.type === 'array') return schema.minItems ? [sample(schema.items, depth + 1)] : [];
  if (schema.type === 'object') return Object.fromEntries((schema.required || []).map((name) => [name, sample(schema.properties[name], depth + 1)]));
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum || 1;
  if (schema.type === 'boolean') return true;
  return schema.format === 'date-time' ? '2026-01-01T00:00:00Z' : 'text';
};
const jsonBody = (operation) => operation.requestBody && operation.requestBody.content['application/json'];
// The address of a call, its parameters from what was entered, or in braces.
const addressOf = (path, parameters, values) => {
  const query = [];
  let address = path;
  for (const { name, in: place } of parameters) {
    const value = values[name];
    if (place === 'path' && value) address = address.replace('{' + name + '}', encodeURIComponent(value));
    if (place === 'query' && value) query.push(name + '=' + encodeURIComponent(value));
  }
  return location.origin + address + (query.length ? '?' + query.join('&') : '');
};
const quoted = (text) => "'" + text.split("'").join("'" + String.fromCharCode(92) + "''") + "'";
const kinds = {
  curl: (url, method, body) => ['curl -X ' + method + ' ' + quoted(url), '-H "Authorization: Bearer $TOKEN"']
    .concat(body ? ["-H 'Content-Type: application/json'", '-d ' + quoted(JSON.stringify(body))] : []).join(' ' + String.fromCharCode(92) + newline + '  '),
  TypeScript: (url, method, body) => ['const response = await fetch(' + JSON.stringify(url) + ', {', '  method: ' + JSON.stringify(method) + ',',
    '  headers: { authorization: "Bearer " + token' + (body ? ', "content-type": "application/json"' : '') + ' },']
    .concat(body ? ['  body: JSON.stringify(' + JSON.stringify(body) + '),'] : [], ['});', 'const { code, message, data } = await response.json();']).join(newline),
  Python: (url, method, body) => ['import json, requests', 'response = requests.request(' + JSON.stringify(method) + ', ' + JSON.stringify(url) + ',',
    '    headers={"Authorization": "Bearer " + token}' + (body ? ',' : ')')]
    .concat(body ? ['    json=json.loads(' + JSON.stringify(JSON.stringify(body)) + '))'] : [], ['print(response.json())']).join(newline),
};
const isForPeople = (operation) => (operation.security || []).some((each) => each.session) && (!operation.requestBody || jsonBody(operation));
const examples = (path, method, operation) => {
  if (!isForPeople(operation)) return [];
  const body = jsonBody(operation) && sample(jsonBody(operation).schema);
  const code = make('pre', {});
  const buttons = Object.entries(kinds).map(([name, write]) => {
    const button = make('button', { type: 'button' }, name);
    button.addEventListener('click', () => {
      for (const each of buttons) each.setAttribute('aria-pressed', String(each === button));
      code.textContent = write(location.origin + path, method.toUpperCase(), body);
    });
    return button;
  });
  buttons[0].click();
  return [make('h3', {}, t.examples), make('div', { class: 'choices' }, ...buttons), code];
};
const tryIt = (path, method, operation) => {
  if (!isForPeople(operation)) return [];
  const parameters = (operation.parameters || []).filter((each) => each.in !== 'header');
  const fields = Object.fromEntries(parameters.map((each) => [each.name, make('input', each.required ? { required: '' } : {})]));
  const given = jsonBody(operation);
  const body = given && make('textarea', { 'aria-label': t.requestBody });
  if (body) body.value = JSON.stringify(sample(given.schema), null, 2);
  const answer = make('pre', { hidden: '', 'aria-live': 'polite' });
  const form = make('form', {}, ...parameters.map((each) => make('label', {}, each.name, fields[each.name])), ...(body ? [body] : []),
    ...(method === 'get' ? [] : [make('span', { class: 'soft' }, t.changes)]), make('button', {}, t.send));
  const tell = (text) => { answer.hidden = false; answer.textContent = text; };
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const token = input('token').value.trim();
    if (!token) return tell(t.noToken);
    if (body) try { JSON.parse(body.value); } catch (error) { return tell(t.badJson + error.message); }
    const url = addressOf(path, parameters, Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.value])));
    const headers = { authorization: 'Bearer ' + token, 'accept-language': language, ...(body ? { 'content-type': 'application/json' } : {}) };
    try {
      const response = await fetch(url, { method: method.toUpperCase(), headers, ...(body ? { body: body.value } : {}) });
      const text = await response.text();
      let shown = text;
      try { shown = JSON.stringify(JSON.parse(text), null, 2); } catch {}
      tell(response.status + ' ' + response.statusText + newline + newline + shown);
    } catch (error) { tell(error.message); }
  });
  return [make('h3', {}, t.tryIt), form, answer];
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
      ...(body ? shape(t.requestBody, body.content) : []),
      ...shape(t.response, operation.responses['200'].content),
      ...responseTable(operation, document_),
      ...examples(path, method, operation),
      ...tryIt(path, method, operation)));
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
  const none = make('p', { hidden: '' }, t.none);
  input('content').replaceChildren(make('p', { class: 'soft' }, document_.info.description), none, ...sections);
  const search = () => {
    const wanted = input('search').value.trim().toLowerCase();
    for (const section of sections) {
      const entries = [...section.querySelectorAll('details')];
      for (const entry of entries) entry.hidden = !entry.dataset.words.includes(wanted);
      section.hidden = entries.every((entry) => entry.hidden);
    }
    none.hidden = sections.some((section) => !section.hidden);
  };
  input('search').oninput = search;
  search();
  if (location.hash) input(location.hash.slice(1))?.setAttribute('open', '');
};
// The description in each language, once it was shown in it.
const loaded = {};
const speak = async () => {
  const speaking = language;
  t = words[language];
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
  for (const [id, text] of [['search', t.search], ['token', t.token]]) {
    input(id).placeholder = text;
    input(id).setAttribute('aria-label', text);
  }
  input('language').textContent = t.language;
  const address = language === 'zh' ? '/openapi.zh.json' : '/openapi.json';
  input('content').replaceChildren(make('p', {}, t.loading));
  try {
    loaded[speaking] ??= await (await fetch(address)).json();
    if (language === speaking) show(loaded[speaking]);
  } catch (error) {
    if (language === speaking) input('content').replaceChildren(make('p', {}, t.failed + error.message));
  }
};
input('language').addEventListener('click', () => {
  language = language === 'zh' ? 'en' : 'zh';
  speak();
});
speak();
`;
