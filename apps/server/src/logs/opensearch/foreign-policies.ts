import type { LogLifecycle } from '@breakwater/contract/log-store';
import { type Cluster, ClusterError, isForbidden } from './cluster.ts';
import type { Names } from './names.ts';
import type { Source } from './question.ts';

/**
 * Policies that the cluster itself carries out on indices of ours: Elasticsearch's index lifecycle management, OpenSearch's
 * index state management. They know nothing of sums, and delete what is not summed up.
 */

type ForeignPolicy = NonNullable<LogLifecycle['foreign_policies']>[number];

/** `GET /_ilm/policy/NAME` */
interface LifecyclePolicies {
  [name: string]: { policy: { phases?: { delete?: { min_age?: string; actions?: { delete?: object } } } } };
}
/** Of `GET /_plugins/_ism/explain/INDICES`; beside indices stands `total_managed_indices`. */
interface ManagedIndex {
  policy_id?: string | null;
  'index.plugins.index_state_management.policy_id'?: string | null;
  /** False: it was stopped. */
  enabled?: boolean | null;
  policy?: StatePolicy;
}
interface StatePolicy {
  states?: {
    name: string;
    actions?: Record<string, unknown>[];
    transitions?: { state_name: string; conditions?: { min_index_age?: string } }[];
  }[];
}

/** Null: we may not ask. */
export async function readForeignPolicies(source: Source): Promise<ForeignPolicy[] | null> {
  const root = await source.cluster.call<{ version: { distribution?: string } }>('GET', '/');
  return root.version.distribution === 'opensearch' ? statePolicies(source) : lifecyclePolicies(source);
}

async function lifecyclePolicies({ cluster, names }: Source): Promise<ForeignPolicy[] | null> {
  const explained = await askManager<{ indices?: Record<string, { policy?: string }> }>(
    cluster,
    `/${existing(names)}/_ilm/explain?only_managed=true`,
  );
  if (explained === null) return null;
  const managed = ours(names, explained.indices ?? {});
  return Promise.all(
    countBy(managed.map(({ policy }) => policy)).map(async ([name, indices]) => {
      const found = await askManager<LifecyclePolicies>(cluster, `/_ilm/policy/${encodeURIComponent(name)}`);
      const policy = found?.[name]?.policy;
      const phase = policy?.phases?.delete;
      const deletes = policy ? phase?.actions?.delete !== undefined : null;
      return { name, indices, deletes, deletes_after: (deletes && phase?.min_age) || '' };
    }),
  );
}

async function statePolicies({ cluster, names }: Source): Promise<ForeignPolicy[] | null> {
  const explained = await askManager<Record<string, ManagedIndex | number>>(
    cluster,
    `/_plugins/_ism/explain/${existing(names)}?show_policy=true`,
  );
  if (explained === null) return null;
  const managed = ours(names, explained).filter(
    (each): each is ManagedIndex => typeof each === 'object' && each.enabled !== false,
  );
  const nameOf = (each: ManagedIndex) =>
    each.policy_id ?? each['index.plugins.index_state_management.policy_id'] ?? undefined;
  return countBy(managed.map(nameOf)).map(([name, indices]) => ({
    name,
    indices,
    ...deletionOf(managed.find((each) => nameOf(each) === name)?.policy),
  }));
}

/** A state that deletes, and the age at which one goes over to it. */
function deletionOf(policy: StatePolicy | undefined): Pick<ForeignPolicy, 'deletes' | 'deletes_after'> {
  if (!policy?.states) return { deletes: null, deletes_after: '' };
  const last = policy.states.find(({ actions = [] }) => actions.some((action) => 'delete' in action));
  const way = policy.states
    .flatMap(({ transitions = [] }) => transitions)
    .find(({ state_name }) => state_name === last?.name);
  return { deletes: last !== undefined, deletes_after: way?.conditions?.min_index_age ?? '' };
}

/** A name without a star would have to be there. */
const existing = (names: Names): string => `${names.allRecords},${names.allFigures},${names.state}*`;
const ours = <Each>({ state }: Names, indices: Record<string, Each>): Each[] =>
  Object.entries(indices)
    .filter(([index]) => index === state || !index.startsWith(state))
    .map(([, each]) => each);

function countBy(names: readonly (string | undefined)[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const name of names) if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts];
}

/** Empty where the cluster has no such manager; null where we may not ask it. */
async function askManager<Answer extends object>(
  cluster: Cluster,
  path: string,
): Promise<Partial<Answer> | null> {
  try {
    return await cluster.call<Answer>('GET', path);
  } catch (error) {
    if (error instanceof ClusterError) return {};
    if (isForbidden(error)) return null;
    throw error;
  }
}
