export * from './bytes.ts';
export * from './cache-key.ts';
export * from './cache-rule.ts';
export * from './host.ts';
export * from './origin.ts';
export * from './path.ts';
export * from './request-path.ts';
export * from './storage.ts';
