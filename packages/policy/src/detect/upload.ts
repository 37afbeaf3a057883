import { byteAt, numberOf, tableOf } from './bytes.ts';
import { extensionOf } from '../http/path.ts';
import { byteBits } from './marks.ts';
import type { Detector, Hit, Subject } from './types.ts';

/** Suffixes of files that servers run. */
const run: Record<string, number> = {};
tableOf(
  7,
  'php php2 php3 php4 php5 php6 php7 php8 pht phtm phtml phps phar pgif shtml stm jsp jspx jspf jsw jsv jhtml asp aspx asax ascx ashx asmx cer asa cdx axd cshtml vbhtml cfm cfml cfc cgi war htaccess htpasswd ini',
  run,
);
tableOf(5, 'pl py rb sh bash exe bat cmd ps1 vbs hta jar so dll', run);

const images: Record<string, number> = {};
tableOf(1, 'jpg jpeg png gif bmp webp ico svg txt pdf', images);

/** Of files that are sent: their names; of paths: two suffixes, of which the first is run. */
export const upload: Detector = {
  name: 'upload',
  group: 'upload',
  mayFind: ({ part, bytes }) =>
    part.place === 'file_name' || (part.place === 'path' && !part.isName && (bytes & byteBits.slash) !== 0),
  find: ({ part, text, lower }: Subject) =>
    part.place === 'file_name' ? nameHit(text, lower) : pathHit(lower),
};

function nameHit(text: string, lower: string): Hit | undefined {
  let best: Hit | undefined;
  let start = lower.indexOf('.');
  while (start >= 0) {
    let stop = start + 1;
    while (stop < lower.length && isSuffixByte(lower.charCodeAt(stop))) stop += 1;
    const suffix = lower.substring(start + 1, stop);
    const isLast = stop >= lower.length;
    let score = numberOf(run, suffix);
    // Programs in archives of programmers are common; in front of another suffix they hide.
    if (score === 5 && (isLast || suffix === 'so')) score = 4;
    if (suffix === 'ini') score = lower === '.user.ini' ? 7 : 0;
    if (score > 0 && (best === undefined || score > best.score))
      best = { score, offset: start, why: `a file that servers run: .${suffix}` };
    start = lower.indexOf('.', stop);
  }
  if (text.indexOf('\0') >= 0)
    return { score: 7, offset: text.indexOf('\0'), why: 'a NUL in the name of a file' };
  if (text.indexOf('../') >= 0 || text.indexOf('..\\') >= 0)
    return { score: 7, offset: 0, why: 'folders in the name of a file' };
  return best;
}

function isSuffixByte(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
}

/** `/uploads/a.php.jpg`, `/a.jpg/b.php`: a server that is set up carelessly runs them. */
function pathHit(lower: string): Hit | undefined {
  const last = extensionOf(lower);
  if (last === '') return undefined;
  const stem = lower.substring(0, lower.length - last.length - 1);
  if (numberOf(images, last) > 0 && numberOf(run, extensionOf(stem)) === 7)
    return { score: 5, offset: stem.length, why: 'two suffixes, the first of a program' };
  if (!last.startsWith('php') && last !== 'jsp' && last !== 'asp') return undefined;
  let slash = lower.indexOf('/', 1);
  while (slash >= 0) {
    if (numberOf(images, extensionOf(lower.substring(0, slash))) > 0 && byteAt(lower, slash - 1) !== 46)
      return { score: 5, offset: slash, why: 'a program below an image' };
    slash = lower.indexOf('/', slash + 1);
  }
  return undefined;
}
