/**
 * The table of checks that `npm run deploy` prints before it changes anything: each row has its finding and, where that
 * is not good, the remedy below it. `npm run setup` and `npm run preflight -- --account` show the rows of the account
 * (`deploy-account.ts`); those of the stage are in `deploy-stage.ts`.
 */
import * as z from 'zod/mini'
import type { StageSettings } from '../infra/settings/stage.ts'
import { type AwsCli, AwsCliError, readAws, remedyOf } from './aws-cli.ts'
import type { SenderFor } from './deploy-databases.ts'

/** `blocked` stops a deployment unless it is forced. `bootstraps` is an environment that `cdk bootstrap` has to prepare. */
export type CheckFinding = {
  state: 'good' | 'warning' | 'blocked' | 'bad'
  finding: string
  remedy?: string
  bootstraps?: string
}
export type CheckRow = CheckFinding & { name: string }

export type TablePorts = { settings: StageSettings; aws: AwsCli; senderFor: SenderFor }
export type CheckContext = TablePorts & { account: string }

/** A finding may have a name of its own. A check returns undefined where it does not apply to the stage. */
type Named = CheckFinding & { name?: string }
export type RowCheck = { name: string; read: (context: CheckContext) => Promise<Named | readonly Named[] | undefined> }

export const good = (finding: string): CheckFinding => ({ state: 'good', finding })
export const warning = (finding: string, remedy: string): CheckFinding => ({ state: 'warning', finding, remedy })
export const blocked = (finding: string, remedy: string): CheckFinding => ({ state: 'blocked', finding, remedy })
export const bad = (finding: string, remedy: string): CheckFinding => ({ state: 'bad', finding, remedy })

export const identity = z.object({ Account: z.string().check(z.regex(/^\d{12}$/, 'must be 12 digits')) })

/** Reads all rows concurrently. Without an account no other row can be read. */
export async function readTable(checks: readonly RowCheck[], ports: TablePorts): Promise<CheckRow[]> {
  const name = 'account'
  try {
    const { Account: account } = readAws(identity, await ports.aws('sts', 'get-caller-identity'))
    const rows = await Promise.all(checks.map((check) => runRowCheck(check, { ...ports, account })))
    return [{ name, ...good(account) }, ...rows.flat()]
  } catch (error) {
    if (!(error instanceof AwsCliError)) throw error
    const otherwise = 'Sign in with the AWS CLI (docs/how-to/deploy.md, "1. Prerequisites").'
    return [{ name, ...bad(error.message, remedyOf(error) ?? otherwise) }]
  }
}

/** Runs one check. A call that AWS refuses is a warning: the deployment may have the right that this command lacks. */
export async function runRowCheck({ name, read }: RowCheck, context: CheckContext): Promise<CheckRow[]> {
  try {
    return [(await read(context)) ?? []].flat().map((finding) => ({ name, ...finding }))
  } catch (error) {
    if (!(error instanceof AwsCliError)) throw error
    return [{ name, ...warning(`not read: ${error.message}`, 'Allow that call, or check it by hand.') }]
  }
}

const marks = { good: '✓', warning: '!', blocked: '✗', bad: '✗' } as const

export function tableLines(rows: readonly CheckRow[]): string[] {
  const width = Math.max(0, ...rows.map(({ name }) => name.length))
  const margin = ' '.repeat(width + 4)
  return rows.flatMap(({ name, state, finding, remedy }) => [
    `${marks[state]} ${name.padEnd(width)}  ${finding.replaceAll('\n', `\n${margin}`)}`,
    ...(remedy === undefined ? [] : [`${margin}→ ${remedy.replaceAll('\n', `\n${margin}`)}`]),
  ])
}
