import type { VerifyKind } from '@breakwater/contract/site-config/browser-verify';
import {
  lettersOf,
  pictureLetters,
  pieceSize,
  slideHeight,
  slidePlace,
  slideWidth,
  turnOf,
} from '@breakwater/policy/protect/verify';

/** Pictures of challenges, drawn anew for each: bitmaps of sixteen greys (BMP), in base64. */

/** From 0, black, to 15, white; the first pixel at the top left. */
type Shade = (this: void, x: number, y: number) => number;

const pair: string[] = [];
for (let byte = 0; byte < 256; byte++) pair.push(string.char(byte));

/** In four bytes, the lowest first. */
function long(value: number): string {
  let rest = value;
  const bytes: string[] = [];
  for (let index = 0; index < 4; index++) {
    bytes.push(pair[rest % 256]!);
    rest = math.floor(rest / 256);
  }
  return table.concat(bytes);
}

/** `width` is a multiple of 8, so that lines need no filling. */
function bitmap(width: number, height: number, shade: Shade): string {
  const bytes = (width / 2) * height;
  const parts = [
    `BM${long(118 + bytes)}${long(0)}${long(118)}`,
    `${long(40)}${long(width)}${long(height)}${string.char(1, 0, 4, 0)}`,
    `${long(0)}${long(bytes)}${long(2835)}${long(2835)}${long(16)}${long(0)}`,
  ];
  for (let grey = 0; grey < 16; grey++) {
    const byte = grey * 17;
    parts.push(string.char(byte, byte, byte, 0));
  }
  for (let y = height - 1; y >= 0; y--)
    for (let x = 0; x < width; x += 2) parts.push(pair[shade(x, y) * 16 + shade(x + 1, y)]!);
  return ngx.encode_base64(table.concat(parts));
}

/** The picture of a challenge as an address (`data:`) for the page. */
export function pictureOf(kind: VerifyKind, secret: string): string {
  const drawn =
    kind === 'slide' ? slidePicture(secret) : kind === 'rotate' ? turnedArrow(secret) : letters(secret);
  return `data:image/bmp;base64,${drawn}`;
}

/** Some unrest, so that pictures cannot be compared byte by byte. */
const unrest = (shade: number, much: number): number =>
  math.max(0, math.min(15, shade + math.random(0, much) - math.floor(much / 2)));

function slidePicture(secret: string): string {
  const { x: left, y: top } = slidePlace(secret);
  const phase = math.random() * 6;
  // A second, fainter square is no gap.
  const other = (left + 60 + math.random(0, 40)) % (slideWidth - pieceSize);
  return bitmap(slideWidth, slideHeight, (x, y) => {
    const ground = 10 + math.floor(2.5 * math.sin(x / 17 + phase) + 2 * math.cos(y / 9 + x / 31 + phase));
    if (x >= left && x < left + pieceSize && y >= top && y < top + pieceSize) return unrest(3, 3);
    if (x >= other && x < other + pieceSize && y >= 20 && y < 20 + pieceSize) return unrest(ground - 2, 5);
    return unrest(ground, 5);
  });
}

const arrowSize = 96;

function turnedArrow(secret: string): string {
  // Turned back by as much as it is to be turned.
  const angle = (turnOf(secret) * math.pi) / 180;
  const [sin, cos] = [math.sin(angle), math.cos(angle)];
  const middle = arrowSize / 2;
  return bitmap(arrowSize, arrowSize, (column, row) => {
    const [dx, dy] = [column - middle, row - middle];
    if (dx * dx + dy * dy > middle * middle) return 15;
    const x = dx * cos - dy * sin;
    const y = dx * sin + dy * cos;
    const isHead = y > -34 && y < -4 && math.abs(x) < (y + 34) * 0.9;
    const isShaft = y >= -4 && y < 32 && math.abs(x) < 8;
    return isHead || isShaft ? unrest(3, 5) : unrest(11, 6);
  });
}

/** Five dots wide, seven lines high; each line's dots as bits. */
const glyphs: Record<string, number[]> = {
  A: [14, 17, 17, 31, 17, 17, 17],
  C: [14, 17, 16, 16, 16, 17, 14],
  E: [31, 16, 16, 30, 16, 16, 31],
  F: [31, 16, 16, 30, 16, 16, 16],
  H: [17, 17, 17, 31, 17, 17, 17],
  J: [7, 2, 2, 2, 2, 18, 12],
  K: [17, 18, 20, 24, 20, 18, 17],
  L: [16, 16, 16, 16, 16, 16, 31],
  M: [17, 27, 21, 21, 17, 17, 17],
  N: [17, 25, 21, 19, 17, 17, 17],
  P: [30, 17, 17, 30, 16, 16, 16],
  R: [30, 17, 17, 30, 20, 18, 17],
  T: [31, 4, 4, 4, 4, 4, 4],
  U: [17, 17, 17, 17, 17, 17, 14],
  V: [17, 17, 17, 17, 17, 10, 4],
  W: [17, 17, 17, 21, 21, 27, 17],
  X: [17, 17, 10, 4, 10, 17, 17],
  Y: [17, 17, 10, 4, 4, 4, 4],
  '3': [14, 17, 1, 6, 1, 17, 14],
  '4': [2, 6, 10, 18, 31, 2, 2],
  '7': [31, 1, 2, 4, 8, 8, 8],
  '9': [14, 17, 17, 15, 1, 17, 14],
};
const [lettersWidth, lettersHeight, letterWidth] = [176, 56, 34];

interface Drawn {
  lines: number[];
  size: number;
  top: number;
  slant: number;
}

function letters(secret: string): string {
  const drawn: Drawn[] = [];
  for (const letter of lettersOf(secret).split(''))
    drawn.push({
      lines: glyphs[letter] ?? glyphs[pictureLetters.substring(0, 1)]!,
      size: 4.2 + math.random() * 1.2,
      top: 6 + math.random() * 10,
      slant: math.random() * 0.6 - 0.3,
    });
  const phase = math.random() * 6;
  const slope = math.random() * 0.4 - 0.2;
  return bitmap(lettersWidth, lettersHeight, (column, row) => {
    // The lines of letters bend, and one line goes through them all.
    const x = column + 2 * math.sin(row / 8 + phase);
    const y = row + 3 * math.sin(column / 19 + phase);
    const isStroke = math.abs(row - 28 - slope * (column - 88) - 6 * math.sin(column / 23)) < 0.9;
    return isInk(drawn, x - 3, y) || isStroke ? unrest(3, 5) : unrest(12, 6);
  });
}

function isInk(drawn: Drawn[], x: number, y: number): boolean {
  const letter = drawn[math.floor(x / letterWidth)];
  if (letter === undefined) return false;
  const line = math.floor((y - letter.top) / letter.size);
  if (line < 0 || line > 6) return false;
  const dot = math.floor(((x % letterWidth) - 3 + letter.slant * (y - 28)) / letter.size);
  return dot >= 0 && dot < 5 && math.floor(letter.lines[line]! / 2 ** (4 - dot)) % 2 === 1;
}
