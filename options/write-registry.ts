/**
 * Writes `options/registry/`: for each seam, a file with the objects of all options that take part in it. The engine imports
 * only these files. `npm run build` writes them, and `npm run check` compares them.
 */
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * The seams, each as the path of the file that an option has for it. The file exports one object with the name of the file in
 * camel case, which satisfies the type of the seam in `seams.ts` of the same tier of the engine.
 */
export const seams = [
  ...['core/names', 'core/fields', 'core/operations'],
  ...['functions/entries/handlers', 'functions/people', 'functions/steps', 'system/functions'],
  ...['static/page-parts', 'static/site', 'console/console-parts', 'cli/commands'],
  ...['infra/stacks', 'local/workbench', 'proof/proofs'],
] as const

const root = import.meta.dirname

const camelCase = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The names of the objects that options export for seams. */
export const seamNames: readonly string[] = seams.map((seam) => camelCase(path.basename(seam)))

/** Returns the options that have a folder. */
export function optionNames(): string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'registry')
    .map(({ name }) => name)
    .sort()
}

/** Returns the text of each file of the registry, by its path below `options/`. */
export function registryTexts(): ReadonlyMap<string, string> {
  const names = optionNames()
  const texts = seams.map((seam) => [`registry/${path.basename(seam)}.ts`, registryText(seam, names)] as const)
  return new Map(texts)
}

const head = '/** Written by `npm run build` from the folders of the options: do not edit. */\n'

function registryText(seam: (typeof seams)[number], names: readonly string[]): string {
  const object = camelCase(path.basename(seam))
  const found = names.flatMap((name) => {
    const file = [`${name}/${seam}.ts`, `${name}/${seam}.tsx`].find((one) => existsSync(path.join(root, one)))
    return file === undefined ? [] : [{ as: camelCase(name), file }]
  })
  const imports = found.map(({ as, file }) => `import { ${object} as ${as} } from '../${file}'\n`)
  const all = found.map(({ as }) => as).join(', ')
  const more = seam === 'core/names' ? wordsType(names) + retiredText(names) : ''
  return [head, ...imports, `\nexport const ${object} = {${all === '' ? '' : ` ${all} `}}\n`, more].join('')
}

/** Returns the type of the texts of options, which all exist in English. */
function wordsType(names: readonly string[]): string {
  const types = names
    .filter((name) => existsSync(path.join(root, name, 'words/en.json')))
    .map((name) => `typeof import('../${name}/words/en.json')['messages']`)
  return `export type OptionWords = ${types.join(' & ') || 'unknown'}\n`
}

type RetiredRow = { option: string; kind: string; partition: string }

/** Returns the items that deleted options may have left in the table. */
function retiredText(names: readonly string[]): string {
  const rows = JSON.parse(readFileSync(path.join(root, 'retired.json'), 'utf8')) as RetiredRow[]
  const retired = rows
    .filter(({ option }) => !names.includes(option))
    .map(({ kind, partition }) => `{ kind: '${kind}', partition: '${partition}' }`)
  return `export const retired = [${retired.join(', ')}] as const\n`
}

/** Writes changed files, and deletes files of no seam. */
export function writeRegistry(): void {
  const texts = registryTexts()
  mkdirSync(path.join(root, 'registry'), { recursive: true })
  for (const file of globSync('registry/*', { cwd: root })) if (!texts.has(file)) rmSync(path.join(root, file))
  for (const [file, text] of texts) {
    const place = path.join(root, file)
    if (!existsSync(place) || readFileSync(place, 'utf8') !== text) writeFileSync(place, text)
  }
}

if (process.argv[1] === import.meta.filename) writeRegistry()
