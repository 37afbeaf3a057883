import { afterAll, beforeAll } from 'vitest';
import { attackEdge } from './attack-edge.ts';
import { makeSite, startOrigin, TestEdge, type TestOrigin } from './support.ts';

/** What `npm run test:attack` tries at an installation's address, tried at an edge of our own. */

let edge: TestEdge;
let origin: TestOrigin;
beforeAll(async () => {
  edge = await TestEdge.start();
  // Serves its secret wherever it reads its name.
  origin = await startOrigin((request, response) => {
    const isSecret = decodeURIComponent(request.url!.replaceAll(/%(?![0-9a-f]{2})/gi, '%25')).includes(
      'admin',
    );
    response
      .setHeader('Cache-Control', 'max-age=600')
      .end(`${isSecret ? 'only-for-us ' : ''}${JSON.stringify(request.headers)}`);
  });
  await edge.applySites(
    makeSite({
      id: 1,
      domains: ['attacked.test'],
      origins: [{ address: '127.0.0.1', http_port: origin.port }],
      access: { rules: [{ action: 'deny', only_paths: ['/admin/'] }] },
    }),
  );
});
afterAll(async () => {
  await edge.close();
  await origin.close();
});

attackEdge(() => ({
  url: `http://127.0.0.1:${edge.httpPort}`,
  host: 'attacked.test',
  closed: { path: '/admin/x', content: 'only-for-us' },
}));
