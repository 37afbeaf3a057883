import type { Places } from '../log-store.ts';
import type { Run } from './database.ts';

/** Addresses that were looked up stay at hand, as a table that batches are joined with. */

/** Beyond this the table is begun anew. */
const knownMax = 200_000;

const unknownAddresses = `
  CREATE TEMP TABLE IF NOT EXISTS known_place
    (address VARCHAR, country VARCHAR, province VARCHAR, carrier VARCHAR, asn BIGINT);
  SELECT DISTINCT remote_addr AS address, (SELECT count(*) FROM known_place) AS known FROM line
  WHERE remote_addr NOT IN (SELECT address FROM known_place)`;
const addPlaces = `
  INSERT INTO known_place SELECT unnest(from_json($places,
    '[{"address":"VARCHAR","country":"VARCHAR","province":"VARCHAR","carrier":"VARCHAR","asn":"BIGINT"}]'), max_depth := 2)`;

/** Says of every address of the table `line` where it is, in the table `known_place`. */
export async function learnPlaces(run: Run, places: Places | undefined): Promise<void> {
  if (await places?.refresh(Date.now())) await run('DROP TABLE IF EXISTS known_place');
  let unknown = await run(unknownAddresses);
  if (!places || unknown.length === 0) return;
  if (Number(unknown[0]?.known) > knownMax) {
    await run('DELETE FROM known_place');
    unknown = await run(unknownAddresses);
  }
  const learnt = unknown.map(({ address }) => ({ address, ...places.placeOf(String(address)) }));
  await run(addPlaces, { places: JSON.stringify(learnt) });
}
