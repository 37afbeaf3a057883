import type { AccessControl, Carrier, Language, Province } from '@breakwater/contract';
import { accessRuleText } from '../../../domain/access-rule.text.ts';
import { placesText } from '../../../domain/places.text.ts';
import { siteAccessText } from '../sections/access/access.text.ts';
import { siteCorsText } from '../sections/access/cors.text.ts';
import { siteLoginText } from '../sections/access/login.text.ts';
import { sitePlacesText } from '../sections/access/places.text.ts';
import { siteSignedLinksText } from '../sections/access/signed-links.text.ts';
import { group, wordMakers, type ListWords, type Names, type WordsOf } from './field.ts';
import { itemNames } from './names.ts';

/** Words of `access_control`: rules, signed links, basic authentication and CORS. */
export function accessFields(language: Language): WordsOf<AccessControl> {
  const { t, text, choice, values } = wordMakers(language);
  const l = siteAccessText[language];
  const login = siteLoginText[language];
  const links = siteSignedLinksText[language];
  return {
    rules: ruleWords(language),
    otherwise: choice(l.otherwise, accessRuleText[language].actions),
    deny: group('', {
      status: text(l.denyStatus),
      body: text(l.denyBody),
    } satisfies WordsOf<AccessControl['deny']>),
    signing: signingWords(language),
    signed_paths: values(t.within(links.title, links.only)),
    unsigned_paths: values(t.within(links.title, links.except)),
    basic_auth: loginWords(language),
    auth_paths: values(t.within(login.title, login.only)),
    open_paths: values(t.within(login.title, login.except)),
    cors: corsWords(language),
  };
}

function ruleWords(language: Language): ListWords {
  const { t, text, flag, choice, values, condition } = wordMakers(language);
  const l = siteAccessText[language];
  const places = sitePlacesText[language];
  const { provinceNames, carrierNames } = placesText[language];
  const countries = new Intl.DisplayNames([language], { type: 'region', fallback: 'code' });
  return {
    kind: 'list',
    item: t.items.rule,
    ...itemNames(language).accessRule,
    fields: {
      action: choice(l.action, accessRuleText[language].actions),
      note: text(l.note),
      addresses: values(l.addresses),
      address_lists: values(l.addressLists, (id: number, names: Names) => names.list(id)),
      countries: values(places.countries, (code: string) => countries.of(code) ?? code),
      provinces: values(places.provinces, (code: Province) => provinceNames[code]),
      carriers: values(places.carriers, (code: Carrier) => carrierNames[code]),
      agents: values(l.agents),
      empty_agent: flag(l.emptyAgent),
      methods: values(l.methods),
      only_paths: values(l.onlyPaths),
      except_paths: values(l.exceptPaths),
      condition: condition(),
      enabled: flag(l.enabled),
    } satisfies WordsOf<AccessControl['rules'][number]>,
  };
}

/** Signed links. That a secret was replaced is said; it is never shown. */
function signingWords(language: Language) {
  const { text, flag, seconds, secret } = wordMakers(language);
  const l = siteSignedLinksText[language];
  return group(l.title, {
    enabled: flag(l.enabled),
    type: text(l.type),
    secret: secret(l.secret),
    previous_secret: secret(l.previous),
    valid_seconds: seconds(l.valid),
    argument: text(l.argument),
  } satisfies WordsOf<AccessControl['signing']>);
}

function loginWords(language: Language) {
  const { t, text, flag, secret } = wordMakers(language);
  const l = siteLoginText[language];
  return group(l.title, {
    enabled: flag(l.enabled),
    realm: text(l.realm),
    users: {
      kind: 'list',
      item: t.items.user,
      ...itemNames(language).user,
      fields: {
        name: text(l.name),
        password: secret(l.password),
      } satisfies WordsOf<AccessControl['basic_auth']['users'][number]>,
    },
    pass_to_origin: flag(l.pass),
    tries: text(l.tries),
  } satisfies WordsOf<AccessControl['basic_auth']>);
}

function corsWords(language: Language) {
  const { flag, seconds, values } = wordMakers(language);
  const l = siteCorsText[language];
  return group(l.title, {
    enabled: flag(l.enabled),
    origins: values(l.origins),
    methods: values(l.methods),
    headers: values(l.headers),
    exposed_headers: values(l.exposed),
    credentials: flag(l.credentials),
    max_age_seconds: seconds(l.maxAge),
  } satisfies WordsOf<AccessControl['cors']>);
}
