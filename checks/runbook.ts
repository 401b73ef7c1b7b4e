/** Runbooks: a section for each alarm in the order of their rows, and nothing in them that does not exist. */

import { type Heading, headingsIn } from './markdown.ts'
import { filesOf } from './modules.ts'
import { type Finding, findingAt, type Tree } from './tree.ts'

const runbooks = 'docs/how-to/runbooks.md'
const operations = 'docs/how-to/operations.md'
/** Each section below these headings can be rehearsed. */
const pages: Record<string, readonly string[]> = {
  [runbooks]: ['alarms'],
  'docs/how-to/incidents.md': ['incidents'],
  [operations]: ['during-a-sale', 'changes'],
  'docs/how-to/rehearsals.md': [],
}
const rowsOfAlarms = ['infra/constructs/sale-alarms.ts', 'infra/constructs/edge-alarms.ts']
/** The alarms of an option have their sections in its own page. */
const optionAlarms = /^(options\/(?!lists\/)[^/]+\/)infra\/alarms\.ts$/

/** Sections of one heading: those one level below it. */
function sectionsBelow(headings: readonly Heading[], anchor: string): Heading[] {
  const from = headings.findIndex((heading) => heading.anchor === anchor)
  const depth = headings[from]?.depth ?? 0
  const rest = headings.slice(from + 1)
  const end = rest.findIndex((heading) => heading.depth <= depth)
  return rest.slice(0, end === -1 ? undefined : end).filter((heading) => heading.depth === depth + 1)
}

export function checkRunbook(tree: Tree): Finding[] {
  const ofOptions = tree.list('options').flatMap((rows) => {
    const folder = optionAlarms.exec(rows)?.[1]
    return folder === undefined ? [] : [{ file: `${folder}README.md`, rows: [rows], rehearsed: ['alarms'] }]
  })
  const ofEngine = Object.entries(pages).map(([file, rehearsed]) => ({ file, rows: rowsOfAlarms, rehearsed }))
  return [...ofEngine, ...ofOptions].flatMap(({ file, rows, rehearsed }) => {
    const page = tree.text(file)
    const headings = headingsIn(page)
    const find = (index: number, what: string) => findingAt(file, page, index, what)
    return [
      ...(file === runbooks || rows !== rowsOfAlarms ? order({ tree, page, headings, find, rows }) : []),
      ...logLines(tree, page, find),
      ...commands(tree, page, find),
      ...rehearsals({ tree, page, headings, find, rehearsed }),
      ...(file !== operations || preflight.test(page)
        ? []
        : [find(page.indexOf('## Before a sale'), 'starts a sale before its preflight; explain that first')]),
    ]
  })
}

type Find = (index: number, what: string) => Finding

const preflight = /^## Before a sale$[\s\S]*^### Preflight$[\s\S]*npm run preflight[\s\S]*^### Start a sale$/m

/** Sections and table have the alarms in the order of their rows. */
function order({ tree, page, headings, find, rows }: Omit<Rehearsed, 'rehearsed'> & { rows: string[] }): Finding[] {
  const sections = rows.flatMap((one) =>
    [...tree.text(one).matchAll(/^ {4}section: '([a-z-]+)'/gm)].map(([, name = '']) => name),
  )
  // AWS Budgets sends the budget's email.
  const alarms = rows === rowsOfAlarms ? [...sections, 'budget'] : sections
  const start = page.indexOf('\n## Alarms\n')
  const table = [...page.slice(start, page.indexOf('\n### ', start)).matchAll(/^\| \[([a-z-]+)\]\(#([a-z-]+)\)/gm)].map(
    ({ index, 1: name, 2: anchor = '' }) => ({ index: start + index, anchor: name === anchor ? anchor : '' }),
  )
  const inOrder = (found: readonly { anchor: string; index: number }[], kind: string) => {
    const at = [...alarms, undefined].findIndex((alarm, place) => found[place]?.anchor !== alarm)
    if (at === -1) return []
    const { index = start, anchor = 'nothing' } = found[at] ?? {}
    return [find(index, `${anchor} is out of place; the next ${kind} is ${alarms[at]} (${rows.join(', ')})`)]
  }
  return [...inOrder(sectionsBelow(headings, 'alarms'), 'section'), ...inOrder(table, 'row of the table of alarms')]
}

/** Queries look for lines that our code writes. */
function logLines(tree: Tree, page: string, find: Find): Finding[] {
  const code = filesOf(tree, 'functions', 'redis').filter((one) => one.endsWith('.ts'))
  return [...page.matchAll(/message = "([^"]+)"| message like \/([^/]+)\//g)]
    .flatMap(({ index, 1: line, 2: parts = '' }) =>
      (line === undefined ? parts.split('|') : [line]).map((one) => ({ index, one })),
    )
    .filter(({ one }) => !code.some((source) => tree.text(source).includes(one)))
    .map(({ index, one }) => find(index, `queries logs for "${one}"; no code of functions/ or redis/ writes that`))
}

type Rehearsed = { tree: Tree; page: string; headings: readonly Heading[]; find: Find; rehearsed: readonly string[] }

/** Each alarm, incident and task during a sale says how to rehearse it here, with faults that exist. */
function rehearsals({ tree, page, headings, find, rehearsed }: Rehearsed): Finding[] {
  const textOf = ({ index }: Heading) =>
    page.slice(index, headings.find((next) => next.index > index)?.index ?? page.length)
  const without = rehearsed
    .flatMap((anchor) => sectionsBelow(headings, anchor))
    .filter((section) => !textOf(section).includes('**Rehearse**: '))
    .map(({ index, anchor }) => find(index, `${anchor} has no **Rehearse**; say how to play it on one machine`))
  const faults = tree.text('local/faults/faults.ts')
  const unknown = [...page.matchAll(/\binject ([a-z0-9-]+)(?: \$?db\S*)? ([a-z-]+)/g)].flatMap(
    ({ index, 1: target, 2: mode }) =>
      [target, mode]
        .filter((word) => !faults.includes(`'${word}'`))
        .map((word) => find(index, `injects "${word}"; local/faults/faults.ts has no such target or mode`)),
  )
  return [...without, ...unknown]
}

/** Commands of `sale` that the page names exist, with their options. */
function commands(tree: Tree, page: string, find: Find): Finding[] {
  const cli = [...filesOf(tree, 'cli').filter((one) => /\bcli\/(?:sale\/|commands)/.test(one)), 'core/sale/settings.ts']
    .map((one) => tree.text(one))
    .join('\n')
  return [...page.matchAll(/`sale ([a-z]+)([^`]*)`/g)].flatMap(({ index, 1: command = '', 2: rest = '' }) => [
    ...(new RegExp(`(?:command|act)\\('${command}[ ']`).test(cli)
      ? []
      : [find(index, `names \`sale ${command}\`; cli/sale/ has no such command`)]),
    ...[...rest.matchAll(/--[a-z-]+/g)]
      .filter(([flag]) => !new RegExp(`'${flag}[ ']`).test(cli))
      .map(([flag]) => find(index, `names \`sale ${command} ${flag}\`; cli/sale/ has no such option`)),
  ])
}
