import { useLanguage } from './language.ts';

/** Sentences, sentences with values, or groups of them. */
export interface TextTree {
  [key: string]: string | ((...values: never[]) => string) | TextTree;
}
export interface Text<Tree> {
  zh: Tree;
  en: Tree;
}

/** The texts of one feature. Chinese is the source; English that lacks or adds a sentence does not compile. */
export function defineText<Tree extends TextTree>(text: { zh: Tree; en: NoInfer<Tree> }): Text<Tree> {
  return text;
}

/** The texts in the reader's language; a component that uses them is drawn again when it changes. */
export function useText<Tree>(text: Text<Tree>): Tree {
  return text[useLanguage()];
}
