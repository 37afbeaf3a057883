import { tagRoutes, type Tag } from '@breakwater/contract';
import { useRemoval } from '../../frame/asking.tsx';
import { useEditing } from '../../frame/editing.tsx';
import { textFilter } from '../../frame/filters.ts';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useText } from '../../i18n/text.ts';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { TagChip } from '../../kit/tag-chip.tsx';
import { TagForm } from './tag-form.tsx';
import { tagText } from './tag.text.ts';

const tags = listOf('listTags', tagRoutes.listTags.query);
export const { firstRead } = tags;

const useColumns = tags.columns(tagText, (t, column) => [
  column.name(t.name, (tag) => <TagChip label={tag.name} color={tag.color} />),
  column.owner(t.owner, t.platform),
  column.count('site_count', t.sites, (tag) => to.sites({ tags_id: tag.id })),
  column.time('created_at', t.created),
]);

/** Tags of the platform, which customers do not see, or of a customer; deleting one takes it off its sites. */
export function TagList() {
  const t = useText(tagText);
  const editing = useEditing<Tag>({
    create: 'createTag',
    update: 'updateTag',
    text: t,
    form: (tag, close) => <TagForm tag={tag} onClose={close} />,
  });
  const removal = useRemoval<Tag>('removeTag', {
    text: t,
    body: (tag) => t.takenOff(tag.name, tag.site_count),
  });
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={editing.add}>
      <ListTable
        id="tags"
        list={tags.use()}
        text={t}
        icon="tag"
        add={editing.add}
        columns={useColumns()}
        filters={[textFilter('name', t.name)]}
        rowName={(tag) => tag.name}
        rowActions={(tag) => [editing.action(tag), removal.action(tag)]}
      />
      {editing.dialog}
      {removal.dialog}
    </Page>
  );
}
