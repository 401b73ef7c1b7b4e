/** The code that docs/how-to/customers.md gives to shops, run with the PHP and the Python of Debian, without root. */
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { customersPage, type SnippetLanguage, shopperOfSnippet, snippetIn, snippetRuns } from '../../proof/snippets.ts'
import { newFolder } from '../folders.ts'
import { unpackDebian } from './debian.ts'

/** With the libraries that a machine may lack. */
const packages = [
  ...['php8.2-cli', 'libargon2-1', 'libsodium23', 'libedit2', 'libxml2', 'libssl3'],
  ...['python3.11-minimal', 'libpython3.11-minimal', 'libpython3.11-stdlib'],
  ...['python3-cryptography', 'python3-cffi-backend'],
]

/** A program that runs `command` of the packages in `folder`, and nothing of the machine's own language. */
async function programIn(folder: string, name: string, command: string): Promise<string> {
  const file = join(folder, name)
  const libraries = join(folder, 'usr/lib/x86_64-linux-gnu')
  await writeFile(file, `#!/bin/sh\nLD_LIBRARY_PATH=${libraries} ${command} "$@"\n`)
  await chmod(file, 0o755)
  return file
}

it('makes tokens that the gate takes, in each language', { timeout: 300_000 }, async () => {
  const folder = newFolder('example')
  await unpackDebian(folder, packages)
  const usr = join(folder, 'usr')
  const python = `PYTHONHOME=${usr} PYTHONPATH=${usr}/lib/python3/dist-packages exec ${usr}/bin/python3.11`
  const commands: Record<SnippetLanguage, string> = {
    js: process.execPath,
    php: await programIn(folder, 'php', `exec ${usr}/bin/php8.2 -n`),
    python: await programIn(folder, 'python', python),
  }
  const page = await readFile(customersPage, 'utf8')
  for (const [language, command] of Object.entries(commands) as [SnippetLanguage, string][]) {
    const shopper = await shopperOfSnippet(page, { ...snippetRuns[language], command }, snippetIn(page, language))
    expect(shopper, language).toMatchObject({ shopperId: 'customer:shop|ann-4711', customer: { name: 'Ann Ω' } })
  }
})
