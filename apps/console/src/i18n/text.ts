import { isolatingSentence } from './isolate.ts';
import { useLanguage } from './language.ts';

/** Sentences, sentences with values, or groups of them. */
export interface TextTree {
  [key: string]: string | ((...values: never[]) => string) | TextTree;
}
export interface Text<Tree> {
  zh: Tree;
  en: Tree;
}

/**
 * The texts of one feature. Chinese is the source; English that lacks or adds a sentence does not compile. What is put into
 * a sentence moves no word of it, whatever its direction.
 */
export function defineText<Tree extends TextTree>(text: { zh: Tree; en: NoInfer<Tree> }): Text<Tree> {
  return { zh: isolatingTree(text.zh), en: isolatingTree(text.en) };
}

function isolatingTree<Tree extends TextTree>(tree: Tree): Tree {
  const made = Object.entries(tree).map(([key, said]) => {
    if (typeof said === 'string') return [key, said];
    return [key, typeof said === 'function' ? isolatingSentence(said) : isolatingTree(said)];
  });
  return Object.fromEntries(made) as Tree;
}

/** The texts in the reader's language; a component that uses them is drawn again when it changes. */
export function useText<Tree>(text: Text<Tree>): Tree {
  return text[useLanguage()];
}
