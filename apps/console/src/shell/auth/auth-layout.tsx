import { useEffect, type ReactNode } from 'react';
import { config } from '../../api/config.ts';
import { useText } from '../../i18n/text.ts';
import { Later } from '../../kit/later.tsx';
import { AuthIllustration } from './auth-illustration.tsx';
import { AuthFrame } from './auth-look.ts';
import { authText } from './auth.text.ts';
import { LanguageMenu, SchemeToggle } from '../header-controls.tsx';
import { Logo } from '../logo.tsx';
import { faqsPath, privacyPath } from '../return-target.ts';

interface AuthLayoutProps {
  title: string;
  subtitle: string;
  /** What the window is called. */
  page: string;
  children: ReactNode;
}

/** The split page of sign-in and sign-up: what this is on one side, the form on the other. */
export function AuthLayout({ title, subtitle, page, children }: AuthLayoutProps) {
  const t = useText(authText);
  useEffect(() => {
    document.title = `${page} · ${config().app_name}`;
  }, [page]);
  return (
    <AuthFrame>
      <aside>
        <div>
          <p className="claim">{title}</p>
          <p className="subtitle">{subtitle}</p>
        </div>
        <AuthIllustration />
      </aside>
      <div className="side">
        <header>
          <Logo />
          <span className="app">{config().app_name}</span>
          <Later>
            <LanguageMenu />
            <SchemeToggle />
          </Later>
        </header>
        <main>
          <div className="content">
            <div className="narrow">
              <p className="claim">{title}</p>
              <p className="subtitle secondary">{subtitle}</p>
            </div>
            {children}
          </div>
        </main>
        <footer>
          <a href={faqsPath} className="text-link">
            {t.faqs}
          </a>
          <a href={privacyPath} className="text-link">
            {t.privacy}
          </a>
        </footer>
      </div>
    </AuthFrame>
  );
}
