/**
 * The calls of AWS that functions made in a run of the tests, and the kept file of them, which
 * `test/infra/calls.test.ts` compares with the rights of their roles. A call is a line
 * `<function> <action> <resource>`.
 */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { joined } from '../core/lib/fold.ts'
import { functions } from '../options/registry/functions.ts'
import { optionFunctionNames, scheduledFunctions } from '../system/functions.ts'
import type { TableRight } from '../system/seams.ts'
import { rareCalls } from './infra/rare-calls.ts'

export const keptFile = fileURLToPath(new URL('./infra/calls.txt', import.meta.url))

/**
 * Rights that are limited to keys of the table: their calls end with the prefix of the key. It would only make the
 * lines of all other calls different from run to run.
 */
export const limitedByKey: Readonly<Record<string, readonly string[]>> = {
  canary: ['dynamodb:PutItem'],
  delivery: ['dynamodb:BatchWriteItem', 'dynamodb:DeleteItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
  ...Object.fromEntries(scheduledFunctions.map(([name]) => [name, limitedActions(name)])),
  ...Object.fromEntries(
    optionFunctionNames.map((name) => [
      name,
      ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query', 'dynamodb:UpdateItem'],
    ]),
  ),
  mail: ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
  'sign-in': ['dynamodb:PutItem'],
}

function limitedActions(name: string): string[] {
  const rights: readonly TableRight[] = joined(functions, 'rights')
  const limited = rights.filter(({ of, prefixes }) => of === name && prefixes.length > 0)
  return [...new Set(limited.flatMap(({ actions }) => actions.map((action) => `dynamodb:${action}`)))].toSorted()
}

/** The lines in a kept or recorded file; none when it does not exist. */
export const linesOf = (file: string): string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []

/**
 * The calls in the files of `folder` that `file` does not have, neither is the need of their rights known, each once,
 * in a stable order. With `adds` they are written to `file` instead, and none is returned.
 */
export function compareRecorded(folder: string, file: string, { adds }: { adds: boolean }): string[] {
  const kept = linesOf(file)
  const recorded = readdirSync(folder).flatMap((name) => linesOf(join(folder, name)))
  const known = new Set([...kept, ...rareCalls])
  const unknown = [...new Set(recorded.map(withoutNeedlessKey))].filter((call) => !known.has(call)).toSorted()
  if (!adds || unknown.length === 0) return unknown
  writeFileSync(file, `${[...kept, ...unknown].toSorted().join('\n')}\n`)
  return []
}

function withoutNeedlessKey(call: string): string {
  const [name = '', action = '', resource = ''] = call.split(' ')
  return limitedByKey[name]?.includes(action) === true ? call : `${name} ${action} ${resource}`
}
