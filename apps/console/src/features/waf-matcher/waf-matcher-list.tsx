import {
  wafClasses,
  wafMatcherRoutes,
  wafTemplateText,
  type WafClass,
  type WafMatcher,
} from '@breakwater/contract';
import { useRemoval } from '../../frame/asking.tsx';
import { useEditing } from '../../frame/editing.tsx';
import { selectFilter, textFilter } from '../../frame/filters.ts';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/text.ts';
import { formatCount } from '../../kit/format.ts';
import { Page } from '../../kit/page.tsx';
import { WafMatcherForm } from './waf-matcher-form.tsx';
import { wafMatcherText } from './waf-matcher.text.ts';

const wafMatchers = listOf('listWafMatchers', wafMatcherRoutes.listWafMatchers.query);
export const { firstRead } = wafMatchers;

const useColumns = wafMatchers.columns(wafMatcherText, (t, column) => [
  column.name(t.name, ({ name }) => name),
  column.text('description', t.description),
  {
    id: 'class_type',
    header: t.classType,
    cell: ({ class_type: kind }) => <ClassName kind={kind} />,
  },
  {
    id: 'rules',
    header: t.ruleCount,
    align: 'right',
    cell: ({ rules }) => formatCount(rules.length),
  },
  column.owner(t.owner, t.platform),
  column.time('created_at', t.created),
]);

function ClassName({ kind }: { kind: WafClass }) {
  return wafTemplateText[useLanguage()][kind];
}

/** Templates of rules, of the platform and of customers. Sites have copies: no site follows a change here. */
export function WafMatcherList() {
  const t = useText(wafMatcherText);
  const names = wafTemplateText[useLanguage()];
  const editing = useEditing<WafMatcher>({
    create: 'createWafMatcher',
    update: 'updateWafMatcher',
    text: t,
    form: (wafMatcher, close) => <WafMatcherForm wafMatcher={wafMatcher} onClose={close} />,
  });

  const removal = useRemoval<WafMatcher>('removeWafMatcher', {
    text: t,
    body: ({ name }) => t.removeBody(name),
  });
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={editing.add}>
      <ListTable
        id="waf-matcher"
        list={wafMatchers.use()}
        text={t}
        icon="template"
        add={editing.add}
        columns={useColumns()}
        filters={[
          textFilter('name', t.name),
          selectFilter(
            'class_type',
            t.classType,
            wafClasses.map((value) => ({ value, label: names[value] })),
          ),
        ]}
        rowName={({ name }) => name}
        rowActions={(wafMatcher) => [editing.action(wafMatcher), removal.action(wafMatcher)]}
      />
      {editing.dialog}
      {removal.dialog}
    </Page>
  );
}
