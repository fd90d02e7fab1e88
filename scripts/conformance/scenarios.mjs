/** The suites, by the version of the package and the protocol revision that is asked for. */
export const SUITES = [
  { name: '0.1.16', package: 'conformance-stable', args: [], takes: () => true },
  {
    name: '0.2.0-alpha.12 · 2025-11-25 and older',
    package: 'conformance-next',
    args: [],
    takes: (revisions) => revisions.some((revision) => /^20/.test(revision) && revision !== '2026-07-28'),
  },
  {
    name: '0.2.0-alpha.12 · 2026-07-28',
    package: 'conformance-next',
    args: ['--spec-version', '2026-07-28'],
    takes: (revisions) => revisions.includes('2026-07-28') || revisions.includes('extension'),
  },
];

const NO_PERSON = 'a sign-in for programs without a person (an extension); the app has one';
const SKILLS = 'skills over MCP (an extension); the app has none';
const DPOP = 'tokens bound to a key (an extension); the app takes bearer tokens';
const COMPANY = 'grants handed out by a company’s identity provider (an extension); the app belongs to none';

/** Scenarios that have nothing to do with a client of this kind: they are not run. */
const NOT_APPLICABLE = new Map(
  Object.entries({
    'auth/client-credentials-jwt': NO_PERSON,
    'auth/client-credentials-basic': NO_PERSON,
    'auth/cross-app-access-complete-flow': COMPANY,
    'auth/enterprise-managed-authorization': COMPANY,
    'auth/wif-jwt-bearer': NO_PERSON,
    'auth/dpop': DPOP,
    'auth/dpop-nonce': DPOP,
    'sep-2640-client-no-prefetch': SKILLS,
    'sep-2640-client-verify-digest': SKILLS,
    'sep-2640-client-verify-size': SKILLS,
    'sep-2640-client-verify-frontmatter': SKILLS,
    '0.1.16 auth/2025-03-26-oauth-metadata-backcompat':
      'the suite’s own server names another issuer than its address, which must be refused; right, and run, in the newer one',
  }),
);

/** Why a scenario doesn't apply, by its name or by suite and name; undefined when it does. */
export const reasonAgainst = (suite, scenario) =>
  NOT_APPLICABLE.get(`${suite.name} ${scenario}`) ?? NOT_APPLICABLE.get(scenario);
