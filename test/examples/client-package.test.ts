/** The package of the client as docs/how-to/client.md installs it: packed, then used by a program and by a compiler. */
import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { newFolder } from '../folders.ts'
import { runProgram } from './programs.ts'

const root = join(import.meta.dirname, '../..')

const program = `import { createClient } from 'sluice-client'
const shop = createClient({ url: 'https://sale.shop.example', token: () => 'a.b.c' })
console.log(typeof shop.buy, Math.abs(shop.now() - Date.now()) < 60_000)
`

/** Its last line has a fault that only the types of the package show. */
const typed = `${program}
export const won = async (saleId: string): Promise<string | undefined> => {
  const bought = await shop.buy(saleId, { quantity: 1 })
  return bought.kind === 'won' ? bought.orderId : undefined
}
// @ts-expect-error a quantity is a number
export const wrong = () => shop.buy('mug', { quantity: 'one' })
`

it('is packed with code and types, and has no dependency', async () => {
  const folder = newFolder('example')
  // The compiler that packs it is the project's own, and what it writes stays in this folder.
  for (const name of ['client', 'tsconfig.json']) {
    await cp(join(root, name), join(folder, name), { recursive: true })
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const app = join(folder, 'app')
  const installed = join(app, 'node_modules/sluice-client')
  await mkdir(installed, { recursive: true })
  await runProgram('npm', ['pack', '--offline', '--pack-destination', app], { cwd: join(folder, 'client') })
  const [packed = ''] = (await readdir(app)).filter((name) => name.endsWith('.tgz'))
  await runProgram('tar', ['-xzf', packed, '--strip-components=1', '-C', installed], { cwd: app })
  const files = (await readdir(join(installed, 'dist'))).toSorted()
  expect(files).toEqual(expect.arrayContaining(['client.d.ts', 'client.js', 'types.d.ts']))
  expect(files.filter((name) => !/\.(?:d\.ts|js)$/.test(name))).toEqual([])

  await writeFile(join(app, 'main.mjs'), program)
  expect(await runProgram(process.execPath, ['main.mjs'], { cwd: app })).toBe('function true\n')
  await writeFile(join(app, 'main.mts'), typed)
  const compiler = join(root, 'node_modules/.bin/tsc')
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--lib',
    'es2022,dom',
  ]
  await runProgram(compiler, [...options, 'main.mts'], { cwd: app })
})
