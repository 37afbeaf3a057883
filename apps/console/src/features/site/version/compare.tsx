import type { SiteRevision } from '@breakwater/contract';
import { Box, Stack, TextField, Typography } from '@mui/material';
import { useState } from 'react';
import { useApi } from '../../../api/query.ts';
import { useText } from '../../../i18n/text.ts';
import { InfoDrawer } from '../../../kit/info-drawer.tsx';
import { Loaded } from '../../../kit/loaded.tsx';
import { Time } from '../../../kit/time.tsx';
import { SiteChanges } from '../change/changes.tsx';
import { useSite } from '../context.tsx';
import { siteVersionsText } from './versions.text.ts';
import { siteText } from '../site.text.ts';

/** What differs between any two versions of the site. */
export function SiteCompare({ onClose }: { onClose: () => void }) {
  const t = useText(siteVersionsText);
  const { site } = useSite();
  // At first, what the last change was.
  const [from, setFrom] = useState(Math.max(1, site.version - 1));
  const [to, setTo] = useState(site.version);
  const compared = useApi(
    'compareSiteVersions',
    { params: { id: site.id }, query: { from, to } },
    { keepPrevious: true },
  );
  return (
    <InfoDrawer title={t.compareTitle} onClose={onClose}>
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: '1fr 1fr' }}>
        <VersionInput label={t.from} value={from} max={site.version} onChange={setFrom} />
        <VersionInput label={t.to} value={to} max={site.version} onChange={setTo} />
      </Box>
      <Loaded read={compared}>
        {(answer) => (
          <Stack sx={{ gap: 1.5, mt: 2.5 }}>
            <Side {...answer.from} />
            <Side {...answer.to} />
            {answer.diff.length > 0 ? (
              <SiteChanges entries={answer.diff} />
            ) : (
              <Typography sx={{ color: 'text.secondary' }}>{t.same}</Typography>
            )}
          </Stack>
        )}
      </Loaded>
    </InfoDrawer>
  );
}

type SideProps = Pick<SiteRevision, 'version' | 'author_type' | 'author_name' | 'created_at'>;

function Side({ version, author_type, author_name, created_at }: SideProps) {
  const t = useText(siteText).revisions;
  return (
    <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
      <Typography variant="subtitle2">{t.version(version)}</Typography>
      <Typography variant="body2" component="span" sx={{ color: 'text.secondary' }}>
        {author_name || t.authors[author_type]} · <Time at={created_at} />
      </Typography>
    </Stack>
  );
}

interface VersionInputProps {
  label: string;
  value: number;
  max: number;
  onChange: (version: number) => void;
}

function VersionInput({ label, value, max, onChange }: VersionInputProps) {
  const [text, setText] = useState(String(value));
  const isVersion = (version: number) => Number.isInteger(version) && version >= 1 && version <= max;
  return (
    <TextField
      label={label}
      type="number"
      value={text}
      error={!isVersion(Number(text))}
      onChange={({ target }) => {
        setText(target.value);
        const version = Number(target.value);
        // What is half typed is no version yet; the last one stays compared.
        if (isVersion(version)) onChange(version);
      }}
      slotProps={{ htmlInput: { min: 1, max } }}
    />
  );
}
