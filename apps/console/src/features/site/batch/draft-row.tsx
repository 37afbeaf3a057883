import { siteSectionNames, type DraftNote, type SiteDraft } from '@breakwater/contract';
import { Box, Checkbox, Chip, Paper, Stack, TextField, Typography } from '@mui/material';
import { useText } from '../../../i18n/text.ts';
import { originsText, withOrigins } from './draft-origins.ts';
import { siteDraftsText } from './drafts.text.ts';
import { siteText } from '../site.text.ts';

/** A draft with what the reader made of it. */
export interface DraftChoice {
  isTaken: boolean;
  /** As they are typed, with commas or spaces between them. */
  domains: string;
  /** Only what the other system's configuration said; all else is as of any new site. */
  sections: SiteDraft['sections'];
}

interface DraftRowProps {
  draft: SiteDraft;
  choice: DraftChoice;
  onChange: (choice: DraftChoice) => void;
}

const grid = {
  display: 'grid',
  gap: 2,
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 260px), 1fr))',
  flex: 1,
  minWidth: 0,
};

/** One draft: whether it is taken, its domains and origins to be corrected, and what could not be taken over. */
export function DraftRow({ draft, choice, onChange }: DraftRowProps) {
  const t = useText(siteDraftsText);
  const { sections: names } = useText(siteText).revisions;
  const config = choice.sections.origin_server_config ?? {};
  // In the order of the sections, not of the file that was read.
  const said = siteSectionNames.filter((name) => name in choice.sections);
  return (
    <Paper component="li" variant="outlined" sx={{ p: 2, opacity: choice.isTaken ? 1 : 0.6 }}>
      <Stack direction="row" sx={{ gap: 1, alignItems: 'flex-start' }}>
        <Checkbox
          checked={choice.isTaken}
          onChange={(event) => onChange({ ...choice, isTaken: event.target.checked })}
          slotProps={{ input: { 'aria-label': t.take(draft.domains[0] ?? '') } }}
        />
        <Stack sx={{ gap: 2, flex: 1, minWidth: 0 }}>
          <Box sx={grid}>
            <TextField
              label={t.domains}
              value={choice.domains}
              onChange={(event) => onChange({ ...choice, domains: event.target.value })}
            />
            <OriginsField
              config={config}
              onChange={(next) =>
                onChange({ ...choice, sections: { ...choice.sections, origin_server_config: next } })
              }
            />
          </Box>
          <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
            {draft.line !== undefined && (
              <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                {t.line(draft.line)}
              </Typography>
            )}
            <Typography variant="body2">{t.takenOver}</Typography>
            {said.map((name) => (
              <Chip key={name} size="small" label={names[name]} />
            ))}
          </Stack>
          {draft.notes.length === 0 ? (
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              {t.allTaken}
            </Typography>
          ) : (
            <Box component="details">
              <Typography component="summary" variant="body2" sx={{ cursor: 'pointer', mb: 1 }}>
                {t.notTaken(draft.notes.length)}
              </Typography>
              <DraftNotes notes={draft.notes} />
            </Box>
          )}
        </Stack>
      </Stack>
    </Paper>
  );
}

interface OriginsFieldProps {
  config: Record<string, unknown>;
  onChange: (config: Record<string, unknown>) => void;
}

function OriginsField({ config, onChange }: OriginsFieldProps) {
  const t = useText(siteDraftsText);
  return (
    <TextField
      label={t.origins}
      // What is being typed is taken over when the field is left: half an address is none.
      key={originsText(config)}
      defaultValue={originsText(config)}
      onBlur={(event) => onChange({ ...withOrigins(config, event.target.value) })}
    />
  );
}

/** What was not taken over, with the line and the reason. */
export function DraftNotes({ notes }: { notes: readonly DraftNote[] }) {
  const t = useText(siteDraftsText);
  return (
    <Stack component="ul" sx={{ m: 0, pl: 2.5, gap: 0.5 }}>
      {notes.map(({ line, what, reason }, index) => (
        <Typography key={index} component="li" variant="body2">
          {line !== undefined && `${t.line(line)}: `}
          <Box component="code" sx={{ overflowWrap: 'anywhere' }}>
            {what}
          </Box>
          {` — ${t.reasons[reason]}`}
        </Typography>
      ))}
    </Stack>
  );
}
