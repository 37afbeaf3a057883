/** Every spelling of an entity's name that the skeleton needs. */
export interface Names {
  /** `mail-account`: files, icons. */
  kebab: string;
  /** `mail_account`: table, wire. */
  snake: string;
  /** `mailAccount`, `mailAccounts`. */
  camel: string;
  camels: string;
  /** `MailAccount`, `MailAccounts`. */
  pascal: string;
  pascals: string;
  /** `DNS account` has to be written by hand; this is `Dns account`, `Dns accounts`, `dns account`, `dns accounts`. */
  title: string;
  titles: string;
  words: string;
  manyWords: string;
}

/** What an entity is to have, besides a name, a description, a version and events. */
export interface Form {
  /** Whose its rows are. */
  owner: 'platform' | 'client';
  /** A field that is sealed. */
  secret: boolean;
  /** Work that outlasts a request. */
  operation: boolean;
}

const valid = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** From kebab-case names. Throws a sentence for anything else. */
export function namesOf(singular: string, plural = `${singular}s`): Names {
  for (const name of [singular, plural])
    if (!valid.test(name)) throw new Error(`“${name}” is no name in kebab-case, such as mail-account.`);
  if (singular === plural)
    throw new Error('The plural must differ from the singular: it names the screen and the list.');
  const camel = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
  const words = (name: string) => name.replaceAll('-', ' ');
  return {
    kebab: singular,
    snake: singular.replaceAll('-', '_'),
    camel: camel(singular),
    camels: camel(plural),
    pascal: capital(camel(singular)),
    pascals: capital(camel(plural)),
    title: capital(words(singular)),
    titles: capital(words(plural)),
    words: words(singular),
    manyWords: words(plural),
  };
}
