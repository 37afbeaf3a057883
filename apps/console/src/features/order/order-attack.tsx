import type { Order } from '@breakwater/contract';
import { MenuItem, Stack, TextField } from '@mui/material';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { call } from '../../api/client.ts';
import { useText } from '../../i18n/text.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { to } from '../../kit/links.ts';
import { notify } from '../../kit/toast.ts';
import { orderText } from './order.text.ts';

interface OrderAttackProps {
  order: Order;
  onClose: () => void;
}

/** Ends emergency protection, in place of a time in seconds. */
const none = 'none';

/** Starts or ends emergency protection of all sites of an order. */
export function OrderAttack({ order, onClose }: OrderAttackProps) {
  const t = useText(orderText);
  const navigate = useNavigate();
  const change = useChange('changeSitesProtection');
  const [chosen, setChosen] = useState('3600');
  const start = async () => {
    // The sites as they are now: a batch wants to know how many are meant (`expected_total`).
    const filter = { order_id: String(order.id) };
    const { total } = await call('listSites', { query: { ...filter, page_size: 1 } });
    const value =
      // A field that is named and absent is inherited from then on, here: no emergency protection of the site's own.
      chosen === none ? {} : { attack_until: new Date(Date.now() + Number(chosen) * 1000).toISOString() };
    const sites = { filter, expected_total: total };
    const body = { sites, section: 'cc_guardian_rule' as const, value, fields: ['attack_until'] };
    const { id } = await change.mutateAsync({ body });
    notify.success(t.attackSent(total));
    await navigate(to.siteBatchDetail({ id }));
  };
  return (
    <Confirm
      title={t.attack}
      body={
        <Stack sx={{ gap: 2 }}>
          {chosen === none ? t.attackEndBody(order.site_count) : t.attackBody(order.site_count)}
          <TextField
            select
            size="small"
            label={t.attackTime}
            value={chosen}
            onChange={({ target }) => setChosen(target.value)}
          >
            {Object.entries({ ...t.attackTimes, [none]: t.attackNone }).map(([value, label]) => (
              <MenuItem key={value} value={value}>
                {label}
              </MenuItem>
            ))}
          </TextField>
        </Stack>
      }
      action={chosen === none ? t.attackEnd : t.attackStart}
      destructive={chosen !== none}
      onConfirm={start}
      onClose={onClose}
    />
  );
}
