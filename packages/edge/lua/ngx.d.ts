/** What this package uses of lua-nginx-module, lua-resty-core and LuaJIT's FFI. Functions take no `this` but where it is written. */

interface SharedDict {
  get(this: SharedDict, key: string): string | number | undefined;
  set(this: SharedDict, key: string, value: string | number | undefined, seconds?: number): void;
  safe_set(
    this: SharedDict,
    key: string,
    value: string | number,
    seconds?: number,
  ): LuaMultiReturn<[boolean, string | undefined]>;
  add(
    this: SharedDict,
    key: string,
    value: string | number,
    seconds?: number,
  ): LuaMultiReturn<[boolean, string | undefined]>;
  /** Without `initial` nothing where there is no such key. */
  incr(this: SharedDict, key: string, by: number, initial?: number, seconds?: number): number | undefined;
  delete(this: SharedDict, key: string): void;
  ttl(this: SharedDict, key: string): number | undefined;
  lpush(this: SharedDict, key: string, value: string): number | undefined;
  rpop(this: SharedDict, key: string): string | undefined;
  llen(this: SharedDict, key: string): number;
  get_keys(this: SharedDict, limit: number): string[];
  capacity(this: SharedDict): number;
  free_space(this: SharedDict): number;
  flush_expired(this: SharedDict): number;
}

/** One whose oldest entries are told of when they go: `isForced`. */
interface CountingDict {
  get(this: CountingDict, key: string): string | number | undefined;
  set(this: CountingDict, key: string, value: string | number, seconds: number): void;
  add(
    this: CountingDict,
    key: string,
    value: number,
    seconds: number,
  ): LuaMultiReturn<[boolean, string | undefined]>;
  delete(this: CountingDict, key: string): void;
  capacity(this: CountingDict): number;
  free_space(this: CountingDict): number;
  incr(
    this: CountingDict,
    key: string,
    by: number,
    initial: number,
    seconds: number,
  ): LuaMultiReturn<[value: number | undefined, error: string | undefined, isForced: boolean | undefined]>;
}

type HeaderValue = string | string[] | undefined;

declare namespace ngx {
  const shared: {
    edge_active: SharedDict;
    edge_asking: SharedDict;
    edge_bans: SharedDict;
    edge_bans_made: SharedDict;
    edge_documents: SharedDict;
    edge_guard: CountingDict;
    edge_guard_heavy: SharedDict;
    edge_guard_others: SharedDict;
    edge_guard_places: SharedDict;
    edge_guard_steps: SharedDict;
    edge_rule_acts: SharedDict;
    edge_rule_marks: SharedDict;
    edge_health: SharedDict;
    edge_ocsp: SharedDict;
    edge_keys: SharedDict;
    edge_stale: SharedDict;
    edge_silences: SharedDict;
    edge_uses: SharedDict;
    edge_resolved: SharedDict;
    edge_rates: SharedDict;
    edge_robots: SharedDict;
    edge_robots_asked: SharedDict;
    edge_connections: SharedDict;
    edge_passes: SharedDict;
    edge_workers: SharedDict;
    edge_samples: SharedDict;
    edge_submissions: SharedDict;
    edge_leaks: SharedDict;
  };
  let status: number;
  const is_subrequest: boolean;
  const ctx: Record<string, unknown>;
  /** In a body filter: 1 the content, 2 whether it is the last. */
  const arg: LuaTable<1 | 2, string | boolean>;
  const header: Record<string, string | number | string[] | undefined>;
  const ERR: number;
  const ERROR: number;
  const WARN: number;
  const NOTICE: number;
  function log(level: number, ...parts: (string | number)[]): void;
  function now(): number;
  function time(): number;
  function sleep(seconds: number): void;
  /** Texts in a list one after the other, without joining them first. */
  function print(text: string | string[]): void;
  /** As in `Date`. */
  function http_time(seconds: number): string;
  function md5_bin(text: string): string;
  function encode_base64(bytes: string): string;
  function decode_base64(text: string): string | undefined;
  function exit(status: number): never;
  /** To another location, `@name`; what lies in the context is dropped. */
  function exec(location: string): never;
  namespace worker {
    function pid(): number;
    function id(): number;
    function count(): number;
  }
  namespace timer {
    function every(seconds: number, work: () => void): void;
    /** `isEnding`: the worker is. */
    function at<Given extends unknown[]>(
      seconds: number,
      work: (isEnding: boolean, ...given: Given) => void,
      ...given: Given
    ): LuaMultiReturn<[boolean, string | undefined]>;
  }
  namespace socket {
    interface Connection {
      settimeout(this: Connection, milliseconds: number): void;
      settimeouts(this: Connection, connect: number, send: number, read: number): void;
      connect(this: Connection, address: string): LuaMultiReturn<[boolean | undefined, string | undefined]>;
      /** Nothing where it could not be sent. */
      send(this: Connection, text: string): number | undefined;
      /** `*l`: a line. */
      receive(this: Connection, what: '*l'): string | undefined;
      /** What there is, up to so many bytes. */
      receiveany(this: Connection, max: number): LuaMultiReturn<[string | undefined, string | undefined]>;
      close(this: Connection): void;
    }
    function tcp(): Connection;
  }
  namespace thread {
    type Thread = { readonly thread: unique symbol };
    function spawn<Given extends unknown[]>(
      work: (this: void, ...given: Given) => boolean | void,
      ...given: Given
    ): Thread;
    /** For the first of them that ends: what it gives. */
    function wait(...threads: Thread[]): LuaMultiReturn<[isWhole: boolean, given: boolean | undefined]>;
    function kill(thread: Thread): void;
  }
  namespace config {
    const nginx_version: number;
  }
  namespace req {
    function read_body(): void;
    /** Seconds since 1970. */
    function start_time(): number;
    function get_body_data(): string | undefined;
    function get_body_file(): string | undefined;
    function get_method(): string;
    /** All of the connection from here on is Lua's to read and to write. */
    function socket(isRaw: true): LuaMultiReturn<[socket.Connection | undefined, string | undefined]>;
    /** The request line and the fields, as they came. */
    function raw_header(): string;
    function http_version(): number;
    /** By lower-case name; 0: however many there are. A field without a value is `true`. */
    function get_headers(max: number): Record<string, string | boolean | (string | boolean)[] | undefined>;
    function set_header(name: string, value: string | string[]): void;
    function clear_header(name: string): void;
  }
  namespace resp {
    /** By lower-case name; 0: however many there are. */
    function get_headers(max: number): Record<string, string | string[] | undefined>;
  }
  namespace location {
    function capture(uri: string): { status: number; body: string };
  }
  namespace re {
    /** What the pattern matched stands at 0, its groups from 1; `place.pos` (from 1) is then behind it. */
    function match(
      subject: string,
      pattern: string,
      options: string,
      place: { pos: number },
    ): LuaMultiReturn<[found: LuaTable<number, string | boolean> | undefined, error: string | undefined]>;
    function find(
      subject: string,
      pattern: string,
      options: string,
    ): LuaMultiReturn<[from: number | undefined, to: number | undefined, error: string | undefined]>;
  }
}
/** `ngx.var`: its name is no identifier of TypeScript's. */
declare namespace ngx {
  const variables: Record<string, string | undefined>;
  export { variables as var };
}

