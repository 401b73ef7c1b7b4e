/**
 * `npm run deploy-check -- --stage prod --url https://shop.example`: whether a deployment is safe
 * now. Exit code 0: it is, or `--force` is set. 1: a sale is open or starts within the hour, or
 * alarms have no recipient. 2: an option is wrong.
 */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { dev } from '../infra/settings/dev.ts'
import { prod } from '../infra/settings/prod.ts'
import type { StageSettings } from '../infra/settings/stage.ts'
import { salesInTheWay } from './deploy-check/sales.ts'
import { AskFailed, asker } from './smoke/ask.ts'

const usage = `npm run deploy-check -- --stage dev|prod --url URL [--force]

  --url URL   the running shop
  --force     print the reasons against it, and deploy anyway

  Exits with 1 when a sale is open or starts within the hour.`

const stages: Readonly<Record<string, StageSettings>> = { dev, prod }

export type DeployCheckSurroundings = { print: (line: string) => void; now: number }

/** Prints the reasons not to deploy and returns the exit code. */
export async function runDeployCheck(
  args: string[],
  { print, now }: DeployCheckSurroundings,
): Promise<number> {
  const options = optionsIn(args)
  if (typeof options === 'string') {
    print(options)
    return 2
  }
  const { settings, url, force } = options
  const reasons = [...placeholdersIn(settings), ...(await reasonsOf(url, now))]
  for (const reason of reasons) print(`✗ ${reason}`)
  if (reasons.length === 0) {
    print('✓ no sale is open or starts within the hour')
    return 0
  }
  print(force ? 'Deploying anyway: --force.' : 'Not now. Wait, or use --force (docs/operations.md).')
  return force ? 0 : 1
}

function optionsIn(
  args: string[],
): { settings: StageSettings; url: string | undefined; force: boolean } | string {
  let values: { stage?: string; url?: string; force?: boolean }
  try {
    values = parseArgs({
      args,
      options: { stage: { type: 'string' }, url: { type: 'string' }, force: { type: 'boolean' } },
    }).values
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}\n\n${usage}`
  }
  const settings = stages[values.stage ?? '']
  const { url = '', force = false } = values
  if (settings === undefined) return usage
  if (url !== '' && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    return `${url} is not an address\n\n${usage}`
  return { settings, url: url === '' ? undefined : url, force }
}

/** Example values of the repository that no deployment may use. */
function placeholdersIn({ name, isProduction, alarmEmail = '' }: StageSettings): string[] {
  if (!isProduction || !alarmEmail.endsWith('@example.com')) return []
  return [`alarmEmail of infra/settings/${name}.ts is still the example's: alarms would have no recipient`]
}

/** A shop that is unknown or does not answer may have an open sale. */
async function reasonsOf(url: string | undefined, now: number): Promise<string[]> {
  if (url === undefined) return ['the address of the shop is missing, so its sales are unknown']
  try {
    return await salesInTheWay(asker(url), now)
  } catch (error) {
    if (error instanceof AskFailed) return [`${url}: ${error.message}`]
    throw error
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = await runDeployCheck(process.argv.slice(2), { print: console.log, now: Date.now() })
}
