/** The search over the list of sales: a box for words, two choices, and what they found. */

import { placeInCursor } from '../../../../core/sale/sale-place.ts'
import { isEmptySearch, maxFind, type SaleSearch, searchStates } from '../../../../core/sale/sale-search.ts'
import { saleKinds } from '../../../../core/sale/settings.ts'
import { make, setText } from '../../lib/dom.ts'
import type { ConsoleVoice } from '../view.ts'
import type { SaleList } from './sale-list.ts'

/** Pause after a key before the search begins, ms. */
const typingMs = 250

type Surroundings = {
  voice: ConsoleVoice
  archived: boolean
  /** What the address asks for. */
  search: SaleSearch
  /** Called with every other search. */
  change(search: SaleSearch): void
  stop(): void
}

export function searchBar({ voice, archived, search, change, stop }: Surroundings) {
  let present = search
  let typing = 0
  const box = make('input', {
    ...{ type: 'search', id: 'search-find', maxlength: maxFind, value: search.find ?? '' },
    ...{ autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false', enterkeyhint: 'search' },
    ...{ placeholder: voice.t('search.find') },
  })
  const kinds = choice(
    { id: 'search-kind', label: voice.t('search.kind'), any: voice.t('search.anyKind') },
    saleKinds.map((kind) => [kind, voice.t(`kind.${kind}`)]),
    search.kind,
  )
  const states = choice(
    { id: 'search-state', label: voice.t('search.state'), any: voice.t('search.anyState') },
    searchStates.map((state) => [state, voice.t(`search.state.${state}`)]),
    search.state,
  )
  const found = make('p', { id: 'search-found', role: 'status' })
  // Not announced: it changes many times in a second.
  const progress = make('p', { id: 'search-progress' })
  const stopButton = plainButton('search-stop', voice.t('search.stop'), () => {
    stop()
    box.focus()
  })
  const clearButton = plainButton('search-clear', voice.t('search.clear'), clear)

  function changed(): void {
    clearTimeout(typing)
    const next: SaleSearch = {
      find: box.value,
      kind: saleKinds.find((kind) => kind === kinds.value),
      state: searchStates.find((state) => state === states.value),
    }
    if (JSON.stringify(next) === JSON.stringify(present)) return
    present = next
    begin()
    change(next)
  }

  function clear(): void {
    box.value = ''
    kinds.value = ''
    states.value = ''
    changed()
    box.focus()
  }

  function begin(): void {
    const isSearching = !isEmptySearch(present)
    setText(progress, isSearching ? voice.t('search.begins') : '')
    clearButton.hidden = !isSearching
    stopButton.hidden = true
    setText(found, '')
  }

  const typed = (event: Event) => {
    // A half-composed Chinese word is no text yet.
    if (event instanceof InputEvent && event.isComposing) return
    clearTimeout(typing)
    typing = window.setTimeout(changed, typingMs)
  }
  const submit = (event: Event) => {
    event.preventDefault()
    changed()
  }
  box.addEventListener('input', typed)
  box.addEventListener('compositionend', typed)
  kinds.addEventListener('change', changed)
  states.addEventListener('change', changed)

  begin()
  const boxes = make(
    'div',
    { class: 'search__boxes' },
    box,
    kinds,
    // An archived sale is over.
    archived ? undefined : states,
  )
  box.setAttribute('aria-label', voice.t('search.find'))
  const element = make(
    'form',
    { class: 'search', id: 'search', role: 'search', 'aria-label': voice.t('search.title'), submit },
    boxes,
    make('div', { class: 'search__news' }, progress, found, stopButton, clearButton),
  )

  return {
    element,
    present: () => present,
    /** Says what was found, and whether the search goes on. */
    draw({ sales, next }: SaleList, isReading: boolean): void {
      const isSearching = !isEmptySearch(present)
      element.hidden = !isSearching && sales.length === 0 && next === null
      stopButton.hidden = !isReading || !isSearching
      const day = dayInCursor(voice, next)
      setText(progress, isReading && isSearching ? voice.t('search.reading', { day }) : '')
      if (isReading) return
      const key = next === null ? 'search.found' : 'search.foundSince'
      setText(found, isSearching ? voice.t(key, { n: sales.length, day }) : '')
    },
    /** What the search looks for, in words. */
    words(): string {
      const { find = '', kind, state } = present
      return [
        ...(find.trim() === '' ? [] : [`“${find.trim()}”`]),
        ...(kind === undefined ? [] : [voice.t(`kind.${kind}`)]),
        ...(state === undefined ? [] : [voice.t(`search.state.${state}`)]),
      ].join(' · ')
    },
    leave(): void {
      clearTimeout(typing)
    },
  }
}

/** The day up to which sales were read, in the reader's form. */
export function dayInCursor(voice: Pick<ConsoleVoice, 'locale'>, next: string | null): string {
  const place = next === null ? undefined : placeInCursor(next)
  const format = new Intl.DateTimeFormat(voice.locale(), { dateStyle: 'medium' })
  return place === undefined ? '' : format.format(place.startsAt)
}

type Choice = { id: string; label: string; any: string }

function choice(
  { id, label, any }: Choice,
  options: readonly (readonly [value: string, text: string])[],
  chosen = '',
): HTMLSelectElement {
  const all = [['', any] as const, ...options]
  const select = make(
    'select',
    { id, 'aria-label': label },
    ...all.map(([value, text]) => make('option', { value }, text)),
  )
  select.value = chosen
  return select
}

function plainButton(id: string, text: string, click: () => void): HTMLButtonElement {
  return make('button', { type: 'button', class: 'button button--plain', id, click }, text)
}
