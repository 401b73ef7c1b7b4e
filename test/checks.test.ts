/**
 * Each check of `npm run check` finds what it is for. A row of a table is a fault: its name, the text
 * that is replaced, the faulty one (⏎ is a line break), and a part of each line that is then printed.
 */
import { describe, expect, it } from 'vitest'
import { checkArchitecture, checkNames } from '../checks/architecture.ts'
import { budgetNames, checkBudgets } from '../checks/budgets.ts'
import { checkDialects } from '../checks/dialects.ts'
import { checkHttpApi } from '../checks/http-api.ts'
import { checkLocks } from '../checks/locks.ts'
import { checkCatalogues } from '../checks/messages.ts'
import { checkClick, checkPages, checkReadme } from '../checks/pages.ts'
import { checkProse } from '../checks/prose.ts'
import { checkRules } from '../checks/rules.ts'
import { checkRunbook } from '../checks/runbook.ts'
import { checkScripts } from '../checks/scripts.ts'
import { type Finding, printed, repository, type Tree } from '../checks/tree.ts'
import { checkWorkflows } from '../checks/workflows.ts'

/** The repository with other texts in some files. */
function withTexts(texts: Readonly<Record<string, string>>): Tree {
  return {
    all: () => [...new Set([...repository.all(), ...Object.keys(texts)])],
    list: (folder) => {
      const added = Object.keys(texts).filter((file) => file.startsWith(`${folder}/`))
      return [...new Set([...repository.list(folder), ...added])].toSorted()
    },
    text: (file) => texts[file] ?? repository.text(file),
  }
}

type Fault = { name: string; texts: Record<string, string>; lines: string[] }

const cellsOf = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((row) => row.split(/ →(?= |$)/).map((cell) => cell.trim().replaceAll('⏎', '\n')))

/** Faults in a real file: name → text → faulty text → printed lines. */
function changes(file: string, table: string): Fault[] {
  const text = repository.text(file)
  return cellsOf(table).map(([name = '', from = '', to = '', ...lines]) => {
    if (!text.includes(from)) throw new Error(`${file} does not contain ${from}`)
    return { name, texts: { [file]: text.replace(from, to) }, lines }
  })
}

/** Faults as new files: name → file → its text → printed lines. */
const additions = (table: string): Fault[] =>
  cellsOf(table).map(([name = '', file = '', text = '', ...lines]) => ({ name, texts: { [file]: text }, lines }))

function finds(check: (tree: Tree) => Finding[] | Promise<Finding[]>, faults: readonly Fault[]): void {
  it('finds nothing in the repository', async () => {
    expect((await check(repository)).map(printed)).toEqual([])
  })

  it.each(faults)('finds $name', async ({ texts, lines }) => {
    const found = (await check(withTexts(texts))).map(printed)
    for (const line of lines) expect(found).toContainEqual(expect.stringContaining(line))
    expect(found, found.join('\n')).toHaveLength(lines.length)
  })
}

