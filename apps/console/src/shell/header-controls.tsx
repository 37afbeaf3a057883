import { Suspense, useState } from 'react';
import { useLanguage } from '../i18n/language.ts';
import { useText } from '../i18n/text.ts';
import { useDark } from '../kit/dark.ts';
import { settings } from '../theme/settings.ts';
import { Flag } from './flags.tsx';
import { languageNames } from './languages.text.ts';
import { shellText } from './shell.text.ts';
import { SmallIcon } from './small-icons.tsx';
import { lazyOverlay } from '../kit/lazy-overlay.ts';

const LanguageChoices = lazyOverlay(() =>
  import('./language-choices.tsx').then((module) => module.LanguageChoices),
);

export function LanguageMenu() {
  const t = useText(shellText);
  const current = useLanguage();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <button
        type="button"
        className="icon-button control named"
        title={t.language}
        aria-label={`${t.language}: ${languageNames[current]}`}
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Flag language={current} />
        <span>{languageNames[current]}</span>
      </button>
      {anchor && (
        <Suspense>
          <LanguageChoices anchor={anchor} onClose={() => setAnchor(null)} />
        </Suspense>
      )}
    </>
  );
}

export function SchemeToggle() {
  const t = useText(shellText);
  const dark = useDark();
  const label = dark ? t.light : t.dark;
  return (
    <button
      type="button"
      className="icon-button control"
      title={label}
      aria-label={label}
      onClick={() => settings.set({ colorScheme: dark ? 'light' : 'dark' })}
    >
      <SmallIcon name={dark ? 'sun' : 'moon'} />
    </button>
  );
}
