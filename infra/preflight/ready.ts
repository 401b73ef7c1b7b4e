/** Environments that are put there before a sale and taken away after it, where a stage does not keep them all the time. */
import type { StageSettings } from '../settings/stage.ts'
import type { FunctionName } from '../system/functions.ts'

/** `after` ends what is paid for by the hour. */
export type ReadyCommands = { before: string; after: string }

const aliasOf = ({ name, region }: StageSettings, of: FunctionName) =>
  `--region ${region} --function-name sluice-${name}-${of} --qualifier live`

/** The command that puts `environments` of a function there: a number as people read it, or a placeholder. */
export const putReady = (settings: StageSettings, of: FunctionName, environments: string): string =>
  `aws lambda put-provisioned-concurrency-config ${aliasOf(settings, of)} --provisioned-concurrent-executions ${environments.replaceAll(',', '')}`

/** Around a sale of `seller`; undefined where nothing is to be put there, or it is there all the time. */
export function readyCommands(settings: StageSettings, seller: FunctionName): ReadyCommands | undefined {
  const { provisioned } = settings.functions[seller]
  if (provisioned === undefined || settings.keepReady) return undefined
  return {
    before: putReady(settings, seller, String(provisioned)),
    after: `aws lambda delete-provisioned-concurrency-config ${aliasOf(settings, seller)}`,
  }
}
