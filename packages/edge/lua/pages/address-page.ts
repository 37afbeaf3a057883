import type { TracedField } from '@breakwater/policy/address/address-trace';
import { escapeHtml } from '@breakwater/policy/site/error-page';
import {
  addressText as t,
  modeText,
  outcomeText,
  reasonText,
  trustText,
  verdictText,
  type Both,
} from './address-page.text.ts';
import type { SeenField, Sight } from './address-test.ts';

const style =
  ':root{color-scheme:light dark}body{font:16px/1.6 system-ui,sans-serif;max-width:46rem;margin:6vh auto;padding:0 1rem}' +
  'h2{font-size:1rem;margin:2rem 0 .5rem}code{font:14px ui-monospace,monospace;overflow-wrap:anywhere}' +
  '.big{font:600 1.75rem ui-monospace,monospace;margin:0;overflow-wrap:anywhere}' +
  'dl{display:grid;grid-template-columns:minmax(8rem,auto) 1fr;gap:.25rem 1rem;margin:0}dd{margin:0}' +
  'small,dt{color:#767676}ol,ul{padding-left:1.25rem;margin:.25rem 0}li{margin:.25rem 0}';

/** The page in both languages. What a visitor sent stands in it as text. */
export function addressPage(sight: Sight): string {
  const { connection, client, node, mode } = sight;
  const parts = [
    '<!doctype html><html lang="zh"><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<title>${t.title.en}</title><style>${style}</style><h1>${both(t.title)}</h1>`,
    `<p>${both(t.client)}</p><p class="big">${escapeHtml(client.address)}</p>`,
    `<p>${both(reasonText[client.reason])}${client.field === undefined ? '' : ` · ${code(client.field)}`}</p>`,
    `<h2>${both(t.connection)}</h2><dl>`,
    row(t.from, `${code(connection.address)} : ${code(connection.port)}`),
    row(t.proxied, connection.proxy_protocol === undefined ? both(t.none) : code(connection.proxy_protocol)),
    row(
      t.to,
      `${code(`${connection.scheme}://${sight.host}:${connection.server_port}`)} (${escapeHtml(connection.protocol)})`,
    ),
    row(t.node, code(node)),
    `</dl><h2>${both(t.steps)}</h2><ol>`,
    `<li>${both(t.setting)}: ${both(modeText[mode]!)}</li>`,
    `<li>${both(t.peer)} ${code(connection.address)}: ${both(trustText[sight.trust])}</li>`,
  ];
  for (const field of sight.fields) parts.push(step(field));
  parts.push(`</ol><h2>${both(t.headers)}</h2>`, headers(sight.headers), '</html>\n');
  return table.concat(parts);
}

function step({ field, outcome, entries }: TracedField): string {
  const parts = [`<li>${code(field)}: ${both(outcomeText[outcome])}`];
  if (entries.length > 0) {
    parts.push('<ul>');
    for (const { text, verdict } of entries)
      parts.push(`<li>${code(text)} – ${both(verdictText[verdict])}</li>`);
    parts.push('</ul>');
  }
  parts.push('</li>');
  return table.concat(parts);
}

function headers(fields: SeenField[]): string {
  if (fields.length === 0) return `<p>${both(t.noHeaders)}</p>`;
  const parts = ['<ul>'];
  for (const { name, lines } of fields)
    for (const line of lines) parts.push(`<li>${code(`${name}: ${line}`)}</li>`);
  parts.push('</ul>');
  return table.concat(parts);
}

const row = (label: Both, value: string): string => `<dt>${both(label)}</dt><dd>${value}</dd>`;
const both = ({ zh, en }: Both): string => `${zh} <small lang="en">${en}</small>`;
const code = (text: string): string => `<code>${escapeHtml(text)}</code>`;
