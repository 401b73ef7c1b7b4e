/**
 * Which tests prove which rule. `docs/rules.md` lists the rules; this reads the tests and shows for
 * each rule the ones that cite its id, so that the page cannot claim more than is tested (`npm run
 * rules`).
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export type RuleState = 'built' | 'not yet built'
export type Rule = { id: string; state: RuleState; sentence: string }

/**
 * One place that cites a rule. `where` is `file:line`, `says` the test's name or the comment's
 * text.
 */
export type Citation = { id: string; where: string; says: string }

export type RulesReport = { rows: { rule: Rule; citations: Citation[] }[]; faults: string[] }

const row = /^\| ([A-Z]\d{1,2}) \| ([^|]+) \| (.+) \|$/
const testName = /\b(?:describe|it|test)(?:\.\w+)*\(\s*(?:`([^`]*)`|'((?:[^'\\]|\\.)*)'|"([^"]*)")/g
const comment = /\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*/g
const ruleId = /(?<![\w/#.-])([LCGSKBORP])(\d{1,2})(?:-\1(\d{1,2}))?(?![\w/]|\.\d)/g
const onlyIds = /\((?:[LCGSKBORP]\d{1,2}(?:, | and |-)?)+\)/g

/**
 * The rules on the page, in its order.
 * @throws on a row with an unknown state
 */
export function readRules(page: string): Rule[] {
  return page.split('\n').flatMap((line) => {
    const [, id, state, sentence] = row.exec(line) ?? []
    if (id === undefined || state === undefined || sentence === undefined) return []
    if (state !== 'built' && state !== 'not yet built') throw new Error(`${id} has the state "${state}"`)
    return [{ id, state, sentence }]
  })
}

/** The ids in a text; `G1-G3` are three. */
function idsIn(text: string): string[] {
  return [...text.matchAll(ruleId)].flatMap(([, letter, first, last]) => {
    const from = Number(first)
    const count = Number(last ?? first) - from + 1
    return Array.from({ length: Math.max(count, 1) }, (_, i) => `${letter}${from + i}`)
  })
}

/**
 * S3 is also the name of a storage service: that id counts only inside brackets that contain
 * nothing but ids.
 */
function citedIn(text: string): Set<string> {
  const bracketed = idsIn([...text.matchAll(onlyIds)].join(' '))
  return new Set([...idsIn(text).filter((id) => id !== 'S3'), ...bracketed])
}

/**
 * Every rule id in the test names and comments of one file; ids elsewhere in the code are not
 * citations.
 */
export function citationsIn(file: string, source: string): Citation[] {
  const found: Citation[] = []
  const cite = (text: string, at: number) => {
    const line = source.slice(0, at).split('\n').length
    const says = text.replace(/^[\s/*]+|[\s/*]+$/g, '').replace(/\s*\n[\s*]*/g, ' ')
    for (const id of citedIn(text)) found.push({ id, where: `${file}:${line}`, says })
  }
  for (const match of source.matchAll(testName)) {
    cite(match[1] ?? match[2] ?? match[3] ?? '', match.index)
  }
  for (const match of source.matchAll(comment)) cite(match[0], match.index)
  return found
}

/** Rules and citations put together, with their contradictions. */
export function report(rules: Rule[], citations: Citation[]): RulesReport {
  const known = new Set(rules.map((rule) => rule.id))
  const rows = rules.map((rule) => ({ rule, citations: citations.filter((c) => c.id === rule.id) }))
  const unknown = citations
    .filter((c) => !known.has(c.id))
    .map((c) => `${c.where} cites ${c.id}, which is not on the page`)
  const unproven = rows
    .filter(({ rule, citations: cited }) => rule.state === 'built' && cited.length === 0)
    .map(({ rule }) => `${rule.id} is called built and no test cites it`)
  return { rows, faults: [...unknown, ...unproven] }
}

/** Every citation under a folder of tests. */
export function citationsUnder(folder: string): Citation[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:test|soak)\.ts$/.test(file))
    .sort()
    .flatMap((file) => citationsIn(file, readFileSync(path.join(folder, file), 'utf8')))
}

function print({ rows, faults }: RulesReport): void {
  for (const { rule, citations } of rows) {
    const tests = [...new Map(citations.map((c) => [c.where, c])).values()]
    const count = tests.length === 0 ? 'no test yet' : `${tests.length} test${tests.length === 1 ? '' : 's'}`
    console.log(`${rule.id.padEnd(4)} ${rule.state.padEnd(14)} ${count}`)
    for (const { where, says } of tests) console.log(`       ${where.padEnd(44)} ${says.slice(0, 100)}`)
  }
  const built = rows.filter(({ rule }) => rule.state === 'built').length
  console.log(`\n${built} of ${rows.length} rules built`)
  for (const fault of faults) console.error(`wrong: ${fault}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
  const page = readFileSync(path.join(root, 'docs/rules.md'), 'utf8')
  const result = report(readRules(page), citationsUnder(path.join(root, 'test')))
  print(result)
  process.exitCode = result.faults.length === 0 ? 0 : 1
}
