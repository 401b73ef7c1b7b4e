/**
 * `npm run snippets`: runs the code in docs/how-to/customers.md and verifies each token as the gate does. It needs
 * `python3` with the package `cryptography`, and `php` with openssl; PYTHON and PHP name other programs. A missing
 * language is a failure.
 */
import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { customersText } from '../core/people/customer-keys.ts'
import { customersIn } from '../edge/memory/customers.ts'
import { createSessionTokens, type Shopper } from '../edge/memory/tokens.ts'
import { readCustomerKeys } from '../functions/lib/customer-jwks.ts'

const run = promisify(execFile)

const sale = 'https://sale.shop.example'
const customer = [sale, 'ann-4711', 'Ann Ω']
const given = customer.map((text) => JSON.stringify(text)).join(', ')

/** `key` is the type of key that the snippet signs with; `call` prints a token. */
type SnippetRun = { command: string; file: string; key: 'ed25519' | 'rsa'; call: string }

export const snippetRuns = {
  js: {
    command: process.execPath,
    file: 'customer-token.mjs',
    key: 'ed25519',
    call: `console.log(customerToken(${given}))`,
  },
  python: {
    ...{ command: process.env.PYTHON ?? 'python3', file: 'customer-token.py', key: 'ed25519' },
    call: `print(customer_token(${given}))`,
  },
  php: {
    command: process.env.PHP ?? 'php',
    file: 'customer-token.php',
    key: 'rsa',
    call: `echo customer_token(${given});`,
  },
} as const satisfies Record<string, SnippetRun>

export type SnippetLanguage = keyof typeof snippetRuns

/** The page with the snippets; `snippetIn` returns its first block in a language. */
export const customersPage = join(import.meta.dirname, '../docs/how-to/customers.md')

export function snippetIn(page: string, language: SnippetLanguage): string {
  const [, code] = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page) ?? []
  if (code === undefined) throw new Error(`the page has no code in ${language}`)
  return code
}

/** Returns the page's command that prints the public keys of `shop-key.pem`. */
function keySetCommand(page: string): string {
  const [command] = /^node -p .*(?= > jwks\.json$)/m.exec(page) ?? []
  if (command === undefined) throw new Error('the page has no command for the set of keys')
  return command
}

/**
 * Returns the customer of the token that `code` creates, as the gate verifies it; undefined when the gate rejects it.
 * @throws when the code cannot be run
 */
export async function shopperOfSnippet(
  page: string,
  { command, file, key, call }: SnippetRun,
  code: string,
): Promise<Shopper | 'expired' | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-snippets-'))
  try {
    const { privateKey } =
      key === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : generateKeyPairSync('ed25519')
    await writeFile(join(folder, 'shop-key.pem'), privateKey.export({ format: 'pem', type: 'pkcs8' }))
    await writeFile(join(folder, file), `${code}\n${call}\n`)
    const { stdout: token } = await run(command, [file], { cwd: folder })
    const { stdout: jwks } = await run('sh', ['-c', keySetCommand(page)], { cwd: folder })
    const keys = readCustomerKeys(JSON.parse(jwks).keys)
    if ('failure' in keys) throw new Error(`the set of keys ${keys.failure}`)
    const { issuers } = customersIn(
      customersText([{ name: 'shop', issuer: 'https://shop.example', keys }]),
      new Set([sale]),
    )
    const tokens = createSessionTokens({ publicKeys: [], issuer: 'ours', audience: 'ours' }, Date.now)
    return tokens.verify(token.trim(), issuers)
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function report(): Promise<boolean> {
  const page = await readFile(customersPage, 'utf8')
  let isGood = true
  for (const [language, way] of Object.entries(snippetRuns)) {
    const code = snippetIn(page, language as SnippetLanguage)
    const lines = code.split('\n').length - 1
    const shopper = await shopperOfSnippet(page, way, code).catch((error: Error) =>
      error.message.trim().split('\n').at(-1),
    )
    const isTaken = typeof shopper === 'object' && shopper.customer?.name === 'Ann Ω'
    isGood &&= isTaken
    const said = isTaken ? `token taken for ${shopper.shopperId}` : `FAILED: ${shopper ?? 'token refused'}`
    console.log(`${language}, ${lines} lines: ${said}`)
  }
  return isGood
}

if (import.meta.main) process.exitCode = (await report()) ? 0 : 1
