import type { UploadCertificate, UploadSite, UploadUse } from '@breakwater/contract';
import { Alert, Checkbox, FormControlLabel, Paper, Stack, TextField, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { useText } from '../../../i18n/text.ts';
import { StatusChip, type Tone } from '../../../kit/status-chip.tsx';
import { Time } from '../../../kit/time.tsx';
import { certificateText } from '../certificate.text.ts';
import type { UploadChoice } from './first-choices.ts';
import { uploadText } from './upload.text.ts';

interface UploadRowProps {
  certificate: UploadCertificate;
  /** Whether the reader may change sites. */
  mayBind: boolean;
  choice: UploadChoice;
  onChange: (choice: UploadChoice) => void;
}

/** One certificate that was found in the files: what becomes of it, and which sites are to use it. */
export function UploadRow({ certificate, mayBind, choice, onChange }: UploadRowProps) {
  const t = useText(uploadText);
  const words = useText(certificateText);
  const {
    domains,
    issuer,
    known,
    replaces,
    sites,
    warnings,
    files,
    key_type: kind,
    key_bits: bits,
  } = certificate;
  const toggle = (id: number, isOn: boolean) =>
    onChange({
      ...choice,
      siteIds: isOn ? [...choice.siteIds, id] : choice.siteIds.filter((each) => each !== id),
    });
  return (
    <Paper component="li" variant="outlined" sx={{ p: 2, opacity: choice.isTaken ? 1 : 0.6 }}>
      <Stack direction="row" sx={{ gap: 1, alignItems: 'flex-start' }}>
        <Checkbox
          checked={choice.isTaken}
          onChange={(event) => onChange({ ...choice, isTaken: event.target.checked })}
          slotProps={{ input: { 'aria-label': t.take(domains[0] ?? '') } }}
        />
        <Stack sx={{ gap: 1.5, flex: 1, minWidth: 0 }}>
          {/* One that is there already, or takes another's place, keeps its name. */}
          {(known ?? replaces) ? (
            <Typography variant="subtitle1" sx={{ overflowWrap: 'anywhere' }}>
              {choice.name}
            </Typography>
          ) : (
            <TextField
              size="small"
              label={words.name}
              value={choice.name}
              onChange={(event) => onChange({ ...choice, name: event.target.value })}
              slotProps={{ htmlInput: { maxLength: 100 } }}
              sx={{ maxWidth: 480 }}
            />
          )}
          <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
            {domains.join(', ')}
          </Typography>
          <Typography variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
            {`${issuer} · ${words.keyBits(words.keys[kind], bits)} · ${words.expires} `}
            <Time at={certificate.not_after} />
            {` · ${files.join(', ')}`}
          </Typography>
          <Fate certificate={certificate} />
          {warnings.length > 0 && <Alert severity="warning">{warnings.join(' · ')}</Alert>}
          {sites.length === 0 ? (
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              {t.noSites}
            </Typography>
          ) : (
            <Stack component="ul" aria-label={t.sites} sx={{ listStyle: 'none', m: 0, p: 0, gap: 1 }}>
              {sites.map((site) => (
                <SiteRow
                  key={site.id}
                  site={site}
                  isOn={choice.siteIds.includes(site.id)}
                  isOff={!mayBind || !choice.isTaken}
                  onToggle={(isOn) => toggle(site.id, isOn)}
                />
              ))}
            </Stack>
          )}
        </Stack>
      </Stack>
    </Paper>
  );
}

/** Whether it is new, and else what was there. */
function Fate({ certificate: { known, replaces } }: { certificate: UploadCertificate }) {
  const t = useText(uploadText);
  if (known) return <Said tone="neutral" label={t.known} />;
  if (!replaces) return <Said tone="success" label={t.isNew} />;
  return (
    <Said tone="info" label={t.replaces}>
      {t.formerEnds(replaces.name)}
      <Time at={replaces.not_after} />
    </Said>
  );
}

/** What each use means stands beside `uploadUses` in the contract. */
const tones: Record<UploadUse, Tone> = {
  follows: 'success',
  added: 'success',
  replaces: 'info',
  lasts_longer: 'warning',
};

interface SiteRowProps {
  site: UploadSite;
  isOn: boolean;
  isOff: boolean;
  onToggle: (isOn: boolean) => void;
}

function SiteRow({ site: { domain, covered, use, present }, isOn, isOff, onToggle }: SiteRowProps) {
  const t = useText(uploadText);
  const label = t.siteWith(domain, covered);
  return (
    <Stack component="li" direction="row" sx={{ columnGap: 1.5, alignItems: 'center', flexWrap: 'wrap' }}>
      {/* Nothing to choose: the site already uses the certificate that is replaced. */}
      {use === 'follows' ? (
        <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
          {label}
        </Typography>
      ) : (
        <FormControlLabel
          control={
            <Checkbox
              size="small"
              checked={isOn && !isOff}
              disabled={isOff}
              onChange={(event) => onToggle(event.target.checked)}
            />
          }
          label={label}
          slotProps={{ typography: { variant: 'body2', sx: { overflowWrap: 'anywhere' } } }}
        />
      )}
      <Said tone={tones[use]} label={t.uses[use]}>
        {present.map((one, index) => (
          <span key={one.id}>
            {index > 0 && ' · '}
            {t.formerEnds(one.name)}
            <Time at={one.not_after} />
          </span>
        ))}
      </Said>
    </Stack>
  );
}

function Said({ tone, label, children }: { tone: Tone; label: string; children?: ReactNode }) {
  return (
    <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
      <StatusChip tone={tone} label={label} />
      <Typography variant="body2" component="span" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
        {children}
      </Typography>
    </Stack>
  );
}
