/** Writes the data that the shop holds of a person, as a page and as lines. Its words are the catalogue `own-data`. */
import type { ErasedPerson, PersonData } from '../core/api/own-data.ts'
import type { ownDataMessages } from '../templates/messages/catalogues.ts'
import type { Arguments } from '../templates/messages/text.ts'
import { make } from './dom.ts'
import { saveFile } from './save.ts'

/** `time` writes epoch ms for the reader; `language` and `direction` are those of the page. */
export type PersonWords = {
  say: (key: keyof typeof ownDataMessages, args?: Arguments) => string
  time: (ms: number) => string
  language: string
  direction: string
}

/** Returns a line for each group of data that an erasure keeps. */
export function keptLines({ say, time }: PersonWords, kept: ErasedPerson['kept']): string[] {
  return kept.map(({ part, count: n, reason: why, until }) => {
    const args = { part: say(`person.part.${part}`), n, reason: say(`person.kept.${why}`) }
    return until === null ? say('person.keptLine', args) : say('person.keptUntil', { ...args, time: time(until) })
  })
}

/** Returns the text to confirm an erasure: its effect, and the data that stays. */
export function erasureText(words: PersonWords, kept: ErasedPerson['kept']): string[] {
  const stays = keptLines(words, kept)
  return [words.say('person.askText'), ...(stays.length === 0 ? [] : [words.say('person.stays'), ...stays])]
}

/** Saves the export as JSON or as a standalone page. */
export function savePerson(words: PersonWords, data: PersonData, format: 'json' | 'html'): void {
  const text = format === 'json' ? JSON.stringify(data, null, 2) : personPage(words, data)
  const type = format === 'json' ? 'application/json' : 'text/html'
  void saveFile(new Blob([text], { type: `${type};charset=utf-8` }), `my-data.${format}`)
}

function personPage(words: PersonWords, { shopperId, at, parts, kept }: PersonData): string {
  const { say, time, language, direction } = words
  const page = document.implementation.createHTMLDocument(say('person.title'))
  page.documentElement.lang = language
  page.documentElement.dir = direction
  page.head.prepend(make('meta', { charset: 'utf-8' }))
  page.body.append(
    make('h1', {}, say('person.title')),
    make('p', {}, `${shopperId} · ${time(at)}`),
    ...parts.flatMap(({ part, items }) => [
      make('h2', {}, say(`person.part.${part}`)),
      ...items.map((item) => listOf(words, item)),
    ]),
    ...(kept.length === 0 ? [] : [make('h2', {}, say('person.stays'))]),
    make('ul', {}, ...keptLines(words, kept).map((line) => make('li', {}, line))),
  )
  return `<!doctype html>\n${page.documentElement.outerHTML}`
}

/** Lists the members by their names in the API (docs/reference/http-api.md). */
function listOf(words: PersonWords, value: object): HTMLElement {
  const rows = Object.entries(value).flatMap(([name, one]) => [make('dt', {}, name), make('dd', {}, shown(words, one))])
  return make('dl', {}, ...rows)
}

/** Numbers between these are times: no amount of a shop is as large. */
const firstTime = Date.UTC(2010, 0)
const lastTime = Date.UTC(2100, 0)

function shown(words: PersonWords, value: unknown): string | Node {
  if (typeof value === 'object' && value !== null) return listOf(words, value)
  return typeof value === 'number' && value > firstTime && value < lastTime ? words.time(value) : String(value)
}
