import { changedLines, type PreparedHeaderRule } from '@breakwater/policy/rewrite/header-rule';
import type { RewriteRequest } from '@breakwater/policy/rewrite/template';
import { verdictOf } from './facts.ts';
import { findRegex } from '../lib/regex.ts';

/** On the way out: the site's rules for the fields of answers, from this one on. */
export function changeResponseHeaders(rules: PreparedHeaderRule[], from = 0): void {
  const prepared = rules[from];
  if (prepared === undefined) return undefined;
  if (prepared.condition === undefined || verdictOf(prepared.condition) === 1) changeResponseHeader(prepared);
  // No loop: LuaJIT would not compile what calls one as one piece.
  return changeResponseHeaders(rules, from + 1);
}

function changeResponseHeader(prepared: PreparedHeaderRule): void {
  const header = ngx.header;
  const { rule, name, fixed } = prepared;
  if (rule.action === 'remove') header[name] = undefined;
  else if (rule.action === 'set' && fixed !== undefined) header[name] = fixed;
  else {
    const own = header[name] as string | string[] | undefined;
    const lines = changedLines(prepared, linesOf(own), visitorRequest(), findRegex);
    header[name] = lines.length === 0 ? undefined : lines.length === 1 ? lines[0] : lines;
  }
}

function linesOf(value: string | string[] | undefined): string[] {
  if (value === undefined) return [];
  return type(value) === 'table' ? (value as string[]) : [tostring(value)];
}

function visitorRequest(): RewriteRequest {
  const variables = ngx.var;
  return {
    scheme: variables.scheme!,
    host: variables.host!,
    port: variables.server_port!,
    target: variables.request_uri!,
    method: variables.request_method!,
    clientIp: variables.client_addr!,
    requestId: variables.edge_request_id!,
  };
}

/** In the fetch server, before an origin is asked: the site's rules for what it is sent. */
export function changeRequestHeaders(rules: PreparedHeaderRule[]): void {
  const request = originRequest();
  const digits = ngx.var.http_x_breakwater_rewriting ?? '';
  let asked = 0;
  for (const prepared of rules) {
    const { name, condition } = prepared;
    if (condition !== undefined) {
      asked += 1;
      if (digits.substring(asked - 1, asked) !== '1') continue;
    }
    const lines = changedLines(prepared, requestLines(name), request, findRegex);
    // nginx sends this one as the variable has it.
    if (name === 'authorization') ngx.var.origin_authorization = lines[0] ?? '';
    else if (lines.length === 0) ngx.req.clear_header(name);
    else ngx.req.set_header(prepared.rule.name, lines.length === 1 ? lines[0]! : lines);
  }
}

function requestLines(name: string): string[] {
  if (name === 'authorization') {
    const value = ngx.var.origin_authorization!;
    return value === '' ? [] : [value];
  }
  const value = ngx.req.get_headers(0)[name];
  if (value === undefined) return [];
  const lines: string[] = [];
  // A field without a value comes as true.
  if (type(value) !== 'table') lines.push(type(value) === 'string' ? (value as string) : '');
  else
    for (const line of value as (string | boolean)[])
      lines.push(type(line) === 'string' ? (line as string) : '');
  return lines;
}

function originRequest(): RewriteRequest {
  const variables = ngx.var;
  return {
    scheme: variables.http_x_forwarded_proto ?? 'http',
    host: variables.host!,
    port: variables.http_x_breakwater_port ?? '',
    target: variables.request_uri!,
    method: ngx.req.get_method(),
    clientIp: variables.http_x_real_ip ?? '',
    requestId: variables.http_x_request_id ?? '',
  };
}
