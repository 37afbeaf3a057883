import { id, prefetchEncodings, prefetchUrlsMax, sitePrefetchRoutes } from '@breakwater/contract';
import { Box } from '@mui/material';
import { useNavigate } from '@tanstack/react-router';
import { useWatch } from 'react-hook-form';
import * as z from 'zod';
import { useAccount } from '../../api/account.ts';
import { useChange } from '../../api/change.ts';
import { nodeChoices } from '../../api/options.ts';
import { useText } from '../../i18n/text.ts';
import {
  MultiSelectInput,
  NumberInput,
  SelectInput,
  SwitchInput,
  TagsInput,
  TextInput,
} from '../../kit/fields/inputs.tsx';
import { RemoteMultiSelect } from '../../kit/fields/remote-multi-select.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../kit/form/form.tsx';
import { issueKey } from '../../kit/form/issue-key.ts';
import { isRefusal } from '../../kit/form/refusal.ts';
import { formatCount } from '../../kit/format.ts';
import { to } from '../../kit/links.ts';
import { notify } from '../../kit/toast.ts';
import { QuotaLeft } from './quota-left.tsx';
import { badLines, linesOf, useComplaint } from './refresh-lines.ts';
import { sitePrefetchText } from './site-prefetch.text.ts';

const { body } = sitePrefetchRoutes.createSitePrefetch;
const { shape } = body;
const sources = ['urls', 'sitemap'] as const;
/**
 * As it is typed: URLs are one text, and which of the two sources is meant is chosen. The contract judges what becomes of it.
 */
const typed = z.strictObject({
  source: z.enum(sources),
  lines: z.string(),
  sitemap: z.string(),
  node_ids: z.array(id),
  concurrency: shape.concurrency.unwrap(),
  rate: shape.rate.unwrap(),
  encodings: shape.encodings.unwrap(),
  languages: shape.languages.unwrap(),
  playlists: z.boolean(),
});
type Typed = z.output<typeof typed>;

const empty: Typed = {
  source: 'urls',
  lines: '',
  sitemap: '',
  node_ids: [],
  concurrency: 2,
  rate: 10,
  encodings: ['br, gzip'],
  languages: [],
  playlists: false,
};

/** The body of the call: one of both sources, whatever was typed for the other. */
function wantedOf({ source, lines, sitemap, ...rest }: Typed) {
  return source === 'urls'
    ? { ...rest, urls: linesOf(lines).map(({ text }) => text) }
    : { ...rest, sitemap: sitemap.trim() };
}

const usePrefetchForm = () => useSchemaForm(typed, empty);

/**
 * Content that nodes are to fetch before visitors ask for it. The rate is of all nodes together: what the origin is asked at most.
 */
export function SitePrefetchForm({ onClose }: { onClose: () => void }) {
  const t = useText(sitePrefetchText);
  const { role } = useAccount();
  const form = usePrefetchForm();
  const { control } = form;
  const source = useWatch({ control, name: 'source' });
  const submit = useSubmit(form, onClose);
  return (
    <FormDrawer title={t.add} form={form} onSubmit={submit} onClose={onClose} submitLabel={t.add}>
      <SelectInput
        control={control}
        name="source"
        label={t.source}
        options={sources.map((value) => ({ value, label: t.sources[value] }))}
      />
      <QuotaLeft quota="prefetch_urls_per_day" />
      {source === 'urls' ? (
        <TextInput
          control={control}
          name="lines"
          label={t.lines}
          hint={t.linesHint(formatCount(prefetchUrlsMax))}
          placeholder="https://www.example.com/logo.png"
          rows={8}
          monospaced
          autoFocus
        />
      ) : (
        <TextInput
          control={control}
          name="sitemap"
          label={t.sitemap}
          hint={t.sitemapHint}
          placeholder="https://www.example.com/sitemap.xml"
        />
      )}
      {role === 'admin' && (
        <RemoteMultiSelect
          control={control}
          name="node_ids"
          label={t.nodes}
          hint={t.nodesHint}
          choices={nodeChoices}
        />
      )}
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
        <NumberInput control={control} name="rate" label={t.rate} unit={t.rateUnit} hint={t.rateHint} />
        <NumberInput control={control} name="concurrency" label={t.concurrency} />
      </Box>
      <MultiSelectInput
        control={control}
        name="encodings"
        label={t.encodings}
        hint={t.encodingsHint}
        options={prefetchEncodings.map((value) => ({ value, label: t.encodingNames[value] }))}
      />
      <TagsInput control={control} name="languages" label={t.languages} hint={t.languagesHint} />
      <SwitchInput control={control} name="playlists" label={t.playlists} hint={t.playlistsHint} />
    </FormDrawer>
  );
}

/** What is wrong with lines is said of all of them at once; anything else at its field. */
function useSubmit(form: ReturnType<typeof usePrefetchForm>, onClose: () => void) {
  const t = useText(sitePrefetchText);
  const navigate = useNavigate();
  const complaintOf = useComplaint();
  const create = useChange('createSitePrefetch');
  return submitForm(form, async (values) => {
    const lines = linesOf(values.lines);
    const complain = (issues: readonly { path: readonly PropertyKey[]; message: string }[]): boolean => {
      const bad = badLines(lines, issues);
      const [{ path, message } = { path: [], message: '' }] = issues;
      const field = values.source === 'urls' ? 'lines' : 'sitemap';
      const isOfAll = path[0] === 'urls' || path[0] === 'sitemap';
      if (bad.length === 0 && !isOfAll) return false;
      form.setError(field, { message: bad.length > 0 ? complaintOf(bad) : message }, { shouldFocus: true });
      return true;
    };
    const { data, error } = z.safeParse(body, wantedOf(values), { error: issueKey });
    if (error) return void complain(error.issues);
    try {
      // One prefetch for each site that the URLs belong to.
      const { ids } = await create.mutateAsync({ body: data });
      notify.success(t.saved);
      onClose();
      if (ids.length === 1) await navigate(to.sitePrefetchDetail({ id: ids[0]! }));
    } catch (refusal) {
      const fields = isRefusal(refusal) ? refusal.fields : [];
      if (!complain(fields.map(({ path, message }) => ({ path: path.split('.'), message })))) throw refusal;
    }
  });
}
