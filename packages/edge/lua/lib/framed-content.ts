/** Where a request's content ends that comes from an nginx as HTTP/1.1: by its length, or in chunks (RFC 9112 §7.1). */
export interface FramedContent {
  isChunked: boolean;
  /** Bytes of the content, or of the chunk, that have not come. */
  left: number;
  /** What has come of the line that says how long the next chunk is. */
  frame: string;
  isWhole: boolean;
}

/** Of the request under way. */
export function framedContent(): FramedContent {
  const length = tonumber(ngx.var.http_content_length);
  return { isChunked: length === undefined, left: length ?? 0, frame: '', isWhole: length === 0 };
}

/** Takes a piece as it came, and gives `take` what is content in it. */
export function takePiece(content: FramedContent, piece: string, take?: (data: string) => void): void {
  if (content.isChunked) takeChunks(content, piece, take);
  else {
    content.left -= piece.length;
    content.isWhole = content.left <= 0;
    take?.(piece);
  }
}

function takeChunks(content: FramedContent, piece: string, take?: (data: string) => void): void {
  const text = `${content.frame}${piece}`;
  content.frame = '';
  let at = 1;
  while (at <= text.length) {
    if (content.left > 0) {
      const end = math.min(text.length, at + content.left - 1);
      take?.(string.sub(text, at, end));
      content.left -= end - at + 1;
      at = end + 1;
    } else {
      // Before the length of any chunk but the first stands the end of the one before.
      const [found, end, digits] = string.find(text, '^\r?\n?(%x+)[^\n]*\n', at);
      if (found === undefined) {
        content.frame = string.sub(text, at);
        return;
      }
      content.left = tonumber(digits as string, 16)!;
      content.isWhole = content.left === 0;
      if (content.isWhole) return;
      at = end + 1;
    }
  }
}
