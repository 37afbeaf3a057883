/**
 * A crowd that comes at once: the cache may find no room at the socket of the fetch server, or no connection to ask with.
 * Then a request waits a moment and goes again, some times; who still finds none is told so, and when to come again.
 */
const waits = [0.05, 0.2, 1];

const hyphen = 45;

/** In the place of pages: the fetch server was not asked at all, so nothing is known of the origin. */
export function missesFetchServer(): boolean {
  // One for each time that it was to be asked.
  return string.byte(ngx.var.upstream_connect_time ?? '', -1) === hyphen;
}

/** Goes to the cache once more, or gives the page to show. */
export function askAgain(): string {
  const variables = ngx.var;
  const tried = tonumber(variables.edge_again)!;
  const method = variables.request_method;
  const hasContent = variables.body_zone === 'off' || (method !== 'GET' && method !== 'HEAD');
  // What a visitor sends beside the header is read only once.
  if (hasContent || tried >= waits.length) return 'node_busy';
  variables.edge_again = `${tried + 1}`;
  ngx.sleep(waits[tried]! * (1 + math.random()));
  return ngx.exec(placeOfRequest());
}

/** Where `front` sent the request; those that limits of content were asked for stand one further. */
function placeOfRequest(): string {
  const variables = ngx.var;
  if (variables.edge_page === '') return '@plain';
  const stage = variables.edge_stage!;
  return stage === '@page' ? variables.edge_after! : stage;
}
