/** Groups an administrator can belong to, from most to least. */
export const adminGroups = ['owner', 'operator', 'support', 'finance', 'read_only'] as const;
export type AdminGroup = (typeof adminGroups)[number];

/** Who may call what, by the kind of the work. Routes use these and no lists of their own. */
export const readers: readonly AdminGroup[] = adminGroups;
export const operators: readonly AdminGroup[] = ['owner', 'operator'];
export const supporters: readonly AdminGroup[] = ['owner', 'operator', 'support'];
export const accountants: readonly AdminGroup[] = ['owner', 'finance'];
export const owners: readonly AdminGroup[] = ['owner'];
