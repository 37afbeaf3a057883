/** What rules of a site or a level ask of besides themselves: address lists, the table of places, and whose robots addresses are. */
export interface AskedData {
  /** Ids of lists, each once. */
  lists: Record<string, boolean>;
  places: boolean;
  robots?: boolean;
}

type Json = Record<string, unknown>;

/** Adds what a section, or anything that holds sections, asks for: in rules of access and in conditions anywhere. */
export function noteAskedData(value: unknown, asked: AskedData): AskedData {
  if (typeof value !== 'object' || value === undefined || value === null) return asked;
  const object = value as Json;
  noteTest(object, asked);
  noteRule(object, asked);
  noteFilled(object, asked);
  for (const name in object) noteAskedData(object[name], asked);
  return asked;
}

/** One test of a condition. */
function noteTest({ field, operator, values }: Json, asked: AskedData): void {
  if (typeof operator !== 'string' || typeof values !== 'object') return;
  if (field === 'country' || field === 'province' || field === 'carrier' || field === 'asn')
    asked.places = true;
  if (field === 'verified_robot' || field === 'false_robot') asked.robots = true;
  if (field === 'address_list') for (const id of values as string[]) asked.lists[id] = true;
}

/** One rule of access. */
function noteRule({ address_lists: lists, countries, provinces, carriers }: Json, asked: AskedData): void {
  if (typeof lists === 'object') for (const id of lists as number[]) asked.lists[`${id}`] = true;
  if (isFilled(countries) || isFilled(provinces) || isFilled(carriers)) asked.places = true;
}

/** A rule that puts visitors on a list uses it, too. */
function noteFilled({ action, list }: Json, asked: AskedData): void {
  if (action !== 'list' || typeof list !== 'object') return;
  const { list_id: id } = list as Json;
  if (typeof id === 'number') asked.lists[`${id}`] = true;
}

const isFilled = (list: unknown): boolean => typeof list === 'object' && (list as unknown[]).length > 0;
