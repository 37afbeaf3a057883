import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** What nginx says of itself at its control socket. */

const startSeconds = 60;

/** False where it does not within the time a start may take. */
export async function untilAnswers(socketPath: string): Promise<boolean> {
  for (let waited = 0; waited < startSeconds * 20; waited++) {
    if ((await configurationOf(socketPath)) !== undefined) return true;
    await delay(50);
  }
  return false;
}

/** The ports of the worker that answers. */
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
