import type { DraftNote, SiteDraft } from '@breakwater/contract';
import { domainOf, finish, newDraft, note, type Draft } from './draft.ts';

/**
 * Sites from a zone file (RFC 1035 §5) as Cloudflare exports it: one for each name whose record is marked
 * `; cf_tags=cf-proxied:true`, with the record's values as origins.
 */
export function zoneDrafts(text: string): { drafts: SiteDraft[]; notes: DraftNote[] } {
  const whole: { notes: DraftNote[] } = { notes: [] };
  const drafts = new Map<string, Draft>();
  let origin = '';
  let owner = '';
  text.split(/\r?\n/).forEach((written, index) => {
    const line = index + 1;
    const { record, comment } = partsOf(written);
    const words = record.split(/\s+/).filter(Boolean);
    if (words.length === 0) return;
    if (words[0] === '$ORIGIN') {
      origin = words[1] ?? '';
      return;
    }
    if (words[0]!.startsWith('$') || words[0] === ')') return;
    // A line that begins with a space has the name of the one before.
    if (!/^\s/.test(written)) owner = absolute(words.shift()!, origin);
    while (words.length > 0 && /^(?:\d+|IN)$/i.test(words[0]!)) words.shift();
    const [type = '', value = ''] = words;
    if (!/^(?:A|AAAA|CNAME)$/i.test(type)) {
      if (/^[A-Z]+$/i.test(type) && !/^(?:SOA|NS)$/i.test(type))
        note(whole, `${owner} ${type}`, 'not_web', line);
      return;
    }
    if (!/cf-proxied:true/i.test(comment)) {
      note(whole, `${owner} ${type} ${value}`, 'not_proxied', line);
      return;
    }
    const domain = domainOf(owner);
    if (domain === undefined) {
      note(whole, owner, 'bad_domain', line);
      return;
    }
    const draft = drafts.get(domain) ?? newDraft(line);
    drafts.set(domain, draft);
    draft.domains = [domain];
    draft.config['protocol'] = 'follow';
    const address = /^CNAME$/i.test(type) ? absolute(value, origin).replace(/\.$/, '') : value;
    draft.origins.push({ address: address.toLowerCase() });
  });
  return { drafts: [...drafts.values()].map(finish), notes: whole.notes };
}

/** A semicolon in quotes begins no comment. */
function partsOf(line: string): { record: string; comment: string } {
  let inQuotes = false;
  for (let index = 0; index < line.length; index++) {
    if (line[index] === '"' && line[index - 1] !== '\\') inQuotes = !inQuotes;
    if (line[index] === ';' && !inQuotes)
      return { record: line.slice(0, index), comment: line.slice(index + 1) };
  }
  return { record: line, comment: '' };
}

function absolute(name: string, origin: string): string {
  if (name === '@') return origin;
  return name.endsWith('.') || origin === '' ? name : `${name}.${origin}`;
}
