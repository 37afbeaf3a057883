import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { imageDistance } from './image-distance.ts';
import { imageHash } from './image-hash.ts';

/** Which pictures look alike. They are drawn here: two dozen rectangles each, by a number. */

const picture = (seed: number): Promise<Buffer> => {
  const random = (index: number, salt: number) =>
    ((Math.imul(seed * 131 + index, 2_654_435_761) ^ Math.imul(salt, 40_503)) >>> 4) % 1000;
  const overlays = Array.from({ length: 24 }, (_each, index) => ({
    input: {
      create: {
        width: Math.min(40 + (random(index, 2) % 120), 400 - (random(index, 5) % 400)),
        height: Math.min(30 + (random(index, 3) % 90), 300 - (random(index, 6) % 300)),
        channels: 3 as const,
        background: { r: random(index, 1) % 256, g: random(index, 4) % 256, b: random(index, 7) % 256 },
      },
    },
    left: random(index, 5) % 400,
    top: random(index, 6) % 300,
  }));
  return sharp({ create: { width: 400, height: 300, channels: 3, background: '#dde0ee' } })
    .composite(overlays)
    .png()
    .toBuffer();
};
const most = 8;

describe('a picture', () => {
  it('looks like itself when it is made smaller, saved in another format, cropped a little or made paler', async () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const original = await picture(seed);
      const hash = (await imageHash(original))!;
      expect(hash).toMatch(/^[0-9a-f]{16}$/);
      const others = {
        smaller: sharp(original).resize(120, 90).jpeg({ quality: 40 }),
        larger: sharp(original).resize(1600, 1200).webp({ quality: 60 }),
        wider: sharp(original).resize(400, 200, { fit: 'fill' }).gif(),
        cropped: sharp(original).extract({ left: 5, top: 4, width: 390, height: 292 }).jpeg(),
        paler: sharp(original).linear(0.8, 40).png(),
        modern: sharp(original).avif({ quality: 50, effort: 0 }),
      };
      for (const [how, other] of Object.entries(others)) {
        const likeness = await imageHash(await other.toBuffer());
        expect(imageDistance(hash, likeness!), `${seed} ${how}`).toBeLessThanOrEqual(most);
      }
    }
  });

  it('does not look like another', async () => {
    const hashes = await Promise.all(
      Array.from({ length: 30 }, (_each, seed) => picture(seed).then(imageHash)),
    );
    const near = hashes.flatMap((one, index) =>
      hashes.slice(index + 1).filter((other) => imageDistance(one!, other!) <= most),
    );
    expect(near).toEqual([]);
  });
});

describe('what says nothing', () => {
  it('is one colour, no picture, or a format that no page shows', async () => {
    const plain = sharp({ create: { width: 400, height: 300, channels: 3, background: '#336699' } });
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="4"/></svg>';
    const tiff = sharp(await picture(1)).tiff();
    for (const bytes of [
      await plain.png().toBuffer(),
      Buffer.from('<html>'),
      Buffer.alloc(0),
      Buffer.from(svg),
      await tiff.toBuffer(),
    ])
      expect(await imageHash(bytes)).toBeUndefined();
  });

  it('is a few bytes that say that they are billions of pixels', async () => {
    const bomb = Buffer.from(await picture(1));
    // Width and height, in the first piece of a PNG.
    bomb.writeUInt32BE(100_000, 16);
    bomb.writeUInt32BE(100_000, 20);
    const before = process.memoryUsage().rss;
    expect(await imageHash(bomb)).toBeUndefined();
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  });
});
