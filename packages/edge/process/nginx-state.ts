import { request } from 'node:http';

/** What nginx says of itself at its control socket. */

/** What the worker that answers names its configuration; none: nobody answers. */
export function configurationOf(socketPath: string): Promise<string | undefined> {
  return new Promise((settle) => {
    const call = request({ socketPath, path: '/state', timeout: 2000, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('error', () => settle(undefined));
      response.on('end', () => {
        if (response.statusCode !== 200) return settle(undefined);
        settle((JSON.parse(text) as { configuration: string }).configuration);
      });
    });
    call.on('error', () => settle(undefined));
    call.on('timeout', () => call.destroy());
    call.end();
  });
}
