import { isIPv6 } from 'node:net';
import { logPrivacyDefault, type NodeState } from '@breakwater/contract';
import { hasIpv6 } from '@breakwater/edge/process/edge-process';
import type { Logger } from 'pino';
import manifest from '../../package.json' with { type: 'json' };
import type { AgentOptions, Parts } from '../agent.ts';
import { pause } from '../backoff.ts';
import { LinkKeyKeeper } from '../nginx/link-key.ts';
import { MachineMeter } from './report.ts';

/** Says every few seconds how the node is, and takes what it is to be told in return. */
export async function reportState(
  parts: Parts,
  options: AgentOptions,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  const meter = new MachineMeter(options.edgeDir);
  const links = new LinkKeyKeeper(parts.control);
  let failing = false;
  while (!signal.aborted) {
    try {
      const addresses = await parts.packets?.read();
      const state = await stateOf(parts, options, meter);
      const answer = await parts.controlPlane.report({ ...state, ...(addresses ? { addresses } : {}) });
      await parts.packets?.order(answer.count_packets ?? false);
      if (answer.log_shipping) parts.output.order(answer.log_shipping);
      parts.sharer.order(answer.guard_nodes ?? 1);
      const secretNames = answer.mask_arguments ?? logPrivacyDefault.mask_arguments;
      parts.shipper.mask(secretNames);
      await links.keep(answer.link_key, state.instance_id);
      if (state.nginx_running) {
        await parts.bans.tellOurs(state.instance_id);
        await parts.passes.keep(answer.pass_keys);
        await parts.tickets.keep(answer.ticket_keys);
        await parts.shields.keep(answer.shield);
        const { sample_per_mille: answers = 0, submitted_per_mille: submissions = 0 } = answer;
        await parts.samples.order({ answers, submissions, secretNames }, state.instance_id);
      }
      failing = false;
    } catch (error) {
      if (!failing && !signal.aborted) logger.warn({ err: error }, 'state not reported; trying on');
      failing = true;
    }
    await pause((options.stateIntervalSeconds ?? 5) * 1000, signal);
  }
}

export async function stateOf(parts: Parts, { edge }: AgentOptions, meter: MachineMeter): Promise<NodeState> {
  const { control, supervisor, shipper, output, documents, ports } = parts;
  const nginx = supervisor.isRunning ? await control.state().catch(() => undefined) : undefined;
  return {
    version: manifest.version,
    nginx_version: nginx?.nginx_version ?? '',
    nginx_running: nginx !== undefined,
    brotli: nginx?.brotli ?? false,
    instance_id: nginx?.instance_id ?? '',
    uptime_seconds: process.uptime(),
    ...(await meter.read()),
    connections: nginx?.connections ?? 0,
    documents: nginx ? nginx.documents.site + nginx.documents.certificate : documents.size,
    http_ports: edge.httpPorts,
    https_ports: edge.httpsPorts,
    extra_ports: [...ports.open.http, ...ports.open.https],
    ipv6: edge.listenAddress === undefined ? hasIpv6() : isIPv6(edge.listenAddress),
    http3: supervisor.isRunning && supervisor.edge.http3,
    log_backlog: shipper.backlogBytes,
    log_dropped: shipper.droppedBytes,
    error_log_lines: parts.errorLog.lines,
    ...(output.state ? { log_shipping: output.state } : {}),
    ...(nginx ? { bans: { ...nginx.bans, kernel: parts.bans.kernelState }, guard: nginx.guard } : {}),
    shield: { port: parts.shields.port, is_listening: parts.shields.isListening },
    ...(parts.packets ? { packet_counts: parts.packets.state } : {}),
    clock_ahead_seconds: parts.controlPlane.clock.aheadMilliseconds / 1000,
  };
}
