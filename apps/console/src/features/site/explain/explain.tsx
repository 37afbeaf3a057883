import { explainInput, type ExplainAnswer } from '@breakwater/contract';
import { Alert, Box, Stack } from '@mui/material';
import { useEffect, useRef } from 'react';
import * as z from 'zod';
import { useChange } from '../../../api/change.ts';
import { useApi } from '../../../api/query.ts';
import { useText } from '../../../i18n/text.ts';
import { ActionButton } from '../../../kit/action-button.tsx';
import { KeyValueInput } from '../../../kit/fields/key-value-input.tsx';
import { SelectInput, TextInput } from '../../../kit/fields/inputs.tsx';
import { FormError } from '../../../kit/form/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../../kit/form/form.tsx';
import { Loaded } from '../../../kit/loaded.tsx';
import { Section } from '../../../kit/page.tsx';
import { useSearchState } from '../../../kit/search-state.ts';
import { useSite, useSiteDelivery } from '../context.tsx';
import { Traces } from './trace.tsx';
import { siteExplainText } from './explain.text.ts';

const search = z.strictObject({ request_id: z.string().optional() });
/** The common ones; the contract takes any that is made of capital letters. */
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** What becomes of a request: one that is described here, or one of the access log. */
export function SiteExplain() {
  const [{ request_id: requestId }] = useSearchState(search);
  return (
    <Stack sx={{ gap: 3 }}>
      {requestId && <LoggedRequest key={requestId} requestId={requestId} />}
      <DescribedRequest />
    </Stack>
  );
}

function DescribedRequest() {
  const t = useText(siteExplainText);
  const { site } = useSite();
  const explain = useChange('explainSite');
  // A request has a host of its own; a wildcard stands for any.
  const domain = (site.domains[0] ?? '').replace(/^\*/, 'www');
  const scheme = site.certificate_status === 'not_enabled' ? 'http' : 'https';
  const form = useSchemaForm(explainInput, {
    url: `${scheme}://${domain}/`,
    method: 'GET',
    headers: [],
    // An address for documentation (RFC 5737), which no rule is likely to name.
    address: '192.0.2.1',
    ja4: '',
  });
  const { control } = form;
  const submit = submitForm(form, (body) => explain.mutateAsync({ params: { id: site.id }, body }));
  return (
    <>
      <Section title={t.title} hint={t.hint}>
        <Stack component="form" noValidate onSubmit={submit} sx={{ gap: 2.5 }}>
          <TextInput control={control} name="url" label={t.url} hint={t.urlHint} />
          <Box
            sx={{
              display: 'grid',
              gap: 2.5,
              gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 220px), 1fr))',
            }}
          >
            <SelectInput
              control={control}
              name="method"
              label={t.method}
              options={methods.map((value) => ({ value, label: value }))}
            />
            <TextInput control={control} name="address" label={t.address} hint={t.addressHint} />
            <TextInput control={control} name="ja4" label={t.ja4} hint={t.ja4Hint} />
            <SelectInput
              control={control}
              name="node_id"
              label={t.node}
              noneLabel={t.nodeAny}
              options={useNodesOfSite(site.id)}
            />
          </Box>
          <KeyValueInput control={control} name="headers" label={t.headers} hint={t.headersHint} />
          <FormError form={form} />
          <Box>
            <ActionButton type="submit" variant="contained" icon="search" loading={explain.isPending}>
              {t.run}
            </ActionButton>
          </Box>
        </Stack>
      </Section>
      {explain.isPending && (
        <Alert severity="info" role="status">
          {t.running}
        </Alert>
      )}
      {explain.data && !explain.isPending && <Answer answer={explain.data} />}
    </>
  );
}

/** Nodes to which the site's document goes. */
function useNodesOfSite(id: number) {
  const nodes = useSiteDelivery(id).data?.documents.flatMap((document) => document.nodes) ?? [];
  const names = new Map(nodes.map((node) => [node.node_id, node.node_name]));
  return [...names].map(([value, label]) => ({ value, label }));
}

/** One request of the access log, to which a line of the log leads: what happened then, and what would happen now. */
function LoggedRequest({ requestId }: { requestId: string }) {
  const t = useText(siteExplainText);
  const { site } = useSite();
  const read = useApi('explainLoggedRequest', { params: { id: site.id }, body: { request_id: requestId } });
  return (
    <Section title={t.logged} hint={t.loggedHint}>
      <Loaded read={read}>{(answer) => <Traces answer={answer} />}</Loaded>
    </Section>
  );
}

/** What the node and the stored configuration say of the request that was described. */
function Answer({ answer }: { answer: ExplainAnswer }) {
  const place = useRef<HTMLDivElement>(null);
  // The answer may be below the edge of the window: it is gone to, and read out.
  useEffect(() => place.current?.focus({ preventScroll: false }), [answer]);
  return (
    <Box ref={place} tabIndex={-1} sx={{ outline: 'none', scrollMarginTop: 160 }}>
      <Section>
        <Traces answer={answer} />
      </Section>
    </Box>
  );
}
