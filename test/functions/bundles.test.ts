/** The bundles in `dist/` as they are deployed: each is loaded by its own process, as Lambda loads it. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { environmentAt } from '../../bench/bundles/environment.ts'
import { bundleLimitsBytes, dist, functionEntries, refuseHeavyBundle } from '../../build.ts'

const entries = await functionEntries()
const names = Object.keys(entries)
const nowhere = 'http://127.0.0.1:9'

const bundleOf = (name: string) => join(dist, 'functions', name, 'handler.mjs')

/** The output of `code`, which gets the bundle of `name` as `bundle`; or the stack of the error that the import throws. */
async function printed(name: string, code: string, env: Record<string, string>): Promise<string> {
  const program = `
    const bundle = await import(${JSON.stringify(pathToFileURL(bundleOf(name)).href)}).catch(({ stack }) => {
      console.log(stack)
      process.exit()
    })
    ${code}`
  const run = promisify(execFile)
  return (await run(process.execPath, ['--input-type=module', '-e', program], { env })).stdout
}

/** The files that the bundle of `name` contains, by its source map. */
function filesIn(name: string): string[] {
  const map: { sources: string[] } = JSON.parse(readFileSync(`${bundleOf(name)}.map`, 'utf8'))
  return map.sources
}

describe.each(names)('the bundle of %s', (name) => {
  it('exports a handler without a callback, which Node 24 on Lambda would refuse', async () => {
    const code = 'console.log(typeof bundle.handler, bundle.handler.length < 3)'
    expect(await printed(name, code, environmentAt(nowhere))).toBe('function true\n')
  })

  it('calls no service while it is imported', async () => {
    let calls = 0
    const server = createServer().on('connection', () => {
      calls += 1
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    onTestFinished(() => {
      server.close()
    })
    const { port } = server.address() as AddressInfo
    expect(await printed(name, '', environmentAt(`http://127.0.0.1:${port}`))).toBe('')
    expect(calls).toBe(0)
  })

  it('holds ES modules only, of which nothing is shipped that is not used', () => {
    expect(filesIn(name).filter((file) => /@(?:aws-sdk|smithy)\/.*\/dist-cjs\//.test(file))).toEqual([])
    expect(readFileSync(bundleOf(name), 'utf8')).not.toContain('Dynamic require of')
  })
})

/** The canary uses only the public shop. */
const withoutAws = ['canary']

describe.each(names.filter((name) => !withoutAws.includes(name)))('the bundle of %s', (name) => {
  it('takes its credentials from the environment, and ships nothing that would look elsewhere', () => {
    const files = filesIn(name)
    const hasSdk = files.some((file) => file.includes('@aws-sdk/client-'))
    expect(files.includes('../../../functions/lib/credentials.ts')).toBe(hasSdk)
    const elsewhere = /credential-provider-(?!env\/)|nested-clients|token-providers|client-(?:sts|sso)/
    expect(files.filter((file) => elsewhere.test(file))).toEqual([])
  })

  it('does not start without credentials, and names their variables', async () => {
    const { AWS_ACCESS_KEY_ID: _id, AWS_SECRET_ACCESS_KEY: _secret, ...env } = environmentAt(nowhere)
    expect(await printed(name, '', env)).toMatch(
      /The environment is not usable: AWS_ACCESS_KEY_ID (?:is missing; |or )AWS_SECRET_ACCESS_KEY is missing/,
    )
  })

  it('leads a stack back to our files', async () => {
    const { TABLE_NAME: _, STOCK_DATABASES: __, UPLOAD_BUCKET: ___, ...env } = environmentAt(nowhere)
    expect(await printed(name, '', env)).toMatch(
      new RegExp(
        `/functions/lib/env\\.ts:\\d+:\\d+.*\n.*/${entries[name]?.replaceAll('.', '\\.')}:\\d+:\\d+`,
      ),
    )
  })
})

describe.each(withoutAws)('the bundle of %s', (name) => {
  it('ships no client of AWS, and starts without credentials', async () => {
    expect(filesIn(name).filter((file) => /@aws-sdk|@smithy|credentials/.test(file))).toEqual([])
    expect(await printed(name, 'console.log(typeof bundle.handler)', {})).toBe('function\n')
  })
})

describe('the bundle of sign-in', () => {
  it('ships no client of AWS: it signs its one request to the table itself', () => {
    expect(filesIn('sign-in').filter((file) => /@aws-sdk|credentials/.test(file))).toEqual([])
  })
})

const callsProvider = ['control', 'order-changes', 'payments', 'reconcile']

describe("Stripe's client", () => {
  it('is beside the functions that call the payment provider, and in no handler', () => {
    expect(names.filter((name) => existsSync(join(dist, 'functions', name, 'stripe.mjs')))).toEqual(
      callsProvider,
    )
    for (const name of names) {
      expect(
        filesIn(name).filter((file) => file.includes('node_modules/stripe/')),
        name,
      ).toEqual([])
    }
  })

  it.each(callsProvider)('is loaded by %s only where Stripe is the provider', async (name) => {
    const withoutPart = await mkdtemp(join(tmpdir(), 'sluice-'))
    onTestFinished(() => rm(withoutPart, { recursive: true }))
    const copy = join(withoutPart, 'handler.mjs')
    await copyFile(bundleOf(name), copy)
    const program = `import(${JSON.stringify(pathToFileURL(copy).href)}).then(
      ({ handler }) => console.log(typeof handler), ({ code }) => console.log(code))`
    const printedWith = async (provider: string) => {
      const env = { ...environmentAt(nowhere), PAYMENT_PROVIDER: provider }
      return (await promisify(execFile)(process.execPath, ['-e', program], { env })).stdout
    }
    expect(await printedWith('simulated')).toBe('function\n')
    expect(await printedWith('stripe')).toBe('ERR_MODULE_NOT_FOUND\n')
    expect(
      await printed(name, 'console.log(typeof bundle.handler)', {
        ...environmentAt(nowhere),
        PAYMENT_PROVIDER: 'stripe',
      }),
    ).toBe('function\n')
  })
})

describe('the build', () => {
  it('refuses a bundle that is heavier than its limit', () => {
    expect(() => refuseHeavyBundle('functions/reserve/handler.mjs', 199_001)).toThrow(
      'functions/reserve/handler.mjs has 199001 bytes; its limit is 199000.',
    )
    expect(() => refuseHeavyBundle('functions/reserve/handler.mjs', 199_000)).not.toThrow()
    expect(() => refuseHeavyBundle('edge/handler.mjs', 100_001)).toThrow('its limit is 100000')
  })

  it('has a limit for every bundle that a click or a page waits for, and keeps it', () => {
    expect(Object.keys(bundleLimitsBytes)).toEqual([
      'edge/handler.mjs',
      'functions/reserve/handler.mjs',
      'functions/claim/handler.mjs',
    ])
    for (const [file, limit] of Object.entries(bundleLimitsBytes)) {
      const { size } = statSync(join(dist, file))
      expect(size).toBeGreaterThan(limit / 10)
      expect(size).toBeLessThanOrEqual(limit)
    }
  })
})
