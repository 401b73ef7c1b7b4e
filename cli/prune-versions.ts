/**
 * `npm run deploy -- --prune --stage prod`: deletes former versions of the functions after a secret was rotated. A version
 * keeps the environment that it was published with, so former ones still have the former secret, and a rollback to them
 * is not possible (docs/how-to/operations.md, "Rotate a secret"). Versions of an alias stay, and so does the newest, which
 * CloudFormation uses. The gate has no environment.
 *
 * Exit code 0: no former version is left. 1: AWS refused a call. 2: an option is wrong.
 */
import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import { functionsOfStage, type StageSettings, stageNamed } from '../infra/settings/stage.ts'
import { stages as deployed } from '../infra/settings/stages.ts'
import { type DeployedFunction, paymentSimulator } from '../system/functions.ts'
import { asksForHelp } from './asks-for-help.ts'
import { type AwsCli, AwsCliError, readAws, remedyOf, withRemedy } from './aws-cli.ts'

const usage = `npm run deploy -- --prune --stage dev|small|prod [--dry-run]

  Deletes every version of the stage's functions but the newest and those of their aliases.

  --dry-run   print what would be deleted`

const stages: Readonly<Record<string, StageSettings>> = deployed

export type PruneVersionsPorts = { aws: AwsCli; print: (line: string) => void }

/** Prints the deleted versions and returns the exit code. */
export async function runPruneVersions(args: string[], { aws, print }: PruneVersionsPorts): Promise<number> {
  const options = parseOptions(args)
  if (options === undefined) {
    print(usage)
    return asksForHelp(args) ? 0 : 2
  }
  const { settings, isDryRun } = options
  const refused: string[] = []
  const names = functionsOf(settings)
  for (const [at, name] of names.entries()) {
    const of = ['--region', settings.region, '--function-name', `sluice-${settings.name}-${name}`] as const
    try {
      const versions = await formerVersions(aws, of)
      for (const version of versions) {
        if (!isDryRun) await aws('lambda', 'delete-function', ...of, '--qualifier', version)
      }
      const done = isDryRun ? 'would be deleted' : 'deleted'
      print(versions.length === 0 ? `${name}: nothing` : `${name}: ${versions.join(', ')} ${done}`)
    } catch (error) {
      if (!(error instanceof AwsCliError)) throw error
      print(`✗ ${name}: ${withRemedy(error)}`)
      refused.push(name)
      if (remedyOf(error) === undefined) continue
      // Every other function would fail for the same reason.
      refused.push(...names.slice(at + 1))
      break
    }
  }
  if (refused.length > 0) print(`Former secrets may still be in ${refused.join(', ')}: repeat the command.`)
  return refused.length === 0 ? 0 : 1
}

function parseOptions(args: string[]): { settings: StageSettings; isDryRun: boolean } | undefined {
  try {
    const options = { stage: { type: 'string' }, 'dry-run': { type: 'boolean' } } as const
    const { stage = '', 'dry-run': isDryRun = false } = parseArgs({ args, options }).values
    const settings = stageNamed(stages, stage)
    return settings && { settings, isDryRun }
  } catch {
    return undefined
  }
}

/** Returns the functions of a stage that have an environment. */
function functionsOf(settings: StageSettings): DeployedFunction[] {
  const simulator = settings.simulatesPayments === true ? ([paymentSimulator] as const) : []
  return [...functionsOfStage(settings), ...simulator]
}

const versionList = z.object({ Versions: z.array(z.object({ Version: z.string() })) })
const aliasList = z.object({
  Aliases: z.array(
    z.object({
      FunctionVersion: z.string(),
      RoutingConfig: z.optional(z.object({ AdditionalVersionWeights: z.optional(z.record(z.string(), z.number())) })),
    }),
  ),
})

/** Returns the numbers of versions that no alias uses, without the newest, oldest first. */
async function formerVersions(aws: AwsCli, at: readonly string[]): Promise<string[]> {
  // Aliases are read first: a later target of an alias is newer than every version that this lists as former.
  const aliases = readAws(aliasList, await aws('lambda', 'list-aliases', ...at)).Aliases
  const used = new Set(
    aliases.flatMap(({ FunctionVersion, RoutingConfig }) => [
      FunctionVersion,
      ...Object.keys(RoutingConfig?.AdditionalVersionWeights ?? {}),
    ]),
  )
  const { Versions } = readAws(versionList, await aws('lambda', 'list-versions-by-function', ...at))
  const numbers = Versions.map(({ Version }) => Version).filter((version) => version !== '$LATEST')
  const oldestFirst = numbers.toSorted((one, other) => Number(one) - Number(other))
  return oldestFirst.slice(0, -1).filter((version) => !used.has(version))
}
