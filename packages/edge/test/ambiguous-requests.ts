/** Requests whose length or end servers read differently: what is inside may be taken for a request of its own. */

type Named = [name: string, text: string];

const headFor = (host: string) => `POST /x HTTP/1.1\r\nHost: ${host}\r\n`;
const innerFor = (host: string) => `GET /smuggled HTTP/1.1\r\nHost: ${host}\r\n\r\n`;

/** Those that RFC 9112 (sections 6.1 to 6.3 and 7.1) has a server refuse. */
export function ambiguousRequests(host: string): Named[] {
  const head = headFor(host);
  const inner = innerFor(host);
  return [
    [
      'a length and chunks',
      `${head}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
    ],
    ['two lengths', `${head}Content-Length: 0\r\nContent-Length: 5\r\n\r\n${inner}`],
    ['two lengths that agree', `${head}Content-Length: 0\r\nContent-Length: 0\r\n\r\n${inner}`],
    ['a list of lengths', `${head}Content-Length: 0, 5\r\n\r\n${inner}`],
    ['a signed length', `${head}Content-Length: +0\r\n\r\n${inner}`],
    [
      'two codings',
      `${head}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${inner}`,
    ],
    ['a space before the colon', `${head}Content-Length : 5\r\n\r\n${inner}`],
    [
      'chunks in HTTP/1.0',
      `POST /x HTTP/1.0\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
    ],
    ['a chunk size that is none', `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n${inner}`],
  ];
}

/** Those that a server may take or refuse, but as one. */
export function oddRequests(host: string): Named[] {
  const head = headFor(host);
  return [
    ['an unknown coding', `${head}Transfer-Encoding: xchunked\r\n\r\n${innerFor(host)}`],
    ['a coding behind a tab', `${head}Transfer-Encoding:\tchunked\r\n\r\n0\r\n\r\n`],
    ['a folded line', `${head}X-One: a\r\n Content-Length: 5\r\nConnection: close\r\n\r\n`],
    ['bare line feeds', `GET /lf HTTP/1.1\nHost: ${host}\nConnection: close\n\n`],
    [
      'a bare carriage return',
      `GET /cr HTTP/1.1\r\nHost: ${host}\r\nX-One: a\rX-Two: b\r\nConnection: close\r\n\r\n`,
    ],
  ];
}
