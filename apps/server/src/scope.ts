export type Scope = { all: true } | { clientId: number };
