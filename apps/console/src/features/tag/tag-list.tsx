import { tagRoutes, type Tag } from '@breakwater/contract';
import { useMemo, useState } from 'react';
import { useAccount, useMay } from '../../api/account.ts';
import { useChange } from '../../api/change.ts';
import { firstPageOf } from '../../api/first-read.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { DataTable, type Column } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilterBar } from '../../kit/filter-bar.tsx';
import { kitText } from '../../kit/kit.text.ts';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { TextLink } from '../../kit/router-link.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { TagChip } from '../../kit/tag-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { notify } from '../../kit/toast.ts';
import { TagForm } from './tag-form.tsx';
import { tagText } from './tag.text.ts';

export const firstRead = firstPageOf('listTags', tagRoutes.listTags.query);

export function TagList() {
  const t = useText(tagText);
  const kit = useText(kitText);
  const may = useMay();
  const [search, setSearch] = useSearchState(tagRoutes.listTags.query);
  const tags = useApi('listTags', { query: search }, { keepPrevious: true });
  const remove = useChange('removeTag');
  const [editing, setEditing] = useState<Tag | 'new' | null>(null);
  const [removing, setRemoving] = useState<Tag | null>(null);
  const denied = may('createTag') ? undefined : kit.noPermission;
  const columns = useTagColumns();
  const add = (
    <ActionButton icon="add" variant="contained" onClick={() => setEditing('new')} disabledReason={denied}>
      {t.add}
    </ActionButton>
  );
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={add}>
      <DataTable
        label={t.title}
        id="tags"
        columns={columns}
        read={tags}
        rowKey={(tag) => tag.id}
        rowName={(tag) => tag.name}
        onPage={setSearch}
        filtered={search.name !== undefined || search.client_id !== undefined}
        filters={
          <FilterBar
            fields={[{ name: 'name', label: t.name, kind: 'text', inBar: true }]}
            values={search}
            onChange={setSearch}
          />
        }
        empty={<EmptyState icon="bookmark" title={t.empty} hint={t.emptyHint} action={add} />}
        rowActions={(tag) => [
          { label: kit.edit, icon: 'edit', onClick: () => setEditing(tag), disabledReason: denied },
          {
            label: kit.remove,
            icon: 'delete',
            destructive: true,
            onClick: () => setRemoving(tag),
            disabledReason: denied,
          },
        ]}
      />
      {editing && <TagForm tag={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
      {removing && (
        <Confirm
          title={t.removeTitle}
          body={t.removeBody(removing.name, removing.site_count)}
          action={kit.remove}
          onConfirm={async () => {
            await remove.mutateAsync({ params: { id: removing.id } });
            notify.success(t.removed);
          }}
          onClose={() => setRemoving(null)}
        />
      )}
    </Page>
  );
}

function useTagColumns(): Column<Tag>[] {
  const t = useText(tagText);
  const admin = useAccount().role === 'admin';
  return useMemo(() => {
    const owner: Column<Tag> = {
      id: 'owner',
      header: t.owner,
      cell: (tag) =>
        tag.client_id === null ? (
          t.platform
        ) : (
          <TextLink target={to.clientDetail({ id: tag.client_id })}>{tag.client_name}</TextLink>
        ),
    };
    return [
      { id: 'name', header: t.name, cell: (tag) => <TagChip label={tag.name} color={tag.color} /> },
      ...(admin ? [owner] : []),
      {
        id: 'sites',
        header: t.sites,
        align: 'right',
        cell: (tag) => <TextLink target={to.sites({ tags_id: tag.id })}>{tag.site_count}</TextLink>,
      },
      { id: 'created', header: t.created, cell: (tag) => <Time at={tag.created_at} /> },
    ];
  }, [admin, t]);
}