const imports = `
  redis in core → core/x.ts → '../redis/keys.ts'
  functions in redis → redis/x.ts → '../functions/lib/env.ts'
  functions in the edge → edge/x.ts → '../functions/lib/env.ts'
  the edge in functions → functions/lib/x.ts → '../../edge/config.ts'
  a page in functions → functions/lib/x.ts → '../../static/buy/button.ts'
  a module of pages in templates → templates/pages/x.ts → '../../web/dom.ts'
  a template in web → web/x.ts → '../templates/pages/html.ts'
  a template in a script of shoppers → static/sale/x.ts → '../../templates/pages/html.ts'
  the console in a page → static/x.ts → '../console/api.ts'
  a page in the console → console/list/x.ts → '../../static/buy/button.ts'
  a page in the console of an option → options/raffle/console/x.ts → '../../../static/buy/button.ts'
  redis in a page → static/x.ts → '../redis/keys.ts'
  redis in system → system/x.ts → '../redis/keys.ts'
  local in cli → cli/x.ts → '../local/listen.ts'
  local in infra → infra/x.ts → '../local/listen.ts'
  infra in local → local/x.ts → '../infra/app.ts'
  a package in core → core/x.ts → 'zod'
  a package in system → system/x.ts → 'hono'
  a package for development → edge/x.ts → 'fast-check'
  a package for development in the local system → local/x.ts → 'fast-check'
  a room of functions above → functions/lib/x.ts → '../orders/settle.ts'
  a handler → functions/entries/x.ts → './reserve.handler.ts'
  an adapter in a module → functions/buy/x.ts → '../entries/connect.ts'
  the stock at the edge (S17) → edge/x.ts → '../redis/buy/reserve.ts'
  a lock beside functions/lib/lock.ts (K2) → redis/x.ts → './lock.ts'
  redis in the core of an option → options/raffle/core/x.ts → '../../../redis/keys.ts'
  an adapter in a module of an option → options/raffle/functions/x.ts → '../../../functions/entries/connect.ts'
  an option in another one → options/raffle/core/x.ts → '../../lottery/core/rules.ts'
  a list in an option → options/raffle/core/x.ts → '../../lists/core/fields.ts'
  tests of an option → core/x.ts → '../options/raffle/test/core/tampering.ts'
`

describe('the check of the architecture (K2, K3, S17, S20)', () => {
  finds(checkArchitecture, [
    ...cellsOf(imports).map(([name = '', file = '', from = ''], at) => {
      const isBoth = /^(?:an adapter|tests)/.test(name)
      const line = `${file}:3: imports `
      const texts = { [file]: `/* one */\n\nimport { one } from ${from}` }
      return { name: `${name} (import ${at})`, texts, lines: isBoth ? [line, line] : [line] }
    }),
    ...additions(`
      a room of functions without a place → functions/raffle/x.ts → → functions/raffle:1: has no place
      another Redis client (S20) → functions/lib/x.ts → new Redis({}) → functions/lib/x.ts:1: makes a Redis client
      a connection to Redis (S20) → redis/x.ts → ⏎connectRedis(one) → redis/x.ts:2: connects to Redis
      a connection to the gate’s store (S20) → redis/x.ts → connectRest(one) → redis/x.ts:1: connects to the gate’s store
      a connection outside of a handler (S20) → redis/x.ts → connectStock() → redis/x.ts:1: connects outside of a handler
      a lock elsewhere (K3, K7) → redis/x.ts → exec(['SET', key, id, 'NX']) → redis/x.ts:1: sets a key that must not exist
      a lock that is taken elsewhere (K7) → redis/x.ts → await takeLock() → redis/x.ts:1: takes a lock by itself
      the environment in a module → core/x.ts → // one⏎process.env.HOME → core/x.ts:2: reads the environment
      a client in a module → functions/buy/x.ts → new S3Client({}) → functions/buy/x.ts:1: makes a client
      a request without a name → edge/x.ts → await fetch(url) → edge/x.ts:1: sends requests without a User-Agent
      a store in a module → functions/orders/x.ts → dynamoOrderBook(table) → functions/orders/x.ts:1: makes a store
    `),
    ...changes(
      'redis/gate/used-challenges.ts',
      "a place that moved → 'NX' → 'XX' → redis/gate/used-challenges.ts:1: no longer matches",
    ),
    ...changes(
      'functions/table/keys.ts',
      'a client in what describes the cloud → export → new DynamoDBClient()⏎export → is loaded by infra/ or system/',
    ),
  ])
})

describe('the check of locks (K3, K7)', () => {
  const way = 'uses a lock on the way of a click'
  finds(checkLocks, [
    ...changes(
      'redis/stock/shard-demand.lua',
      "a lock in a script (K3) → call('H → call('SET', keys[1], 1)⏎call('H → sets a plain key",
    ),
    ...changes(
      'redis/buy/reserve.lua',
      `a lock in the script of a click (K7) → call('H → call('HSET', lock)⏎call('H → ${way}`,
    ),
    ...changes(
      'functions/entries/reserve.handler.ts',
      `a module of locks on the way of a click (K7) → import → import { a } from '../lib/lock.ts'⏎import → functions/lib/lock.ts:1: ${way} → redis/lock.ts:1: ${way} → functions/entries/reserve.handler.ts:`,
    ),
  ])
})

