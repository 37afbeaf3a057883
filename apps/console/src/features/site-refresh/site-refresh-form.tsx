import {
  id,
  refreshFoldersMax,
  refreshSitesMax,
  refreshTagsMax,
  refreshUrlsMax,
  siteRefreshModes,
  siteRefreshRoutes,
  siteRefreshTypes,
} from '@breakwater/contract';
import { useDeferredValue } from 'react';
import { useWatch } from 'react-hook-form';
import * as z from 'zod';
import { useChange } from '../../api/change.ts';
import { siteChoices } from '../../api/options.ts';
import { RefreshLoad } from '../../frame/refresh-load.tsx';
import { useText } from '../../i18n/text.ts';
import { SelectInput, TextInput } from '../../kit/fields/inputs.tsx';
import { RemoteMultiSelect } from '../../kit/fields/remote-multi-select.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../kit/form/form.tsx';
import { issueKey } from '../../kit/form/issue-key.ts';
import { isRefusal } from '../../kit/form/refusal.ts';
import { formatCount } from '../../kit/format.ts';
import { notify } from '../../kit/toast.ts';
import { QuotaLeft } from './quota-left.tsx';
import { badLines, hostsOf, linesOf, useComplaint, type BadLine } from './refresh-lines.ts';
import { siteRefreshText } from './site-refresh.text.ts';

const typed = z.strictObject({
  type: z.enum(siteRefreshTypes),
  mode: z.enum(siteRefreshModes),
  /** URLs, folders or tags. */
  lines: z.string(),
  site_ids: z.array(id).max(refreshSitesMax),
});
type Typed = z.output<typeof typed>;

const { body } = siteRefreshRoutes.createSiteRefresh;

/** Content that nodes are to fetch again: URLs, folders, what the origin tagged, or whole sites (docs/cache-refresh.md). */
export function SiteRefreshForm({ onClose }: { onClose: () => void }) {
  const t = useText(siteRefreshText);
  const create = useChange('createSiteRefresh');
  const form = useSchemaForm(typed, { type: 'clean_url', mode: 'delete', lines: '', site_ids: [] });
  const { control } = form;
  const [type, mode, typedLines, siteIds] = useWatch({
    control,
    name: ['type', 'mode', 'lines', 'site_ids'],
  });
  // The load is told for the hosts of up to thousands of lines: typing goes first.
  const shownLines = useDeferredValue(typedLines);
  const complaintOf = useComplaint();
  const complain = (bad: readonly BadLine[]) =>
    form.setError('lines', { message: complaintOf(bad) }, { shouldFocus: true });
  const submit = submitForm(form, async (values) => {
    const { lines, wanted } = wantedOf(values);
    const { data, error } = z.safeParse(body, wanted, { error: issueKey });
    if (error) {
      const bad = badLines(lines, error.issues);
      if (bad.length > 0) return complain(bad);
      // A problem of the whole, such as too many lines.
      const [{ path, message } = { path: [], message: '' }] = error.issues;
      return form.setError(path[0] === 'site_ids' ? 'site_ids' : 'lines', { message }, { shouldFocus: true });
    }
    try {
      await create.mutateAsync({ body: data });
    } catch (refusal) {
      // The server knows more than the contract: hosts that belong to no site of the customer.
      const fields = isRefusal(refusal) ? refusal.fields : [];
      const bad = badLines(
        lines,
        fields.map(({ path, message }) => ({ path: path.split('.'), message })),
      );
      if (bad.length > 0) return complain(bad);
      const ofAll = fields.find(({ path }) => path === 'urls' || path === 'tags');
      if (!ofAll) throw refusal;
      return form.setError('lines', { message: ofAll.message }, { shouldFocus: true });
    }
    notify.success(t.saved);
    onClose();
  });
  const hasSites = type === 'clean_site' || type === 'clean_tag';
  return (
    <FormDrawer title={t.add} form={form} onSubmit={submit} onClose={onClose} submitLabel={t.add}>
      <SelectInput
        control={control}
        name="type"
        label={t.type}
        options={siteRefreshTypes.map((value) => ({ value, label: t.types[value] }))}
      />
      <QuotaLeft quota={type === 'clean_url' ? 'refresh_urls_per_day' : 'refresh_folders_per_day'} />
      {hasSites && (
        <RemoteMultiSelect
          control={control}
          name="site_ids"
          label={t.sites}
          hint={type === 'clean_site' ? t.sitesHint : undefined}
          choices={siteChoices}
        />
      )}
      {type !== 'clean_site' && (
        <TextInput
          control={control}
          name="lines"
          label={t.lines[type]}
          hint={t.linesHints[type](formatCount(linesMax[type]))}
          placeholder={examples[type]}
          rows={12}
          monospaced
          autoFocus
        />
      )}
      <SelectInput
        control={control}
        name="mode"
        label={t.mode}
        hint={t.modeHints[mode]}
        options={siteRefreshModes.map((value) => ({ value, label: t.modes[value] }))}
      />
      <RefreshLoad
        siteIds={type === 'clean_site' ? siteIds : []}
        hosts={type === 'clean_dir' ? hostsOf(shownLines) : []}
      />
    </FormDrawer>
  );
}

/** As the contract has them. */
const linesMax = { clean_url: refreshUrlsMax, clean_dir: refreshFoldersMax, clean_tag: refreshTagsMax };
const examples = {
  clean_url: 'https://www.example.com/logo.png',
  clean_dir: 'https://www.example.com/images/',
  clean_tag: 'product-42',
};
/** What the server is asked for, and which line of the text each stands in. */
function wantedOf({ type, mode, lines: text, site_ids }: Typed) {
  if (type === 'clean_site') return { lines: [], wanted: { type, mode, site_ids } };
  const lines = linesOf(text);
  const texts = lines.map((line) => line.text);
  return {
    lines,
    wanted: type === 'clean_tag' ? { type, mode, site_ids, tags: texts } : { type, mode, urls: texts },
  };
}
