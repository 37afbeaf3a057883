export * from './api-client.ts';
export * from './dns-server.ts';
export * from './factories.ts';
export * from './origin.ts';
export * from './ports.ts';
export * from './test-database.ts';
export * from './wait.ts';
export * from './world.ts';
