/**
 * Markdown pages: every relative link and anchor leads somewhere, every source file, script and test that is named exists, a
 * file has what is named beside it, and every row of a table has the cells of its header. Comments: every source file that
 * is named exists.
 */
import path from 'node:path'
import { cellsOf, headingsIn, withoutCode } from './markdown.ts'
import { comment, optionOf } from './modules.ts'
import { type Finding, findingAt, type Tree } from './tree.ts'

const filesOfRoot = [
  ...['README.md', 'README.zh-CN.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE'],
  ...['build.ts', 'lua-hooks.ts', 'vitest.config.ts'],
]
const folders = [
  ...['.devcontainer', '.github', 'checks', 'cli', 'console', 'core', 'docs', 'edge', 'functions', 'infra', 'local'],
  ...['client', 'examples', 'options', 'proof', 'redis', 'static', 'system', 'templates', 'test', 'web'],
]

export function checkPages(tree: Tree): Finding[] {
  const files = [...filesOfRoot, ...folders.flatMap((folder) => tree.list(folder))]
  const known = new Set(files.flatMap((file) => [file, ...foldersAbove(file)]))
  const pages = files.filter((file) => file.endsWith('.md'))
  // The changelog names what there was, and the test of the checks has comments as samples.
  const isNow = (file: string) => !['CHANGELOG.md', 'test/checks.test.ts'].includes(file)
  return [
    ...pages.flatMap((file) => [...linksOf(tree, known, file), ...tablesOf(tree, file)]),
    ...pages.filter(isNow).flatMap((file) => [...namesOf(tree, known, file), ...commandsOf(tree, known, file)]),
    ...files.filter(isNow).flatMap((file) => missingIn(tree, known, file)),
  ]
}

function foldersAbove(file: string): string[] {
  const parts = file.split('/').slice(0, -1)
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}

function linksOf(tree: Tree, known: ReadonlySet<string>, file: string): Finding[] {
  const page = tree.text(file)
  return [...withoutCode(page).matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].flatMap(
    ({ index, 1: address = '', 2: anchor }) => {
      const target = address === '' ? file : path.posix.join(path.dirname(file), address)
      const isThere = known.has(target.replace(/\/$/, ''))
      if (!isThere) return [findingAt(file, page, index, `links to ${target}; there is no such file`)]
      const isSection =
        anchor === undefined || headingsIn(tree.text(target)).some((heading) => heading.anchor === anchor)
      return isSection
        ? []
        : [findingAt(file, page, index, `links to ${target}#${anchor}; link to a section that exists`)]
    },
  )
}

const inFolder = `(?:${folders.join('|')})/`
const sourceFile = `\`(${inFolder}[\\w./-]+\\.(?:tsx?|js|lua))\``
const namedFile = new RegExp(`(?:\`(\\w+)\` of )?${sourceFile}(?: \\(\`(\\w+)\`\\))?`, 'g')

/** Checks that a file has the names that a page says it has: `name` of `file`, or `file` (`name`). */
function namesOf(tree: Tree, known: ReadonlySet<string>, file: string): Finding[] {
  const page = withoutCode(tree.text(file))
  return [...page.matchAll(namedFile)].flatMap(({ index, 1: before, 2: path = '', 3: after }) => {
    const name = before ?? after
    if (name === undefined || !known.has(path)) return []
    const isThere = new RegExp(`\\b${name}\\b`).test(tree.text(path))
    return isThere ? [] : [findingAt(file, page, index, `names ${name} of ${path}; name what that file has`)]
  })
}

