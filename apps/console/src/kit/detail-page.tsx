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
  /** The tab that is open stands in the address. */
  tabs: (data: Data) => readonly [TabPage, ...TabPage[]];
}

/** A screen about one object. */
export function DetailPage<Data>({
  read,
  title,
  subtitle,
  actions,
  label,
  tabs,
  back,
}: DetailPageProps<Data>) {
  const { data } = read;
  return (
    <Page
      title={data === undefined ? label : title(data)}
      subtitle={data === undefined ? undefined : subtitle?.(data)}
      actions={data === undefined ? undefined : actions?.(data)}
      {...(back ? { back } : {})}
    >
      <Loaded read={read}>{(loaded) => <UrlTabs label={label} tabs={tabs(loaded)} />}</Loaded>
    </Page>
  );
}
