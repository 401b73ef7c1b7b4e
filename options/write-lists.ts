/**
 * Writes `options/lists/`: what the folders of options add to the lists of the engine, which imports these files alone.
 * An option takes part in a list with a file of the same tier and name, such as `options/draw/core/paths.ts`, whose
 * export has that name in camel case. `npm run build` writes the lists, and `npm run check` compares them.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** The lists by tier and name. A list without options is that text; members of a record have names of their own. */
const lists = {
  'core/control-answers': '{}',
  'core/control-operations': '{}',
  'core/control-routes': '{}',
  'core/mail-kinds': '[]',
  'core/operations': '{}',
  'core/paths': '[]',
  'core/person-parts': '[]',
  'functions/control-handlers': '[]',
  'functions/items': '[]',
  'functions/mails': '[]',
  'functions/scheduled': '[]',
  'functions/shopper-handlers': '[]',
  'static/operation-texts': '{}',
  'static/overview-parts': '[]',
  'static/page-parts': '[]',
  'static/site': '[]',
  'system/mail-filters': '[]',
  'system/table-rights': '[]',
} as const

const root = import.meta.dirname

/** The options whose folders are there. */
export function optionNames(): string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'lists')
    .map(({ name }) => name)
    .sort()
}

const camelCase = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The text of each list, by its path below `options/`. */
export function listTexts(): ReadonlyMap<string, string> {
  const names = optionNames()
  return new Map([
    ...Object.entries(lists).map(([list, empty]) => [`lists/${list}.ts`, listText(list, empty, names)] as const),
    ['lists/static/words.ts', wordsText(names)],
  ])
}

const head = '/** Written by `npm run build` from the folders of the options: do not edit. */\n'

/** The type of the texts that options add, which are in English in each. */
function wordsText(names: readonly string[]): string {
  const worded = names.filter((name) => existsSync(path.join(root, name, 'words/en.json')))
  const imports = worded.map((name) => `import type ${camelCase(name)} from '../../${name}/words/en.json'\n`)
  const type = worded.map((name) => `(typeof ${camelCase(name)})['messages']`).join(' & ')
  return [head, ...imports, imports.length > 0 ? '\n' : '', `export type OptionWords = ${type || 'unknown'}\n`].join('')
}

function listText(list: string, empty: '{}' | '[]', names: readonly string[]): string {
  const [open, close] = empty
  const what = camelCase(path.basename(list))
  const files = names.flatMap((name) => {
    const file = ['ts', 'tsx']
      .map((ending) => `${name}/${list}.${ending}`)
      .find((one) => existsSync(path.join(root, one)))
    return file === undefined ? [] : [{ as: camelCase(name), file }]
  })
  const imports = files.map(({ as, file }) => `import { ${what} as ${as} } from '../../${file}'\n`)
  const members = files.map(({ as }) => `...${as}`).join(', ')
  const space = open === '{' && members !== '' ? ' ' : ''
  return [
    head,
    ...imports,
    imports.length > 0 ? '\n' : '',
    `export const ${what} = ${open}${space}${members}${space}${close} as const\n`,
  ].join('')
}

/** Writes the lists that have changed. */
export function writeLists(): void {
  for (const [file, text] of listTexts()) {
    const place = path.join(root, file)
    if (existsSync(place) && readFileSync(place, 'utf8') === text) continue
    mkdirSync(path.dirname(place), { recursive: true })
    writeFileSync(place, text)
  }
}

if (process.argv[1] === import.meta.filename) writeLists()