describe('the check of names', () => {
  finds(
    checkNames,
    additions(
      'a second one → system/x.ts → // one⏎export const settingNames = [] → system/x.ts:2: exports settingNames, as core/sale/settings.ts does',
    ),
  )
})

describe('the check of Redis scripts', () => {
  finds(
    checkScripts,
    changes(
      'redis/stock/shard-demand.lua',
      `
      a script that locks all keys → #!lua flags=allow-key-locking → #!lua → shard-demand.lua:1: locks every key
      a header without a purpose → shard-demand: → shard-demands: → shard-demand.lua:2: has no sentence of purpose
      a key that is not documented → call('H → call('DEL', keys[9])⏎call('H → and uses 1,9;
      an argument out of order → ARGV[1] → ARGV[3] → documents KEYS and ARGV out of order
      a key that Redis does not know of → call('H → call('GET', other)⏎call('H → does not declare: 'GET', other
      a field that is not documented → call('H → call('HGET', keys[1], 'nowhere')⏎call('H → uses the field nowhere
      a code that is not documented → return { → return {77, 0}, { → documents the codes 1,2 and replies
      chance → call('H → math.random()⏎call('H → reads the clock or draws
      `,
    ),
  )
})

describe('the check of docs/reference/http-api.md', () => {
  finds(
    checkHttpApi,
    changes(
      'docs/reference/http-api.md',
      `
      a setting without a row → | \`limitPerShopper\` | → | \`limit\` | → has no row for the setting limitPerShopper
      a wrong lock → | all | no | → | all | yes | → says "yes" of changing saleId
      wrong kinds → | all | no | → | goods | no | → says "goods" of saleId
      a wrong bound → at most 120 characters | all → at most 99 characters | all → lacks the upper bound of title
      a wrong role → | \`POST /sales/:saleId/shipments\`, → | \`POST /pause\`, \`POST /sales/:saleId/shipments\`, → gives POST /pause to marketer, support
      a call without a row → \`POST /pause\`, → \`POST /stop\`, → gives POST /pause to no row → gives POST /stop to marketer
      a call that is no operation → | \`GET /api/wallet\` | → | \`GET /api/purse\` | → does not name GET /api/wallet → names GET /api/purse
      a code with a wrong status → | \`sign-in-required\` | 401 | → | \`sign-in-required\` | 403 | → lacks sign-in-required with the status 401
      `,
    ),
  )
})

describe('the check of docs/reference/dialects.md (S6)', () => {
  finds(
    checkDialects,
    changes(
      'docs/reference/dialects.md',
      `
      an unknown kind → \`error\` | 5 | \`reserved\` → \`error\` | 5 | \`taken\` → has an unknown kind, taken
      a wrong status → \`reserved\` | 202 | 8 | → \`reserved\` | 200 | 8 | → has the status 200; write 202
      an answer with two meanings and no mark → ≠ 0, first meaning → – → 0 means
      a stock that changes without a mark → ≠ the 80 are gone → – → changes the stock for sold-out
      `,
    ),
  )
})

describe('the check of messages', () => {
  finds(
    checkCatalogues,
    additions("a key that no page has → static/x.ts → ⏎say('shop.nowhere') → static/x.ts:2: asks for shop.nowhere"),
  )

  it('finds a text that no page shows', () => {
    const shown = { 'static/x.ts': "say('sale.pay')" }
    const pages = { sale: { 'sale.pay': 'sale.pay', 'sale.more': 'sale.more' } }
    const found = checkCatalogues(withTexts(shown), pages).map(printed)
    expect(found.filter((one) => one.includes(' of sale'))).toEqual([
      expect.stringContaining('sale.more of sale is shown nowhere'),
    ])
  })
})

