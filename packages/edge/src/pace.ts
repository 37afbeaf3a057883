import { countOf } from './counters.ts';
import { hold, isHeldTo, visitorOf } from './limits.ts';
import type { Bandwidth } from './site-limits.ts';
import { entryOf } from './site.ts';

/**
 * Answers that share a bandwidth. nginx holds each to a rate, counted from its beginning and asked for anew with each
 * piece it sends; so with each piece the rate is set to what lets it have, from here on, its part of the whole.
 */
interface Transfer {
  bandwidth: Bandwidth;
  ofSite: string;
  ofAddress: string;
  /** Bytes a second: its part, which was another until `since`, when it had sent so much. */
  share: number;
  since: number;
  sent: number;
  /** nginx's own beginning, in whole seconds. */
  began: number;
}

/** With each piece of an answer of a site that has such a limit. Parts of a kept answer have a request each, and no rate. */
export function pace(): void {
  if (ngx.is_subrequest || ngx.ctx.isUnpaced === true) return;
  const transfer = (ngx.ctx.transfer as Transfer | undefined) ?? begin();
  if (transfer === undefined) return;
  const share = shareOf(transfer);
  const now = ngx.now();
  if (share !== transfer.share) {
    transfer.share = share;
    transfer.since = now;
    transfer.sent = tonumber(ngx.var.bytes_sent)!;
  }
  const due = transfer.sent + share * (now - transfer.since + 1);
  const rate = math.max(share, due / (ngx.time() - transfer.began + 1));
  ngx.var.limit_rate = string.format('%d', math.max(1, rate));
}

/** It counts from its first piece: who waits for an origin, or has a WebSocket, takes nothing from others. */
function begin(): Transfer | undefined {
  const site = entryOf(ngx.var.host!)?.site;
  const limits = site?.limits;
  if (site === undefined || limits === undefined || !limits.isPaced) return undefined;
  if (!isHeldTo(limits.bandwidthOf)) {
    ngx.ctx.isUnpaced = true;
    return undefined;
  }
  const { bandwidth } = limits;
  const transfer: Transfer = {
    bandwidth,
    ofSite: `bytes ${site.key}`,
    ofAddress: `bytes ${site.key} ${visitorOf(ngx.var.client_addr!)}`,
    share: 0,
    since: 0,
    sent: 0,
    began: math.floor(ngx.req.start_time()),
  };
  if (bandwidth.site !== undefined) hold(transfer.ofSite, math.huge);
  if (bandwidth.address !== undefined) hold(transfer.ofAddress, math.huge);
  ngx.ctx.transfer = transfer;
  return transfer;
}

function shareOf({ bandwidth, ofSite, ofAddress }: Transfer): number {
  let share = bandwidth.connection ?? math.huge;
  if (bandwidth.site !== undefined) share = math.min(share, bandwidth.site / math.max(1, countOf(ofSite)));
  if (bandwidth.address !== undefined)
    share = math.min(share, bandwidth.address / math.max(1, countOf(ofAddress)));
  return share;
}
