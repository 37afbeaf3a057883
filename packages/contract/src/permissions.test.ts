import { describe, expect, it } from 'vitest';
import type { RouteSpec } from './define.ts';
import { routes } from './index.ts';
import { permissionText } from './permissions.text.ts';
import {
  adminPermissions,
  allows,
  builtinGroups,
  permissions,
  shippedPermissions,
  userPermissions,
  type BuiltinGroup,
  type Permission,
} from './permissions.ts';
import { screens } from './screens.ts';

const specs = Object.entries(routes) as [string, RouteSpec][];
const used = [
  ...specs.map(([, { access }]) => access),
  ...Object.values(screens).map(({ access }) => access),
];

describe('the catalogue', () => {
  it('has nothing that no route asks for', () => {
    const named = new Set(used.flatMap((access) => ('permission' in access ? [access.permission] : [])));
    expect(Object.keys(permissions).filter((name) => !named.has(name as Permission))).toEqual([]);
  });

  it('gives the owner everything that administrators can hold', () => {
    expect(shippedPermissions('owner')).toEqual(adminPermissions);
  });

  it('keeps a subject together, with what shows it first', () => {
    const subjects = adminPermissions.map((name) => name.split('.')[0]!);
    const runs = subjects.filter((subject, index) => subject !== subjects[index - 1]);
    expect(runs).toEqual([...new Set(subjects)]);
    for (const subject of runs) expect(adminPermissions).toContain(`${subject}.read`);
  });

  it('has a title for each, in both languages', () => {
    for (const { permissions: titles } of Object.values(permissionText))
      expect(Object.keys(titles)).toEqual(Object.keys(permissions));
  });
});

describe('who may come in', () => {
  const holder = (role: 'admin' | 'user', ...held: Permission[]) => ({ role, permissions: new Set(held) });

  it('asks for the permission, and for the right console', () => {
    const area = { kind: 'admin', permission: 'area.write' } as const;
    expect(allows(area, holder('admin', 'area.write'))).toBe(true);
    expect(allows(area, holder('admin', 'area.read'))).toBe(false);
    expect(allows(area, holder('user', 'area.write'))).toBe(false);
    const site = { kind: 'both', permission: 'site.write' } as const;
    expect(allows(site, holder('user', 'site.write'))).toBe(true);
    expect(allows(site, holder('user'))).toBe(false);
    expect(allows({ kind: 'user', permission: 'site.read' }, holder('admin', 'site.read'))).toBe(false);
    expect(allows({ kind: 'signed_in' }, holder('user'))).toBe(true);
    expect(allows({ kind: 'node' }, holder('admin', ...adminPermissions))).toBe(false);
  });

  it('is nobody who is limited to sites, where it is of the platform, of a customer as a whole, or new', () => {
    const limited = (role: 'admin' | 'user') => ({
      role,
      permissions: new Set<Permission>([...adminPermissions, ...userPermissions]),
      limited: true,
    });
    const of = (name: keyof typeof routes) => routes[name].access;
    for (const role of ['admin', 'user'] as const) {
      for (const name of [
        'getSite',
        'updateCacheRule',
        'removeSite',
        'readMonitor',
        'monitorMetric',
        'listAccessLogs',
      ] as const)
        expect(allows(of(name), limited(role)), name).toBe(true);
      for (const name of [
        'createSite',
        'importNewSite',
        'createSiteBatch',
        'removeSites',
        'listCertificates',
      ] as const)
        expect(allows(of(name), limited(role)), name).toBe(false);
      for (const name of ['listTags', 'createMember', 'listOrders', 'listNodes', 'forceSiteSync'] as const)
        expect(allows(of(name), limited(role)), name).toBe(false);
    }
    expect(allows({ kind: 'user', permission: 'member.read' }, limited('user'))).toBe(false);
    expect(allows({ kind: 'signed_in' }, limited('user'))).toBe(true);
  });

  it('is every customer, on each route that is for customers', () => {
    const customer = holder('user', ...userPermissions);
    for (const [name, { access }] of specs)
      if (access.kind === 'both' || access.kind === 'user') expect(allows(access, customer), name).toBe(true);
  });
});

/**
 * Who could call what when groups were five names in the code. Since then only this has changed: support sets no
 * customer's password.
 */
