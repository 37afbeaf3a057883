import { join } from 'node:path';
import type { KernelState } from '@breakwater/contract';
import { ownAddresses, type EdgeOptions } from '@breakwater/edge/process/edge-process';
import type { Logger } from 'pino';
import { documentBody } from '../delivery/apply.ts';
import type { ControlPlane } from '../delivery/control-plane.ts';
import type { RobotChecker } from '../origins/robots.ts';
import { BanReporter } from './ban-reporter.ts';
import { ConnectionLimit } from './connection-limit.ts';
import type { EdgeControl } from './edge-control.ts';
import { KernelBans } from './kernel-bans.ts';
import type { PortKeeper } from './ports.ts';

interface Surroundings {
  control: EdgeControl;
  controlPlane: ControlPlane;
  ports: PortKeeper;
  robots: Pick<RobotChecker, 'proven'>;
}

interface BanOptions {
  edgeDir: string;
  edge: Pick<EdgeOptions, 'httpPorts' | 'httpsPorts'>;
  connectionsPerAddress?: number;
}

/** What this node does about bans besides nginx, which refuses: it tells of them, and has the kernel drop what is to be dropped. */
export class Bans {
  readonly #reporter: BanReporter;
  readonly #kernel: KernelBans;

  constructor(
    { edgeDir, edge, connectionsPerAddress }: BanOptions,
    { control, controlPlane, ports, robots }: Surroundings,
    logger: Logger,
  ) {
    const ours = () => [...ownAddresses(), ...controlPlane.addresses];
    const { httpPorts, httpsPorts } = edge;
    const sitePorts = () => [...httpPorts, ...httpsPorts, ...ports.open.http, ...ports.open.https];
    const path = join(edgeDir, 'bans-made.json');
    this.#reporter = new BanReporter({ control, controlPlane, ours, path, logger });
    this.#kernel = new KernelBans({
      path: join(edgeDir, 'kernel-bans.json'),
      ports: sitePorts,
      ours,
      robots: () => robots.proven,
      listBody: (id) => documentBody(edgeDir, `address_list/${id}`),
      logger,
      connections: new ConnectionLimit({
        max: connectionsPerAddress,
        path: join(edgeDir, 'connection-limit'),
        ports: sitePorts,
        logger,
      }),
    });
  }

  get kernelState(): KernelState {
    return this.#kernel.state;
  }

  load(): Promise<void> {
    return this.#reporter.load();
  }

  track(document: string, body: string | undefined): void {
    this.#kernel.track(document, body);
  }

  /** A nginx that has just started is told again. */
  tellAgain(): Promise<void> {
    return this.#reporter.tellAgain();
  }

  tellOurs(instanceId: string): Promise<void> {
    return this.#reporter.tellOurs(instanceId);
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#reporter.run(signal), this.#kernel.run(signal)]);
  }
}
