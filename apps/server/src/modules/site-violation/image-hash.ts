import sharp from 'sharp';

/**
 * What a picture looks like, as a number that stays nearly the same when it is made smaller, saved anew or cut by a little: the
 * difference hash (dHash) of its brightness, a bit for each of eight rows of eight neighbours. Two pictures look alike where few of the
 * 64 bits differ.
 */

const columns = 9;
const rows = 8;
/** Of pixels: a picture of some hundred bytes may say that it has billions. */
const pixelsMax = 50_000_000;
const secondsMax = 5;
/** A page of one colour, or of one slope, is like every other. */
const leastContrast = 16;
const leastBits = 6;
/** By so much neighbours of one colour differ when a picture is saved again. */
const noise = 2;

/** Formats that pages show, as libvips names what reads them; what reads programs of other kinds is off. */
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadNsgifBuffer',
    'VipsForeignLoadHeifBuffer',
  ],
});
sharp.cache(false);

/** 16 hexadecimal digits; nothing of what is no picture, or says too little. */
export async function imageHash(bytes: Buffer): Promise<string | undefined> {
  if (bytes.length === 0) return undefined;
  const pixels = await sharp(bytes, { limitInputPixels: pixelsMax, failOn: 'none' })
    .flatten({ background: '#ffffff' })
    .greyscale()
    .resize(columns, rows, { fit: 'fill', kernel: 'mitchell' })
    .raw()
    .timeout({ seconds: secondsMax })
    .toBuffer()
    .catch(() => undefined);
  if (pixels?.length !== columns * rows) return undefined;
  if (Math.max(...pixels) - Math.min(...pixels) < leastContrast) return undefined;
  let bits = '';
  for (let row = 0; row < rows; row++)
    for (let column = 0; column + 1 < columns; column++) {
      const at = row * columns + column;
      bits += pixels[at]! + noise < pixels[at + 1]! ? '1' : '0';
    }
  const ones = bits.replaceAll('0', '').length;
  if (ones < leastBits || ones > bits.length - leastBits) return undefined;
  return BigInt(`0b${bits}`).toString(16).padStart(16, '0');
}
