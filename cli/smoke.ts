/**
 * `npm run smoke -- --url https://shop.example`: checks a deployment from outside, as shoppers see it, and prints one line
 * for each check. Without a session it stores nothing. With a marketer's session it also checks the roles, runs a sale of
 * one coupon, and one of goods, which it pays if payments are simulated.
 */

import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import { textOfFile } from '../core/lib/file-text.ts'
import { readJson } from '../core/lib/parse.ts'
import { asksForHelp } from './asks-for-help.ts'
import { type CliEnvironment, exportedToken, isLoopback } from './exported-token.ts'
import { isMain } from './is-main.ts'
import { failed, findingLine, type Print, type SmokeCheck, type SmokeFinding, skipped } from './smoke/finding.ts'
import { pageCheck, pageChecks, postChecks } from './smoke/public-checks.ts'
import { type Pause, RequestFailed, requestSender, type SendRequest } from './smoke/request.ts'
import { type SmokeProduct, saleChecks, sessionCheck } from './smoke/sale-checks.ts'

export const usage = `npm run smoke -- --url URL | --outputs FILE [--token TOKEN]

  --url URL      the shop, such as https://shop.example (default: SLUICE_URL)
  --outputs FILE file of \`cdk deploy --outputs-file FILE\`, which has the address of the shop
  --token TOKEN  a marketer's session (default: SLUICE_TOKEN, for the shop of SLUICE_URL only): the cookie sluice_session of a
                 person who signed in, which also proves the second factor, or a token of \`npm run session -- token\`.
                 It plays a sale of one coupon, and one of goods that it pays where the provider is simulated

  Exits with 1 when a check failed.`

export type Options = { url: URL; token: string | undefined }

/**
 * Returns the options, or a text that says what is wrong with the arguments.
 * @throws when the file of outputs cannot be read
 */
export function readOptions(args: string[], environment: CliEnvironment): Options | string {
  let values: { url?: string; outputs?: string; token?: string }
  try {
    const options = { url: { type: 'string' }, outputs: { type: 'string' }, token: { type: 'string' } } as const
    values = parseArgs({ args, options }).values
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}\n\n${usage}`
  }
  const { outputs } = values
  if (values.url !== undefined && outputs !== undefined) return usage
  const address = outputs === undefined ? (values.url ?? environment.url) : readShopUrl(outputs)
  if (address === undefined) {
    return outputs === undefined ? usage : `${outputs} does not have exactly one ShopUrl`
  }
  const url = URL.parse(address)
  if (url === null || !isShop(url)) {
    return `the shop must be https://, or http:// of this machine, without a path: not ${address}`
  }
  if (values.token !== undefined) return { url, token: values.token }
  const exported = exportedToken(environment, url.origin)
  return exported.ok ? { url, token: exported.token } : exported.detail
}

const outputsOfStacks = z.record(z.string(), z.record(z.string(), z.string()))

/** Returns the shop's address from the output of the edge stack (infra/stacks/edge.ts). */
function readShopUrl(file: string): string | undefined {
  const read = readJson(outputsOfStacks, textOfFile(file, readFileSync(file)))
  const urls = read.ok ? Object.values(read.value).flatMap(({ ShopUrl }) => ShopUrl ?? []) : []
  return urls.length === 1 ? urls[0] : undefined
}

function isShop(url: URL): boolean {
  const isAllowed = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))
  return isAllowed && url.pathname === '/' && url.search === '' && url.username === ''
}

/** Timeout of a run; the clean-up is not limited by it. */
const testTimeoutMs = 120_000

export type SmokePorts = { print: Print; printError: Print; environment: CliEnvironment; pause: Pause }

/** Runs the checks and returns the exit code. 0: all passed. 1: a check failed. 2: an option is wrong. */
export async function runSmoke(args: string[], { print, printError, environment, pause }: SmokePorts): Promise<number> {
  if (asksForHelp(args)) {
    print(usage)
    return 0
  }
  const options = readOptions(args, environment)
  if (typeof options === 'string') {
    printError(options)
    return 2
  }
  const findings = await runChecks(options, print, pause)
  const count = (kind: SmokeFinding['kind']) => findings.filter((finding) => finding.kind === kind).length
  print(`${count('ok')} passed, ${count('failed')} failed, ${count('skipped')} skipped`)
  return count('failed') === 0 ? 0 : 1
}

async function runChecks({ url, token }: Options, print: Print, pause: Pause): Promise<SmokeFinding[]> {
  const request = requestSender(url.origin, AbortSignal.timeout(testTimeoutMs))
  const first = await runCheck(pageCheck(request), print)
  if (first.isUnreachable) {
    print(`No answer from ${url.origin}: the other checks were not tried.`)
    return [first.finding]
  }
  const session = token === undefined ? undefined : (await runCheck(sessionCheck(request, token), print)).finding
  const findings = session === undefined ? [first.finding] : [first.finding, session]
  for (const check of [...pageChecks(url, request, pause), ...postChecks(request)]) {
    findings.push((await runCheck(check, print)).finding)
  }
  const noSession = token === undefined ? 'no --token of a marketer' : 'the session is not a marketer’s'
  let lost = session?.kind === 'ok' ? undefined : noSession
  for (const product of ['coupon', 'goods'] as const) {
    const isPlayed = token !== undefined && lost === undefined
    const played = isPlayed
      ? await playSale(url, token, product, { request, print, pause })
      : [await skipSale(product, lost ?? noSession, print)]
    if (played.some(({ kind }) => kind === 'failed')) lost = 'the sale of a coupon failed'
    findings.push(...played)
  }
  return findings
}

async function playSale(
  url: URL,
  token: string,
  product: SmokeProduct,
  { request, print, pause }: { request: SendRequest; print: Print; pause: Pause },
): Promise<SmokeFinding[]> {
  const { steps, cleanUp } = saleChecks(request, pause, token, product)
  const findings: SmokeFinding[] = []
  try {
    for (const step of steps) {
      const isLost = findings.some(({ kind }) => kind !== 'ok')
      const check = isLost ? { ...step, run: async () => skipped('an earlier step failed') } : step
      findings.push((await runCheck(check, print)).finding)
    }
  } finally {
    findings.push((await runCheck(cleanUp(requestSender(url.origin)), print)).finding)
  }
  return findings
}

async function skipSale(product: SmokeProduct, why: string, print: Print): Promise<SmokeFinding> {
  const run = async () => skipped(why)
  return (await runCheck({ name: `a sale of one unit: ${product}`, expected: 'none', run }, print)).finding
}

async function runCheck(check: SmokeCheck, print: Print): Promise<{ finding: SmokeFinding; isUnreachable: boolean }> {
  let isUnreachable = false
  const finding = await check.run().catch((error: unknown) => {
    if (!(error instanceof RequestFailed)) throw error
    isUnreachable = true
    return failed(error.message)
  })
  print(findingLine(check, finding))
  return { finding, isUnreachable }
}

if (isMain(import.meta.url)) {
  process.exitCode = await runSmoke(process.argv.slice(2), {
    print: (line) => console.log(line),
    printError: (line) => console.error(line),
    environment: { url: process.env.SLUICE_URL || undefined, token: process.env.SLUICE_TOKEN || undefined },
    pause: (ms) => sleep(ms),
  })
}
