/** What a page asks the server first, as the console's build says it and the server writes it into the page. */
export interface EarlyRead {
  path: string;
  /** Of a list whose state is in the address: its name, and what it is asked with where the address says nothing, in the order of the query. */
  list?: { name: string; query: [name: string, byDefault: string][] };
}
