import { ipOrCidrList, money, portRanges, siteDomain } from '@breakwater/contract';
import { Alert, Button, Card, Stack } from '@mui/material';
import { useEffect, useState } from 'react';
import * as z from 'zod';
import { useText } from '../../i18n/text.ts';
import {
  DurationInput,
  MultiSelectInput,
  NumberInput,
  SelectInput,
  SwitchInput,
  TagsInput,
  TextInput,
} from '../../kit/fields/inputs.tsx';
import { BytesInput, MoneyInput } from '../../kit/fields/amount-inputs.tsx';
import { CodeInput } from '../../kit/fields/code-input.tsx';
import { DateTimeInput } from '../../kit/fields/date-time-input.tsx';
import { KeyValueInput } from '../../kit/fields/key-value-input.tsx';
import { DomainListInput, IpListInput, PortRangesInput } from '../../kit/fields/list-inputs.tsx';
import { OrderedListInput } from '../../kit/fields/ordered-list-input.tsx';
import { RemoteMultiSelect } from '../../kit/fields/remote-multi-select.tsx';
import { RemoteSelect } from '../../kit/fields/remote-select.tsx';
import { RichTextInput } from '../../kit/fields/rich-text-input.tsx';
import { SecretInput } from '../../kit/fields/secret-input.tsx';
import { useSchemaForm } from '../../kit/form/form.tsx';
import { sampleRows } from '../sample.ts';
import { Stories, Story, StoryGrid } from '../story.tsx';
import { storyText } from './story.text.ts';

const schema = z.object({
  text: z.string().trim().min(1),
  number: z.number().min(1).max(100),
  bytes: z.int().min(1024),
  money,
  duration: z.int().min(1),
  toggle: z.boolean(),
  choose: z.string(),
  several: z.array(z.int()).min(1),
  tags: z.array(z.string()).min(1),
  ips: ipOrCidrList,
  domains: z.array(siteDomain).min(1),
  ports: portRanges,
  headers: z.array(z.object({ name: z.string().min(1), value: z.string() })),
  origins: z.array(z.object({ address: z.string().min(1) })),
  at: z.iso.datetime(),
  node: z.int(),
  nodes: z.array(z.int()).min(1),
  secret: z.string().min(32).optional(),
  newSecret: z.string().min(32).optional(),
  json: z.string().min(2),
  note: z.string().min(1),
});
type Values = z.input<typeof schema>;

const good: Values = {
  text: 'www.example.com',
  number: 10,
  bytes: 2 * 1024 ** 3,
  money: 19_900,
  duration: 86_400,
  toggle: true,
  choose: 'a',
  several: [1, 3],
  tags: ['vip', 'beta'],
  ips: ['192.0.2.1', '10.0.0.0/8', '2001:db8::/32'],
  domains: ['www.example.com', '*.example.com'],
  ports: ['443', '8000-8100'],
  headers: [{ name: 'X-Frame-Options', value: 'DENY' }],
  origins: [{ address: '192.0.2.10' }, { address: '192.0.2.11' }, { address: 'origin.example.com' }],
  at: '2026-03-01T08:30:00.000Z',
  node: 3,
  nodes: [3],
  secret: undefined,
  newSecret: undefined,
  json: '{\n  "cache": true,\n  "ttl": 3600,\n  "name": "static"\n}',
  note: '<h2>Breakwater</h2><p>1.0 <strong>ok</strong> <a href="https://example.com">example.com</a></p><ul><li><p>HTTP/3</p></li></ul>',
};
const bad: Values = {
  ...good,
  choose: 'withdrawn',
  text: '',
  number: 1000,
  bytes: 10,
  duration: 0,
  several: [],
  nodes: [],
  at: '',
  tags: [],
  ips: ['192.0.2.1', '300.1.1.1'],
  domains: ['-bad-'],
  ports: ['443', '70000'],
  headers: [{ name: '', value: 'DENY' }],
  origins: [{ address: '' }],
  newSecret: 'short',
  json: '',
  note: '',
};

/** Answers after a moment, as a server does. */
async function readNodes(isAsked: (node: { id: number; name: string }) => boolean) {
  await new Promise((resolve) => setTimeout(resolve, 300));
  return sampleRows(200)
    .filter(isAsked)
    .slice(0, 20)
    .map(({ id, name }) => ({ value: id, label: name }));
}
const sampleNodes = {
  find: (query: string) => readNodes(({ name }) => name.includes(query)),
  named: (ids: readonly number[]) => readNodes(({ id }) => ids.includes(id)),
};

export function FieldsSection() {
  const t = useText(storyText);
  return (
    <Stories>
      <Fields values={good} />
      <Story title={t.wrong}>
        <Fields values={bad} checked />
      </Story>
      <Story title={t.locked}>
        <LockedFields />
      </Story>
    </Stories>
  );
}

function Fields({ values, checked = false }: { values: Values; checked?: boolean }) {
  const t = useText(storyText);
  const form = useSchemaForm(schema, values);
  const { control } = form;
  const [valid, setValid] = useState(false);
  const { handleSubmit } = form;
  const check = handleSubmit(
    () => setValid(true),
    () => setValid(false),
  );
  useEffect(() => {
    if (checked) void handleSubmit(() => undefined)();
  }, [checked, handleSubmit]);
  return (
    <Stack sx={{ gap: 3 }}>
      <FieldGroups form={form} />
      <Stack direction="row" sx={{ gap: 2, alignItems: 'center' }}>
        <Button variant="contained" onClick={() => void check()}>
          {t.validate}
        </Button>
        {valid && <Alert severity="success">{t.valid}</Alert>}
        <SwitchInput control={control} name="toggle" label={t.toggle} />
      </Stack>
    </Stack>
  );
}

