/** The AWS commands that provision environments before a sale and remove them after it. */

import type { StageSettings } from '../../infra/settings/stage.ts'
import type { FunctionName } from '../../system/functions.ts'

/** `after` ends the charge by the hour. */
export type ProvisionCommands = { before: string; after: string }

const aliasOf = ({ name, region }: StageSettings, of: FunctionName) =>
  `--region ${region} --function-name sluice-${name}-${of} --qualifier live`

/** Provisions `environments` of a function: a number such as 1,200, or a placeholder. */
export const putProvisioned = (settings: StageSettings, of: FunctionName, environments: string): string =>
  `aws lambda put-provisioned-concurrency-config ${aliasOf(settings, of)} --provisioned-concurrent-executions ${environments.replaceAll(',', '')}`

/**
 * For a sale of `seller`; undefined where the stage provisions none, or keeps them all the time.
 */
export function provisionCommands(settings: StageSettings, seller: FunctionName): ProvisionCommands | undefined {
  const { provisioned } = settings.functions[seller]
  if (provisioned === undefined || settings.keepProvisioned) return undefined
  return {
    before: putProvisioned(settings, seller, String(provisioned)),
    after: `aws lambda delete-provisioned-concurrency-config ${aliasOf(settings, seller)}`,
  }
}
