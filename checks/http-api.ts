/**
 * The API as it is described: docs/reference/http-api.md against the settings and operations of core/, and the
 * description itself against the recommended rules of a linter and what tests saw answered.
 */
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { operations } from '../core/api/operations.ts'
import { outcomes, type ProblemCode } from '../core/outcome.ts'
import { roles } from '../core/roles.ts'
import type { SaleKind } from '../core/sale/kinds.ts'
import { settingNames, settingOf } from '../core/sale/settings.ts'
import { problemsIn } from '../static/api/calls.ts'
import { describeApi, pathOf } from '../static/api/openapi.ts'
import { cellsOf, tableBelow } from './markdown.ts'
import { type Finding, findingAt, type Tree } from './tree.ts'

const file = 'docs/reference/http-api.md'
const rolesHeading = '### Roles'
const kindNames: Record<SaleKind, string> = { goods: 'goods', coupon: 'coupons', 'red-packet': 'red packets' }

export function checkHttpApi(tree: Tree): Finding[] {
  const page = tree.text(file)
  const ofOptions = tree.list('options').filter((one) => /^options\/[^/]+\/README\.md$/.test(one))
  const pages = [page, ...ofOptions.map((one) => tree.text(one))]
  const all = pages.join('\n')
  return [...settingsOn(all), ...callsOn(all), ...rolesOn(pages), ...problemsOn(page)]
}

/** Each setting has a row with its bounds, default and kinds, and whether it may change while the sale runs; that of an option may be on its own page. */
function settingsOn(page: string): Finding[] {
  return settingNames.flatMap((name) => {
    const { kinds, editable, range, default: usual } = settingOf(name)
    const start = `| \`${name}\` |`
    const row = page.split('\n').find((line) => line.startsWith(start))
    if (row === undefined)
      return [findingAt(file, page, -1, `has no row for the setting ${name}; add it to the table of settings`)]
    const [, value = '', forKinds, running] = cellsOf(row)
    const upper = range?.[1].toLocaleString('en')
    const expected: [isSo: boolean, what: string][] = [
      [
        forKinds === (kinds?.map((kind) => kindNames[kind]).join(', ') ?? 'all'),
        `says "${forKinds}" of ${name}; its kinds are ${kinds?.join(', ') ?? 'all'}`,
      ],
      [
        running === (editable ? 'yes' : 'no'),
        `says "${running}" of changing ${name} in a running sale; core/sale/settings.ts says otherwise`,
      ],
      [upper === undefined || value.includes(upper), `lacks the upper bound of ${name}; write ${upper}`],
      [typeof usual !== 'number' || value.includes(`(${usual})`), `lacks the default of ${name}; write (${usual})`],
    ]
    return expected.flatMap(([isSo, what]) => (isSo ? [] : [findingAt(file, page, page.indexOf(start), what)]))
  })
}

/** Each call of shoppers and shops is named with its method, and no other is; those of staff are in a table of roles. */
function callsOn(page: string): Finding[] {
  const named = new Set(
    [...page.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/api\/[^`?]*)/g)].map(([, call = '']) => call),
  )
  const real = Object.values(operations)
    .filter(({ roles: needed }) => needed === undefined)
    .map(({ method, path }) => `${method} ${pathOf({ path })}`)
  return [
    ...real
      .filter((call) => !named.has(call))
      .map((call) => findingAt(file, page, -1, `does not name ${call}; add it to a table of calls`)),
    ...[...named]
      .filter((call) => !real.includes(call))
      .map((call) => findingAt(file, page, page.indexOf(`\`${call}`), `names ${call}, which is no operation`)),
  ]
}

/** Each code that an operation may answer has a row with its status. */
function problemsOn(page: string): Finding[] {
  const rows = tableBelow(page, '## Problem codes')
  const codes = new Set<ProblemCode>(Object.values(operations).flatMap(({ problems }) => problems))
  return [...codes].flatMap((code) => {
    const { status } = outcomes[code]
    const [, statuses = ''] = rows.find(([codes = '']) => codes.includes(`\`${code}\``)) ?? []
    if (statuses.includes(String(status))) return []
    return [findingAt(file, page, page.indexOf('## Problem codes'), `lacks ${code} with the status ${status}`)]
  })
}

/** Each call of the control API stands in the row of the roles that may make it, those of an option on its own page. */
function rolesOn(pages: readonly string[]): Finding[] {
  const page = pages.join('\n')
  const documented = new Map(
    pages
      .filter((one) => one.includes(rolesHeading))
      .flatMap((one) => tableBelow(one, rolesHeading))
      .flatMap(([calls = '', ...marks]) => {
        const allowed = roles.filter((_, at) => marks[at] === 'yes').join(', ')
        return calls
          .replaceAll('`', '')
          .split(', ')
          .map((call): [string, string] => [call, allowed])
      }),
  )
  const real = new Map(
    Object.values(operations).flatMap(({ method, path, roles: needed }) =>
      needed === undefined ? [] : [[`${method} ${path.replace('/api/control', '')}`, needed.join(', ')]],
    ),
  )
  return [...new Set([...documented.keys(), ...real.keys()])]
    .filter((call) => documented.get(call) !== real.get(call))
    .map((call) => {
      const what = `gives ${call} to ${documented.get(call) ?? 'no row'}; write ${real.get(call) ?? 'no row'}`
      return findingAt(file, page, page.indexOf(`\`${call}\``), what)
    })
}

/** The description of the API against the recommended rules of a linter, and against what tests saw answered. */
export async function checkOpenApi(): Promise<Finding[]> {
  const source = JSON.stringify(describeApi('0.0.0'))
  // A browser that signs in is always led on, with 303.
  const config = await createConfig({ extends: ['recommended'], rules: { 'operation-2xx-response': 'off' } })
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config })
  return problems.map(({ message, ruleId, location: [at] }) => ({
    ...{ file: 'static/api/openapi.ts', line: 1 },
    what: `${at?.pointer ?? ''} ${message} (${ruleId})`,
  }))
}

/** Kept by `npm test -- --record-answers`; a run of all tests fails for a line that it did not see. */
const answersFile = 'test/answers.txt'

/** The problem codes of operations that are described, and those of them that a test saw answered. */
export function answeredProblems(tree: Tree): { described: string[]; seen: string[] } {
  const kept = new Set(tree.text(answersFile).split('\n').filter(Boolean))
  const described = problemsIn(describeApi('0.0.0'))
  return { described, seen: described.filter((one) => kept.has(one)) }
}

/** Each problem code of each operation was answered in a test, and no other is kept as such. */
export function checkAnswers(tree: Tree): Finding[] {
  const text = tree.text(answersFile)
  const { described, seen } = answeredProblems(tree)
  const [known, answered] = [new Set(described), new Set(seen)]
  return [
    ...described
      .filter((one) => !answered.has(one))
      .map((one) => `no test saw ${one}; test it, or remove it from core/api`),
    ...text
      .split('\n')
      .filter((one) => one !== '' && !known.has(one))
      .map((one) => `${one} is not described; remove the line`),
  ].map((what) => findingAt(answersFile, text, -1, what))
}
