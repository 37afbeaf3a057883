import {
  answerCacheStates,
  asksField,
  contentCondition,
  isOfAnswer,
  isOfContent,
  type Condition,
  type ConditionFieldName,
} from '@breakwater/contract';
import { noteAskedData } from '@breakwater/policy/access/asked-data';
import { Alert, Box, Button, Chip, Collapse, MenuItem, Stack, TextField, Typography } from '@mui/material';
import { useState, type ReactNode } from 'react';
import { useText } from '../../i18n/text.ts';
import { monospace } from '../../theme/theme.ts';
import { Icon } from '../../kit/icon.tsx';
import { useNow } from '../../kit/use-now.ts';
import { useConditionData } from './condition-data.ts';
import { conditionText } from './condition.text.ts';
import { tryCondition, type Outcome, type Trial } from './trial.ts';

interface Described {
  method: string;
  url: string;
  headers: string;
  body: string;
  ip: string;
  ja4: string;
  /** Of the answer; empty: it has none. */
  answerStatus: string;
  answerCache: string;
  answerOriginMs: string;
  answerHeaders: string;
  /** As the browser's own field has it; empty: now. */
  time: string;
}
const firstRequest: Described = {
  method: 'GET',
  url: 'https://www.example.com/',
  headers: 'User-Agent: Mozilla/5.0',
  body: '',
  ip: '192.0.2.1',
  ja4: '',
  answerStatus: '200',
  answerCache: 'MISS',
  answerOriginMs: '',
  answerHeaders: 'Content-Type: text/html',
  time: '',
};

/** A request to try a condition on, and what the nodes' own code says of it. */
export function ConditionTrial({ value, isWrong }: { value: Condition; isWrong: boolean }) {
  const t = useText(conditionText);
  const [isOpen, setOpen] = useState(false);
  const [request, setRequest] = useState(firstRequest);
  return (
    <Box>
      <Button
        size="small"
        color="inherit"
        aria-expanded={isOpen}
        startIcon={<Icon name={isOpen ? 'minus' : 'question'} size={18} />}
        onClick={() => setOpen(!isOpen)}
      >
        {t.trial}
      </Button>
      <Collapse in={isOpen} unmountOnExit>
        <Stack sx={{ gap: 2, pt: 2 }}>
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {t.trialHint}
          </Typography>
          <RequestFields request={request} onChange={setRequest} asking={value} />
          <TrialResult value={value} isWrong={isWrong} request={request} />
        </Stack>
      </Collapse>
    </Box>
  );
}

const isJa4 = (field: ConditionFieldName) => field === 'ja4';

interface RequestFieldsProps {
  request: Described;
  onChange: (request: Described) => void;
  /** What is asked of the request: fields that few conditions have are there for those alone. */
  asking: Condition;
}

function RequestFields({ request, onChange, asking }: RequestFieldsProps) {
  const t = useText(conditionText);
  const bind: Bind = (name) => ({
    size: 'small',
    value: request[name],
    onChange: ({ target }) => onChange({ ...request, [name]: target.value }),
  });
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 2,
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: '120px minmax(0, 1fr)' },
      }}
    >
      <TextField label={t.fields.method} {...bind('method')} />
      <TextField label={t.url} {...bind('url')} />
      <Box
        sx={{
          gridColumn: { xs: '1', sm: '1 / -1' },
          display: 'grid',
          gap: 2,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))' },
        }}
      >
        <TextField
          label={t.headers}
          multiline
          minRows={3}
          {...bind('headers')}
          sx={{ '& textarea': { fontFamily: monospace, fontSize: 13 } }}
        />
        <Stack sx={{ gap: 2 }}>
          <TextField label={t.ip} {...bind('ip')} />
          {asksField(asking, isJa4) && <TextField label={t.ja4Trial} {...bind('ja4')} />}
          <TextField
            label={t.time}
            type="datetime-local"
            slotProps={{ inputLabel: { shrink: true } }}
            {...bind('time')}
          />
        </Stack>
        {asksField(asking, isOfContent) && (
          <TextField
            label={t.body}
            multiline
            minRows={3}
            {...bind('body')}
            sx={{ gridColumn: '1 / -1', '& textarea': { fontFamily: monospace, fontSize: 13 } }}
          />
        )}
        {asksField(asking, isOfAnswer) && <AnswerFields bind={bind} />}
      </Box>
    </Box>
  );
}