const rightsOfOld: [readonly BuiltinGroup[], string][] = [
  [
    builtinGroups,
    `currentAccount listOrders getOrder listSites exportSites getSite getSiteDelivery listSiteRevisions
     getOriginServerConfig getBackendHealthCheck getCacheRule getSpeedOptimize getCertificateSettings
     getAdvancedConfig getListenPort getSiteSecurity getRealIp getAccessControl getAccessAbove getBlockReferer
     getContentRewrite listOriginHealth listOriginHealthEvents getSiteCname getSiteDnsCheck listSiteDomains
     getSiteTips getSiteAddressTest explainSite explainLoggedRequest getSitePortRange listCertificates
     compareSiteVersions exportSite listSiteBatches getSiteBatch listSiteBatchLines exportFailedBatchLines
     listAddressLists getAddressList lookUpAddress listTags readMonitor monitorMetric monitorSummary rankUrls rankHosts
     rankReferers rankAddresses rankUserAgents rankStatuses rankMethods rankCacheStates rankRefusals
     rankRefusalKinds rankSites rankNodes rankCountries rankProvinces rankCarriers listUsage listRefusedRequests
     listAccessLogs listSiteRejects listSiteViolations getSiteViolationStats watchLive searchAccessLogs
     tailAccessLogs search getMenu listAreas getArea listNodes getNode listNodeIps getNodeResources
     listLineGroups getLineGroup listLineGroupNodes listClients getClient listProducts getProduct
     getSitePortSetting getSiteLevel getSiteLevelSection listSiteLevelRevisions getIpData getSystemInfo
     listTasks getTask listSubTasks listOperationLogs getLogPolicy getLogShipping getLogShippingNodes getSettings
     listDataExports getLogPrivacy getLogStoreInfo listLogIndices getLogStoreConnection getSiteSetting getWafSetting`,
  ],
  [['owner'], 'updateLogShipping updateConsoleSetting updateSiteSetting'],
  [
    ['owner', 'operator', 'support'],
    `createClient updateClient createOrder updateOrderNotes forceSiteSync syncSites createDataExport
     downloadDataExport removeDataExport createSiteRejects releaseSiteRejects releaseAllSiteRejects`,
  ],
  [
    ['owner', 'operator'],
    `createArea updateArea removeArea createNode updateNode removeNode renewNodeCredentials bindNodeLineGroups
     createNodeIp updateNodeIp removeNodeIp createLineGroup updateLineGroup removeLineGroup bindNodes removeClient
     createProduct updateProduct removeProduct changeOrderLineGroup removeOrder removeSiteForced grantDomain
     updateSitePortSetting updateSiteLevelSection previewSiteLevelSection previewSiteLevelRollback rollbackSiteLevel
     removeSitesForced uploadIpFile fetchIpFile useIpFile refreshIpFile removeIpFile updateLogPolicy testLogShipping
     updateLogPrivacy updateWafSetting testLogStore createSite updateSiteDomains updateSiteStatus removeSite rollbackSite
     updateOriginServerConfig updateBackendHealthCheck updateCacheRule updateSpeedOptimize updateCertificateSettings
     updateAdvancedConfig updateListenPort updateSiteSecurity updateRealIp updateAccessControl updateBlockReferer
     updateContentRewrite checkSiteDns checkDomains createCertificate removeCertificate copySiteSection
     previewSiteImport importSite importNewSite createSiteBatch changeSitesSection changeSitesStatus removeSites
     retrySiteBatch readSiteDrafts importSiteDrafts createAddressList updateAddressList refreshAddressList
     removeAddressList createTag updateTag removeTag tagSites`,
  ],
  [['owner', 'operator'], 'changeClientPassword'],
];
const groupsOf = new Map(
  rightsOfOld.flatMap(([groups, names]) => names.split(/\s+/).map((name) => [name, groups] as const)),
);

describe('the shipped groups', () => {
  it('leave administrators to the owner', () => {
    for (const group of builtinGroups)
      expect(shippedPermissions(group).some((name) => name.startsWith('admin_user.'))).toBe(
        group === 'owner',
      );
  });

  it('may do what they could before they became rows', () => {
    for (const [name, { access }] of specs) {
      if (!groupsOf.has(name)) continue;
      const may = builtinGroups.filter((group) =>
        allows(access, { role: 'admin', permissions: new Set(shippedPermissions(group)) }),
      );
      expect(may, name).toEqual(groupsOf.get(name));
    }
  });
});
