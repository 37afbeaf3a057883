import type { Form, Names } from './names.ts';

export const formFile = (
  { kebab, camel, pascal }: Names,
  { secret }: Form,
): string => `import { ${camel}Input, type ${pascal} } from '@breakwater/contract';
import { useEntityDrawer } from '../../frame/entity-drawer.ts';
import { useText } from '../../i18n/text.ts';
import { TextInput } from '../../kit/fields/inputs.tsx';
${secret ? `import { SecretInput } from '../../kit/fields/secret-input.tsx';\n` : ''}import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { useFilledFrom } from '../../kit/form/form.tsx';
import { ${camel}Text } from './${kebab}.text.ts';

export function ${pascal}Form({ ${camel}, onClose }: { ${camel}: ${pascal} | null; onClose: () => void }) {
  const t = useText(${camel}Text);
  const { form, control, drawer } = useEntityDrawer(${camel}Input, {
    get: 'get${pascal}',
    create: 'create${pascal}',
    update: 'update${pascal}',
    entity: ${camel},
    inputOf: (item) => ({
      name: item?.name ?? '',
      description: item?.description ?? '',
      ${secret ? 'secret_set: item?.secret_set ?? false,' : ''}
    }),
    text: t,
    onClose,
  });
  useFilledFrom(form, 'description', 'name');
  return (
    <FormDrawer {...drawer}>
      <TextInput control={control} name="name" label={t.name} autoFocus />
      <TextInput control={control} name="description" label={t.description} rows={3} />
      ${secret ? '<SecretInput control={control} name="secret" label={t.secret} removable />' : ''}
    </FormDrawer>
  );
}
`;

export const listFile = (
  { kebab, camel, camels, pascal, pascals }: Names,
  { owner, operation }: Form,
): string => `import { ${camel}Routes, type ${pascal} } from '@breakwater/contract';
import { useRemoval } from '../../frame/asking.tsx';
${operation ? `import { useRowAction } from '../../frame/row-action.ts';\n` : ''}import { useEditing } from '../../frame/editing.tsx';
import { textFilter } from '../../frame/filters.ts';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useText } from '../../i18n/text.ts';
import { Page } from '../../kit/page.tsx';
${operation ? `import { notify } from '../../kit/toast.ts';\n` : ''}import { ${pascal}Form } from './${kebab}-form.tsx';
import { ${camel}Text } from './${kebab}.text.ts';

const ${camels} = listOf('list${pascals}', ${camel}Routes.list${pascals}.query);
export const { firstRead } = ${camels};

const useColumns = ${camels}.columns(${camel}Text, (t, column) => [
  column.name(t.name, ({ name }) => name),
  column.text('description', t.description),
  ${owner === 'client' ? 'column.owner(t.owner, t.platform),' : ''}
  ${operation ? `column.time('checked_at', t.checked),` : ''}
  column.time('created_at', t.created),
]);

export function ${pascal}List() {
  const t = useText(${camel}Text);
  const editing = useEditing<${pascal}>({
    create: 'create${pascal}',
    update: 'update${pascal}',
    text: t,
    form: (${camel}, close) => <${pascal}Form ${camel}={${camel}} onClose={close} />,
  });
  ${operation ? checkAction(pascal) : ''}
  const removal = useRemoval<${pascal}>('remove${pascal}', { text: t, body: ({ name }) => t.removeBody(name) });
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={editing.add}>
      <ListTable
        id="${kebab}"
        list={${camels}.use()}
        text={t}
        icon="empty"
        add={editing.add}
        columns={useColumns()}
        filters={[textFilter('name', t.name)]}
        rowName={({ name }) => name}
        rowActions={(${camel}) => [editing.action(${camel}), ${operation ? `check.action(${camel}), ` : ''}removal.action(${camel})]}
      />
      {editing.dialog}
      {removal.dialog}
    </Page>
  );
}
`;

const checkAction = (pascal: string): string => `const check = useRowAction('check${pascal}', {
    label: t.check,
    icon: 'task',
    argumentsOf: ({ id }: ${pascal}) => ({ params: { id } }),
    onDone: () => notify.success(t.checkStarted),
  });`;

/** @param label how the entity is called in Chinese; the English name where nobody has said yet. */
export const textFile = (
  { camel, words, manyWords }: Names,
  { secret, operation }: Form,
  label: string,
): string => `import { wordsOf } from '../../frame/words.text.ts';
import { defineText } from '../../i18n/text.ts';

export const ${camel}Text = defineText({
  zh: {
    ...wordsOf.zh('${label}'),
    subtitle: '管理${label}。',
    emptyHint: '添加第一个${label}。',
    ${secret ? `secret: '密钥',` : ''}
    ${operation ? `checked: '上次检查',\n    check: '检查',\n    checkStarted: '检查已开始',` : ''}
  },
  en: {
    ...wordsOf.en('${words}', '${manyWords}'),
    subtitle: 'Manage ${manyWords}.',
    emptyHint: 'Add the first ${words}.',
    ${secret ? `secret: 'Secret',` : ''}
    ${operation ? `checked: 'Last check',\n    check: 'Check',\n    checkStarted: 'Check started',` : ''}
  },
});
`;