declare module 'ngx.balancer' {
  function set_current_peer(
    ip: string,
    port: number,
  ): LuaMultiReturn<[boolean | undefined, string | undefined]>;
  function set_more_tries(count: number): void;
  function set_timeouts(connect: number, send: number, read: number): void;
  function get_last_failure(): LuaMultiReturn<[state: string | undefined, status: number | undefined]>;
}

declare module 'ngx.ssl' {
  type Chain = { readonly chain: unique symbol };
  type PrivateKey = { readonly key: unique symbol };
  function server_name(): string | undefined;
  function clear_certs(): boolean | undefined;
  function cert_pem_to_der(pem: string): LuaMultiReturn<[string | undefined, string | undefined]>;
  function parse_pem_cert(pem: string): LuaMultiReturn<[Chain | undefined, string | undefined]>;
  function parse_pem_priv_key(pem: string): LuaMultiReturn<[PrivateKey | undefined, string | undefined]>;
  function set_cert(chain: Chain): LuaMultiReturn<[boolean | undefined, string | undefined]>;
  function set_priv_key(key: PrivateKey): LuaMultiReturn<[boolean | undefined, string | undefined]>;
  function verify_client(
    authorities: Chain,
    depth: number,
  ): LuaMultiReturn<[boolean | undefined, string | undefined]>;
}

declare module 'ngx.ocsp' {
  /** Neither: the certificate names no responder. */
  function get_ocsp_responder_from_der_chain(
    chain: string,
  ): LuaMultiReturn<[string | undefined, string | undefined]>;
  function create_ocsp_request(chain: string): LuaMultiReturn<[string | undefined, string | undefined]>;
  function validate_ocsp_response(
    answer: string,
    chain: string,
  ): LuaMultiReturn<[boolean | undefined, string | undefined]>;
  function set_ocsp_status_resp(answer: string): LuaMultiReturn<[boolean | undefined, string | undefined]>;
}

declare module 'ngx.ssl.clienthello' {
  function get_client_hello_server_name(): string | undefined;
  function set_protocols(names: string[]): LuaMultiReturn<[boolean | undefined, string | undefined]>;
}

declare module 'resty.core.base' {
  type Request = { readonly request: unique symbol };
  function get_request(): Request | undefined;
}

