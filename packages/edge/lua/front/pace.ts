import * as ffi from 'ffi';
import { get_request } from 'resty.core.base';
import { countOf } from '../lib/counters.ts';
import { hold, isHeldTo } from './limits.ts';
import { takePiece } from './sample.ts';
import { visitorOf } from './visitor.ts';
import type { Bandwidth } from '../site/limits.ts';
import { entryOf } from '../site/host.ts';

/**
 * Answers that share a bandwidth. nginx holds each to a rate, counted from its beginning and asked for anew with each
 * piece it sends; so with each piece the rate is set to what lets it have, from here on, its part of the whole.
 */
interface Transfer {
  /** nginx's own. Parts of a kept answer have a request each, but are sent under the rate of this one. */
  request: unknown;
  /** Its beginning, in whole seconds. */
  began: number;
  bandwidth: Bandwidth;
  ofSite: string;
  ofAddress: string;
  /** Bytes that it may have sent by `since`. */
  allowed: number;
  since: number;
}

/** Those under way, by request id, for the requests of their parts. Each is gone with its own request. */
const transfers: Record<string, Transfer | undefined> = setmetatable({}, { __mode: 'v' });

/** With each piece of an answer of a site that has such a limit, or that is one of those that are searched. */
export function pace(): void {
  takePiece();
  const transfer = ngx.is_subrequest
    ? transfers[ngx.var.edge_request_id!]
    : ((ngx.ctx.transfer as Transfer | undefined) ?? begin());
  if (transfer === undefined) return;
  const share = shareOf(transfer);
  const now = ngx.now();
  // Never more than a second's worth at once, for whoever did not take it in time.
  const most = tonumber(ngx.var.bytes_sent)! + share;
  transfer.allowed = math.min(transfer.allowed + share * (now - transfer.since), most);
  transfer.since = now;
  const rate = math.max(share, transfer.allowed / (ngx.time() - transfer.began + 1));
  setRate(transfer.request, string.format('%d', math.max(1, rate)));
}

const rateName = 'limit_rate';
const lowered = ffi.new('unsigned char[16]');
const complaint = ffi.new('unsigned char[256]');
const complaintLength = ffi.new('size_t[1]');

/** As an assignment to `ngx.var.limit_rate` does it, but for a request that may not be this one. */
function setRate(request: unknown, rate: string): void {
  complaintLength[0] = 256;
  ffi.C.ngx_http_lua_ffi_var_set(
    request,
    rateName,
    rateName.length,
    lowered,
    rate,
    rate.length,
    complaint,
    complaintLength,
  );
}

/** It counts from its first piece: who waits for an origin, or has a WebSocket, takes nothing from others. */
function begin(): Transfer | undefined {
  if (ngx.ctx.isUnpaced === true) return undefined;
  const site = entryOf(ngx.var.host!)?.site;
  const limits = site?.limits;
  if (site === undefined || limits === undefined || !limits.isPaced) return undefined;
  if (!isHeldTo(limits.bandwidthOf)) {
    ngx.ctx.isUnpaced = true;
    return undefined;
  }
  const { bandwidth } = limits;
  const transfer: Transfer = {
    request: get_request(),
    began: math.floor(ngx.req.start_time()),
    bandwidth,
    ofSite: `bytes ${site.key}`,
    ofAddress: `bytes ${site.key} ${visitorOf(ngx.var.client_addr!)}`,
    allowed: math.huge,
    since: ngx.now(),
  };
  if (bandwidth.site !== undefined) hold(transfer.ofSite, math.huge);
  if (bandwidth.address !== undefined) hold(transfer.ofAddress, math.huge);
  ngx.ctx.transfer = transfer;
  transfers[ngx.var.edge_request_id!] = transfer;
  return transfer;
}

function shareOf({ bandwidth, ofSite, ofAddress }: Transfer): number {
  let share = bandwidth.connection ?? math.huge;
  if (bandwidth.site !== undefined) share = math.min(share, bandwidth.site / math.max(1, countOf(ofSite)));
  if (bandwidth.address !== undefined)
    share = math.min(share, bandwidth.address / math.max(1, countOf(ofAddress)));
  return share;
}
