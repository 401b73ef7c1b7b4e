/** examples/load: Artillery, installed from its lock file, sends a crowd to a sale, and the verdict sees what does not hold. */
import { generateKeyPairSync } from 'node:crypto'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { newFolder } from '../folders.ts'
import { openSale, shopAt } from '../journey/support.ts'
import { examplesFolder, runProgram } from './programs.ts'
import { withIssuer } from './shop.ts'

const stack = shopAt(inject('shopUrl'))

it('sells ten units to a crowd of forty, each 202 with its order, and the verdict finds a lost one', {
  timeout: 600_000,
}, async () => {
  const cwd = newFolder('example')
  await cp(join(examplesFolder, 'load'), cwd, { recursive: true })
  await runProgram('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd })
  const client = join(examplesFolder, '../client')
  await runProgram('npx', ['tsc', '-p', '.', '--outDir', join(cwd, 'client')], { cwd: client })
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const issuer = 'https://load.example'
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'first', use: 'sig' }
  await withIssuer(stack, 'load', issuer, { keys: [jwk] })
  const { saleId } = await openSale(stack, { stock: 10 })
  const env = {
    ...{ SLUICE_URL: stack.url, SLUICE_TOKEN: await stack.token('mia', { roles: ['marketer'] }), SALE: saleId },
    ...{ SHOP_ISSUER: issuer, SHOP_KEY: String(privateKey.export({ format: 'pem', type: 'pkcs8' })) },
    ...{ SHOPPERS: '40', ARRIVE_SECONDS: '5' },
  }

  await runProgram('npm', ['run', 'crowd'], { cwd, env })
  const verdict = () => runProgram('npm', ['run', '--silent', 'verdict'], { cwd, env })
  const printed = await verdict()
  expect(printed).not.toContain('BROKEN')
  expect(printed).toContain('units sold, at most the stock: 10 of 10')
  expect(printed).toContain('each 202 has an order: 10 of 10')

  const report = JSON.parse(await readFile(join(cwd, 'report.json'), 'utf8'))
  report.aggregate.counters['sluice.won'] += 1
  await writeFile(join(cwd, 'report.json'), JSON.stringify(report))
  await expect(verdict()).rejects.toThrow('BROKEN  each 202 has an order: 10 of 11')
})
