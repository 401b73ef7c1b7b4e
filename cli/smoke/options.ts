/** The arguments of the smoke test: which shop, named by its address or by what the deployment wrote, and with whose session. */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import { readJson } from '../../core/parse.ts'
import { type Environment, exportedToken, isThisMachine } from '../exported-token.ts'

export const usage = `npm run smoke -- --url URL | --outputs FILE [--token TOKEN]

  --url URL      the shop, as its shoppers type it: https://shop.example (default: SLUICE_URL)
  --outputs FILE what \`cdk deploy --outputs-file FILE\` wrote, which names the shop
  --token TOKEN  a session with the role of marketer (default: SLUICE_TOKEN, for the shop of SLUICE_URL alone); with one, a sale of one coupon is played

  Exits with 1 when a check failed.`

export type Options = { url: URL; token: string | undefined }

/** What the arguments mean, or what is wrong with them. Throws what reading the file of outputs throws. */
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
    return outputs === undefined ? usage : `${outputs} names no shop: there is no one ShopUrl in it`
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
