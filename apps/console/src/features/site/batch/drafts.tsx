import { draftSources, id, type DraftNote, type SiteDraft } from '@breakwater/contract';
import { Alert, Box, Button, FormControlLabel, Stack, Switch, Typography } from '@mui/material';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import * as z from 'zod';
import { useChange } from '../../../api/change.ts';
import { ApiError } from '../../../api/client.ts';
import { orderChoices } from '../../../api/options.ts';
import { useDenial } from '../../../frame/denial.ts';
import { useText } from '../../../i18n/text.ts';
import { ActionButton } from '../../../kit/action-button.tsx';
import { SelectInput, TextInput } from '../../../kit/fields/inputs.tsx';
import { RemoteSelect } from '../../../kit/fields/remote-select.tsx';
import { FormFrame } from '../../../kit/form/form-page.tsx';
import { UnsavedGuard } from '../../../kit/form/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../../kit/form/form.tsx';
import { to } from '../../../kit/links.ts';
import { Section } from '../../../kit/page.tsx';
import { DraftNotes, DraftRow, type DraftChoice } from './draft-row.tsx';
import { siteDraftsText } from './drafts.text.ts';

const given = z.strictObject({
  source: z.enum(draftSources),
  text: z.string().trim().min(1),
  order_id: id.optional(),
});

/** What was read, and for which order the sites are to be made. */
interface Found {
  drafts: SiteDraft[];
  notes: DraftNote[];
  orderId: number | undefined;
}

/** Sites from the configuration of another system: first read, then looked at, then made as a batch. */
export function SiteDrafts() {
  const t = useText(siteDraftsText);
  const denial = useDenial();
  const [found, setFound] = useState<Found | null>(null);
  const read = useChange('readSiteDrafts');
  const form = useSchemaForm(given, { source: 'nginx', text: '', order_id: undefined });
  const source = useWatch({ control: form.control, name: 'source' });
  const submit = submitForm(form, async ({ source: from, text, order_id: orderId }) => {
    const { drafts, notes } = await read.mutateAsync({ body: { source: from, text } });
    // The text has been read: nothing of it is lost by leaving, and it is there again for whoever goes back.
    form.reset({ source: from, text, order_id: orderId });
    setFound({ drafts, notes, orderId });
  });
  if (found) return <FoundDrafts found={found} onBack={() => setFound(null)} />;
  return (
    <Box sx={{ maxWidth: 860 }}>
      <FormFrame form={form} onSubmit={submit} submitLabel={t.read} disabledReason={denial('readSiteDrafts')}>
        <Section hint={t.notYet}>
          <Stack sx={{ gap: 3 }}>
            <Box sx={{ maxWidth: 480 }}>
              <SelectInput
                control={form.control}
                name="source"
                label={t.source}
                options={draftSources.map((value) => ({ value, label: t.sources[value] }))}
              />
            </Box>
            <TextInput
              control={form.control}
              name="text"
              label={t.text}
              hint={t.textHints[source]}
              rows={14}
              monospaced
            />
            <Box sx={{ maxWidth: 480 }}>
              <RemoteSelect
                control={form.control}
                name="order_id"
                label={t.order}
                choices={orderChoices}
                placeholder={t.orderDefault}
              />
            </Box>
          </Stack>
        </Section>
      </FormFrame>
    </Box>
  );
}

/** What was read, to be looked at and corrected. Nothing is made before it is sent. */
function FoundDrafts({ found, onBack }: { found: Found; onBack: () => void }) {
  const t = useText(siteDraftsText);
  const navigate = useNavigate();
  const create = useChange('importSiteDrafts');
  const [online, setOnline] = useState(false);
  const [problem, setProblem] = useState('');
  // The choices as they were at first, which tells whether anything was changed since.
  const [read] = useState<DraftChoice[]>(() =>
    found.drafts.map(({ domains, sections }) => ({ isTaken: true, domains: domains.join(', '), sections })),
  );
  const [choices, setChoices] = useState(read);
  const isDirty = online || choices !== read;
  const taken = choices.filter(({ isTaken }) => isTaken);
  const send = async () => {
    const drafts = taken.map(({ domains, sections }) => ({
      domains: domains.split(/[,\s]+/).filter(Boolean),
      sections,
    }));
    try {
      const order = found.orderId === undefined ? {} : { order_id: found.orderId };
      const { id: batch } = await create.mutateAsync({ body: { drafts, online, ...order } });
      await navigate({ ...to.siteBatchDetail({ id: batch }), ignoreBlocker: true });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Paths of errors count the drafts that were sent, and not the rows here, of which some may be left out.
      setProblem([error.message, ...error.fields.map(({ message }) => message)].join(' · '));
    }
  };
  return (
    <Stack sx={{ gap: 3 }}>
      <UnsavedGuard form={{ formState: { isDirty, isSubmitting: create.isPending } }} />
      <Section title={t.found(found.drafts.length)} hint={t.foundHint}>
        <Stack component="ul" sx={{ listStyle: 'none', m: 0, p: 0, gap: 2 }}>
          {found.drafts.map((draft, index) => (
            <DraftRow
              key={index}
              draft={draft}
              choice={choices[index]!}
              onChange={(choice) =>
                setChoices(choices.map((each, place) => (place === index ? choice : each)))
              }
            />
          ))}
        </Stack>
      </Section>
      {found.notes.length > 0 && (
        <Section title={t.wholeNotes}>
          <DraftNotes notes={found.notes} />
        </Section>
      )}
      <Section>
        <Stack sx={{ gap: 2 }}>
          <Box>
            <FormControlLabel
              control={<Switch checked={online} onChange={(event) => setOnline(event.target.checked)} />}
              label={t.online}
            />
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              {t.onlineHint}
            </Typography>
          </Box>
          {problem !== '' && <Alert severity="error">{problem}</Alert>}
          <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
            <ActionButton
              variant="contained"
              loading={create.isPending}
              disabledReason={taken.length === 0 ? t.noneTaken : undefined}
              onClick={() => void send()}
            >
              {t.create(taken.length)}
            </ActionButton>
            <Button color="inherit" onClick={onBack}>
              {t.again}
            </Button>
          </Stack>
        </Stack>
      </Section>
    </Stack>
  );
}