describe('the check of pages', () => {
  finds(checkPages, [
    ...additions(`
      a link to no file → docs/x.md → See [a](a.md). → docs/x.md:1: links to docs/a.md;
      a link to no section → docs/x.md → # X⏎[a](#y) [b](#x) [c](../LICENSE) [d](../edge) → docs/x.md:2: links to docs/x.md#y;
      a link to no section of another page → docs/x.md → [a](reference/glossary.md#nowhere) → docs/x.md:1: links to docs/reference/glossary.md#nowhere;
      a row that an empty line cuts off → docs/x.md → | a |⏎|---|⏎⏎| b | → docs/x.md:4: is a row without a header
      a row with another number of cells → docs/x.md → | a | b |⏎|---|---|⏎| 1\\|2 | 3 |⏎| 4 | → docs/x.md:4: has 1 cells; its table has 2
      a file that is gone → docs/x.md → \`core/x.ts\` and \`test/contract/cap.test.ts\` → docs/x.md:1: names core/x.ts; → docs/x.md:1: names test/contract/cap.test.ts;
      a file without its path that is gone → docs/x.md → \`../x.ts\` beside \`money.ts\` → docs/x.md:1: names x.ts;
      a file in a comment that is gone → core/x.ts → // lib/gone.ts, core/checks.ts, lib/text.ts, sale.js⏎const a = 'core/gone.ts' → core/x.ts:1: names lib/gone.ts; → core/x.ts:1: names core/checks.ts;
      a file in a comment of a script that is gone → redis/x.lua → --[[⏎  restore.lua⏎  gone.lua⏎]]⏎return {'none.lua'} -- last.lua → redis/x.lua:3: names gone.lua; → redis/x.lua:5: names last.lua;
      a name that its file lacks → docs/x.md → \`openCap\` of \`functions/table/stock/cap-item.ts\`, \`core/money.ts\` (\`Purse\`) → docs/x.md:1: names Purse of core/money.ts;
      a script that is gone → docs/x.md → \`npm run takeoff\`, \`npm run constructor\`, \`npm run --silent sale\` → docs/x.md:1: names npm run takeoff; → docs/x.md:1: names npm run constructor;
      a command without a test → docs/x.md → \`npm test test/redis\`⏎\`npx vitest run test/core/escrow\` → docs/x.md:2: runs test/core/escrow;
      no link in code → docs/x.md → \`\`\`⏎[a](a.md)⏎| a |⏎# X⏎\`\`\`
    `),
  ])
})

describe('the check of the page of a click', () => {
  const [shown = ''] = /[\d,]+(?= lines of code)/.exec(repository.text('docs/guide/a-click.md')) ?? []
  const sum = shown.replace(',', '')
  finds(
    checkClick,
    changes(
      'docs/guide/a-click.md',
      `
      a row with another count → (../../client/request-purchase.ts) | 35 | → (../../client/request-purchase.ts) | 36 | → a-click.md:12: counts the lines of client/request-purchase.ts; it has 35
      another sum → ${shown} lines → 1 lines → a-click.md:3: counts all lines of its files; they have ${sum}
      `,
    ),
  )
})

describe('the check of README.zh-CN.md', () => {
  finds(
    checkReadme,
    changes(
      'README.zh-CN.md',
      `
      a heading of another level → ## 部署 → ### 部署 → has another heading at place 7 than README.md
      other code → npm test  → npm run check  → README.zh-CN.md:17: has another code at place 1
      a row that is missing → | SQS | 传递订单消息；故障期间消息留在 Redis 中，稍后补发 |⏎ → → README.zh-CN.md:31: has another table at place 2
      an item that is missing → - **迟到的付款全额退回。** → **迟到的付款全额退回。** → has another item of a list at place 8
      another picture → images/order-phone → images/open-phone → README.zh-CN.md:11: has another picture at place 2
      a link to another page → (docs/how-to/client.md) → (docs/how-to/mail.md) → has another link at place
      another comment in code, which is no fault → # 约五分钟 → # 大约五分钟
      `,
    ),
  )
})

