import { areaRoutes, type Area } from '@breakwater/contract';
import { useRemoval } from '../../frame/asking.tsx';
import { useEditing } from '../../frame/editing.tsx';
import { textFilter } from '../../frame/filters.ts';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useText } from '../../i18n/text.ts';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { AreaForm } from './area-form.tsx';
import { areaText } from './area.text.ts';

const areas = listOf('listAreas', areaRoutes.listAreas.query);
export const { firstRead } = areas;

const useColumns = areas.columns(areaText, (t, column) => [
  column.name(t.name, (area) => area.name),
  column.text('description', t.description),
  column.count('node_count', t.nodes, (area) => to.nodes({ area_id: area.id })),
  column.time('created_at', t.created),
]);

/** Areas, for operators. Further lists are written as this one is (docs/architecture.md). */
export function AreaList() {
  const t = useText(areaText);
  const editing = useEditing<Area>({
    create: 'createArea',
    update: 'updateArea',
    text: t,
    form: (area, close) => <AreaForm area={area} onClose={close} />,
  });
  const removal = useRemoval<Area>('removeArea', { text: t, body: (area) => t.removeBody(area.name) });
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={editing.add}>
      <ListTable
        id="areas"
        list={areas.use()}
        text={t}
        icon="area"
        add={editing.add}
        columns={useColumns()}
        filters={[textFilter('name', t.name)]}
        rowName={(area) => area.name}
        rowActions={(area) => [editing.action(area), removal.action(area, area.node_count > 0 && t.hasNodes)]}
      />
      {editing.dialog}
      {removal.dialog}
    </Page>
  );
}
