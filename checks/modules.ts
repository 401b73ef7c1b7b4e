/** Our modules with their imports, read from the import statements themselves. */
import path from 'node:path'
import { seams } from '../options/write-registry.ts'
import type { Tree } from './tree.ts'

/** `to` is a path from the root with a slash before it, or a package. */
export type Import = { from: string; line: number; to: string; typeOnly: boolean }
/** `code` has no comments, but the same lines as the file. */
export type Module = { file: string; code: string; imports: readonly Import[] }

const statement =
  /^\s*(?:import|export)\s+(type\s[^'"`;]*?|\{(?:\s*type\s[^,}]*,?)+\s*\}\s*)?[^'"`;]*?from\s+['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/gm
/** Comments of TypeScript and JavaScript; after a colon or a quotation mark two slashes belong to an address or a text. */
export const comment = /\/\*[\s\S]*?\*\/|(?<![:'"`\w])\/\/[^\n]*/g
const blank = (text: string) => text.replace(/[^\n]/g, '')

const known = new Map<string, { source: string; module: Module }>()

function readModule(tree: Tree, file: string): Module {
  const source = tree.text(file)
  const former = known.get(file)
  if (former?.source === source) return former.module
  const code = source.replace(comment, blank)
  const imports = [...code.matchAll(statement)].map((match): Import => {
    const name = match[2] ?? match[3] ?? ''
    const to = name.startsWith('.') ? `/${path.posix.join(path.posix.dirname(file), name)}` : name
    const line = code.slice(0, match.index + match[0].length).split('\n').length
    return { from: file, line, to, typeOnly: match[1] !== undefined }
  })
  const module = { file, code, imports }
  known.set(file, { source, module })
  return module
}

const placeOfSeam = new Map<string, string>(seams.map((seam) => [path.basename(seam), seam]))

/**
 * The path whose rules a file obeys. `options/<name>/<tier>/x` is `<tier>/x`, and a file of the registry is where the options
 * have theirs for the seam. The functions of an option are a room of their own; its `functions/entries/`, handlers and
 * adapters (two dots in their names) are entries. Its `static/` has its words and its parts of pages as well.
 */
export const rulePathOf = (file: string): string =>
  file
    .replace(/^(\/?options\/registry\/)([\w-]+)\.ts$/, (_, folder, name) => `${folder}${placeOfSeam.get(name)}.ts`)
    .replace(/^(\/?)options\/[\w-]+\/functions\/(?=[^/.]+\.[^/]+\.ts$)/, '$1functions/entries/')
    .replace(/^(\/?)options\/[\w-]+\/functions\/(?!entries\/)/, '$1functions/options/')
    .replace(/^(\/?)options\/[\w-]+\/static\/(?=messages\/|page-parts\.ts$)/, '$1templates/')
    .replace(/^(\/?)options\/[\w-]+\//, '$1')

/** The name of the option that has the file. */
export const optionOf = (file: string): string | undefined => /^\/?options\/([\w-]+)\//.exec(file)?.[1]

/** The files of tiers, also those of options. */
export const filesOf = (tree: Tree, ...folders: string[]): string[] =>
  folders.flatMap((folder) => [
    ...tree.list(folder),
    ...tree
      .list('options')
      .filter((file) => !file.startsWith('options/registry/') && rulePathOf(file).startsWith(`${folder}/`)),
  ])

export const modulesOf = (tree: Tree, ...folders: string[]): Module[] =>
  filesOf(tree, ...folders)
    .filter((file) => /\.(?:[cm]?[jt]s|tsx)$/.test(file) && !file.endsWith('.d.ts'))
    .map((file) => readModule(tree, file))

/** The tiers of pages: each may import those before it. */
export const pageTiers = ['templates', 'web', 'static', 'console'] as const

/** Returns the modules that run in the cloud or in browsers. The page builder is not shipped. */
export const deployedIn = (tree: Tree): Module[] =>
  modulesOf(tree, 'core', 'redis', 'edge', 'functions', ...pageTiers).filter(({ file }) => file !== 'static/build.ts')

export const isHandler = (file: string): boolean =>
  /^(?:functions\/[^/]+\/[^/]+\.|edge\/)handler\.ts$/.test(rulePathOf(file))

/**
 * All code that runs for `entries`: their files, and everything that these load.
 * @throws when an entry is missing
 */
export function loadedBy(modules: readonly Module[], entries: readonly string[]): Module[] {
  const byFile = new Map(modules.map((module) => [module.file, module]))
  const missing = entries.filter((entry) => !byFile.has(entry))
  if (missing.length > 0) throw new Error(`a check names ${missing.join(', ')}, which is missing`)
  const found = new Set<string>()
  const visit = (file: string) => {
    const module = byFile.get(file)
    if (module === undefined || found.has(file)) return
    found.add(file)
    for (const { to, typeOnly } of module.imports) if (!typeOnly) visit(to.slice(1))
  }
  for (const entry of entries) visit(entry)
  return modules.filter(({ file }) => found.has(file))
}
