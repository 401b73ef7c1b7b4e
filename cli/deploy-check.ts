/**
 * `npm run deploy-check -- --stage prod --url https://shop.example`: whether this is a time to deploy. Exit code 0: it is, or
 * `--force` was given. 1: a sale is open or starts within the hour, or the stage would wake nobody. 2: an option is wrong.
 */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { dev } from '../infra/settings/dev.ts'
import { prod } from '../infra/settings/prod.ts'
import type { StageSettings } from '../infra/settings/stage.ts'
import { salesInTheWay } from './deploy-check/sales.ts'
import { asker, NoAnswer } from './smoke/ask.ts'

const usage = `npm run deploy-check -- --stage dev|prod --url URL [--force]

  --url URL   the shop as it runs now
  --force     say what is in the way, and deploy all the same

  Exits with 1 when a sale is open or starts within the hour.`

const stages: Readonly<Record<string, StageSettings>> = { dev, prod }

export type Surroundings = { print: (line: string) => void; now: number }

/** Prints what is in the way and returns the exit code. */
export async function runDeployCheck(args: string[], { print, now }: Surroundings): Promise<number> {
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
  print(force ? 'Deploying all the same: --force.' : 'Not now. Wait, or force it (docs/operations.md).')
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
    return `${url} is no address\n\n${usage}`
  return { settings, url: url === '' ? undefined : url, force }
}

/** What the repository brings so that it can be described, and no deployment may use. */
function placeholdersIn({ name, isProduction, alarmEmail = '' }: StageSettings): string[] {
  if (!isProduction || !alarmEmail.endsWith('@example.com')) return []
  return [`alarmEmail of infra/settings/${name}.ts is still the example's: nobody would receive an alarm`]
}

/** A shop that is not known or does not answer may be in the middle of a sale. */
async function reasonsOf(url: string | undefined, now: number): Promise<string[]> {
  if (url === undefined) return ['the address of the shop is not known, so nobody can tell what it sells now']
  try {
    return await salesInTheWay(asker(url), now)
  } catch (error) {
    if (error instanceof NoAnswer) return [`${url}: ${error.message}`]
    throw error
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = await runDeployCheck(process.argv.slice(2), { print: console.log, now: Date.now() })
}
