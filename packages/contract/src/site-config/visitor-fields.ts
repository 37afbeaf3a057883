/**
 * Fields of a request that origins take for the word of a proxy before them, though any visitor can write them: they are not in
 * the cache's key, and nothing vouches for them. None reaches an origin as a visitor sent it, unless the site lets it through
 * (`real_ip.pass_headers`). What the edge says itself (`X-Forwarded-For`, `-Host` and `-Proto`, `X-Real-IP`, `X-Client-Verify`
 * and its like) stands in place of what was sent, and so does what a site's own rules for headers set. nginx drops names with
 * underscores by itself. `packages/policy/src/http/visitor-fields.ts` has the same names for the nodes.
 */
export const untrustedFields = [
  // Whose address it is: the edge decides that (docs/client-address.md).
  'client-ip',
  'x-client-ip',
  'true-client-ip',
  'x-true-client-ip',
  'cf-connecting-ip',
  'cf-connecting-ipv6',
  'cf-pseudo-ipv4',
  'fastly-client-ip',
  'x-cluster-client-ip',
  'x-original-forwarded-for',
  'x-originating-ip',
  'x-remote-ip',
  'x-remote-addr',
  'x-proxyuser-ip',
  'proxy-client-ip',
  'wl-proxy-client-ip',
  // Who has signed in, and with which certificate: said by proxies that ask for passwords or certificates.
  'remote-user',
  'x-remote-user',
  'x-forwarded-user',
  'x-forwarded-email',
  'x-forwarded-groups',
  'x-forwarded-preferred-username',
  'x-forwarded-access-token',
  'x-auth-request-user',
  'x-auth-request-email',
  'x-auth-request-groups',
  'x-forwarded-client-cert',
  'x-client-cert',
  'x-ssl-client-cert',
  'x-ssl-client-dn',
  'x-ssl-client-s-dn',
  'x-ssl-client-verify',
  'ssl-client-cert',
  'ssl-client-verify',
  // Another path or host than the one that was judged.
  'x-forwarded-uri',
  'x-forwarded-url',
  'x-forwarded-path',
  'x-forwarded-prefix',
  'x-original-uri',
  'x-original-url',
  'x-rewrite-uri',
  'x-rewrite-url',
  'x-http-path-override',
  'x-http-destinationurl',
  'x-http-host-override',
  'x-host',
  'x-host-override',
  'x-original-host',
  'x-forwarded-server',
  'x-forwarded-by',
  // Another scheme or port than the visitor's.
  'x-forwarded-port',
  'x-forwarded-scheme',
  'x-forwarded-ssl',
  'x-forwarded-protocol',
  'x-url-scheme',
  'x-scheme',
  'front-end-https',
  // Another method than the one that was judged.
  'x-http-method-override',
  'x-http-method',
  'x-method-override',
  'x-forwarded-method',
  'x-original-method',
] as const;
export type UntrustedField = (typeof untrustedFields)[number];
