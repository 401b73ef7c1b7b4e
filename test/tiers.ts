/** The files of tests that `npm test` leaves to `npm run test:all` and `npm run test:soak`; all others prove the product there. */

/** Files under `test/`, and in the same folders of each option. */
const inBoth = (files: string): string[] => [`test/${files}`, `options/*/test/${files}`]

/** Long plays and tests that wait in real time: `npm run test:soak` runs them. */
export const soak = inBoth('**/*.soak.ts')

/** One that says how soon killed processes are gone, which is true of a machine without other work: it runs after the others. */
export const alone = ['test/local/kill.soak.ts']

/**
 * Tests of our own tools and examples, which no shop runs, of bundles, which take as long as a hundred other files, and
 * random plays of stocks and settings that have tests of their own: `npm run test:all` adds them.
 */
export const tools = [
  ...inBoth('{local,proof,mutants,examples}/**/*.test.ts'),
  'test/checks.test.ts',
  // Several databases and gates, systems that are started again, and what leaves the shop after an order.
  'test/journey/{changed-answers,databases,gate,growth,mail}.test.ts',
  'options/*/test/journey/*.test.ts',
  'test/{functions/bundles,static/build,core/stock/escrow.model,functions/settings/settings}.test.ts',
]

/** What is deployed, once the functions themselves are known to work: `npm run test:all` adds it. */
export const templates = inBoth('infra/*.test.ts')

/**
 * What a browser shows to others than shoppers who buy, how every state of the pages looks, visits in a second language, and
 * whole systems under the command line, the client and the elements: `npm run test:all` adds them. A page takes ten times as
 * long as the same rule in a function.
 */
export const pages = [
  'test/browser/{console-*,customer,elements,files,languages,order-pages,requests,rewards,services,small-screens,turns,variants}.test.ts',
  'options/*/test/browser/*.test.ts',
  ...['test/browser/tour/*.test.ts'],
  'test/cli/{sale,smoke}/whole-system.test.ts',
  'test/journey/{client,customers,embed,http-api-doc}.test.ts',
]