describe('the check of the runbooks', () => {
  finds(checkRunbook, [
    ...changes(
      'docs/how-to/runbooks.md',
      `
      a section without an alarm → ### Unavailable⏎ → ### Down⏎⏎### Unavailable⏎ → down is out of place; the next section is unavailable → down has no **Rehearse**
      an alarm without a row of the table → | [slow](#slow) | → | slow | → the next row of the table of alarms is slow
      a line that no code writes → message = " → message = "never written;  → queries logs for "never written;
      a section that cannot be rehearsed → - **Rehearse**: \`inject redis $db down → - **Practise**: \`inject redis $db down → unavailable has no **Rehearse**
      an unknown fault → inject sqs down → inject sqs freeze → injects "freeze"
      `,
    ),
    ...changes(
      'docs/how-to/incidents.md',
      `
      an unknown command → \`sale pause → \`sale halt → names \`sale halt\`
      an unknown option → \`sale pause → \`sale pause --softly → names \`sale pause --softly\`
      an incident that cannot be rehearsed → **Rehearse**: \`buy ann; sleep → **Practise**: \`buy ann; sleep → payment-provider-down has no **Rehearse**
      `,
    ),
    ...changes(
      'docs/how-to/operations.md',
      `
      a change that cannot be rehearsed → **Rehearse**: \`npm run deploy -- --check → **Practise**: \`npm run deploy -- --check → deployments has no **Rehearse**
      a sale that starts before its preflight → ### Preflight → ### Take-off → starts a sale before its preflight
      `,
    ),
  ])
})

const ofCi = `
  what GitHub refuses → run: .ci/run → run: .ci/run⏎        wit: 1 → Unexpected value 'wit'
  an expression that GitHub refuses → github.ref }} → github.ref + }} → Unexpected symbol: '+'
  an action by its tag → @3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1 → @v7 → ci.yml:25: uses actions/checkout@v7; → deploy.yml: → soak.yml: → stage.yml: → stage.yml:
  a secret → run: .ci/run → run: .ci/run⏎        env:⏎          A: \${{ secrets.A }} → uses a secret
  rights for all jobs → permissions: {} → permissions:⏎  contents: read → has rights for every job
  a right to write → contents: read → contents: write → test has other rights than to read
  a role outside of a stage → contents: read → contents: read⏎      id-token: write → test has the wrong id-token
  no timeout → timeout-minutes: 45 → name: tests → test has no timeout
  credentials in a checkout → persist-credentials: false → fetch-depth: 1 → leaves credentials in its checkout
  an outside value in a script → run: .ci/run → run: .ci/run \${{ github.ref }} → inserts an outside value → does not run .ci/run
`
const ofDeploy = `
  a deployment without tests → needs: test → needs: [] → deploys without tests
  other tests before it → workflows/ci.yml → workflows/stage.yml → deploys without tests → test has the wrong id-token
  a deployment of other branches → if: github.ref == 'refs/heads/main' && → if: → deploys dev without the branch
  a deployment that was not switched on →  && vars.DEPLOY == 'on' → → deploys dev without the branch
  a stage without its difference → needs: small-diff → needs: dev → deploys small though
  prod with the role of dev → environment: prod⏎ → environment: dev⏎ → has another role or approval for prod
  a description without its commit → COMMIT: \${{ github.sha }} → COMMIT: main → describes without the commit
`
const ofStage = `
  another environment → environment: \${{ inputs.environment }} → environment: prod → has another environment
  a deployment without its description → npx cdk deploy --app cdk.out → npx cdk deploy → runs cdk without a description
  a second description → --check --stage → synth --stage → describes the stage again
  scripts of packages beside a role → npm ci --ignore-scripts → npm ci → runs scripts of packages
  a rollback that never runs → steps.smoke.outcome == 'failure') → steps.smoke.outcome == 'skipped') → does not roll back when it must
  a deployment that may last until its job is cancelled → timeout-minutes: 40 → continue-on-error: false → may be cancelled
  steps that take longer than their job → timeout-minutes: 120 → timeout-minutes: 110 → may be cancelled
  a rollback that is described too late → needs: previous → needs: [] → does not describe the commit that runs
`

