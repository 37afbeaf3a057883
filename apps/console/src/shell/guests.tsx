import { Component, lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import { SignIn } from './auth/sign-in.tsx';
import { ErrorPage } from './error-page.tsx';
import { FullScreenLoading } from './full-screen-loading.tsx';
import { faqsPath, privacyPath, signInPath, signUpPath } from './return-target.ts';
import { codeOf } from './screen-load-error.ts';

const lazyPage = (load: () => Promise<ComponentType>) =>
  lazy(async () => ({ default: await codeOf(load()) }));
const publicPages = () => import('./public-pages.tsx');

/** The pages that need no session. They do without router and reads: a visitor waits for half as much, and each is a page of its own. */
const pages: Record<string, ComponentType> = {
  [signInPath]: SignIn,
  [signUpPath]: lazyPage(() => import('./auth/sign-up.tsx').then((page) => page.SignUp)),
  [faqsPath]: lazyPage(() => publicPages().then((page) => page.Faqs)),
  [privacyPath]: lazyPage(() => publicPages().then((page) => page.PrivacyPolicy)),
};
const NotFound = lazyPage(() => import('./not-found.tsx').then((page) => page.NotFound));

export function Guests() {
  const Page = pages[location.pathname] ?? NotFound;
  return (
    <Broken>
      <Suspense fallback={<FullScreenLoading />}>
        <Page />
      </Suspense>
    </Broken>
  );
}

/** Shows the error page where a page broke. What that cannot show is for the last page (`fatal-page.ts`). */
class Broken extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {};
  static getDerivedStateFromError(error: unknown) {
    return { error };
  }
  override render() {
    if (this.state.error === undefined) return this.props.children;
    return <ErrorPage error={this.state.error} reset={() => this.setState({ error: undefined })} />;
  }
}
