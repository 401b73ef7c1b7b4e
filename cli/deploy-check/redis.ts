/** `npm run deploy -- --check --redis`: the value of the secret of Redis, when it can be stored. */
import { readFile } from 'node:fs/promises'
import { type AskerOf, checkDatabases } from './databases.ts'
import { type ShopReader, salesLeftOut } from './placed-sales.ts'

export type RedisSurroundings = {
  print: (line: string) => void
  /** Writes beside the output, which is a secret. */
  complain: (line: string) => void
  askerOf: AskerOf
}

/**
 * `file` has the fields of the secret; `shop` is the running shop, absent before there is one.
 * Prints the value, says beside it what was found, and returns the exit code.
 */
export async function checkRedis(
  file: string,
  shop: ShopReader | undefined,
  { print, complain, askerOf }: RedisSurroundings,
): Promise<number> {
  let json: string
  try {
    json = await readFile(file, 'utf8')
  } catch (error) {
    complain(`✗ --redis: ${file} cannot be read (${reasonOf(error)})`)
    return 1
  }
  const { problems, warnings, answering, checked } = await checkDatabases(json, askerOf)
  for (const name of answering) complain(`✓ ${name} answers and takes writes`)
  for (const warning of warnings) complain(`~ ${warning}`)
  const left = checked === undefined || shop === undefined ? [] : await leftOut(shop, checked.names)
  for (const problem of [...problems, ...left]) complain(`✗ ${problem}`)
  if (checked === undefined || left.length > 0) return 1
  complain(
    shop === undefined
      ? 'Not compared with the sales of a shop: give --url and a marketer’s token once it runs.'
      : '✓ every sale of the shop keeps its database',
  )
  complain('Check by hand, in Upstash’s console: eviction is off and no budget is set, for each of them.')
  print(checked.secret)
  return 0
}

async function leftOut(shop: ShopReader, names: readonly string[]): Promise<string[]> {
  try {
    return await salesLeftOut(shop, names)
  } catch (error) {
    return [`the sales of the shop cannot be read: ${error instanceof Error ? error.message : error}`]
  }
}

function reasonOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : error
}
