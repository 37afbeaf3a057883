import { byteAt } from './bytes.ts';
import { decodePercent } from './decode-bytes.ts';
import { addOnce, addPart, type Collected } from './extract-form.ts';

/** How much of a file that is sent is looked at. */
const fileBytes = 4096;
const partsMax = 500;

/** The fields, file names and beginnings of files of a multipart body; false where its boundary is not to be found. */
export function addMultipart(into: Collected, body: string, contentType: string): boolean {
  const boundary = parameterOf(contentType, 'boundary');
  if (boundary === '') return false;
  const mark = `--${boundary}`;
  let start = body.indexOf(mark);
  if (start < 0) return false;
  for (let count = 0; start >= 0; count++) {
    if (count >= partsMax) {
      addOnce(into.capped, 'parts');
      return true;
    }
    const from = start + mark.length;
    const next = body.indexOf(mark, from);
    addSection(into, body.substring(from, next < 0 ? body.length : next));
    start = next;
  }
  return true;
}

function addSection(into: Collected, section: string): void {
  let stop = section.indexOf('\r\n\r\n');
  let length = 4;
  if (stop < 0) {
    stop = section.indexOf('\n\n');
    length = 2;
  }
  if (stop < 0) return;
  const head = section.substring(0, stop);
  const value = withoutBreak(section.substring(stop + length));
  const name = parameterOf(head, 'name');
  const file = parameterOf(head, 'filename');
  const extended = parameterOf(head, 'filename*');
  addPart(into, { place: 'form', name, value: name, isName: true, steps: ['multipart'] });
  if (file !== '')
    addPart(into, { place: 'file_name', name, value: file, isName: false, steps: ['multipart'] });
  if (extended !== '')
    addPart(into, {
      place: 'file_name',
      name,
      value: decodePercent(extended, false),
      isName: false,
      steps: ['multipart'],
    });
  const isFile = file !== '' || extended !== '';
  addPart(into, {
    place: isFile ? 'file' : 'form',
    name,
    value: isFile ? value.substring(0, fileBytes) : value,
    isName: false,
    steps: ['multipart'],
  });
}

function withoutBreak(text: string): string {
  let stop = text.length;
  if (byteAt(text, stop - 1) === 10) stop -= 1;
  if (byteAt(text, stop - 1) === 13) stop -= 1;
  return text.substring(0, stop);
}

/** The value of `name=…` in a header; up to the quote that ends it, whatever stands inside. */
function parameterOf(header: string, name: string): string {
  const lower = header.toLowerCase();
  let at = lower.indexOf(`${name}=`);
  while (at >= 0) {
    const before = byteAt(lower, at - 1);
    if (before === 59 || before === 32 || before === 9 || before === 10) break;
    at = lower.indexOf(`${name}=`, at + 1);
  }
  if (at < 0) return '';
  const start = at + name.length + 1;
  const mark = byteAt(header, start);
  if (mark === 34 || mark === 39) {
    const stop = header.indexOf(mark === 34 ? '"' : "'", start + 1);
    return header.substring(start + 1, stop < 0 ? header.length : stop);
  }
  let stop = start;
  while (
    stop < header.length &&
    byteAt(header, stop) !== 59 &&
    byteAt(header, stop) !== 13 &&
    byteAt(header, stop) !== 10
  )
    stop += 1;
  return header.substring(start, stop);
}
