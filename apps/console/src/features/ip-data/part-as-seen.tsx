import type { IpDataPartInUse } from '@breakwater/contract';
import { Box } from '@mui/material';
import { useApi } from '../../api/query.ts';
import { NewsNotice, useSeen } from '../../frame/as-seen.tsx';
import { useText } from '../../i18n/text.ts';
import { Time } from '../../kit/time.tsx';
import { ipDataText } from './ip-data.text.ts';

/** A part whose file is to be replaced or given up, as it was seen. */
export function usePartAsSeen(inUse: IpDataPartInUse) {
  const { refetch } = useApi('getIpData', {});
  const versionOf = ({ file_id: id }: IpDataPartInUse) => id ?? 0;
  return useSeen(inUse, versionOf, async ({ part }) =>
    (await refetch()).data?.parts.find((each) => each.part === part),
  );
}

/** What somebody else has put in service for it meanwhile. */
export function PartNews({ inUse }: { inUse: IpDataPartInUse }) {
  const t = useText(ipDataText);
  return (
    <Box sx={{ my: 2 }}>
      <NewsNotice
        facts={[
          { label: t.source, value: t.sources[inUse.source] },
          { label: t.name, value: inUse.name },
          { label: t.fetchedAt, value: inUse.fetched_at && <Time at={inUse.fetched_at} /> },
          { label: t.attribution, value: inUse.attribution },
        ]}
      />
    </Box>
  );
}