const luaComment = /--\[\[.*?\]\]|--[^\n]*/gs
const isPath = new RegExp(`^${inFolder}`)
const fileName = /(?<![\w./*{}$<>-])(?:\.\.?\/)*(\w[\w./-]*\.(?:tsx?|js|lua))(?![\w*-])/g

/** Files that a page or a comment names by their path, or by the end of it. A lone `.js` may be one that the build makes. */
function missingIn(tree: Tree, known: ReadonlySet<string>, file: string): Finding[] {
  const isPage = file.endsWith('.md')
  if (!isPage && !/\.(?:[cm]?[jt]sx?|lua)$/.test(file)) return []
  const text = isPage ? withoutCode(tree.text(file)) : tree.text(file)
  const read = isPage ? /.+/gs : file.endsWith('.lua') ? luaComment : comment
  return [...text.matchAll(read)].flatMap(({ index: from, 0: part }) =>
    [...part.matchAll(fileName)].flatMap(({ index, 1: name = '' }) => {
      const isEnd = name.endsWith('.js') || [...known].some((path) => path.endsWith(`/${name}`))
      const isOwn = known.has(`options/${optionOf(file)}/${name}`)
      if (isOwn || known.has(name) || (isEnd && !isPath.test(name))) return []
      return [findingAt(file, text, from + index, `names ${name}; there is no such file`)]
    }),
  )
}

/** Scripts of package.json, also of one beside the page, and the tests that a command runs: a file, a folder, or how their paths begin. */
function commandsOf(tree: Tree, known: ReadonlySet<string>, file: string): Finding[] {
  const page = tree.text(file)
  const beside = file.replace(/[^/]*$/, 'package.json')
  const manifests = ['package.json', ...(known.has(beside) ? [beside] : [])]
  const scripts = new Set(manifests.flatMap((one) => Object.keys(JSON.parse(tree.text(one)).scripts ?? {})))
  const find = (index: number, what: string) => [findingAt(file, page, index, what)]
  const unknown = [...page.matchAll(/npm run (?:--silent )?([a-z]+(?:[:-][a-z]+)*)/g)].flatMap(
    ({ index, 1: script = '' }) =>
      !scripts.has(script) ? find(index, `names npm run ${script}; package.json has no such script`) : [],
  )
  const untested = [...page.matchAll(/(?:npm test|vitest run) (test\/[\w./-]*\w)/g)].flatMap(
    ({ index, 1: path = '' }) =>
      [...known].some((one) => one.startsWith(path)) ? [] : find(index, `runs ${path}; there is no such test`),
  )
  return [...unknown, ...untested]
}

const cellsIn = (row: string) => cellsOf(row).length

/** A row needs a header above it: an empty line ends a table, and GitHub shows the rest as text. */
function tablesOf(tree: Tree, file: string): Finding[] {
  const page = tree.text(file)
  const lines = withoutCode(page).split('\n')
  return lines.flatMap((line, at) => {
    if (!/^\s*\|/.test(line)) return []
    const isFirst = !/^\s*\|/.test(lines[at - 1] ?? '')
    const find = (what: string) => [{ file, line: at + 1, what }]
    if (isFirst && !/^\s*\|[\s:|-]+\|$/.test(lines[at + 1] ?? ''))
      return find('is a row without a header; remove the empty line above it, or add a header')
    const from = lines.slice(0, at).findLastIndex((one) => !/^\s*\|/.test(one)) + 1
    const header = lines[from] ?? ''
    return cellsIn(line) === cellsIn(header) ? [] : find(`has ${cellsIn(line)} cells; its table has ${cellsIn(header)}`)
  })
}

const click = 'docs/guide/a-click.md'

/** Counts the lines of a file that are neither empty nor a comment. */
function codeLinesOf(tree: Tree, file: string): number {
  const code = tree.text(file).replace(file.endsWith('.lua') ? luaComment : comment, '')
  return code.split('\n').filter((line) => line.trim() !== '').length
}

/** The page of a click says how many lines of code each of its files has, and all of them. */
export function checkClick(tree: Tree): Finding[] {
  const page = tree.text(click)
  const rows = [...page.matchAll(/^\| \d+ \| \[([^\]]+)\][^|]*\| (\d+) \|/gm)].map(
    ({ index, 1: file = '', 2: says }) => ({
      ...{ index, file, says: Number(says), has: codeLinesOf(tree, file) },
    }),
  )
  const all = /([\d,]+) lines of code/.exec(page)
  const sum = rows.reduce((lines, { has }) => lines + has, 0)
  return [
    ...rows
      .filter(({ says, has }) => says !== has)
      .map(({ index, file, has }) => findingAt(click, page, index, `counts the lines of ${file}; it has ${has}`)),
    ...(Number(all?.[1]?.replaceAll(',', '')) === sum
      ? []
      : [findingAt(click, page, all?.index ?? 0, `counts all lines of its files; they have ${sum}`)]),
  ]
}

const [original, translation] = ['README.md', 'README.zh-CN.md']

type Part = { kind: string; says: string; index: number }

/** The parts of a page that its translation has as well, in their order. Each page links to the other one. */
function partsOf(page: string): Part[] {
  const text = withoutCode(page)
  const found = (kind: string, of: string, pattern: RegExp) =>
    [...of.matchAll(pattern)].map(({ index, 1: says = '' }) => ({ kind, says, index }))
  const isToOther = ({ says }: Part) => says === original || says === translation
  return [
    ...found('heading', text, /^(#+) /gm),
    ...found('code', page, /^```([\s\S]*?)^```$/gm).map((part) => ({
      ...part,
      says: part.says.replace(/ *# .*$/gm, ''),
    })),
    ...found('table', text, /((?:^\|.*\n)+)/gm).map((part) => ({ ...part, says: `${part.says.split('\n').length}` })),
    ...found('item of a list', text, /^(- )/gm),
    ...found('picture', text, /!\[[^\]]*\]\(([^)]*)\)/g),
    ...found('link', text, /(?<!!)\[[^\]]*\]\(([^)]*)\)/g).filter((part) => !isToOther(part)),
  ]
}

/**
 * README.zh-CN.md says what README.md says: headings of the same levels, the same code but for its comments, tables
 * with as many rows, as many items of lists, the same pictures and links, in one order.
 */
export function checkReadme(tree: Tree): Finding[] {
  const page = tree.text(translation)
  const [expected, actual] = [partsOf(tree.text(original)), partsOf(page)]
  return [...new Set(expected.map(({ kind }) => kind))].flatMap((kind) => {
    const [wanted, given] = [expected, actual].map((parts) => parts.filter((part) => part.kind === kind))
    const count = Math.max(wanted?.length ?? 0, given?.length ?? 0)
    const at = Array.from({ length: count }).findIndex((_, nth) => wanted?.[nth]?.says !== given?.[nth]?.says)
    if (at < 0) return []
    const what = `has another ${kind} at place ${at + 1} than ${original}; say the same on both pages`
    return [findingAt(translation, page, given?.[at]?.index ?? page.length, what)]
  })
}
