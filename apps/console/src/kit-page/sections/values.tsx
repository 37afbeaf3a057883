import { Button, Card, Stack } from '@mui/material';
import { useState } from 'react';
import { useText } from '../../i18n/text.ts';
import { Bytes, Money, Rate } from '../../kit/amounts.tsx';
import { CodeBlock } from '../../kit/code-block.tsx';
import { CopyText } from '../../kit/copy-text.tsx';
import { DiffView } from '../../kit/diff-view.tsx';
import { Facts } from '../../kit/facts.tsx';
import { JsonView } from '../../kit/json-view.tsx';
import { ShortcutDialog } from '../../kit/shortcut/shortcut-dialog.tsx';
import { ShortcutHelp } from '../../kit/shortcut/shortcut-help.tsx';
import { Time } from '../../kit/time.tsx';
import { Story, StoryGrid } from '../story.tsx';
import { storyText } from './story.text.ts';

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
const document = {
  site: 'www.example.com',
  cache: { ttl: 3600, rules: ['jpg', 'css'] },
  active: true,
  note: null,
};

export function ValuesSection() {
  const t = useText(storyText);
  return (
    <StoryGrid min={420}>
      <Story title={t.times}>
        <Card sx={{ p: 3 }}>
          <Facts
            columns={2}
            facts={[
              ...[1, 42, 600, 7200, 200_000].map((seconds) => ({
                label: `-${seconds} s`,
                value: <Time at={ago(seconds)} relative />,
              })),
              { label: t.times, value: <Time at={ago(0)} /> },
              { label: '–', value: <Time at={null} /> },
              { label: t.error, value: <Time at="yesterday-ish" /> },
            ]}
          />
        </Card>
      </Story>
      <Story title={t.amounts}>
        <Card sx={{ p: 3 }}>
          <Facts
            columns={2}
            facts={[
              { label: 'Bytes', value: <Bytes value={1_234_567_890} /> },
              { label: 'Bytes 0', value: <Bytes value={0} /> },
              { label: 'Rate', value: <Rate value={987_654_321} /> },
              { label: 'Rate –', value: <Rate value={null} /> },
              { label: 'Money', value: <Money value={123_456} /> },
              { label: 'Money −', value: <Money value={-9_900} /> },
            ]}
          />
        </Card>
      </Story>
      <Story title={t.copyable}>
        <Card sx={{ p: 3 }}>
          <Stack sx={{ gap: 2 }}>
            <CopyText text="a1b2c3d4e5f60718" label="ID" />
            <CodeBlock label="curl" text="curl -H 'Host: www.example.com' http://192.0.2.1/" />
          </Stack>
        </Card>
      </Story>
      <Story title={t.json2}>
        <JsonView text={JSON.stringify(document)} />
      </Story>
      <Story title={t.diff}>
        <DiffView
          entries={[
            { path: 'cache.ttl', before: 3600, after: 86_400 },
            { path: 'origins.0', after: { address: '192.0.2.9' } },
            { path: 'note', before: t.long },
          ]}
        />
      </Story>
      <Story title={t.shortcuts}>
        <Shortcuts />
      </Story>
    </StoryGrid>
  );
}

function Shortcuts() {
  const t = useText(storyText);
  const [open, setOpen] = useState(false);
  const groups = [{ title: t.search, shortcuts: [{ keys: { key: 'k', command: true }, label: t.search }] }];
  return (
    <>
      <Button variant="outlined" onClick={() => setOpen(true)}>
        {t.openShortcuts}
      </Button>
      {open ? (
        <ShortcutDialog groups={groups} onClose={() => setOpen(false)} />
      ) : (
        <ShortcutHelp groups={groups} />
      )}
    </>
  );
}
