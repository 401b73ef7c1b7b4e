/** The code that the documentation gives to shops, and what `npm run snippets` says of it. */
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { customersPage, type SnippetLanguage, shopperOfSnippet, snippetIn, snippetRuns } from '../../proof/snippets.ts'

const page = await readFile(customersPage, 'utf8')
const languages = Object.keys(snippetRuns) as SnippetLanguage[]
const node = snippetIn(page, 'js')

describe('code for shops that sign tokens for their customers', () => {
  it('is at most 20 lines in each language', () => {
    for (const language of languages) {
      expect(snippetIn(page, language).split('\n').length - 1, language).toBeLessThanOrEqual(20)
    }
  })

  it('creates a token in Node that the gate accepts, with the keys that its command prints', async () => {
    expect(await shopperOfSnippet(page, snippetRuns.js, node)).toMatchObject({
      shopperId: 'customer:shop|ann-4711',
      roles: [],
      customer: { name: 'Ann Ω' },
    })
  })

  it.each([
    ['that lives too long', node.replace('1800', '36000')],
    ['of another issuer', node.replace('https://shop.example', 'https://other.example')],
  ])('is found wrong when it makes a token %s', async (_, changed) => {
    expect(changed).not.toBe(node)
    expect(await shopperOfSnippet(page, snippetRuns.js, changed)).toBe(undefined)
  })

  it('fails where its language is missing', async () => {
    const missing = { ...snippetRuns.php, command: '/nowhere/php' }
    await expect(shopperOfSnippet(page, missing, snippetIn(page, 'php'))).rejects.toThrow('ENOENT')
  })
})
