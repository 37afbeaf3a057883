import * as z from 'zod';
import { isAddressEntry } from './address-entry.ts';
import {
  created,
  dateTime,
  description,
  id,
  idParams,
  ipAddress,
  listOf,
  listQuery,
  name,
  nothing,
  optionalIdText,
  optionalText,
  inputText,
} from './common.ts';
import { defineRoutes } from './define.ts';
import { searchRobots } from './search-robots.ts';

export const addressListEntriesMax = 100_000;
const contentBytesMax = 8 * 1024 * 1024;

/** What stands on the lines of a list: an entry each, with a comment behind `#` or `;`, or nothing. */
export function entriesOfLines(content: string): { line: number; entry: string }[] {
  const entries: { line: number; entry: string }[] = [];
  content.split(/\r\n|\r|\n/).forEach((text, index) => {
    const entry = text.replace(/[#;].*$/, '').trim();
    if (entry !== '') entries.push({ line: index + 1, entry });
  });
  return entries;
}

/** The first line of a list that is not what a list holds: a key of `issues` with its number. */
export function problemOfLines(
  content: string,
): `address_list_line:${number}` | 'address_list_long' | undefined {
  const entries = entriesOfLines(content);
  if (entries.length > addressListEntriesMax) return 'address_list_long';
  const wrong = entries.find(({ entry }) => !isAddressEntry(entry));
  return wrong && `address_list_line:${wrong.line}`;
}

export const addressListSources = ['inline', 'url'] as const;

export const addressListInput = z
  .strictObject({
    name,
    description: description.default(''),
    source: z.enum(addressListSources).default('inline'),
    /** Of an inline list: an address, network or range on each line, and comments behind `#`. */
    content: inputText().max(contentBytesMax).default(''),
    /** Where a list of the other kind is fetched from; such a list is read as an inline one is. */
    url: inputText()
      .trim()
      .max(2000)
      .refine((text) => text === '' || /^https?:\/\/[^\s/@]+(?:\/\S*)?$/.test(text), { error: 'url' })
      .default(''),
    interval_seconds: z.int().min(300).max(2_592_000).default(86_400),
  })
  .check((context) => {
    const { source, content, url } = context.value;
    const issue = (path: string, message: string) =>
      context.issues.push({ code: 'custom', path: [path], message, input: context.value });
    if (source === 'url' && url === '') issue('url', 'required');
    const problem = source === 'inline' ? problemOfLines(content) : undefined;
    if (problem !== undefined) issue('content', problem);
  });

/** A list of addresses that sites' rules name. A customer has their own; the platform's are for administrators to use. */
export const addressList = z.strictObject({
  id,
  name: z.string(),
  description: z.string(),
  /** Null: the platform's. */
  client_id: id.nullable(),
  client_name: z.string().nullable(),
  source: z.enum(addressListSources),
  url: z.string(),
  interval_seconds: z.int(),
  /** Entries as they were written; nodes hold those that overlap as one. */
  entry_count: z.int(),
  site_count: z.int(),
  /** Levels of site defaults whose rules name it. */
  level_count: z.int(),
  /** When a list from a URL was last fetched well; what nodes have is from then. */
  fetched_at: dateTime.nullable(),
  /** Why the last attempt failed; empty where it did not. */
  last_error: z.string(),
  tried_at: dateTime.nullable(),
  created_at: dateTime,
  updated_at: dateTime,
});
export type AddressList = z.infer<typeof addressList>;

const bodyBytesMax = 10 * 1024 * 1024;

export const addressListRoutes = defineRoutes({
  listAddressLists: {
    method: 'GET',
    path: '/prod-api/address_list',
    summary:
      "Address lists by name: a customer's own; for administrators those of the platform and of all customers.",
    access: { kind: 'both', permission: 'address_list.read' },
    query: listQuery({
      name: optionalText,
      client_id: optionalIdText,
      /** Those that a site of this customer can name: theirs and the platform's. */
      usable_by: optionalIdText,
    }),
    response: listOf(addressList),
  },
  getAddressList: {
    method: 'GET',
    path: '/prod-api/address_list/{id}',
    summary: 'One address list with its entries and the sites that use it.',
    access: { kind: 'both', permission: 'address_list.read' },
    params: idParams,
    response: addressList.extend({
      content: z.string(),
      sites: z.array(z.strictObject({ id, domain: z.string() })),
    }),
  },
  createAddressList: {
    method: 'POST',
    path: '/prod-api/address_list',
    summary:
      'Create an address list of the platform or, as a customer, one of your own; from a URL it is fetched at once.',
    access: { kind: 'both', permission: 'address_list.write' },
    body: addressListInput,
    bodyBytesMax,
    response: created,
  },
  updateAddressList: {
    method: 'PUT',
    path: '/prod-api/address_list/{id}',
    summary: 'Change an address list. It goes to the nodes as one document, however many sites use it.',
    access: { kind: 'both', permission: 'address_list.write' },
    params: idParams,
    body: addressListInput,
    bodyBytesMax,
    response: z.strictObject({ task_id: id.nullable() }),
  },
  lookUpAddress: {
    method: 'GET',
    path: '/prod-api/address_lookup',
    summary:
      'Where an address is, which of some lists name it, and whose robot it is: what nodes find. Lists of others are left out.',
    access: { kind: 'both', permission: 'address_list.read' },
    query: z.strictObject({
      ip: ipAddress,
      /** Ids with commas between them. */
      lists: inputText()
        .regex(/^[1-9]\d{0,8}(?:,[1-9]\d{0,8}){0,199}$/, { error: 'invalid' })
        .optional(),
      /** `1`: DNS is asked whose robot it is. */
      robot: z.literal('1').optional(),
    }),
    response: z.strictObject({
      /** Parts nobody knows are empty. */
      place: z.strictObject({ country: z.string(), province: z.string(), carrier: z.string() }),
      /** The number of its network; null where nobody knows. */
      asn: z.int().nullable(),
      lists: z.array(z.strictObject({ id, listed: z.boolean() })),
      /** `none`: nobody's; null: not asked, or DNS gave no answer. */
      robot: z.enum([...searchRobots, 'none']).nullable(),
    }),
  },
  refreshAddressList: {
    method: 'POST',
    path: '/prod-api/address_list/{id}/refresh',
    summary:
      'Fetch a list from its URL now. Where that fails, the answer says why and the last good copy stays.',
    access: { kind: 'both', permission: 'address_list.write' },
    params: idParams,
    response: z.strictObject({ entry_count: z.int(), last_error: z.string(), task_id: id.nullable() }),
  },
  removeAddressList: {
    method: 'DELETE',
    path: '/prod-api/address_list/{id}',
    summary: 'Delete an address list that no site uses.',
    access: { kind: 'both', permission: 'address_list.write' },
    params: idParams,
    response: nothing,
  },
});
