/**
 * Compares the rules with their tests. `docs/reference/rules.md` lists the rules; tests cite them by id in their names
 * and comments, so that the page cannot claim more than is tested.
 */
import { matchesGlob } from 'node:path'
import { pages, soak, tools } from '../test/tiers.ts'
import { comment, filesOf } from './modules.ts'
import { type Finding, findingAt, type Tree } from './tree.ts'

const file = 'docs/reference/rules.md'

/**
 * `built`: a test of `npm test` proves it. `bench only`: only a command that the row names shows it,
 * such as a measurement.
 */
const states = ['built', 'bench only', 'not yet built'] as const
export type Rule = { id: string; state: string; sentence: string; index: number }

/** A place that cites a rule; `says` is the test's name or the comment's text. */
export type Citation = Finding & { id: string; says: string; ofProduct: boolean }

const row = /^\| ([A-Z]\d{1,2}) \| ([^|]+) \| (.+) \|$/gm
// The name follows at once, or after the table of `each`.
const testName = /(?:\b(?:describe|it|test)(?:\.\w+)*|\))\(\s*(?:`([^`]*)`|'((?:[^'\\]|\\.)*)'|"([^"]*)")/g
const ruleId = /(?<![\w/#.-])([LCGSKBORPN])(\d{1,2})(?:-\1(\d{1,2}))?(?![\w/]|\.\d)/g
const onlyIds = /\((?:[LCGSKBORPN]\d{1,2}(?:, | and |-)?)+\)/g

/** True when `npm test` runs the file, or it is one of the templates: those prove a rule. */
const isOfProduct = (test: string) => ![...soak, ...tools, ...pages].some((files) => matchesGlob(test, files))

/** The rules on the page, in its order. */
export const rulesOn = (page: string): Rule[] =>
  [...page.matchAll(row)].map(({ index, 1: id = '', 2: state = '', 3: sentence = '' }) => ({
    id,
    state,
    sentence,
    index,
  }))

/** The ids in a text; a range is each of its rules. */
const idsIn = (text: string): string[] =>
  [...text.matchAll(ruleId)].flatMap(([, letter, first, last]) => {
    const from = Number(first)
    const count = Number(last ?? first) - from + 1
    return Array.from({ length: Math.max(count, 1) }, (_, at) => `${letter}${from + at}`)
  })

/**
 * S3 is also the name of a storage service: that id counts only inside brackets that contain
 * nothing but ids.
 */
const citedIn = (text: string): Set<string> =>
  new Set([...idsIn(text).filter((id) => id !== 'S3'), ...idsIn([...text.matchAll(onlyIds)].join(' '))])

/** Every rule id in the test names and comments of one file; ids elsewhere in the code are not citations. */
function citationsIn(test: string, source: string): Citation[] {
  const cite = (text: string, index: number): Citation[] => {
    const says = text.replace(/^[\s/*]+|[\s/*]+$/g, '').replace(/\s*\n[\s*]*/g, ' ')
    const ofProduct = isOfProduct(test)
    return [...citedIn(text)].map((id) => {
      const what = `cites ${id}, which is no rule; correct the id, or add it to ${file}`
      return { id, says, ofProduct, ...findingAt(test, source, index, what) }
    })
  }
  return [
    ...[...source.matchAll(testName)].flatMap((found) => cite(found[1] ?? found[2] ?? found[3] ?? '', found.index)),
    ...[...source.matchAll(comment)].flatMap((found) => cite(found[0], found.index)),
  ]
}

export const citations = (tree: Tree): Citation[] =>
  filesOf(tree, 'test')
    .filter((test) => /\.(?:test|soak)\.ts$/.test(test))
    .flatMap((test) => citationsIn(test, tree.text(test)))

export function checkRules(tree: Tree): Finding[] {
  const page = tree.text(file)
  const rules = rulesOn(page)
  const cited = citations(tree)
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(tree.text('package.json'))
  const known = new Set(rules.map(({ id }) => id))

  const wrong = rules.flatMap(({ id, state, sentence, index }, at) => {
    const isProven = cited.some((one) => one.id === id && one.ofProduct)
    const [, command = ''] = /`npm run ([a-z:-]+)/.exec(sentence) ?? []
    const isBenchOnly = state === 'bench only'
    const faults: [isSo: boolean, what: string][] = [
      [!states.some((one) => one === state), `has the state "${state}"; use one of ${states.join(', ')}`],
      [rules.findIndex((one) => one.id === id) !== at, 'is here twice; give each rule one row'],
      [
        state === 'built' && !isProven,
        'is called built and no test of npm test or of the templates cites it; prove it, or call it bench only',
      ],
      [
        isBenchOnly && scripts[command] === undefined,
        'is called bench only and names no command; name its `npm run …`',
      ],
      [isBenchOnly && isProven, 'is called bench only and has a test of npm test; call it built'],
    ]
    return faults.flatMap(([isSo, what]) => (isSo ? [findingAt(file, page, index, `${id} ${what}`)] : []))
  })
  return [
    ...wrong,
    ...cited.filter(({ id }) => !known.has(id)),
    ...allIds
      .filter((id) => !known.has(id))
      .map((id) => findingAt(file, page, page.indexOf(`| ${id[0]}1 |`), `${id} has no row; say whether it is built`)),
  ]
}

/** How many rules each letter has. */
const counts = { L: 9, C: 8, G: 8, S: 20, K: 7, B: 5, O: 9, R: 8, P: 10, N: 9 }
const allIds = Object.entries(counts).flatMap(([letter, count]) =>
  Array.from({ length: count }, (_, at) => `${letter}${at + 1}`),
)