function FieldGroups({
  form: { control },
}: {
  form: ReturnType<typeof useSchemaForm<Values, z.output<typeof schema>>>;
}) {
  const t = useText(storyText);
  const options = Object.entries(t.options);
  return (
    <StoryGrid min={360}>
      <Group title={t.amount}>
        <TextInput control={control} name="text" label={t.text} hint={t.textHint} />
        <NumberInput control={control} name="number" label={t.number} unit={t.unit} />
        <BytesInput control={control} name="bytes" label={t.bytes} />
        <MoneyInput control={control} name="money" label={t.money} />
        <DurationInput control={control} name="duration" label={t.duration} />
        <DateTimeInput control={control} name="at" label={t.at} />
      </Group>
      <Group title={t.lists}>
        <IpListInput control={control} name="ips" label={t.ips} rows={3} />
        <DomainListInput control={control} name="domains" label={t.domains} rows={2} />
        <PortRangesInput control={control} name="ports" label={t.ports} rows={2} />
        <TagsInput control={control} name="tags" label={t.tags} />
      </Group>
      <Group title={t.rows}>
        <KeyValueInput control={control} name="headers" label={t.headers} />
        <OrderedListInput control={control} name="origins" label={t.origins} blank={() => ({ address: '' })}>
          {(index) => <TextInput control={control} name={`origins.${index}.address`} label={t.address} />}
        </OrderedListInput>
      </Group>
      <Group title={t.choice}>
        <SelectInput
          control={control}
          name="choose"
          label={t.choose}
          options={options.map(([value, label]) => ({ value, label }))}
        />
        <MultiSelectInput
          control={control}
          name="several"
          label={t.several}
          options={options.map(([, label], index) => ({ value: index + 1, label }))}
        />
        <RemoteSelect control={control} name="node" label={t.node} choices={sampleNodes} />
        <RemoteMultiSelect control={control} name="nodes" label={t.nodes} choices={sampleNodes} />
        <SecretInput control={control} name="secret" label={t.secret} isSet />
        <SecretInput control={control} name="newSecret" label={t.newSecret} isSet={false} />
      </Group>
      <Group title={t.editors}>
        <CodeInput control={control} name="json" label={t.json} language="json" rows={6} />
        <RichTextInput control={control} name="note" label={t.note} />
      </Group>
    </StoryGrid>
  );
}

function Group({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Story title={title}>
      <Card sx={{ p: 3 }}>
        <Stack sx={{ gap: 2.5 }}>{children}</Stack>
      </Card>
    </Story>
  );
}

function LockedFields() {
  const t = useText(storyText);
  const { control } = useSchemaForm(schema, good);
  return (
    <StoryGrid min={360}>
      {([{ readOnly: true }, { disabled: true }] as const).map((lock) => (
        <Card key={t.lockedBy(lock)} component="section" aria-label={t.lockedBy(lock)} sx={{ p: 3 }}>
          <Stack sx={{ gap: 2.5 }}>
            <LockedAmounts control={control} lock={lock} />
            <IpListInput control={control} name="ips" label={t.ips} rows={3} {...lock} />
            <DomainListInput control={control} name="domains" label={t.domains} rows={2} {...lock} />
            <PortRangesInput control={control} name="ports" label={t.ports} rows={2} {...lock} />
            <TagsInput control={control} name="tags" label={t.tags} {...lock} />
            <KeyValueInput control={control} name="headers" label={t.headers} {...lock} />
            <OrderedListInput
              control={control}
              name="origins"
              label={t.origins}
              blank={() => ({ address: '' })}
              {...lock}
            >
              {(row) => (
                <TextInput control={control} name={`origins.${row}.address`} label={t.address} {...lock} />
              )}
            </OrderedListInput>
            <LockedChoices control={control} lock={lock} />
            <CodeInput control={control} name="json" label={t.json} language="json" rows={5} {...lock} />
            <RichTextInput control={control} name="note" label={t.note} {...lock} />
          </Stack>
        </Card>
      ))}
    </StoryGrid>
  );
}

type Lock = { readOnly: true } | { disabled: true };
interface LockedProps {
  control: ReturnType<typeof useSchemaForm<Values, z.output<typeof schema>>>['control'];
  lock: Lock;
}

function LockedAmounts({ control, lock }: LockedProps) {
  const t = useText(storyText);
  return (
    <>
      <TextInput control={control} name="text" label={t.text} {...lock} />
      <NumberInput control={control} name="number" label={t.number} unit={t.unit} {...lock} />
      <BytesInput control={control} name="bytes" label={t.bytes} {...lock} />
      <MoneyInput control={control} name="money" label={t.money} {...lock} />
      <DurationInput control={control} name="duration" label={t.duration} {...lock} />
      <DateTimeInput control={control} name="at" label={t.at} {...lock} />
      <SwitchInput control={control} name="toggle" label={t.toggle} {...lock} />
    </>
  );
}

function LockedChoices({ control, lock }: LockedProps) {
  const t = useText(storyText);
  const options = Object.entries(t.options);
  return (
    <>
      <SelectInput
        control={control}
        name="choose"
        label={t.choose}
        options={options.map(([value, label]) => ({ value, label }))}
        {...lock}
      />
      <MultiSelectInput
        control={control}
        name="several"
        label={t.several}
        options={options.map(([, label], index) => ({ value: index + 1, label }))}
        {...lock}
      />
      <RemoteSelect control={control} name="node" label={t.node} choices={sampleNodes} {...lock} />
      <RemoteMultiSelect control={control} name="nodes" label={t.nodes} choices={sampleNodes} {...lock} />
      <SecretInput control={control} name="secret" label={t.secret} isSet {...lock} />
    </>
  );
}
