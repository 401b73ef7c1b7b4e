/** Runs “Your data” on the orders page: downloads and erasure. The page loads it once the section is opened. */
import type { Reply } from '../client/http.ts'
import type { ErasedPerson, PersonData } from '../core/api/own-data.ts'
import type { Language } from '../core/language.ts'
import type { ownDataMessages } from '../templates/messages/catalogues.ts'
import { type Arguments, words } from '../templates/messages/text.ts'
import { momentText } from '../templates/messages/time-text.ts'
import { askFirst } from '../web/confirm.ts'
import { byId, make, setText } from '../web/dom.ts'
import { call } from '../web/http.ts'
import { loadWords } from '../web/load-module.ts'
import { button as newButton } from '../web/parts.ts'
import { erasureText, keptLines, type PersonWords, savePerson } from '../web/person-page.ts'
import { fieldsOf } from '../web/wire.ts'

const language = (): Language => document.documentElement.lang
const say = (key: keyof typeof ownDataMessages, args?: Arguments) => words(key, language(), args)
const personWords = (): PersonWords => ({
  ...{ say, language: language(), direction: document.documentElement.dir },
  time: (ms) => momentText(ms, language(), { zone: true, year: true }),
})

/** The shop reads each sale, which takes seconds in a large shop, ms. */
const deadlineMs = 30_000

/** Fills the section. Returns false if its words cannot be loaded. */
export async function showOwnData(): Promise<boolean> {
  if (!(await loadWords('own-data', language()))) return false
  const said = make('div', { id: 'own-data-said', role: 'status' })
  let isBusy = false
  const button = (id: string, label: 'person.html' | 'person.json' | 'person.erase', work: () => Promise<void>) =>
    newButton(say(label), () => begin(work), { look: 'plain', id })
  function begin(work: () => Promise<void>): void {
    if (isBusy) return
    isBusy = true
    said.replaceChildren()
    void work().finally(() => {
      isBusy = false
    })
  }
  const save = (format: 'json' | 'html') => async () => {
    const reply = await call(fetch, '/api/me', { deadlineMs })
    const data = reply.kind === 'ok' ? readPerson(reply.body) : undefined
    if (data === undefined) setText(said, say('person.failed'))
    else savePerson(personWords(), data, format)
  }
  byId('own-data-place').replaceChildren(
    make('p', {}, say('person.text')),
    make(
      'div',
      { class: 'actions' },
      button('own-data-html', 'person.html', save('html')),
      button('own-data-json', 'person.json', save('json')),
      button('own-data-erase', 'person.erase', () => erase(said)),
    ),
    said,
  )
  return true
}

/** Shows which data stays, asks, and erases. */
async function erase(said: HTMLElement): Promise<void> {
  const before = await call(fetch, '/api/me', { deadlineMs })
  const data = before.kind === 'ok' ? readPerson(before.body) : undefined
  if (data === undefined) return setText(said, say('person.failed'))
  if (data.open.length > 0) return setText(said, openText(data.open.join(', ')))
  const text = erasureText(personWords(), data.kept)
  const choice = { value: 'erase', label: say('person.erase'), kind: 'danger' } as const
  if ((await askFirst(say('person.ask'), text, [choice], say('person.back'))) === undefined) return
  const reply = await call(fetch, '/api/me?confirm=yes', { method: 'DELETE', deadlineMs })
  const erased = reply.kind === 'ok' ? readErased(reply.body) : undefined
  if (erased === undefined) return setText(said, refusalOf(reply))
  said.replaceChildren(
    make('p', {}, say(erased.erased.length === 0 ? 'person.nothing' : 'person.erased')),
    ...keptLines(personWords(), erased.kept).map((line) => make('p', {}, line)),
  )
}

const openText = (orders: string) => say('person.open', { orders })

function refusalOf(reply: Reply): string {
  const { reason, values } = reply.problem ?? {}
  return reason === 'orders-open' ? openText(String(values?.orders)) : say('person.failed')
}

function readPerson(value: unknown): PersonData | undefined {
  const { parts, kept, open } = fieldsOf(value) ?? {}
  return [parts, kept, open].every(Array.isArray) ? (value as PersonData) : undefined
}

function readErased(value: unknown): ErasedPerson | undefined {
  const { erased, kept } = fieldsOf(value) ?? {}
  return [erased, kept].every(Array.isArray) ? (value as ErasedPerson) : undefined
}
