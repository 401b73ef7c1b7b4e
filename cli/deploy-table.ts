/**
 * The table of checks that `npm run deploy` prints before it changes anything: each row has its finding and, where that
 * is not good, the remedy below it. `npm run setup` says by it what is left, and `npm run preflight -- --account` shows
 * the rows of the account (`deploy-account.ts`); those of the stage are in `deploy-stage.ts`.
 */
import * as z from 'zod/mini'
import type { StageSettings } from '../infra/settings/stage.ts'
import { type AwsCli, AwsRefused, readAws, remedyOf } from './aws-cli.ts'
import type { AskerOf } from './deploy-databases.ts'

/** `waits` is bad unless the deployment is forced. `bootstraps` is an environment that `cdk bootstrap` has to prepare. */
export type RowFinding = {
  state: 'good' | 'warning' | 'waits' | 'bad'
  finding: string
  remedy?: string
  bootstraps?: string
}
export type Row = RowFinding & { name: string }

export type TableSurroundings = { settings: StageSettings; aws: AwsCli; askerOf: AskerOf }
export type Asked = TableSurroundings & { account: string }

/** A finding may have a name of its own. A check finds nothing where the stage has no use for what it reads. */
type Named = RowFinding & { name?: string }
export type RowCheck = { name: string; read: (asked: Asked) => Promise<Named | readonly Named[] | undefined> }

export const good = (finding: string): RowFinding => ({ state: 'good', finding })
export const warning = (finding: string, remedy: string): RowFinding => ({ state: 'warning', finding, remedy })
export const waits = (finding: string, remedy: string): RowFinding => ({ state: 'waits', finding, remedy })
export const bad = (finding: string, remedy: string): RowFinding => ({ state: 'bad', finding, remedy })

export const identity = z.object({ Account: z.string().check(z.regex(/^\d{12}$/, 'must be 12 digits')) })

/** All rows, read at once. Without an account no other row can be read. */
export async function readTable(checks: readonly RowCheck[], around: TableSurroundings): Promise<Row[]> {
  const name = 'account'
  try {
    const { Account: account } = readAws(identity, await around.aws('sts', 'get-caller-identity'))
    const rows = await Promise.all(checks.map((check) => rowsOf(check, { ...around, account })))
    return [{ name, ...good(account) }, ...rows.flat()]
  } catch (error) {
    if (!(error instanceof AwsRefused)) throw error
    const otherwise = 'Sign in with the AWS CLI (docs/how-to/deploy.md, "1. Prerequisites").'
    return [{ name, ...bad(error.message, remedyOf(error) ?? otherwise) }]
  }
}

/** A call that AWS refuses is a warning: the deployment may have the right that this command lacks. */
export async function rowsOf({ name, read }: RowCheck, asked: Asked): Promise<Row[]> {
  try {
    return [(await read(asked)) ?? []].flat().map((finding) => ({ name, ...finding }))
  } catch (error) {
    if (!(error instanceof AwsRefused)) throw error
    return [{ name, ...warning(`not read: ${error.message}`, 'Allow that call, or check it by hand.') }]
  }
}

const marks = { good: '✓', warning: '!', waits: '✗', bad: '✗' } as const

export function tableLines(rows: readonly Row[]): string[] {
  const width = Math.max(0, ...rows.map(({ name }) => name.length))
  const margin = ' '.repeat(width + 4)
  return rows.flatMap(({ name, state, finding, remedy }) => [
    `${marks[state]} ${name.padEnd(width)}  ${finding.replaceAll('\n', `\n${margin}`)}`,
    ...(remedy === undefined ? [] : [`${margin}→ ${remedy.replaceAll('\n', `\n${margin}`)}`]),
  ])
}
