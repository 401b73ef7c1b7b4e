/**
 * `npm run smoke -- --url https://shop.example`: proves a deployment from outside, as its shoppers see it, one line for
 * each check. Without a session it stores nothing anywhere; with a marketer's it plays a sale of one coupon.
 */
import { fileURLToPath } from 'node:url'
import type { Environment } from './exported-token.ts'
import { type Ask, asker, NoAnswer } from './smoke/ask.ts'
import { type Check, type Finding, failed, lineOf, type Print, skipped } from './smoke/finding.ts'
import { type Options, readOptions, usage } from './smoke/options.ts'
import { pageAnswers, pageChecks } from './smoke/page-checks.ts'
import { postChecks } from './smoke/post-checks.ts'
import { saleChecks } from './smoke/sale-checks.ts'

/** Whatever hangs, a run is over after this; tidying up has its own seconds. */
const wholeTestMs = 120_000

export type Surroundings = { print: Print; complain: Print; environment: Environment }

/** Runs the checks and returns the exit code: 0, 1 when one failed, 2 when the command makes no sense. */
export async function runSmoke(
  args: string[],
  { print, complain, environment }: Surroundings,
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
  const findings = await look(options, print)
  const count = (kind: Finding['kind']) => findings.filter((finding) => finding.kind === kind).length
  print(`${count('ok')} passed, ${count('failed')} failed, ${count('skipped')} skipped`)
  return count('failed') === 0 ? 0 : 1
}

async function look({ url, token }: Options, print: Print): Promise<Finding[]> {
  const ask = asker(url.origin, AbortSignal.timeout(wholeTestMs))
  const first = await lookAt(pageAnswers(ask), print)
  if (first.isDead) {
    print(`Nothing answers at ${url.origin}, so nothing else was tried.`)
    return [first.finding]
  }
  const findings = [first.finding]
  for (const check of [...pageChecks(url, ask), ...postChecks(ask)]) {
    findings.push((await lookAt(check, print)).finding)
  }
  return [...findings, ...(await playSale(url, token, ask, print))]
}

async function playSale(url: URL, token: string | undefined, ask: Ask, print: Print): Promise<Finding[]> {
  if (token === undefined) {
    const look = async () => skipped('no --token of a marketer was given')
    return [(await lookAt({ name: 'a sale of one coupon', expected: 'none', look }, print)).finding]
  }
  const { steps, tidyUp } = saleChecks(ask, token)
  const findings: Finding[] = []
  try {
    for (const step of steps) {
      const isLost = findings.some(({ kind }) => kind !== 'ok')
      const check = isLost ? { ...step, look: async () => skipped('a step before it failed') } : step
      findings.push((await lookAt(check, print)).finding)
    }
  } finally {
    findings.push((await lookAt(tidyUp(asker(url.origin)), print)).finding)
  }
  return findings
}

type Seen = { finding: Finding; isDead: boolean }

/** Tells what was found as soon as it is known. */
async function lookAt(check: Check, print: Print): Promise<Seen> {
  const seen = await seenBy(check)
  print(lineOf(check, seen.finding))
  return seen
}

async function seenBy(check: Check): Promise<Seen> {
  try {
    return { finding: await check.look(), isDead: false }
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    return { finding: failed(error.message), isDead: true }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = await runSmoke(process.argv.slice(2), {
    print: (line) => console.log(line),
    complain: (line) => console.error(line),
    environment: { url: process.env.SLUICE_URL || undefined, token: process.env.SLUICE_TOKEN || undefined },
  })
}
