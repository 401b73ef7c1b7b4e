/** The search over the list of sales: a box for words, two choices, and what they found. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { saleKinds } from '../../core/sale/kinds.ts'
import { placeInCursor } from '../../core/sale/sale-cursor.ts'
import { isEmptySearch, maxFind, type SaleSearch, salesQuery, searchStates } from '../../core/sale/sale-search.ts'
import { Form, Select, verbatim } from '../parts/field.tsx'
import { PlainButton } from '../parts/work-button.tsx'
import { type ConsoleVoice, useView } from '../view.ts'
import type { LoadedSales } from './sale-reader.ts'

/** Pause after a key before the search begins, ms. */
const typingMs = 250

/** The search, and how far it is: `list` is of the search before until the first answer. */
export type Found = { search: SaleSearch; list: LoadedSales; progress: 'begun' | 'reading' | 'read' }

type Props = {
  archived: boolean
  found: Found
  /** Searches for something else, if it is. */
  change(search: SaleSearch): void
  stop(): void
}

export function SearchBar({ archived, found, change, stop }: Props) {
  const { voice } = useView()
  const [typed, setTyped] = useState(found.search)
  const box = useRef<HTMLInputElement>(null)
  const typing = useRef(0)
  useEffect(() => () => clearTimeout(typing.current), [])

  function search(next: SaleSearch): void {
    clearTimeout(typing.current)
    setTyped(next)
    change(next)
  }
  function enter(event: Event & { currentTarget: HTMLInputElement }): void {
    const next = { ...typed, find: event.currentTarget.value }
    setTyped(next)
    // A half-composed Chinese word is no text yet.
    if (event instanceof InputEvent && event.isComposing) return
    clearTimeout(typing.current)
    typing.current = window.setTimeout(search, typingMs, next)
  }

  const { progress, list } = found
  const isSearching = !isEmptySearch(found.search)
  const isReading = progress === 'reading'
  const day = dayInCursor(voice, list.next)
  const foundKey = list.next === null ? 'search.found' : 'search.foundSince'
  return (
    <Form
      class="search"
      id="search"
      role="search"
      aria-label={voice.t('search.title')}
      hidden={!isSearching && progress !== 'begun' && list.sales.length === 0 && list.next === null}
      submit={() => search(typed)}
    >
      <div class="row search__boxes">
        <input
          type="search"
          id="search-find"
          {...verbatim}
          maxlength={maxFind}
          enterkeyhint="search"
          placeholder={voice.t('search.find')}
          aria-label={voice.t('search.find')}
          ref={box}
          value={typed.find ?? ''}
          onInput={enter}
          onCompositionEnd={enter}
        />
        <Select
          id="search-kind"
          aria-label={voice.t('search.kind')}
          options={[
            ['', voice.t('search.anyKind')],
            ...saleKinds.map((kind) => [kind, voice.t(`kind.${kind}`)] as const),
          ]}
          value={typed.kind ?? ''}
          enter={(value) => search({ ...typed, kind: saleKinds.find((kind) => kind === value) })}
        />
        {/* An archived sale is over. */}
        {!archived && (
          <Select
            id="search-state"
            aria-label={voice.t('search.state')}
            options={[
              ['', voice.t('search.anyState')],
              ...searchStates.map((state) => [state, voice.t(`search.state.${state}`)] as const),
            ]}
            value={typed.state ?? ''}
            enter={(value) => search({ ...typed, state: searchStates.find((state) => state === value) })}
          />
        )}
      </div>
      <div class="row search__news note">
        {/* Not announced: it changes many times in a second. */}
        <p id="search-progress">
          {isSearching && progress === 'begun' && voice.t('search.begins')}
          {isSearching && isReading && voice.t('search.reading', { day })}
        </p>
        <p id="search-found" role="status">
          {isSearching && progress === 'read' && voice.t(foundKey, { n: list.sales.length, day })}
        </p>
        <PlainButton
          id="search-stop"
          hidden={!isReading || !isSearching}
          onClick={() => {
            stop()
            box.current?.focus()
          }}
        >
          {voice.t('search.stop')}
        </PlainButton>
        <PlainButton
          id="search-clear"
          hidden={!isSearching}
          onClick={() => {
            search({ find: '' })
            box.current?.focus()
          }}
        >
          {voice.t('search.clear')}
        </PlainButton>
      </div>
    </Form>
  )
}

/** The day up to which sales were read, in the reader's form. */
export function dayInCursor(voice: Pick<ConsoleVoice, 'locale'>, next: string | null): string {
  const place = next === null ? undefined : placeInCursor(next)
  const format = new Intl.DateTimeFormat(voice.locale(), { dateStyle: 'medium' })
  return place === undefined ? '' : format.format(place.startsAt)
}

/** Describes the search. */
export function searchWords(voice: ConsoleVoice, { find = '', kind, state }: SaleSearch): string {
  return [
    ...(find.trim() === '' ? [] : [`“${find.trim()}”`]),
    ...(kind === undefined ? [] : [voice.t(`kind.${kind}`)]),
    ...(state === undefined ? [] : [voice.t(`search.state.${state}`)]),
  ].join(' · ')
}

/** The search in an address such as `#/?find=mug&state=live`; what is unknown in it is left out. */
export function searchIn(hash: string): SaleSearch {
  const query = new URLSearchParams(/\?(.*)$/s.exec(hash)?.[1] ?? '')
  const find = (query.get('find') ?? '').slice(0, maxFind)
  const kind = saleKinds.find((one) => one === query.get('kind'))
  const state = searchStates.find((one) => one === query.get('state'))
  return { find, ...(kind !== undefined && { kind }), ...(state !== undefined && { state }) }
}

export function addressOfSearch(path: string, { find, kind, state }: SaleSearch): string {
  const query = new URLSearchParams(salesQuery({ find, kind, state }))
  return query.size === 0 ? path : `${path}?${query}`
}

/** True when `next` only extends the words of `search`, which adds no history entry. */
export function goesOn(search: SaleSearch, next: SaleSearch): boolean {
  const isTyping = (search.find ?? '') !== '' && (next.find ?? '') !== ''
  return isTyping && search.kind === next.kind && search.state === next.state
}
