import { readExclusions, type DataExport } from '@breakwater/contract';
import { Typography } from '@mui/material';
import { useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/text.ts';
import { useDecisionName } from '../../domain/decision.ts';
import { formatDateTime } from '../../kit/format.ts';
import { to } from '../../kit/links.ts';
import { TextLink } from '../../kit/router-link.tsx';
import { dataExportText } from './data-export.text.ts';

type Filters = DataExport['filters'];

/** What an export was of, in words, and the search itself. */
export function ExportFilters({ filters }: { filters: Filters }) {
  const t = useText(dataExportText);
  const words = useFilterWords(filters);
  return (
    <>
      <TextLink target={to.accessLogs(filters)}>{words.length === 0 ? t.noFilters : t.search}</TextLink>
      {words.length > 0 && (
        <Typography variant="caption" component="span" sx={{ ml: 1, color: 'text.secondary' }}>
          {words.join(' · ')}
        </Typography>
      )}
    </>
  );
}

function useFilterWords({ start_time, end_time, exclude, ...others }: Filters): string[] {
  const t = useText(dataExportText);
  const language = useLanguage();
  const decisionName = useDecisionName();
  const at = (time: string | undefined) => formatDateTime(time, language) ?? '';
  // An export always has an end, so that it finds the same records however long it takes.
  const range = start_time ? t.between(at(start_time), at(end_time)) : t.until(at(end_time));
  // What is left is one field each, called as the search calls them.
  const values = Object.entries(others) as [keyof typeof others, string | number][];
  return [
    ...(end_time === undefined ? [] : [range]),
    ...values.map(([name, value]) => t.is(t.names[name], shownValue(name, value))),
    ...(readExclusions(exclude ?? '') ?? []).map(({ field, value }) => t.isNot(t.excluded[field], value)),
  ];

  function shownValue(name: keyof typeof others, value: string | number): string {
    if (name === 'refused') return t.refused[value as 'yes' | 'no'];
    return name === 'decision' ? decisionName(String(value)) : String(value);
  }
}
