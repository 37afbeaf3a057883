import type { Names } from './names.ts';

export const formFile = ({
  kebab,
  camel,
  pascal,
  pascals,
}: Names): string => `import { ${camel}Input, type ${pascal} } from '@breakwater/contract';
import { useChange } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { TextInput } from '../../kit/fields.tsx';
import { FormDrawer } from '../../kit/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../kit/form.tsx';
import { notify } from '../../kit/toast.ts';
import { ${camel}Text } from './${kebab}.text.ts';

export function ${pascal}Form({ ${camel}, onClose }: { ${camel}: ${pascal} | null; onClose: () => void }) {
  const t = useText(${camel}Text);
  const create = useChange('create${pascal}', ['list${pascals}']);
  const update = useChange('update${pascal}', ['list${pascals}']);
  const form = useSchemaForm(${camel}Input, { name: ${camel}?.name ?? '', description: ${camel}?.description ?? '' });
  const submit = submitForm(form, async (body) => {
    await (${camel} ? update.mutateAsync({ params: { id: ${camel}.id }, body }) : create.mutateAsync({ body }));
    notify.success(t.saved);
    onClose();
  });
  return (
    <FormDrawer title={${camel} ? t.edit : t.add} form={form} onSubmit={submit} onClose={onClose}>
      <TextInput control={form.control} name="name" label={t.name} autoFocus />
      <TextInput control={form.control} name="description" label={t.description} rows={3} />
    </FormDrawer>
  );
}
`;

export const listFile = ({
  kebab,
  camel,
  camels,
  pascal,
  pascals,
}: Names): string => `import { ${camel}Routes } from '@breakwater/contract';
import { useMemo, useState } from 'react';
import { useMay } from '../../api/account.ts';
import type { Row } from '../../api/client.ts';
import { firstPageOf } from '../../api/first-read.ts';
import { useApi, useChange } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { DataTable, type Column } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilterBar } from '../../kit/filter-bar.tsx';
import { kitText } from '../../kit/kit.text.ts';
import { Page } from '../../kit/page.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { Time } from '../../kit/time.tsx';
import { notify } from '../../kit/toast.ts';
import { ${pascal}Form } from './${kebab}-form.tsx';
import { ${camel}Text } from './${kebab}.text.ts';

type ${pascal}Row = Row<'list${pascals}'>;

export const firstRead = firstPageOf('list${pascals}', ${camel}Routes.list${pascals}.query);

export function ${pascal}List() {
  const t = useText(${camel}Text);
  const kit = useText(kitText);
  const may = useMay();
  const [search, setSearch] = useSearchState(${camel}Routes.list${pascals}.query);
  const ${camels} = useApi('list${pascals}', { query: search }, { keepPrevious: true });
  const remove = useChange('remove${pascal}', ['list${pascals}']);
  const [editing, setEditing] = useState<${pascal}Row | 'new' | null>(null);
  const [removing, setRemoving] = useState<${pascal}Row | null>(null);
  const denied = may('create${pascal}') ? undefined : kit.noPermission;

  const columns = useMemo<Column<${pascal}Row>[]>(
    () => [
      { id: 'name', header: t.name, cell: (${camel}) => ${camel}.name },
      { id: 'description', header: t.description, cell: (${camel}) => ${camel}.description || '–' },
      { id: 'created', header: t.created, cell: (${camel}) => <Time at={${camel}.created_at} /> },
    ],
    [t],
  );
  const add = (
    <ActionButton icon="add" variant="contained" onClick={() => setEditing('new')} disabledReason={denied}>
      {t.add}
    </ActionButton>
  );
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={add}>
      <DataTable
        label={t.title}
        id="${kebab}"
        columns={columns}
        read={${camels}}
        rowKey={(${camel}) => ${camel}.id}
        rowName={(${camel}) => ${camel}.name}
        onPage={setSearch}
        filtered={search.name !== undefined}
        filters={<FilterBar fields={[{ name: 'name', label: t.name, kind: 'text', inBar: true }]} values={search} onChange={setSearch} />}
        empty={<EmptyState icon="empty" title={t.empty} hint={t.emptyHint} action={add} />}
        rowActions={(${camel}) => [
          { label: kit.edit, icon: 'edit', onClick: () => setEditing(${camel}), disabledReason: denied },
          {
            label: kit.remove,
            icon: 'delete',
            destructive: true,
            onClick: () => setRemoving(${camel}),
            disabledReason: denied,
          },
        ]}
      />
      {editing && <${pascal}Form ${camel}={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
      {removing && (
        <Confirm
          title={t.removeTitle}
          body={t.removeBody(removing.name)}
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
`;

/** @param label how the entity is called in Chinese; the English name where nobody has said yet. */
export const textFile = (
  { camel, title, titles, words }: Names,
  label: string,
): string => `import { defineText } from '../../i18n/text.ts';

export const ${camel}Text = defineText({
  zh: {
    title: '${label}',
    subtitle: '管理${label}。',
    name: '名称',
    description: '描述',
    created: '添加时间',
    add: '添加${label}',
    edit: '编辑${label}',
    empty: '还没有${label}',
    emptyHint: '添加第一个${label}。',
    saved: '${label}已保存',
    removed: '${label}已删除',
    removeTitle: '删除${label}？',
    removeBody: (name: string) => \`将删除${label}“\${name}”。\`,
  },
  en: {
    title: '${titles}',
    subtitle: 'Manage ${words} entries.',
    name: 'Name',
    description: 'Description',
    created: 'Added',
    add: 'Add ${words}',
    edit: 'Edit ${words}',
    empty: 'Nothing here yet',
    emptyHint: 'Add the first ${words}.',
    saved: '${title} saved',
    removed: '${title} deleted',
    removeTitle: 'Delete this ${words}?',
    removeBody: (name: string) => \`${title} “\${name}” will be deleted.\`,
  },
});
`;