type Bind = (name: keyof Described) => {
  size: 'small';
  value: string;
  onChange: (event: { target: { value: string } }) => void;
};

function AnswerFields({ bind }: { bind: Bind }) {
  const t = useText(conditionText);
  return (
    <>
      <TextField
        label={t.answerHeaders}
        multiline
        minRows={3}
        {...bind('answerHeaders')}
        sx={{ '& textarea': { fontFamily: monospace, fontSize: 13 } }}
      />
      <Stack sx={{ gap: 2 }}>
        <TextField label={t.fields.response_status} {...bind('answerStatus')} />
        <TextField select label={t.fields.response_cache} {...bind('answerCache')}>
          {answerCacheStates.map((state) => (
            <MenuItem key={state} value={state}>
              {state}
            </MenuItem>
          ))}
        </TextField>
        <TextField label={t.answerOriginMs} {...bind('answerOriginMs')} />
      </Stack>
    </>
  );
}

interface TrialResultProps {
  value: Condition;
  isWrong: boolean;
  request: Described;
}

function TrialResult({ value, isWrong, request }: TrialResultProps): ReactNode {
  const t = useText(conditionText);
  const [now] = useNow(1000);
  const asked = noteAskedData(value, { lists: {}, places: false });
  const lists = Object.keys(asked.lists);
  const robot = asked.robots === true;
  const isAsked = asked.places || robot || lists.length > 0;
  const { Address } = useConditionData();
  if (isWrong || !contentCondition.safeParse(value).success)
    return <Alert severity="info">{t.trialIncomplete}</Alert>;
  const at = request.time === '' ? now : new Date(request.time).getTime();
  const described = { ...request, time: Math.floor(at / 1000) };
  return (
    <Address ip={isAsked ? request.ip.trim() : undefined} lists={lists} robot={robot}>
      {(known) =>
        isAsked && known === undefined ? (
          <Alert severity="info">{t.trialWaiting}</Alert>
        ) : (
          <Answer trial={tryCondition(value, described, known)} />
        )
      }
    </Address>
  );
}

function Answer({ trial }: { trial: Trial | undefined }) {
  const t = useText(conditionText);
  if (trial === undefined) return <Alert severity="warning">{t.noUrl}</Alert>;
  const decider = trial.tests.find(({ isDecider }) => isDecider);
  return (
    <Stack sx={{ gap: 1 }}>
      <Alert severity={severities[trial.verdict]} role="status">
        <strong>{t.verdicts[trial.verdict as 'yes']}</strong>
        {decider !== undefined && <> · {t.decidedBy(decider.text)}</>}
      </Alert>
      {trial.tests.length > 1 && <Tests tests={trial.tests} />}
    </Stack>
  );
}

const severities = { yes: 'success', no: 'info', unsure: 'warning', unasked: 'info' } as const;
const colours = {
  yes: 'success',
  no: 'default',
  unsure: 'warning',
  unasked: 'default',
} as const satisfies Record<Outcome, string>;

function Tests({ tests }: Pick<Trial, 'tests'>) {
  const t = useText(conditionText);
  return (
    <Stack component="ul" sx={{ listStyle: 'none', m: 0, p: 0, gap: 0.5 }}>
      {tests.map(({ text, outcome }, index) => (
        <Stack
          component="li"
          key={index}
          direction="row"
          sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}
        >
          <Chip
            size="small"
            color={colours[outcome]}
            variant={outcome === 'unasked' ? 'outlined' : 'filled'}
            label={t.outcomes[outcome]}
          />
          <Typography
            component="code"
            dir="ltr"
            sx={{ fontFamily: monospace, fontSize: 13, overflowWrap: 'anywhere' }}
          >
            {text}
          </Typography>
        </Stack>
      ))}
    </Stack>
  );
}
