/** The command palette: one box that leads to a view, to a sale, or to an action of the page below it. */
import Combobox from '@github/combobox-nav'
import { render } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { listSales } from './api.ts'
import { verbatim } from './lib/field.tsx'
import type { settingsPages } from './session.ts'
import type { ConsoleVoice } from './view.ts'

/** `act` is called once the palette is closed. */
type Entry = { id: string; kind: 'page' | 'sale' | 'action'; title: string; note: string; act(): void }

/** Pause after a key before sales are searched, ms. */
const typingMs = 200
const mostSales = 8

const shownText = (element: HTMLElement) => (element.checkVisibility() ? element.innerText.trim() : '')

/** What the page leads to now: its tabs, the pages without one, and the buttons of its view. */
function entriesOnPage(others: readonly Entry[]): Entry[] {
  const of = (selector: string, kind: Entry['kind']) =>
    [...document.querySelectorAll<HTMLElement>(selector)].flatMap((element, at): Entry[] => {
      const title = shownText(element)
      return title === '' ? [] : [{ id: `${kind}-${at}`, kind, title, note: '', act: () => element.click() }]
    })
  return [
    ...of('[data-tab]', 'page'),
    ...others,
    ...of('#view #actions button:enabled, #view header a.button', 'action'),
  ]
}

const goingTo = (hash: string) => () => {
  location.hash = hash
}

/** Undefined when the shop does not answer. */
async function salesLike(find: string): Promise<Entry[] | undefined> {
  const answer = await listSales({ find })
  if (!answer.ok) return undefined
  return answer.value.sales.slice(0, mostSales).map(({ saleId, title }) => ({
    ...{ id: `sale-${saleId}`, kind: 'sale', title, note: saleId },
    act: goingTo(`#/sale/${saleId}`),
  }))
}

type Props = { voice: ConsoleVoice; others: readonly Entry[]; close(): void }

function Palette({ voice, others, close }: Props) {
  const { t } = voice
  const id = useId()
  const [find, setFind] = useState('')
  const [onPage] = useState(() => entriesOnPage(others))
  const [sales, setSales] = useState<readonly Entry[]>([])
  const [search, setSearch] = useState<'none' | 'searching' | 'failed'>('none')
  const isHurried = useRef(false)
  const wanted = find.trim().toLowerCase()
  const entries = [...onPage.filter(({ title }) => title.toLowerCase().includes(wanted)), ...sales]
  const hint = entries.length > 0 && search !== 'failed' ? 'hint' : search
  const [box, list] = [useRef<HTMLInputElement>(null), useRef<HTMLDivElement>(null)]
  const keys = useRef<Combobox>(undefined)
  const shown = useRef(entries)
  shown.current = entries

  useLayoutEffect(() => {
    if (box.current === null || list.current === null) return undefined
    const started = new Combobox(box.current, list.current, {
      tabInsertsSuggestions: false,
      firstOptionSelectionMode: 'active',
    })
    // By a click, or by Enter in the box.
    list.current.addEventListener('combobox-commit', ({ target }) => {
      const chosen = shown.current.find((entry) => target instanceof Element && target.id === `${id}-${entry.id}`)
      if (chosen !== undefined) open(chosen)
    })
    started.start()
    keys.current = started
    return () => started.destroy()
  }, [])
  // Enter opens the first of those that are shown now.
  useLayoutEffect(() => keys.current?.resetSelection(), [entries.map((entry) => entry.id).join()])

  useEffect(() => {
    setSales([])
    setSearch(wanted === '' ? 'none' : 'searching')
    if (wanted === '') return undefined
    let isStale = false
    const timer = setTimeout(async () => {
      const found = await salesLike(wanted)
      if (isStale) return
      setSales(found ?? [])
      setSearch(found === undefined ? 'failed' : 'none')
      if (isHurried.current && found?.[0] !== undefined) open(found[0])
    }, typingMs)
    return () => {
      isStale = true
      clearTimeout(timer)
    }
  }, [wanted])

  function open({ act }: Entry): void {
    close()
    act()
  }
  return (
    <>
      <label for={id}>{t('palette.title')}</label>
      <input
        {...verbatim}
        {...{ id, ref: box, placeholder: t('palette.find'), value: find }}
        onInput={(event) => {
          isHurried.current = false
          setFind(event.currentTarget.value)
        }}
        onKeyDown={({ key, isComposing }) => {
          // Enter before the answer opens the first sale of it.
          if (key === 'Enter' && !isComposing && entries.length === 0) isHurried.current = true
        }}
      />
      <div class="palette__list" role="listbox" ref={list} aria-label={t('palette.title')}>
        {entries.map((entry) => (
          <div {...{ key: entry.id, id: `${id}-${entry.id}`, role: 'option', tabIndex: -1 }}>
            <span>
              {entry.title} <small>{entry.note}</small>
            </span>
            <small>{t(`palette.${entry.kind}`)}</small>
          </div>
        ))}
      </div>
      <p class="field__hint" role="status">
        {t(`palette.${hint}`)}
      </p>
    </>
  )
}

/** Opens the palette over the page, anew each time; `pages` are those without a tab. */
export function openPalette(
  voice: ConsoleVoice,
  pages: readonly ((typeof settingsPages)[number]['name'] | 'health')[],
): void {
  const others = pages.map((name): Entry => {
    const title = voice.t(`console.${name}`)
    return { ...{ id: name, kind: 'page', title, note: '' }, act: goingTo(`#/${name}`) }
  })
  const dialog = document.createElement('dialog')
  dialog.className = 'dialog palette'
  dialog.id = 'palette'
  dialog.ariaLabel = voice.t('palette.title')
  document.body.append(dialog)
  dialog.addEventListener('close', () => {
    render(null, dialog)
    dialog.remove()
  })
  render(<Palette voice={voice} others={others} close={() => dialog.close()} />, dialog)
  dialog.showModal()
  dialog.querySelector('input')?.focus()
}
