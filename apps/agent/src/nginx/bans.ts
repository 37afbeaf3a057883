import { join } from 'node:path';
import { ownAddresses, type EdgeOptions } from '@breakwater/edge/process/edge-process';
import type { Logger } from 'pino';
import type { ControlPlane } from '../delivery/control-plane.ts';
import { BanReporter } from './ban-reporter.ts';
import type { EdgeControl } from './edge-control.ts';
import { KernelBans } from './kernel-bans.ts';
import type { PortKeeper } from './ports.ts';

interface Surroundings {
  control: EdgeControl;
  controlPlane: ControlPlane;
  ports: PortKeeper;
}

/** What this node does about bans besides nginx, which refuses: it tells of them, and has the kernel drop what is to be dropped. */
export function bansOf(
  { edgeDir, edge }: { edgeDir: string; edge: Pick<EdgeOptions, 'httpPorts' | 'httpsPorts'> },
  { control, controlPlane, ports }: Surroundings,
  logger: Logger,
) {
  const ours = () => [...ownAddresses(), ...controlPlane.addresses];
  const { httpPorts, httpsPorts } = edge;
  return {
    bans: new BanReporter({ control, controlPlane, ours, path: join(edgeDir, 'bans-made.json'), logger }),
    kernelBans: new KernelBans({
      path: join(edgeDir, 'kernel-bans.json'),
      ports: () => [...httpPorts, ...httpsPorts, ...ports.open.http, ...ports.open.https],
      ours,
      logger,
    }),
  };
}
