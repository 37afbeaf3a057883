import { listsOf } from '../address-list/address-list.service.ts';
import { asksForPlaces } from '../ip-data/ip-data.service.ts';
import type { Uses } from './section.ts';

/** What a section needs whose rules have conditions, or name addresses. */
export const askedByRules = (value: object): Partial<Uses> => ({
  addressLists: listsOf(value),
  places: asksForPlaces(value),
});
