import { blank, byteAt, skip } from './bytes.ts';
import { decodeEntities } from './decode-text.ts';
import { addOnce, addPart, partsMax, type Collected } from './extract-form.ts';
import { tagAt } from './html-tags.ts';

/** The document as a whole, its texts with references resolved, and the values of its attributes. */
export function addXml(into: Collected, body: string): void {
  addPart(into, { place: 'xml', name: '', value: body, isName: false, steps: [] });
  const names: string[] = [];
  let at = body.indexOf('<');
  let text = 0;
  while (at >= 0 && into.parts.length < partsMax) {
    addText(into, body.substring(text, at), names);
    if (body.startsWith('<![CDATA[', at)) {
      const stop = body.indexOf(']]>', at);
      addText(into, body.substring(at + 9, stop < 0 ? body.length : stop), names);
      text = stop < 0 ? body.length : stop + 3;
    } else text = addTag(into, body, at, names);
    at = body.indexOf('<', text);
  }
  if (at >= 0) addOnce(into.capped, 'parts');
  else addText(into, body.substring(text), names);
}

function addText(into: Collected, text: string, names: string[]): void {
  if (skip(text, 0, blank) >= text.length) return;
  addPart(into, {
    place: 'xml',
    name: names.join('.'),
    value: decodeEntities(text),
    isName: false,
    steps: ['xml'],
  });
}

const depthMax = 64;

function addTag(into: Collected, body: string, at: number, names: string[]): number {
  const tag = tagAt(body, at);
  if (tag === undefined) {
    const stop = body.indexOf('>', at);
    return stop < 0 ? body.length : stop + 1;
  }
  if (tag.name.startsWith('/')) names.pop();
  else {
    const isEmpty = byteAt(body, tag.next - 2) === 47;
    for (const { name, value } of tag.attributes)
      if (!name.startsWith('xmlns'))
        addPart(into, {
          place: 'xml',
          name: `${tag.name}@${name}`,
          value: decodeEntities(value),
          isName: false,
          steps: ['xml'],
        });
    if (!isEmpty && names.length < depthMax) names.push(tag.name);
  }
  return tag.next > at ? tag.next : at + 1;
}
