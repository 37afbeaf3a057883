/**
 * Answers with what is made for one request, in parts: joined they would be a string that no other request has, which LuaJIT
 * compares with others of its length before it keeps it. In a flood of refusals that took longer than all else of them.
 */
export function send(status: number, contentType: string, parts: string[]): void {
  ngx.status = status;
  ngx.header['Content-Type'] = contentType;
  ngx.header['Content-Length'] = bytesOf(parts);
  ngx.print(parts);
}

export function bytesOf(parts: string[]): number {
  let bytes = 0;
  for (const part of parts) bytes += part.length;
  return bytes;
}
