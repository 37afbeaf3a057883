import { trimOws } from './text.ts';

/** The media type of a `Content-Type` field, without parameters, in lower case. */
export function mediaType(field: string): string {
  const semicolon = field.indexOf(';');
  return trimOws(semicolon < 0 ? field : field.substring(0, semicolon)).toLowerCase();
}

/** What files of these suffixes are sent as, by the beginning of the type. */
const families: Record<string, string[]> = {
  css: ['text/css'],
  script: [
    'text/javascript',
    'application/javascript',
    'application/x-javascript',
    'application/ecmascript',
    'text/ecmascript',
  ],
  image: ['image/'],
  font: ['font/', 'application/font', 'application/x-font', 'application/vnd.ms-fontobject'],
  audio: ['audio/', 'video/'],
};
const familyOf: Record<string, string> = {
  css: 'css',
  js: 'script',
  mjs: 'script',
  jpg: 'image',
  jpeg: 'image',
  png: 'image',
  gif: 'image',
  webp: 'image',
  avif: 'image',
  bmp: 'image',
  ico: 'image',
  svg: 'image',
  woff: 'font',
  woff2: 'font',
  ttf: 'font',
  otf: 'font',
  eot: 'font',
  mp3: 'audio',
  mp4: 'audio',
  webm: 'audio',
  ogg: 'audio',
  m4a: 'audio',
  wav: 'audio',
  mov: 'audio',
};
/** Suffixes that a page can have. */
const pages: Record<string, boolean> = {
  html: true,
  htm: true,
  xhtml: true,
  shtml: true,
  php: true,
  asp: true,
  aspx: true,
  jsp: true,
  do: true,
  cgi: true,
};
/** Types of pages and of what programs answer: the private things that a made-up name is after. */
const pageTypes: Record<string, boolean> = { 'text/html': true, 'application/xhtml+xml': true };

/**
 * Whether an answer of this type can be a file of that suffix (lower case). `/account/x.css` answered with a page is no
 * style sheet but somebody's account. A type that is not stated, or that means any file, says nothing against it.
 */
export function suitsSuffix(suffix: string, contentType: string | undefined): boolean {
  const type = mediaType(contentType ?? '');
  if (type === '' || type === 'application/octet-stream' || type === 'binary/octet-stream') return true;
  const family = familyOf[suffix];
  if (family === undefined) return pageTypes[type] !== true || pages[suffix] === true;
  for (const beginning of families[family]!) if (type.startsWith(beginning)) return true;
  return false;
}
