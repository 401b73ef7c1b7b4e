/**
 * Writes `options/lists/`: what the folders of options add to the lists of the engine, which imports these files alone.
 * An option adds to a list by the export of that name in its file of the same tier and name: `paths` of
 * `options/<name>/core/option.ts`. `npm run build` writes the lists, and `npm run check` compares them.
 */
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** The lists by the file that has them, each with its text where no option adds to it. */
const lists = {
  'cli/commands': { commands: '[]' },
  'core/option': {
    ...{ paths: '[]', personParts: '[]', mailKinds: '[]', controlRoutes: '{}' },
    ...{ refusals: '{}', metrics: '{}', redisCallers: '[]' },
  },
  'core/operations': {
    ...{ operations: '{}', controlOperations: '{}', controlAnswers: '{}' },
    ...{ auditActions: '[]', auditFacts: '[]', slowCalls: '{}', workers: '{}' },
  },
  'core/fields': { fields: '[]' },
  'functions/entries/calls': { variables: '{}', personalRoutes: '[]', shopperRoutes: '[]', controlHandlers: '[]' },
  'functions/option': { items: '[]', effects: '[]', mails: '[]', scheduled: '[]' },
  'static/client/sale-parts': { saleParts: '[]' },
  'static/client/fairness': { fairnessEntries: '[]' },
  'static/client/console/settings-pages': { settingsPages: '[]' },
  'static/page-parts': { pageParts: '[]' },
  'static/site': { site: '[]', operationTexts: '{}', webhooks: '{}', webhookTags: '{}' },
  'system/option': {
    ...{ functions: '{}', scheduledFunctions: '{}', wakingQueues: '{}' },
    ...{ stageFunctions: '{}', capacities: '{}', settingProblems: '[]' },
    ...{ mailFilters: '[]', tableRights: '[]', erasedPrefixes: '[]', behaviours: '[]' },
  },
  'infra/option': { resources: '[]', alarmRows: '[]', graphs: '[]', messageCosts: '[]', alarmedMetrics: '[]' },
  'local/parts': { localParts: '{}', localServices: '[]', demoSales: '[]' },
  'proof/option': { simulatedOptions: '[]', rushModes: '[]' },
  'test/option': { everything: '{}', optionMutations: '[]', optionFoundBy: '[]' },
} as const satisfies Record<string, Record<string, '{}' | '[]'>>

/** The names of the lists, which several options export. */
export const listNames: readonly string[] = Object.values(lists).flatMap((own) => Object.keys(own))

const root = import.meta.dirname

/** The options whose folders are there. */
export function optionNames(): string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'lists')
    .map(({ name }) => name)
    .sort()
}

const camelCase = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The text of each file of lists, by its path below `options/`. */
export function listTexts(): ReadonlyMap<string, string> {
  const names = optionNames()
  const texts = new Map(Object.entries(lists).map(([file, own]) => [`lists/${file}.ts`, listText(file, own, names)]))
  const option = (texts.get('lists/core/option.ts') ?? '').slice(head.length)
  const [wordImports, words] = wordTexts(names)
  return texts.set('lists/core/option.ts', head + wordImports + option + retiredText(names) + words)
}

type RetiredRow = { option: string; kind: string; partition: string }

/** What the table may have of options that are not there. */
function retiredText(names: readonly string[]): string {
  const rows = JSON.parse(readFileSync(path.join(root, 'retired.json'), 'utf8')) as RetiredRow[]
  const retired = rows
    .filter(({ option }) => !names.includes(option))
    .map(({ kind, partition }) => `{ kind: '${kind}', partition: '${partition}' }`)
  return `export const retired = [${retired.join(', ')}] as const\n`
}

/** The imports for the type of the texts that options add, which are in English in each, and the type. */
function wordTexts(names: readonly string[]): [imports: string, type: string] {
  const worded = names.filter((name) => existsSync(path.join(root, name, 'words/en.json')))
  const imports = worded.map((name) => `import type ${camelCase(name)}Words from '../../${name}/words/en.json'\n`)
  const types = worded.map((name) => `(typeof ${camelCase(name)}Words)['messages']`)
  return [imports.join(''), `export type OptionWords = ${types.join(' & ') || 'unknown'}\n`]
}

const head = '/** Written by `npm run build` from the folders of the options: do not edit. */\n'

/** A list is a pure call, so that a bundle leaves out what it does not use: it would keep a list with spread members. */
function listText(file: string, own: Readonly<Record<string, '{}' | '[]'>>, names: readonly string[]): string {
  const modules = names.flatMap((name) => {
    const found = ['ts', 'tsx']
      .map((ending) => `${name}/${file}.${ending}`)
      .find((one) => existsSync(path.join(root, one)))
    return found === undefined
      ? []
      : [{ as: camelCase(name), found, text: readFileSync(path.join(root, found), 'utf8') }]
  })
  const up = '../'.repeat(file.split('/').length)
  const imports = modules.map(({ as, found }) => `import * as ${as} from '${up}${found}'\n`)
  const made = Object.entries(own).map(([list, [open, close]]) => {
    const members = modules
      .filter(({ text }) => text.includes(`export const ${list} `))
      .map(({ as }) => `...${as}.${list}`)
    const all = `${open}${members.join(', ')}${close} as const`
    return `export const ${list} = ${members.length === 0 ? all : `/* @__PURE__ */ (() => (${all}))()`}\n`
  })
  return [head, ...imports, '\n', ...made].join('')
}

/** Writes the lists that have changed, and deletes files that are no lists. */
export function writeLists(): void {
  const texts = listTexts()
  for (const file of globSync('lists/**/*.ts', { cwd: root })) if (!texts.has(file)) rmSync(path.join(root, file))
  for (const [file, text] of texts) {
    const place = path.join(root, file)
    if (existsSync(place) && readFileSync(place, 'utf8') === text) continue
    mkdirSync(path.dirname(place), { recursive: true })
    writeFileSync(place, text)
  }
}

if (process.argv[1] === import.meta.filename) writeLists()
