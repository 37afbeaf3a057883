import { sitesExportedMax, type Site } from '@breakwater/contract';
import * as z from 'zod';
import { fetchFile, type Arguments } from '../../../api/client.ts';
import { useText } from '../../../i18n/text.ts';
import { NumberInput } from '../../../kit/fields/inputs.tsx';
import { FormDrawer } from '../../../kit/form/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../../kit/form/form.tsx';
import { saveFile } from '../../../kit/save-file.ts';
import { csvFile, csvOf } from '../../../kit/table/csv.ts';
import { notify } from '../../../kit/toast.ts';
import { siteListText } from './list.text.ts';
import { siteText } from '../site.text.ts';

const wanted = z.strictObject({ count: z.int().min(1).max(sitesExportedMax) });
/** Filters and order of the list; pages are of no use here. */
type Query = Omit<Arguments<'exportSites'>['query'], 'count'>;

/** Asks how many, and saves what the list shows with its filters and order as a file. */
export function SiteExport({ query, onClose }: { query: Query; onClose: () => void }) {
  const t = useText(siteListText);
  const { statuses } = useText(siteText);
  const form = useSchemaForm(wanted, { count: sitesExportedMax });
  // In the order of `columns` in the texts, which are the head of the file.
  const line = (site: Site): string[] => [
    String(site.id),
    site.domains.join(' '),
    statuses[site.status],
    site.origins.join(' '),
    site.client_name,
    site.product_name,
    site.line_group_name,
    site.certificate_expires_soon ? t.endsSoon : t.certificates[site.certificate_status],
    site.tags.map((tag) => tag.name).join(' '),
    site.updated_at,
    site.created_at,
  ];
  const submit = submitForm(form, async ({ count }) => {
    const { content } = await fetchFile('exportSites', { query: { ...query, count } });
    // A line for each site, as the server writes them while it reads: thousands of them are no one document.
    const sites = (await content.text()).trimEnd().split('\n');
    const rows = [Object.values(t.columns), ...sites.map((text) => line(JSON.parse(text) as Site))];
    saveFile('sites.csv', csvFile(csvOf(rows)));
    notify.success(t.exported(sites.length));
    onClose();
  });
  return (
    <FormDrawer title={t.exportTitle} form={form} onSubmit={submit} onClose={onClose} submitLabel={t.export}>
      <NumberInput control={form.control} name="count" label={t.exportCount} hint={t.exportHint} />
    </FormDrawer>
  );
}
