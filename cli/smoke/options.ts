/**
 * The arguments of the smoke test: the shop, by its address or the outputs of its deployment, and
 * the session.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import { readJson } from '../../core/lib/parse.ts'
import { type Environment, exportedToken, isThisMachine } from '../exported-token.ts'

export const usage = `npm run smoke -- --url URL | --outputs FILE [--token TOKEN]

  --url URL      the shop, such as https://shop.example (default: SLUICE_URL)
  --outputs FILE file of \`cdk deploy --outputs-file FILE\`, which has the address of the shop
  --token TOKEN  a marketer's session (default: SLUICE_TOKEN, for the shop of SLUICE_URL only); it plays a sale of one coupon,
                 and one of goods that it pays where the provider is simulated

  Exits with 1 when a check failed.`

export type Options = { url: URL; token: string | undefined }

/**
 * The options, or a text that says what is wrong with the arguments.
 * @throws when the file of outputs cannot be read
 */
export function readOptions(args: string[], environment: Environment): Options | string {
  let values: { url?: string; outputs?: string; token?: string }
  try {
    const options = {
      url: { type: 'string' },
      outputs: { type: 'string' },
      token: { type: 'string' },
    } as const
    values = parseArgs({ args, options }).values
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}\n\n${usage}`
  }
  const { outputs } = values
  if (values.url !== undefined && outputs !== undefined) return usage
  const address = outputs === undefined ? (values.url ?? environment.url) : shopIn(outputs)
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

/** The output of the edge stack (infra/stacks/edge.ts). */
function shopIn(file: string): string | undefined {
  const read = readJson(outputsOfStacks, readFileSync(file))
  const urls = read.ok ? Object.values(read.value).flatMap(({ ShopUrl }) => ShopUrl ?? []) : []
  return urls.length === 1 ? urls[0] : undefined
}

function isShop(url: URL): boolean {
  const speaks = url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url))
  return speaks && url.pathname === '/' && url.search === '' && url.username === ''
}