declare module 'ffi' {
  export type Pointer = { readonly pointer: unique symbol };
  export interface DirectoryEntry {
    d_name: Pointer;
  }
  /** A C array of numbers, its first at 0. */
  export type Numbers = LuaTable<number, number> & Record<0 | 1, number>;
  export function cast(type: string, value: Pointer | number | string): Pointer;
  export function cdef(declarations: string): void;
  export function string(pointer: Pointer, length?: number): string;
  export function sizeof(type: string): number;
  export function copy(to: Pointer, from: Pointer | string, length: number): void;
  /** @noSelf */
  interface Library {
    X509_check_host(
      certificate: Pointer,
      name: string,
      length: number,
      flags: number,
      peer: undefined,
    ): number;
    SHA256(data: string, length: number, digest: Pointer): Pointer;
    EVP_sha256(): Pointer;
    RAND_bytes(bytes: Pointer, count: number): number;
    ngx_hex_dump(to: Pointer, from: string | Pointer, length: number): Pointer;
    HMAC_CTX_new(): Pointer;
    HMAC_Init_ex(
      context: Pointer,
      key: string | undefined,
      keyLength: number,
      kind: Pointer | undefined,
      engine: undefined,
    ): number;
    HMAC_Update(context: Pointer, data: string, length: number): number;
    HMAC_Final(context: Pointer, digest: Pointer, digestLength: undefined): number;
    zlibVersion(): Pointer;
    inflateInit2_(stream: Pointer, windowBits: number, version: Pointer, size: number): number;
    inflateReset2(stream: Pointer, windowBits: number): number;
    inflate(stream: Pointer, flush: number): number;
    OPENSSL_sk_value(stack: unknown, index: number): Pointer;
    X509_check_private_key(certificate: Pointer, key: unknown): number;
    ERR_clear_error(): void;
    X509_certificate_type(certificate: Pointer, key: unknown): number;
    ngx_http_lua_ffi_get_req_ssl_pointer(request: unknown): Pointer | undefined;
    ngx_http_lua_ffi_var_get(
      request: unknown,
      name: string,
      nameLength: number,
      lowered: Numbers,
      capture: number,
      value: Pointer,
      length: Numbers,
      complaint: Pointer,
    ): number;
    /** At most `max`, with a note whether there are more; below 0: not in this phase. */
    ngx_http_lua_ffi_req_get_headers_count(request: unknown, max: number, isMore: Numbers): number;
    ngx_http_lua_ffi_req_get_headers(request: unknown, into: Pointer, count: number, raw: number): number;
    ngx_http_lua_ffi_now(): number;
    ngx_http_lua_ffi_time(): number;
    ngx_http_lua_ffi_var_set(
      request: unknown,
      name: string,
      nameLength: number,
      lowered: Numbers,
      value: string | Pointer,
      length: number,
      complaint: Numbers,
      complaintLength: Numbers,
    ): number;
    SSL_set_cipher_list(connection: Pointer, list: string): number;
    SSL_set_cert_cb(connection: Pointer, callback: undefined, argument: undefined): void;
    SSL_set_session_id_context(connection: Pointer, context: string, length: number): number;
    SSL_get_session(connection: Pointer): Pointer | undefined;
    SSL_client_hello_isv2(connection: Pointer): number;
    /** Each the length of what is pointed to; it lies in the message under way. */
    SSL_client_hello_get0_random(connection: Pointer, out: Pointer): number;
    SSL_client_hello_get0_session_id(connection: Pointer, out: Pointer): number;
    SSL_client_hello_get0_ciphers(connection: Pointer, out: Pointer): number;
    /** 0 where the hello has no such extension. */
    SSL_client_hello_get0_ext(connection: Pointer, type: number, out: Pointer, length: Numbers): number;
    SSL_SESSION_set1_ticket_appdata(session: Pointer, data: string, length: number): number;
    SSL_SESSION_get0_ticket_appdata(session: Pointer, data: Pointer, length: Numbers): number;
    SSL_SESSION_get0_id_context(session: Pointer, length: Numbers): Pointer;
    d2i_OCSP_RESPONSE(into: undefined, data: Numbers, length: number): Pointer;
    OCSP_response_get1_basic(response: Pointer): Pointer;
    OCSP_resp_get0(basic: Pointer, index: number): Pointer;
    OCSP_single_get0_status(
      single: Pointer,
      reason: undefined,
      revoked: undefined,
      from: undefined,
      until: Numbers,
    ): number;
    ASN1_TIME_diff(days: Numbers, seconds: Numbers, from: undefined, to: unknown): number;
    OCSP_BASICRESP_free(basic: Pointer): void;
    OCSP_RESPONSE_free(response: Pointer): void;
    open(path: string, flags: number): number;
    close(file: number): number;
    posix_fallocate(file: number, offset: number, length: number): number;
    kill(process: number, signal: number): number;
    clock_gettime(clock: number, time: Pointer): number;
    opendir(name: string): Pointer | undefined;
    readdir(folder: Pointer): DirectoryEntry | undefined;
    closedir(folder: Pointer): number;
    mmap(
      address: undefined,
      length: number,
      protection: number,
      flags: number,
      file: number,
      offset: number,
    ): Pointer;
  }
  export const C: Library;
  export { ffiNew as new };
  function ffiNew(type: string): Pointer & Numbers;
}

/** The address so many bytes behind another. */
declare const plus: LuaAddition<import('ffi').Pointer, number, import('ffi').Pointer>;