describe('the check of workflows', () => {
  finds(checkWorkflows, [
    ...changes('.github/workflows/ci.yml', ofCi),
    ...changes('.github/workflows/deploy.yml', ofDeploy),
    ...changes('.github/workflows/stage.yml', ofStage),
    ...changes('.ci/run', 'a check that CI leaves out → npm run check⏎ → ⏎ → .ci/run:'),
  ])
})

// Ids are put together here, so that these samples are not taken for citations themselves.
const id = (letter: string, number: number) => `${letter}${number}`
const [none, order, bench, peaks] = [id('O', 99), id('O', 4), id('S', 12), id('L', 4)]

describe('the check of rules', () => {
  finds(checkRules, [
    ...additions(`
      a rule that does not exist → test/x.test.ts → ⏎⏎it('a (${none})', f) → test/x.test.ts:3: cites ${none}
      a citation in a comment → test/x.test.ts → // ${none} → test/x.test.ts:1: cites ${none}
      a citation behind the table of each → test/x.test.ts → it.each([⏎1])(⏎'${none}', f) → cites ${none}
      each rule of a range → test/x.soak.ts → it('a (${id('O', 97)}-${none})', f) → cites ${id('O', 97)} → cites ${id('O', 98)} → cites ${none}
      no citation in other code → test/x.test.ts → const s = ' ${none}'
      no storage service → test/x.test.ts → it('puts ${id('S', 3)} (${id('S', 3)} of pages)', f)
    `),
    ...changes(
      'docs/reference/rules.md',
      `
      a state that is not one → | ${order} | built → | ${order} | nearly → has the state "nearly"
      a row that is there twice → | ${order} | built | → | ${order} | built | Again. |⏎| ${order} | built | → ${order} is here twice
      a rule without a row → | ${id('N', 7)} | → | | → ${id('N', 7)} has no row → admission.test.ts → rules.test.ts
      a built rule that only a bench shows → | ${bench} | bench only → | ${bench} | built → ${bench} is called built and no test
      a rule of the bench that names no command → npm run rush → a rush → ${peaks} is called bench only and names no command
      a rule of the bench that has a test → | ${order} | built | → | ${order} | bench only | \`npm run rush\` → is called bench only and has a test
      `,
    ),
  ])
})

describe('the check of prose', () => {
  // In two parts, so that the check does not find it here.
  const own = `is${'Whole'}`
  finds(
    checkProse,
    additions(`
      a comment without a subject → core/x.ts → /** ${'Of'} the orders those that are paid. */ → core/x.ts:1: "Of the orders those that …" has no subject
      a later sentence without a subject → core/x.ts → // Counts. ${'Which'} also⏎// counts. → core/x.ts:1: "Which also …" has no subject
      one in a script of Redis → redis/x.lua → --[[⏎  Takes. What is left stays.⏎]] → redis/x.lua:2: "What is left stays. …" has no subject
      a name of our own → core/x.ts → let ${own} → core/x.ts:1: ${own} is no usual name; write isComplete
    `),
  )

  it('takes words in strings and comments for no names', () => {
    const text = `// Is it ${own}?\nconst text = '${own}'\n`
    expect(checkProse(withTexts({ 'core/x.ts': text })).filter(({ file }) => file === 'core/x.ts')).toEqual([])
  })
})

describe('the check of budgets', () => {
  const file = 'checks/budgets.json'
  const budgets: object = JSON.parse(repository.text(file))
  finds(
    checkBudgets,
    budgetNames.map((name) => ({
      name: `more ${name} than the budget`,
      texts: { [file]: JSON.stringify({ ...budgets, [name]: 1 }) },
      lines: [`${file}:1: ${name} `],
    })),
  )

  it('counts the files of all folders but those that are installed, built or examples', () => {
    const size = (texts: Record<string, string>) =>
      checkBudgets(withTexts({ [file]: JSON.stringify({ ...budgets, 'source files': 1 }), ...texts }))[0]?.what
    expect(size({ 'core/x.ts': '' })).not.toBe(size({}))
    expect(size({ 'examples/x.ts': '', 'test/x.ts': '' })).toBe(size({}))
  })
})
