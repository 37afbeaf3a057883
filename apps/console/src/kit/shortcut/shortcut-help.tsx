import { useState, type ComponentType } from 'react';
import { useShortcut, type ShortcutGroup } from './shortcut.ts';

type HelpDialog = ComponentType<{ groups: readonly ShortcutGroup[]; onClose: () => void }>;

/** Mounted once, it shows all shortcuts when `?` is pressed. Only then is the dialog fetched. */
export function ShortcutHelp({ groups }: { groups: readonly ShortcutGroup[] }) {
  const [Help, setHelp] = useState<HelpDialog | null>(null);
  useShortcut({ key: '?' }, () => {
    import('./shortcut-dialog.tsx').then(
      ({ ShortcutDialog }) => setHelp(() => ShortcutDialog),
      // One goes on without help; the next press asks for it again.
      (error: unknown) => console.warn('cannot load the help on shortcuts', error),
    );
  });
  return Help && <Help groups={groups} onClose={() => setHelp(null)} />;
}
