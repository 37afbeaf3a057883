import { useLayoutEffect } from 'react';
import type { FieldValues, Control } from 'react-hook-form';
import type { Left } from './leave-out.ts';

interface Part {
  /** Where in the form's value, as in `rules.0.from`. */
  path: string;
  label: string;
  /** It tells what is wrong with anything below, and not only with the whole. */
  isDeep: boolean;
}

/** What of a form is on the screen: the parts that tell what is wrong with a field. */
export class Shown {
  readonly #parts = new Set<Part>();
  /** All that were ever there, in whatever row. */
  readonly #known = new Map<string, Part>();
  /** Fields that are not on the screen and would keep the form from being saved. */
  left: Left | undefined;
  /** Resolves with what is wrong once all of it that can be is on the screen: rows open for it. */
  drawn: () => Promise<object> = async () => ({});

  add(part: Part): () => void {
    const path = unnumbered(part.path);
    this.#parts.add(part);
    this.#known.set(path, { ...part, path });
    return () => void this.#parts.delete(part);
  }

  /** What is wrong there is told at a field. */
  tells(path: string): boolean {
    return [...this.#parts].some((part) => reaches(part, path));
  }

  /** What is there, or a part of it, is on the screen. */
  has(path: string): boolean {
    return this.tells(path) || [...this.#parts].some((part) => part.path.startsWith(`${path}.`));
  }

  /** A field that was on the screen, in this row or in another, and is not: the value of another field hides it. */
  hides(path: string): boolean {
    return !this.tells(path) && [...this.#known.values()].some((part) => reaches(part, unnumbered(path)));
  }

  /** What a place is called: the names of the fields on the way to it, with the numbers of rows; of what never had a name, its key. */
  nameOf(path: string): string {
    const names: { text: string; isKey: boolean }[] = [];
    for (const [index, key] of path.split('.').entries()) {
      const place = path.split('.', index + 1).join('.');
      const label = this.#known.get(unnumbered(place))?.label;
      const last = names.at(-1);
      if (label !== undefined) {
        while (names.at(-1)?.isKey) names.pop();
        names.push({ text: label, isKey: false });
      } else if (isRow(key) && last) last.text += ` ${Number(key) + 1}`;
      else names.push({ text: key, isKey: true });
    }
    return names.map(({ text }) => text).join(' · ');
  }
}

const isRow = (key: string): boolean => /^\d+$/.test(key);

const unnumbered = (path: string): string =>
  path
    .split('.')
    .map((key) => (isRow(key) ? '*' : key))
    .join('.');

const reaches = (part: Part, path: string): boolean =>
  path === part.path || (part.isDeep && path.startsWith(`${part.path}.`));

const ofForms = new WeakMap<object, Shown>();

/** Of a form by its control, which its fields have. */
export function shownOf<Input extends FieldValues, Output>(control: Control<Input, unknown, Output>): Shown {
  const shown = ofForms.get(control) ?? new Shown();
  ofForms.set(control, shown);
  return shown;
}

/** Says of the component that it shows what is wrong at a place of the form. */
export function useTells<Input extends FieldValues, Output>(
  control: Control<Input, unknown, Output> | undefined,
  path: string,
  label: string,
  { isDeep = false } = {},
): void {
  useLayoutEffect(
    () => (control ? shownOf(control).add({ path, label, isDeep }) : undefined),
    [control, path, label, isDeep],
  );
}
