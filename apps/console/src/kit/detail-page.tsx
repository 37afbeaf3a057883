import type { ComponentProps, ReactNode } from 'react';
import { Loaded, type Read } from './loaded.tsx';
import { Page } from './page.tsx';
import { UrlTabs, type TabPage } from './url-tabs.tsx';

interface DetailPageProps<Data> extends Pick<ComponentProps<typeof Page>, 'back'> {
  read: Read<Data>;
  title: (data: Data) => ReactNode;
  subtitle?: (data: Data) => ReactNode;
  actions?: (data: Data) => ReactNode;
  /** Names the tabs for screen readers, and the screen until its title is known. */
  label: string;
  /** Put around the whole screen once its object is there, such as a context. */
  around?: (data: Data, page: ReactNode) => ReactNode;
  /** The tab that is open stands in the address. */
  tabs?: (data: Data) => readonly [TabPage, ...TabPage[]];
  /** The content of a screen without tabs. */
  children?: (data: Data) => ReactNode;
}

/** A screen about one object. */
export function DetailPage<Data>(props: DetailPageProps<Data>) {
  const { read, label, back, around } = props;
  const { data } = read;
  const frame = back ? { back } : {};
  if (data === undefined)
    return (
      <Page title={label} {...frame}>
        <Loaded read={read}>{() => null}</Loaded>
      </Page>
    );
  const { title, subtitle, actions, tabs, children } = props;
  const page = (
    <Page title={title(data)} subtitle={subtitle?.(data)} actions={actions?.(data)} {...frame}>
      {tabs && <UrlTabs label={label} tabs={tabs(data)} />}
      {children?.(data)}
    </Page>
  );
  return around ? around(data, page) : page;
}
