import { expect, it } from 'vitest'
import { acceptedLanguage } from '../../../functions/people/save-contact.ts'

it.each([
  ['en-GB,zh-CN;q=0.8', 'en'],
  ['de-AT', 'de'],
  ['zh,en;q=0.5', 'zh-CN'],
  ['zh-TW', 'zh-CN'],
  ['sv-SE, zh-CN;q=0.7, en;q=0.3', 'zh-CN'],
  [' ZH-cn', 'zh-CN'],
  ['*', 'en'],
  [',', 'en'],
  ['', 'en'],
  [undefined, 'en'],
])('the language of a shopper who signs in is the first of ours in %j: %s', (header, language) => {
  expect(acceptedLanguage(header)).toBe(language)
})
