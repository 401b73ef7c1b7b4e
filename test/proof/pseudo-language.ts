/**
 * A pseudo-language: the English texts with accents and longer vowels in brackets, and with the same values and choices. A
 * text without brackets on a page was not translated, and one that is cut off has no closing bracket.
 */
import { parse } from '@messageformat/parser'
import { englishTexts } from '../../templates/messages/language-files.ts'

type Choice = Extract<ReturnType<typeof parse>[number], { cases: unknown }>
type Tokens = Choice['cases'][number]['tokens']

/** The marks around each text. */
export const [opening, closing] = ['⟦', '⟧'] as const

const accented: Readonly<Record<string, string>> = {
  ...{ a: 'åå', e: 'éé', i: 'îî', o: 'öö', u: 'ûû', y: 'ý', c: 'ç', n: 'ñ', s: 'š', l: 'ł', d: 'ð', r: 'ŕ' },
  ...{ A: 'Å', E: 'É', I: 'Î', O: 'Ö', U: 'Û', C: 'Ç', N: 'Ñ', S: 'Š', L: 'Ł', D: 'Ð', R: 'Ŕ', Y: 'Ý' },
}

const accent = (text: string): string => text.replace(/\w/g, (letter) => accented[letter] ?? letter)

/** `text` in ICU MessageFormat, as the parser of the build reads it. */
export function pseudoText(text: string): string {
  const tokens = parse(text, { cardinal: ['one', 'other'], strict: false })
  return opening + written(tokens) + closing
}

/** The source of a token is in its context; quotes and braces of it stay as they are. */
function written(tokens: Tokens): string {
  return tokens
    .map((token) => {
      if (token.type === 'content') return accent(token.ctx.text)
      if (!('cases' in token)) return token.ctx.text
      return `${token.ctx.text}${token.cases.map(({ ctx, tokens: own }) => `${ctx.text}${written(own)}}`).join('')}}`
    })
    .join('')
}

/** A language file, whole. */
export function pseudoLanguage(): { name: string; messages: Record<string, Record<string, string>> } {
  const messages = Object.entries(englishTexts).map(([catalogue, texts]) => [
    catalogue,
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, pseudoText(text)])),
  ])
  return { name: `${opening}Pšéûðö${closing}`, messages: Object.fromEntries(messages) }
}
