import { useText } from '../i18n/text.ts';
import { ShortcutHelp } from '../kit/shortcut/shortcut-help.tsx';
import { shellText } from './shell.text.ts';

/** `?` tells which keys do something anywhere in the console. */
export function Shortcuts() {
  const t = useText(shellText);
  const search = { keys: { key: 'k', command: true }, label: t.search.open };
  return <ShortcutHelp groups={[{ title: t.keys, shortcuts: [search] }]} />;
}
