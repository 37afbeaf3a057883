/**
 * What the control plane bears: one save until 100 and until 1,000 simulated agents have acknowledged it, what each acknowledgement
 * costs, a list of 100,000 sites against its bare SQL, and the longest pause of the event loop while the worst address list is
 * saved. The server is a process of its own with its own PostgreSQL.
 */
import { measureAcknowledgements } from './lib/control-agents.ts';
import { measureListPause } from './lib/control-list.ts';
import { measureList } from './lib/control-sites.ts';
import { printResult } from './lib/result.ts';
import { startServerProcess } from './lib/server-process.ts';

const [few, many] = [100, 1000];

const server = await startServerProcess();
try {
  const pause = await measureListPause(server);
  const one = await measureAcknowledgements(server, { nodes: few, saves: 8 });
  const other = await measureAcknowledgements(server, { nodes: many, saves: 4 });
  const list = await measureList(server);
  printResult(
    'control',
    {
      ack_1000_to_100: other.milliseconds / one.milliseconds,
      ack_cpu_1000_to_100: other.cpuMilliseconds / one.cpuMilliseconds,
      list_sites: list.call / list.bare,
    },
    {
      [`ack_ms_${few}`]: one.milliseconds,
      [`ack_ms_${many}`]: other.milliseconds,
      [`ack_cpu_ms_${few}`]: one.cpuMilliseconds,
      [`ack_cpu_ms_${many}`]: other.cpuMilliseconds,
      list_sites_per_second: list.call,
      pause_ms_list: pause,
    },
  );
} finally {
  await server.close();
}
