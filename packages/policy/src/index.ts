export * from './lib/bytes.ts';
export * from './cache/key.ts';
export * from './cache/rule.ts';
export * from './http/host.ts';
export * from './origin/origin.ts';
export * from './http/path.ts';
export * from './http/request-path.ts';
export * from './cache/storage.ts';
