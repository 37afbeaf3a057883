import type { Access, Language, RouteInput, RouteResult, RouteSpec } from '@breakwater/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallbackBody, ProvenCallback } from '../callbacks/callback.ts';
import type { Scope } from '../scope.ts';
import type { Services } from '../services.ts';
import type { AdminSession, CustomerSession, Session } from './session.ts';

/** The node that signed a request. */
export interface NodeIdentity {
  id: number;
  name: string;
  generation: number;
}

/** Who calls, as far as the access of the route tells: a handler cannot ask for a session that nobody checked. */
type Caller<Kind extends Access['kind']> = {
  public: object;
  admin: { session: AdminSession; scope: Scope };
  user: { session: CustomerSession; scope: Scope };
  both: { session: Session; scope: Scope };
  signed_in: { session: Session; scope: Scope };
  node: { node: NodeIdentity };
}[Kind];

export type Context<Spec extends RouteSpec> = RouteInput<Spec> &
  Caller<Spec['access']['kind']> &
  (Spec extends Callback ? { callback: CallbackBody } : object) & {
    services: Services;
    language: Language;
    request: FastifyRequest;
    reply: FastifyReply;
  };

export type Handlers<Routes extends Record<string, RouteSpec>> = {
  [Name in keyof Routes]: (
    context: Context<Routes[Name]>,
  ) => Promise<Result<Routes[Name]>> | Result<Routes[Name]>;
};

type Callback = { transport: 'callback' };
type Result<Spec extends RouteSpec> = Spec extends Callback ? ProvenCallback : RouteResult<Spec>;

/** Routes with their handlers, types erased for mounting: `implement` has checked them. */
export interface Implementation {
  routes: Record<string, RouteSpec>;
  handlers: Record<string, (context: never) => unknown>;
}

/** Binds handlers to the routes of a contract. A missing handler or a wrong answer does not compile. */
export function implement<Routes extends Record<string, RouteSpec>>(
  routes: Routes,
  handlers: Handlers<Routes>,
): Implementation {
  return { routes, handlers };
}
