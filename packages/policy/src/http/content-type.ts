import { trimOws } from '../lib/text.ts';

/** The media type of a `Content-Type` field, without parameters, in lower case. */
export function mediaType(field: string): string {
  const semicolon = field.indexOf(';');
  return trimOws(semicolon < 0 ? field : field.substring(0, semicolon)).toLowerCase();
}

/** Files of any kind: what servers say of those whose suffix they do not know. No browser shows it. */
const anyFile = ['application/octet-stream', 'binary/octet-stream'];

/**
 * What files are sent as: their suffixes, and media types by the names of IANA's registry, with the older ones that servers
 * still have. One that ends with a slash stands for all that begin so, as many servers send an image or a film in the form
 * that suits a browser best.
 */
const kinds: [suffixes: string, types: string[]][] = [
  ['css', ['text/css']],
  [
    'js mjs cjs',
    [
      'text/javascript',
      'application/javascript',
      'application/x-javascript',
      'application/ecmascript',
      'text/ecmascript',
    ],
  ],
  ['html htm shtml xhtml', ['text/html', 'application/xhtml+xml']],
  ['json map', ['application/json', 'application/ld+json', 'application/geo+json', 'text/json']],
  ['geojson', ['application/geo+json', 'application/json']],
  ['webmanifest', ['application/manifest+json', 'application/json']],
  [
    'xml xsl xsd',
    ['application/xml', 'text/xml', 'application/rss+xml', 'application/atom+xml', 'application/xslt+xml'],
  ],
  ['rss atom', ['application/rss+xml', 'application/atom+xml', 'application/xml', 'text/xml']],
  [
    'txt log md csv tsv srt',
    ['text/plain', 'text/markdown', 'text/csv', 'text/tab-separated-values', 'application/x-subrip'],
  ],
  ['vtt', ['text/vtt']],
  ['ics', ['text/calendar']],
  ['jpg jpeg png gif webp avif bmp ico cur tif tiff heic heif jxl apng', ['image/', ...anyFile]],
  ['svg', ['image/']],
  ['svgz', ['image/']],
  [
    'woff woff2 ttf otf eot ttc',
    ['font/', 'application/font-', 'application/x-font-', 'application/vnd.ms-fontobject', ...anyFile],
  ],
  [
    'mp3 mp4 m4a m4v webm ogg oga ogv opus wav flac aac mov avi mkv flv wmv mpg mpeg 3gp m4s weba amr mid',
    ['audio/', 'video/', 'application/ogg', 'application/mp4', ...anyFile],
  ],
  ['ts m2ts', ['video/', ...anyFile]],
  [
    'm3u8 m3u',
    [
      'application/vnd.apple.mpegurl',
      'application/x-mpegurl',
      'audio/mpegurl',
      'audio/x-mpegurl',
      ...anyFile,
    ],
  ],
  ['mpd', ['application/dash+xml']],
  ['wasm', ['application/wasm', ...anyFile]],
  ['swf', ['application/x-shockwave-flash', 'application/vnd.adobe.flash.movie', ...anyFile]],
  ['pdf', ['application/pdf', 'application/x-pdf', ...anyFile]],
  ['ps eps ai', ['application/postscript', ...anyFile]],
  ['rtf', ['application/rtf', 'text/rtf', ...anyFile]],
  ['epub', ['application/epub+zip', ...anyFile]],
  ['mobi azw3', ['application/x-mobipocket-ebook', 'application/vnd.amazon.ebook', ...anyFile]],
  ['doc dot', ['application/msword', ...anyFile]],
  ['xls xlt', ['application/vnd.ms-excel', ...anyFile]],
  ['ppt pps', ['application/vnd.ms-powerpoint', ...anyFile]],
  ['docx dotx xlsx xltx pptx ppsx', ['application/vnd.openxmlformats-officedocument.', ...anyFile]],
  ['odt ods odp odg', ['application/vnd.oasis.opendocument.', ...anyFile]],
  ['zip', ['application/zip', 'application/x-zip-compressed', 'application/x-zip', ...anyFile]],
  ['rar', ['application/vnd.rar', 'application/x-rar-compressed', 'application/x-rar', ...anyFile]],
  ['7z', ['application/x-7z-compressed', ...anyFile]],
  ['tar', ['application/x-tar', ...anyFile]],
  [
    'gz tgz',
    [
      'application/gzip',
      'application/x-gzip',
      'application/x-tar',
      'application/x-compressed-tar',
      ...anyFile,
    ],
  ],
  ['bz2 tbz2', ['application/x-bzip2', 'application/x-bzip', ...anyFile]],
  ['xz txz', ['application/x-xz', ...anyFile]],
  ['zst', ['application/zstd', 'application/x-zstd', ...anyFile]],
  ['br', ['application/x-brotli', ...anyFile]],
  ['jar war', ['application/java-archive', 'application/x-java-archive', ...anyFile]],
  ['apk', ['application/vnd.android.package-archive', ...anyFile]],
  ['deb', ['application/vnd.debian.binary-package', 'application/x-debian-package', ...anyFile]],
  ['rpm', ['application/x-rpm', 'application/x-redhat-package-manager', ...anyFile]],
  ['dmg', ['application/x-apple-diskimage', ...anyFile]],
  ['iso img', ['application/x-iso9660-image', 'application/x-cd-image', ...anyFile]],
  [
    'exe msi dll',
    [
      'application/vnd.microsoft.portable-executable',
      'application/x-msdownload',
      'application/x-msdos-program',
      'application/x-dosexec',
      'application/x-msi',
      ...anyFile,
    ],
  ],
  ['torrent', ['application/x-bittorrent', ...anyFile]],
  ['gltf', ['model/gltf+json']],
  ['glb', ['model/gltf-binary', ...anyFile]],
];

const typesOf: Record<string, string[]> = {};
for (const [suffixes, types] of kinds) for (const suffix of suffixes.split(' ')) typesOf[suffix] = types;

/** Programs: what they answer has any type. */
const programs: Record<string, boolean> = {
  php: true,
  asp: true,
  aspx: true,
  jsp: true,
  do: true,
  cgi: true,
};

/**
 * Whether an answer of this type can be a file of that suffix (lower case). `/account/x.css` answered with a page is no
 * style sheet but somebody's account, and what states no type may be anything. A suffix that is not known stands for a
 * file of no kind in particular.
 */
export function suitsSuffix(suffix: string, contentType: string | undefined): boolean {
  const type = mediaType(contentType ?? '');
  if (type === '') return false;
  if (programs[suffix] === true) return true;
  for (const wanted of typesOf[suffix] ?? anyFile) {
    if (type === wanted) return true;
    const isBeginning = wanted.endsWith('/') || wanted.endsWith('-') || wanted.endsWith('.');
    if (isBeginning && type.startsWith(wanted)) return true;
  }
  return false;
}
