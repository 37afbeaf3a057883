import {
  siteViolationRoutes,
  violationDecisions,
  type SiteViolation,
  type ViolationDecision,
} from '@breakwater/contract';
import { MenuItem, Stack, TextField } from '@mui/material';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { NewsNotice, useAsSeen } from '../../frame/as-seen.tsx';
import { useText } from '../../i18n/text.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { TextInput } from '../../kit/fields/inputs.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../kit/form/form.tsx';
import { notify } from '../../kit/toast.ts';
import { siteViolationText } from './site-violation.text.ts';
import { Decided } from './violation-decided.tsx';
import { readable } from '../../kit/readable.tsx';

interface Props {
  violation: SiteViolation;
  onClose: () => void;
}

/** As the contract has it. */
const noteMax = 500;

/** What somebody else has made of a violation meanwhile. */
function ViolationNews({ violation }: { violation: SiteViolation }) {
  const t = useText(siteViolationText);
  return (
    <NewsNotice
      facts={[
        { label: t.decided, value: <Decided violation={violation} /> },
        { label: t.note, value: violation.note },
        ...(violation.source === 'submitted'
          ? []
          : [{ label: t.action, value: t.actions[violation.action] }]),
        ...(violation.appeal === '' ? [] : [{ label: t.appeal, value: violation.appeal }]),
      ]}
    />
  );
}

/** An operator's decision about a violation. What was sent by visitors is no page that could be taken offline. */
export function DecideDialog({ violation: opened, onClose }: Props) {
  const t = useText(siteViolationText);
  const { mutateAsync } = useChange('decideSiteViolation');
  const { seen: violation, asSeen, isNews } = useAsSeen('listSiteViolations', opened);
  const isOffline = violation.action === 'blocked';
  const isSubmitted = violation.source === 'submitted';
  const words = { ...t.decisions, ...(isSubmitted ? t.submittedDecisions : {}) };
  const hints = { ...t.decisionHints, ...(isSubmitted ? t.submittedHints : {}) };
  // A page that is offline can be put back, and one that is online taken off.
  const offered = violationDecisions.filter(
    (each) =>
      each !== (isOffline ? 'offline' : 'lift') && !(isSubmitted && (each === 'offline' || each === 'lift')),
  );
  // What takes something offline is chosen, never only confirmed.
  const [chosen, setDecision] = useState<ViolationDecision>(isOffline ? 'lift' : 'confirm');
  // What the page has become meanwhile is not turned round by whoever meant the opposite.
  const decision = offered.includes(chosen) ? chosen : 'confirm';
  const [typedNote, setNote] = useState<string>();
  const note = typedNote ?? violation.note;
  // What takes something from visitors is typed out first.
  const typed = { offline: violation.host, suspend: violation.site_name || violation.host };
  const isTaking = decision === 'offline' || decision === 'suspend';
  return (
    <Confirm
      title={t.decideTitle}
      body={
        <Stack sx={{ gap: 2, pt: 1 }}>
          {isNews && <ViolationNews violation={violation} />}
          <span style={{ overflowWrap: 'anywhere' }}>{readable(violation.host + violation.request_uri)}</span>
          <TextField
            select
            fullWidth
            label={t.decision}
            helperText={hints[decision]}
            value={decision}
            onChange={({ target }) => setDecision(target.value as ViolationDecision)}
          >
            {offered.map((each) => (
              <MenuItem key={each} value={each}>
                {words[each]}
              </MenuItem>
            ))}
          </TextField>
          <TextField
            fullWidth
            multiline
            label={t.note}
            helperText={t.noteHint}
            value={note}
            onChange={({ target }) => setNote(target.value)}
            slotProps={{ htmlInput: { maxLength: noteMax } }}
          />
        </Stack>
      }
      action={t.decisionActions[decision]}
      typed={isTaking ? typed[decision] : undefined}
      destructive={isTaking}
      onConfirm={() =>
        asSeen(async ({ id, version }) => {
          await mutateAsync({ params: { id }, body: { version, decision, note } });
          notify.success(t.done);
        })
      }
      onClose={onClose}
    />
  );
}

/** Has the site visited now, such as to see whether the content is gone. */
export function VisitDialog({ violation, onClose }: Props) {
  const t = useText(siteViolationText);
  const { mutateAsync } = useChange('visitSite');
  return (
    <Confirm
      title={t.visitTitle}
      body={t.visitBody}
      action={t.visit}
      destructive={false}
      onConfirm={async () => {
        await mutateAsync({ body: { site_id: violation.site_id } });
        notify.success(t.visitDone);
      }}
      onClose={onClose}
    />
  );
}

/** The error of an empty reason stands at its field. */
export function AppealDialog({ violation: opened, onClose }: Props) {
  const t = useText(siteViolationText);
  const { mutateAsync } = useChange('appealSiteViolation');
  const { seen: violation, asSeen, isNews } = useAsSeen('listSiteViolations', opened);
  const form = useSchemaForm(siteViolationRoutes.appealSiteViolation.body.omit({ version: true }), {
    appeal: '',
  });
  const submit = submitForm(form, (body) =>
    asSeen(async ({ id, version }) => {
      await mutateAsync({ params: { id }, body: { ...body, version } });
      notify.success(t.appealDone);
      onClose();
    }),
  );
  return (
    <FormDrawer
      title={t.appealTitle}
      form={form}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={t.appealSend}
    >
      {isNews && <ViolationNews violation={violation} />}
      <span style={{ overflowWrap: 'anywhere' }}>{readable(violation.host + violation.request_uri)}</span>
      <TextInput
        control={form.control}
        name="appeal"
        label={t.appealText}
        hint={t.appealBody}
        rows={4}
        autoFocus
      />
    </FormDrawer>
  );
}
