import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';
import { iconNames } from './src/kit/icon-names.ts';

interface IconSet {
  icons: Record<string, { body: string }>;
}

/**
 * Of the 24 px that an icon is wide, finer is not seen; the set has five digits more. In a path a number may follow another
 * without a blank, `.679.343`: rounded ones that would grow together get one.
 */
const rounded = (body: string): string =>
  body.replace(/\d*\.\d+|\d+/g, (number, at: number) => {
    if (!/\.\d{3,}$/.test(number)) return number;
    const before = /[\d.]/.test(body[at - 1] ?? '') ? ' ' : '';
    const after = body[at + number.length] === '.' ? ' ' : '';
    return `${before}${Number(Number(number).toFixed(2))}${after}`;
  });

/** Of the whole icon set only what `icon-names.ts` lists, each as a symbol of our name. */
function drawSprite(): string {
  const set = createRequire(import.meta.url)('@iconify-json/solar/icons.json') as IconSet;
  const symbols = Object.entries(iconNames).map(([name, solar]) => {
    const icon = set.icons[solar];
    if (!icon) throw new Error(`icon ${solar} (${name}) is not in the set`);
    return `<symbol id="${name}" viewBox="0 0 24 24">${rounded(icon.body)}</symbol>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}</svg>`;
}

const sprite = drawSprite();
/** A name of its own for each content, since what lies there is cached for good. */
const path = `assets/icons-${createHash('sha256').update(sprite).digest('hex').slice(0, 8)}.svg`;

/** What the console knows of its icons: the file that has them, and their names. */
export const icons = () => ({ path: `/${path}`, names: Object.keys(iconNames).join(' ') });

/** Beside the console one picture with all of its icons: as a script they would hold up the first screen. */
export function iconFile(): Plugin {
  return {
    name: 'breakwater-icons',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: path, source: sprite });
    },
    configureServer({ middlewares }) {
      middlewares.use(`/${path}`, (_, response) => {
        response.setHeader('content-type', 'image/svg+xml').end(sprite);
      });
    },
  };
}
