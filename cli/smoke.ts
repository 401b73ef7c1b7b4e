/**
 * `npm run smoke -- --url https://shop.example`: checks a deployment from outside, as shoppers see
 * it, with one line for each check. Without a session it stores nothing; with a marketer's it plays
 * a sale of one coupon, and one of goods that it pays where no money moves.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Environment } from './exported-token.ts'
import { type Ask, AskFailed, asker, type Pause } from './smoke/ask.ts'
import { type Check, failed, lineOf, type Print, type SmokeFinding, skipped } from './smoke/finding.ts'
import { type Options, readOptions, usage } from './smoke/options.ts'
import { pageAnswers, pageChecks } from './smoke/page-checks.ts'
import { postChecks } from './smoke/post-checks.ts'
import { type Product, saleChecks } from './smoke/sale-checks.ts'

/** Timeout of a run; the clean-up has its own requests. */
const wholeTestMs = 120_000

export type SmokeSurroundings = { print: Print; complain: Print; environment: Environment; pause: Pause }

/**
 * Runs the checks and returns the exit code. 0: all passed. 1: a check failed. 2: an option is
 * wrong.
 */
export async function runSmoke(
  args: string[],
  { print, complain, environment, pause }: SmokeSurroundings,
): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    print(usage)
    return 0
  }
  const options = readOptions(args, environment)
  if (typeof options === 'string') {
    complain(options)
    return 2
  }
  const findings = await runChecks(options, print, pause)
  const count = (kind: SmokeFinding['kind']) => findings.filter((finding) => finding.kind === kind).length
  print(`${count('ok')} passed, ${count('failed')} failed, ${count('skipped')} skipped`)
  return count('failed') === 0 ? 0 : 1
}

async function runChecks({ url, token }: Options, print: Print, pause: Pause): Promise<SmokeFinding[]> {
  const ask = asker(url.origin, AbortSignal.timeout(wholeTestMs))
  const first = await runCheck(pageAnswers(ask), print)
  if (first.isUnreachable) {
    print(`No answer from ${url.origin}: the other checks were not tried.`)
    return [first.finding]
  }
  const findings = [first.finding]
  for (const check of [...pageChecks(url, ask, pause), ...postChecks(ask)]) {
    findings.push((await runCheck(check, print)).finding)
  }
  const around = { ask, print, pause }
  const ofCoupon = await playSale(url, token, 'coupon', around)
  const isLost = ofCoupon.some(({ kind }) => kind === 'failed')
  return [
    ...findings,
    ...ofCoupon,
    ...(isLost
      ? [await skipSale('goods', 'the sale of a coupon failed', print)]
      : await playSale(url, token, 'goods', around)),
  ]
}

async function playSale(
  url: URL,
  token: string | undefined,
  product: Product,
  { ask, print, pause }: { ask: Ask; print: Print; pause: Pause },
): Promise<SmokeFinding[]> {
  if (token === undefined) return [await skipSale(product, 'no --token of a marketer', print)]
  const { steps, tidyUp } = saleChecks(ask, pause, token, product)
  const findings: SmokeFinding[] = []
  try {
    for (const step of steps) {
      const isLost = findings.some(({ kind }) => kind !== 'ok')
      const check = isLost ? { ...step, run: async () => skipped('an earlier step failed') } : step
      findings.push((await runCheck(check, print)).finding)
    }
  } finally {
    findings.push((await runCheck(tidyUp(asker(url.origin)), print)).finding)
  }
  return findings
}

async function skipSale(product: Product, why: string, print: Print): Promise<SmokeFinding> {
  const run = async () => skipped(why)
  return (await runCheck({ name: `a sale of one unit: ${product}`, expected: 'none', run }, print)).finding
}

type Outcome = { finding: SmokeFinding; isUnreachable: boolean }

async function runCheck(check: Check, print: Print): Promise<Outcome> {
  const outcome = await outcomeOf(check)
  print(lineOf(check, outcome.finding))
  return outcome
}

async function outcomeOf(check: Check): Promise<Outcome> {
  try {
    return { finding: await check.run(), isUnreachable: false }
  } catch (error) {
    if (!(error instanceof AskFailed)) throw error
    return { finding: failed(error.message), isUnreachable: true }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = await runSmoke(process.argv.slice(2), {
    print: (line) => console.log(line),
    complain: (line) => console.error(line),
    environment: { url: process.env.SLUICE_URL || undefined, token: process.env.SLUICE_TOKEN || undefined },
    pause: (ms) => sleep(ms),
  })
}
