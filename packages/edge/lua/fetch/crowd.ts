/**
 * A crowd that comes at once: the cache may find no room at the socket of the fetch server, or no connection to ask with.
 * Then a request waits a moment and goes again, some times; who still finds none is told so, and when to come again.
 */
const waits = [0.05, 0.2, 1];

const hyphen = 45;
/** Requests that the fetch server had, and ended without an answer. */
const silences = ngx.shared.edge_silences;
const silenceSeconds = 10;

/** At the end of a request in the fetch server: no answer at all tells of the origin then, not of a lack of room. */
export function noteSilence(): void {
  const variables = ngx.var;
  const id = variables.http_x_request_id;
  if (variables.bytes_sent === '0' && id !== undefined) silences.set(id, 1, silenceSeconds);
}

/** In the place of pages: the fetch server has not seen the request, so nothing is known of the origin. */
export function missesFetchServer(): boolean {
  const variables = ngx.var;
  if (endsWithNone(variables.upstream_connect_time)) return true;
  // A worker with few connections left closes those on which nothing has come yet: of requests that are on their way.
  return (
    endsWithNone(variables.upstream_header_time) &&
    string.sub(variables.upstream_status ?? '', -3) === '502' &&
    silences.get(variables.edge_request_id!) === undefined
  );
}

/** Of a variable with a value for each time that the fetch server was to be asked: that the last time there was none. */
const endsWithNone = (values: string | undefined): boolean => string.byte(values ?? '', -1) === hyphen;

/** Goes to the cache once more, or gives the page to show. */
export function askAgain(): string {
  const variables = ngx.var;
  const tried = tonumber(variables.edge_again)!;
  const method = variables.request_method;
  const hasContent = variables.body_zone === 'off' || (method !== 'GET' && method !== 'HEAD');
  // What a visitor sends beside the header is read only once, and of a part nginx knows here no longer which it is.
  if (hasContent || ngx.is_subrequest || tried >= waits.length) return 'node_busy';
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
